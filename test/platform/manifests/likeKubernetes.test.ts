import { readYamlStream } from "../../../platform/manifests/yamlStream";
import { yamlDocuments } from "../../../tools/boundedYaml";

/** Manifests are read as Cluster API reads them, so that the policies see what is applied. */

it.each<readonly [what: string, text: string, value: unknown]>([
  ["an alias", "*base", { privileged: true }],
  ["a quoted merge key", '{ "<<": *base }', { "<<": { privileged: true } }],
  ["JSON", '{"privileged": true}', { privileged: true }],
  ["octal numbers", "[0644, 0o644, -010, 0]", [420, 420, -8, 0]],
  ["other numbers of YAML 1.1", "[0b11, 1_000, 0x1_0]", [3, 1000, 16]],
  [
    "texts like numbers",
    '["0644", 089, 1.2.3, v0_1, 0b_, -0x_]',
    ["0644", 89, "1.2.3", "v0_1", "0b_", "-0x_"],
  ],
])("reads %s", (_what, text, value) => {
  expect(readYamlStream(`base: &base { privileged: true }\nother: ${text}\n`)).toEqual({
    values: [{ base: { privileged: true }, other: value }],
    errors: [],
  });
});

const small = (index: number): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c${index} }\n`;

function timed<Result>(work: () => Result): readonly [Result, seconds: number] {
  const started = process.cpuUsage();
  const result = work();
  return [result, process.cpuUsage(started).user / 1e6];
}

it("the time for a stream follows from its length, whatever the number of its documents", () => {
  const text = Array.from({ length: 5_000 }, (_, index) => small(index).padEnd(300, "#")).join("\n---\n");
  const faulty = Array.from({ length: 4_000 }, () => "a: 1\na: 2\n".padEnd(300, "#")).join("\n---\n");
  for (const [stream, count] of [
    [text, 5_000],
    [faulty, 4_000],
  ] as const) {
    const [documents, seconds] = timed(() => yamlDocuments(stream));
    expect(documents).toHaveLength(count);
    expect(seconds).toBeLessThan(4);
  }
});

it("the line of each tag is found in one pass through a stream", () => {
  const text = `a: !x 1${"\n".repeat(400)}---\n`.repeat(2_000);
  const [{ errors }, seconds] = timed(() => readYamlStream(text));
  const [first, last] = [errors[0], errors.at(-1)];
  const rest = "has a tag, which Kubernetes reads otherwise than this program";
  expect([errors.length, first, last]).toEqual([2_000, `line 1 ${rest}`, `line ${1_999 * 401 + 1} ${rest}`]);
  expect(seconds).toBeLessThan(4);
});

const most = "More than 5,000 documents, or 1,000,000 lines and values";

it.each([
  ["documents", Array.from({ length: 20_000 }, (_, index) => small(index)).join("---\n")],
  ["empty documents", "---\n".repeat(400_000)],
  ["documents with an end", "a\n...\n".repeat(20_000)],
  ["entries", `a: [${"1,".repeat(1_100_000)}]`],
])("too many %s are refused in a moment", (_what, text) => {
  const [read, seconds] = timed(() => readYamlStream(text));
  expect(read).toEqual({ values: [], errors: [most] });
  expect(seconds).toBeLessThan(1);
});
