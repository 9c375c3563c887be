import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readStackFile } from "../../config/stackFile";
import { minimal } from "../support/stacks";

/** Keys with and without their namespace, which Pulumi reads as one. */

const valid = Object.entries(minimal())
  .map(([key, value]) => `  capz-windows:${key}: ${JSON.stringify(value)}\n`)
  .join("");
let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "two-spellings-"));
});
afterAll(() => {
  rmSync(dir, { recursive: true });
});

function write(inProject: string, inStack: string): void {
  writeFileSync(join(dir, "Pulumi.yaml"), `name: capz-windows\nruntime: nodejs\nconfig:\n${inProject}`);
  writeFileSync(join(dir, "Pulumi.test.yaml"), `config:\n${valid}${inStack}`);
}

const spellings = ["wait", "capz-windows:wait", "other", "capz-windows:other"];
const pairs = spellings.flatMap((one) =>
  spellings
    .filter((two) => two !== one && two.split(":").at(-1) === one.split(":").at(-1))
    .map((two) => [one, two] as const),
);

it.each(pairs)("refuses %s beside %s, of which Pulumi takes one by chance, in both files", (one, two) => {
  const lines = `  ${one}: none\n  ${two}: {a: SECRET}\n`;
  const says = (file: string): string =>
    [
      `${file}: 1 problem`,
      "",
      `  ${two}`,
      `    problem  Pulumi reads ${one} and ${two} as one key, and takes the value of either by chance at each run`,
      "    allowed  each key once, with its namespace",
    ].join("\n");
  write(lines, "");
  expect(() => readStackFile(dir, "test")).toThrow(new Error(says("Pulumi.yaml")));
  write("", lines);
  expect(() => readStackFile(dir, "test")).toThrow(says("Pulumi.test.yaml"));
});

it("reads a key of the stack file in place of the same one in Pulumi.yaml, whatever their spelling", () => {
  write("  wait: none\n", "  capz-windows:wait: all\n");
  expect(readStackFile(dir, "test").config["capz-windows:wait"]).toBe("all");
});
