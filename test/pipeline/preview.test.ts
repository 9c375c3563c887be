import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { credentialForms, planted } from "capz-windows-test-kit/credentialForms";
import { said } from "capz-windows-test-kit/said";
import { leaks } from "capz-windows-test-kit/secrets";
import { run } from "../../commands/pipeline/cli";
import { projectDir } from "../support/stacks";
import type { Workplace } from "../scripts/run";
import { workplace } from "../scripts/run";

const cwd = process.cwd();
let place: Workplace;
beforeEach(() => {
  place = workplace();
  process.chdir(place.dir);
});
afterEach(() => {
  process.chdir(cwd);
  place.remove();
});

/** In this process; what only a process of its own has, such as the guard of its output, is tested below. */
async function pipeline(args: readonly string[]) {
  const { code, out, err } = await said(() => run(args, {}));
  return { status: code, stdout: out, stderr: err };
}

const urn = (name: string): string => `urn:pulumi:dev::capz-windows::kubernetes:core/v1:ConfigMap::${name}`;

const diffOf = (paths: readonly string[]) => ({
  detailedDiff: Object.fromEntries(paths.map((path) => [path, { diffKind: "update" }])),
});

const step = (op: string, name: string, paths: readonly string[] = []) => ({
  resourcePreEvent: { metadata: { op, urn: urn(name), ...diffOf(paths) } },
});

/** Event with the result of a step. */
const found = (op: string, name: string) => ({ resOutputsEvent: step(op, name).resourcePreEvent });

const prelude = { preludeEvent: { config: { "capz-windows:key": "PLANTED" } } };
const summary = { summaryEvent: { isPreview: true } };

/** Installs a fake Pulumi that writes these events, prints its arguments and exits with a code. */
function pulumi(events: readonly object[], code = 0): string {
  place.command(
    "pulumi",
    `const log = process.argv[process.argv.indexOf("--event-log") + 1];
     require("node:fs").writeFileSync(log, ${JSON.stringify(events.map((event) => JSON.stringify(event)).join("\n"))});
     require("node:fs").writeFileSync("log-path", log);
     console.log(process.argv.slice(2).filter((argument) => argument !== log).join(" "));
     if (process.env.PULUMI_DEBUG_COMMANDS !== "true") { process.exitCode = 99; } else { process.exitCode = ${code}; }`,
  );
  return place.path("bin/pulumi");
}

const preview = (events: readonly object[], args: readonly string[] = [], code = 0) => {
  const cli = pulumi(events, code);
  const own = ["--stack", "dev", "--out", "out/dev.json", "--pulumi", cli];
  return pipeline(["preview", ...own, ...args]);
};

const outcome = () => JSON.parse(place.read("out/dev.json")) as Record<string, unknown>;

it("whose operations are no words is not what this program wrote", async () => {
  const operations = [
    { op: "update |\n\n## Plan\n\n**Approved** @org/admins <!--", urn: urn("a"), paths: [] },
  ];
  const text = JSON.stringify({ version: 1, stack: "dev", result: "changes", operations, text: "" });
  place.write("stranger.json", text);
  expect(await pipeline(["markdown", "preview", "stranger.json"])).toEqual({
    status: 1,
    stdout: "",
    stderr: "stranger.json: this is not what `pipeline preview` writes.\n",
  });
});

describe("a preview that is interrupted", () => {
  /** Starts one whose Pulumi has written its log, and waits. */
  async function started() {
    place.command(
      "pulumi",
      `const log = process.argv[process.argv.indexOf("--event-log") + 1];
       const fs = require("node:fs");
       fs.writeFileSync(log, "PLANTED");
       for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
         process.on(signal, () => { fs.writeFileSync("ended-by", signal); process.exit(1); });
       }
       fs.writeFileSync("log-path", log + "\\n" + process.pid + "\\n");
       setInterval(() => undefined, 1000);`,
    );
    const args = ["preview", "--stack", "dev", "--out", "out/dev.json", "--pulumi", place.path("bin/pulumi")];
    const child = spawn(process.execPath, [join(projectDir, "scripts/pipeline.js"), ...args], {
      cwd: place.dir,
      stdio: "ignore",
    });
    while (!existsSync(place.path("log-path")) || !place.read("log-path").endsWith("\n")) {
      await sleep(20);
    }
    const [log = "", pid = ""] = place.read("log-path").split("\n");
    return { child, log, pid: Number(pid) };
  }

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "by %s ends Pulumi by the same signal, leaves no event log, and ends by it",
    async (signal) => {
      const { child, log } = await started();
      expect(existsSync(log)).toBe(true);
      child.kill(signal);
      const [, by] = (await once(child, "exit")) as [number | null, string | null];
      expect({ by, log: existsSync(dirname(log)), told: place.read("ended-by") }).toEqual({
        ...{ by: signal, log: false, told: signal },
      });
    },
  );

  it("by SIGKILL leaves its log to the next one, which deletes it", async () => {
    const { child, log, pid } = await started();
    child.kill("SIGKILL");
    await once(child, "exit");
    process.kill(pid, "SIGKILL");
    expect(existsSync(log)).toBe(true);
    await preview([summary]);
    expect(existsSync(dirname(log))).toBe(false);
  });
});

describe("a real preview", () => {
  it("is recorded as text and as operations, and its event log is deleted", async () => {
    const { status, stdout } = await preview([
      prelude,
      step("same", "a"),
      step("update", "c", ["data.x", "data.a"]),
      found("update", "c"),
      step("create", "b"),
      summary,
    ]);
    expect(status).toBe(0);
    const text =
      "preview --stack dev --diff --suppress-outputs --suppress-progress --non-interactive --color never --event-log\n";
    expect(stdout).toBe(text);
    expect(outcome()).toEqual({
      version: 1,
      stack: "dev",
      result: "changes",
      operations: [
        { op: "create", urn: urn("b"), paths: [] },
        { op: "update", urn: urn("c"), paths: ["data.a", "data.x"] },
      ],
      text,
    });
    expect(place.read("out/dev.json")).not.toContain("PLANTED");
    expect(() => place.read(place.read("log-path").replace(place.dir, ""))).toThrow("ENOENT");
  });

  it.each([
    ["nothing to do", [step("same", "a"), step("read", "b"), summary], [], 0, "unchanged"],
    ["a failed program", [prelude], [], 255, "failed"],
    ["drift", [step("update", "a"), summary], ["--refresh", "--expect-no-changes"], 255, "changes"],
    [
      "what only a refresh finds",
      [step("refresh", "a"), found("update", "a"), summary],
      ["--refresh"],
      0,
      "changes",
    ],
    ["a failed refresh", [step("refresh", "a")], ["--refresh", "--expect-no-changes"], 255, "failed"],
  ])("knows %s", async (_, events, args, code, result) => {
    const { status, stdout } = await preview(events, args, code);
    expect({ status, result: outcome().result }).toEqual({ status: code, result });
    expect(args.every((argument) => stdout.includes(argument))).toBe(true);
  });

  it.each([
    ["no event at all", []],
    ["steps that change nothing", [step("same", "a")]],
  ])("with %s and without a summary has failed, and is no preview without changes", async (_, events) => {
    const { status, stderr } = await preview(events);
    expect({ status, stderr, result: outcome().result }).toEqual({
      status: 1,
      stderr: "The event log of Pulumi has no summary. The preview is kept as failed.\n",
      result: "failed",
    });
  });

  const aks = (paths: readonly string[], before: string, after: string) => ({
    resourcePreEvent: {
      metadata: {
        op: "update",
        urn: "urn:pulumi:dev::capz-windows::azure-native:containerservice:ManagedCluster::management-aks-cluster",
        ...diffOf(paths),
        old: { inputs: { kubernetesVersion: before } },
        new: { inputs: { kubernetesVersion: after } },
      },
    },
  });
  const versions = ["kubernetesVersion", "agentPoolProfiles[0].orchestratorVersion"];

  it.each([
    ["the patch that AKS chose", aks(versions, "1.35.6", "1.35"), 0, "unchanged"],
    ["a patch of AKS's nodes", aks(versions.slice(1), "1.35", "1.35"), 0, "unchanged"],
    ["another minor of AKS", aks(versions, "1.35.6", "1.36"), 255, "changes"],
    ["another patch than the stack's own", aks(versions, "1.35.6", "1.35.4"), 255, "changes"],
    ["a patch of AKS and tags", aks([...versions, "tags.team"], "1.35.6", "1.35"), 255, "changes"],
  ])("takes as drift what it is: %s", async (_, event, code, result) => {
    const { status } = await preview([event, summary], ["--refresh", "--expect-no-changes"], 255);
    expect({ status, result: outcome().result }).toEqual({ status: code, result });
  });

  it("includes a patch of AKS in the changes to approve", async () => {
    await preview([aks(versions, "1.35.6", "1.35"), summary]);
    expect(outcome()).toMatchObject({ result: "changes", operations: [{ op: "update" }] });
  });

  it("fails if it differs from what was approved", async () => {
    const approved = (operations: readonly object[]): string =>
      place.write("approved.json", JSON.stringify({ stack: "dev", result: "changes", operations, text: "" }));
    const events = [step("update", "a", ["data.x"]), step("delete", "b"), summary];
    const same = [
      { op: "update", urn: urn("a"), paths: ["data.x"] },
      { op: "delete", urn: urn("b"), paths: [] },
    ];
    const ok = await preview(events, ["--approved", approved(same)]);
    expect(ok).toMatchObject({ status: 0, stderr: "The same 2 operations as approved.\n" });
    place.write(
      "other.json",
      JSON.stringify({ stack: "prod", result: "changes", operations: same, text: "" }),
    );
    expect(await preview(events, ["--approved", "other.json"])).toMatchObject({
      status: 1,
      stderr: "--approved other.json: this is a preview of the stack prod, not of dev.\n",
    });
    const others = [
      { op: "update", urn: urn("a"), paths: ["data.y"] },
      { op: "create", urn: urn("c"), paths: [] },
    ];
    const other = await preview(events, ["--approved", approved(others)]);
    expect(other.status).toBe(3);
    expect(other.stderr).toBe(`This is not what was approved; start the deployment again:
  not approved: delete ${urn("b")}
  no longer: create ${urn("c")}
  other properties: update ${urn("a")}: +data.x, -data.y
`);
  });
});

describe("what Pulumi prints", () => {
  /** A fake Pulumi that writes these one after the other. */
  function printing(chunks: readonly string[], events = JSON.stringify(summary)): string {
    place.write("chunks.json", JSON.stringify(chunks));
    place.command(
      "pulumi",
      `const fs = require("node:fs");
       fs.writeFileSync(process.argv[process.argv.indexOf("--event-log") + 1], ${JSON.stringify(events)});
       const chunks = JSON.parse(fs.readFileSync("chunks.json", "utf8"));
       const next = () => {
         if (chunks.length > 0) { fs.writeSync(1, chunks.shift()); setTimeout(next, chunks.length > 0 ? 200 : 0); }
       };
       next();`,
    );
    return place.path("bin/pulumi");
  }

  const kept = (cli: string, env: Readonly<Record<string, string>> = {}) =>
    place.run("pipeline.js", ["preview", "--stack", "dev", "--out", "out/dev.json", "--pulumi", cli], env);

  const other = "0therP1antedSecretQwertz";
  const quoted = JSON.stringify;

  /** As Pulumi shows a text in each kind of change. */
  const changes: Readonly<Record<string, (was: string, is: string) => readonly string[]>> = {
    created: (was) => [`          + content  : ${quoted(was)}`],
    changed: (was, is) => [`          ~ content  : ${quoted(was)} => ${quoted(is)}`],
    inLines: (was, is) => [
      "          ~ content  : ",
      "              [own]",
      ...was.split("\n").map((line) => `            - ${line}`),
      ...is.split("\n").map((line) => `            + ${line}`),
    ],
  };

  const named: readonly string[] = [
    `          ~ password : ${quoted(planted)} => ${quoted(other)}`,
    `          ~ password : <null> => ${quoted(planted)}`,
    `          ~ password : [secret] => ${quoted(planted)}`,
    "          + [0]: {",
    '              + name : "DB_PASSWORD"',
    `              + value: ${quoted(planted)}`,
    '            ~ name : "DB_PASSWORD"',
    `            ~ value: ${quoted(planted)} => ${quoted(other)}`,
    "          ~ args: [",
    '            + [0]: "--token"',
    `            + [1]: ${quoted(planted)}`,
    '              [2]: "--password"',
    `            ~ [3]: ${quoted(planted)} => ${quoted(other)}`,
    "          ~ file : ",
    "              password: |",
    `            -   ${planted}`,
    `            +   ${other}`,
  ];

  const body = [
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7",
    "/PlantedSecondLine/w0BAQEFAASCBKcwggSj",
  ];
  const key = ["-----BEGIN PRIVATE KEY-----", ...body, "-----END PRIVATE KEY-----"];
  const keys = [
    ...key.map((line) => `            + ${line}`),
    `              ${key[0] ?? ""}`,
    ...body.map((line) => `            - ${line}`),
    ...body.map((line) => `            + ${line}`),
    `          + tls : ${quoted(key.join("\n"))}`,
    '          + seen : "beside a key"',
  ];

  it("is shown, kept and published without credentials, in any form", () => {
    const steps = Object.values(credentialForms).flatMap((form) =>
      Object.values(changes).map((change) => change(form(planted), form(other))),
    );
    const text = [...steps, named, keys]
      .map(
        (lines, index) =>
          `    ~ kubernetes:core/v1:ConfigMap: (update)\n        [id=n${index}]\n${lines.join("\n")}\n`,
      )
      .join("");
    const events = [step("update", "a", ["data.x"]), summary].map((event) => quoted(event)).join("\n");
    const { status, stdout } = kept(printing([text], events), {
      GITHUB_STEP_SUMMARY: place.path("summary.md"),
    });
    expect(status).toBe(0);
    const published = place.run("pipeline.js", ["markdown", "preview", "out/dev.json"]).stdout;
    const places: [string, string][] = [
      ["log", stdout],
      ["file", place.read("out/dev.json")],
      ["summary", place.read("summary.md")],
      ["markdown", published],
    ];
    expect(leaks(places, [planted, other, ...body])).toEqual([]);
    expect(places.every(([, shown]) => shown.includes("(not shown: "))).toBe(true);
    expect(stdout).toContain('          + seen : "beside a key"\n');
    expect(stdout.split("\n")).toHaveLength(text.split("\n").length);
  });

  it("is no command of the log, in whatever pieces it comes", () => {
    const env = { GITHUB_ACTIONS: "true" };
    expect(
      kept(printing([":", ":set-output name=a::b\n#", "#vso[task.setvariable variable=a]b\n"]), env),
    ).toEqual({
      status: 0,
      stdout: "⏎::set-output name=a::b\n# #vso[task.setvariable variable=a]b\n",
      stderr: "",
    });
  });

  it("hides a credential that comes in pieces", () => {
    expect(kept(printing(["pass", `word: ${planted}`, `${other}\n`])).stdout).toMatch(
      /^password: \(not shown: a password, mark [0-9a-f]{4}\)\n$/,
    );
  });

  it.each([
    ["no JSON"],
    ["null"],
    ['{"resourcePreEvent":{}}'],
    ['{"resourcePreEvent":{"metadata":{"op":"create"}}}'],
  ])("beside an event log with the line %s is kept as failed", (line) => {
    const { status, stderr } = kept(printing(["seen\n"], `${JSON.stringify(summary)}\n${line}\n`));
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "The event log of Pulumi has a line that is no event. The preview is kept as failed.\n",
    });
    expect(outcome()).toMatchObject({ result: "failed", text: "seen\n" });
  });
});
