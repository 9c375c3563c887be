import { spawnSync } from "node:child_process";
import { printed } from "./collect";
import { expanded } from "./shell";

/** Every question for a node's logs that we print is read by kubelet's own code. `.ci/log-query` builds it. */

const logQuery = process.env.CAPZ_WINDOWS_LOG_QUERY;

const verdicts = (paths: readonly string[]): string[] =>
  spawnSync(logQuery ?? "", { input: `${paths.join("\n")}\n`, encoding: "utf8" })
    .stdout.trimEnd()
    .split("\n");

const judged = logQuery === undefined ? describe.skip : describe;
judged("with CAPZ_WINDOWS_LOG_QUERY, kubelet's reader of log queries", () => {
  it("takes each that remedies, documents and access print", async () => {
    const runs = expanded(await printed()).flatMap((text) => text.runs);
    const paths = runs.flatMap((words) => words.filter((word) => word.includes("/proxy/logs/")));
    expect(paths.length).toBeGreaterThan(5);
    const found = new Set(verdicts(paths));
    expect([...found].sort()).toEqual([
      "file kubelet/kubelet.log",
      "services [containerd]",
      "services [kubelet]",
    ]);
  });

  it.each([
    ["?query=a%20b", 'query: Invalid value: "a b": input contains unsupported characters'],
    [
      "?query=kubelet&tailLines=x",
      'tailLines: Invalid value: "x": strconv.Atoi: parsing "x": invalid syntax',
    ],
    ["?tailLines=5", "query: Required value: cannot be empty with options"],
    ["kubelet?query=kubelet", "path not allowed in query mode"],
  ])("refuses %s", (path, problem) => {
    expect(verdicts([`/api/v1/nodes/win1000000/proxy/logs/${path}`])).toEqual([`refused: ${problem}`]);
  });
});

if (logQuery === undefined) {
  it.skip("skipped: kubelet reads no printed log queries, which needs CAPZ_WINDOWS_LOG_QUERY", () =>
    undefined);
}
