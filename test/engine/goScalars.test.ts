import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { parseDocument } from "yaml";
import { goScalars } from "capz-windows-kit/goScalars";
import { at, text } from "capz-windows-kit/untyped";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { asText } from "../../config/stackFile";
import { missing, PulumiCli } from "./pulumiCli";

/**
 * The real CLI says what it reads in a stack file, word by word: where goScalars (packages/kit) reports nothing, it is what the
 * plan reads, and what goScalars reports is read as it says.
 */

const { pulumi, reason } = missing();

const known = [
  ...[
    "2027-03-31",
    "2027-3-1",
    "2027-03-31T05:00:00Z",
    "2027-3-1 05:00:00",
    "2027-03",
    "2027-13-31",
    "10:30",
  ],
  ...[
    "010",
    "-010",
    "0o17",
    "0O17",
    "089",
    "0b1",
    "-0b101",
    "0B1",
    "0b12",
    "0x1F",
    "0x1_F",
    "1_000",
    "1_000a",
  ],
  ...[
    "1.10",
    "2.50",
    "1.",
    ".5",
    "+1",
    "-0",
    "1e3",
    "1e7",
    "1e21",
    "12345678901234567890",
    "9007199254740993",
  ],
  ...["yes", "No", "on", "OFF", "y", "true", "True", "TRUE", "v1.35.6", "10.0.0.0/8", "_1", "0.0.0.0"],
  ...["!!str 010", "!!str 2027-03-31"],
];

/** What looks like a number, a time or an address. */
const word = fc.stringMatching(/^[-+]?\.?[0-9][0-9box._eETZ:-]{0,11}[0-9abfTZ]$/);

const day = fc.stringMatching(
  /^20[0-9]{2}-[01]?[0-9]-[0-3]?[0-9]([Tt ][0-2]?[0-9]:[0-6]?[0-9]:[0-6]?[0-9]Z?)?$/,
);

const seed = Number(process.env.CAPZ_WINDOWS_SEED ?? 1);
const words = [...new Set([...known, ...fc.sample(fc.oneof(word, word, day), { numRuns: 600, seed })])];

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  const dir = temporaryFolder();
  const options = { cwd: dir, home: dir, stack: "words", passphrase: "not a secret", providers: "" };
  const cli = new PulumiCli(pulumi, options);
  const write = (yaml: string): void => {
    writeFileSync(join(dir, "Pulumi.words.yaml"), yaml);
  };
  beforeAll(async () => {
    mkdirSync(join(dir, "state"));
    writeFileSync(join(dir, "Pulumi.yaml"), "name: words\nruntime: nodejs\n");
    await cli.must(["stack", "init"]);
  });

  it("each word is to Pulumi what the plan takes it for, or reported", async () => {
    const lines = words.flatMap((each, index) => [
      `  words:k${index}: ${each}`,
      `  words:l${index}: [${each}]`,
    ]);
    const yaml = `config:\n${lines.join("\n")}\n`;
    write(yaml);
    const said: unknown = JSON.parse(await cli.must(["config", "--json"]));
    const document = parseDocument(yaml);
    const { config } = document.toJS() as { readonly config: Readonly<Record<string, unknown>> };
    const reported = new Map(goScalars(document).map((scalar) => [scalar.key, scalar.read]));
    expect(reported.size).toBeGreaterThan(20);
    expect(reported.size).toBeLessThan(words.length);
    const wrong = Object.entries(config).filter(([key, value]) => {
      const [real, read] = [text(at(said, key, "value")), reported.get(key)];
      if (read === undefined) {
        // The program reads a number as JSON, and rounds it then; where text is meant, the plan reports what would be rounded.
        return typeof value === "string" ? real !== value : asText(JSON.parse(real)) !== asText(value);
      }
      const inner = Array.isArray(value) ? String((JSON.parse(real) as unknown[])[0]) : real;
      return read === "time" ? !inner.endsWith(" UTC") : Number(inner) !== Number(read);
    });
    expect(
      wrong.map(([key, value]) => ({
        source: words[Number(key.slice(7))],
        plan: value,
        real: at(said, key),
      })),
    ).toEqual([]);
  });

  it.each([".inf", "-.INF", ".nan"])(
    "%s, which is reported, is none that Pulumi can pass on",
    async (each) => {
      const yaml = `config:\n  words:k: [${each}]\n`;
      write(yaml);
      expect(goScalars(parseDocument(yaml))).toMatchObject([{ source: each, read: "no JSON" }]);
      expect((await cli.run(["config", "--json"])).code).not.toBe(0);
    },
  );
}
