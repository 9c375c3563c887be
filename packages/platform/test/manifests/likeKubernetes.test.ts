import { readYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { yamlDocuments } from "capz-windows-kit/boundedYaml";

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

/** A stream of four times as many documents takes four times as long, and not sixteen times, on any machine. */
const mostGrowth = 8;

it.each([
  ["right", 5_000, (index: number) => small(index).padEnd(300, "#")],
  ["faulty", 4_000, () => "a: 1\na: 2\n".padEnd(300, "#")],
])(
  "the time for a stream of %s documents follows from its length, whatever their number",
  (_what, most, one) => {
    const ofLength = (length: number) => {
      const text = Array.from({ length }, (_, index) => one(index)).join("\n---\n");
      const [documents, seconds] = timed(() => yamlDocuments(text));
      expect(documents).toHaveLength(length);
      return seconds;
    };
    const quarter = ofLength(most / 4);
    expect(ofLength(most) / quarter).toBeLessThan(mostGrowth);
  },
);

it("the line of each tag is found in one pass through a stream", () => {
  const ofLength = (length: number) => {
    const [{ errors }, seconds] = timed(() =>
      readYamlStream(`a: !x 1${"\n".repeat(400)}---\n`.repeat(length)),
    );
    const [first, last] = [errors[0], errors.at(-1)];
    const rest = "has a tag, which Kubernetes reads otherwise than this program";
    const line = (length - 1) * 401 + 1;
    expect([errors.length, first, last]).toEqual([length, `line 1 ${rest}`, `line ${line} ${rest}`]);
    return seconds;
  };
  const quarter = ofLength(500);
  expect(ofLength(2_000) / quarter).toBeLessThan(mostGrowth);
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
  // To parse them takes minutes.
  expect(seconds).toBeLessThan(20);
});
