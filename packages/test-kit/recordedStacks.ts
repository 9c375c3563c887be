import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { StackFacts } from "capz-windows-contract";
import { stackReader, type StackReader } from "capz-windows-kit/commandLine/stackReader";

/** What the program says of a stack, from stacks/, which `npm run golden` writes (test/support/recordedFacts.ts). */
export const factsOf = (stack: string): StackFacts =>
  JSON.parse(readFileSync(join(__dirname, "stacks", `${stack}.json`), "utf8")) as StackFacts;

const ofRecordings: StackReader = {
  factsOfStack: (_, stack) => factsOf(stack),
  ownOfStack: () => ({ backend: true, managementKubeconfig: true }),
  withLines: (_, error) => error,
};

/** Has commands read the recordings in place of stack files, in the tests of a file. */
export function readRecordedStacks(): void {
  let program: StackReader | undefined;
  beforeAll(() => {
    try {
      program = stackReader.read();
    } catch {
      // There is no program beside a package that is tested alone.
    }
    stackReader.fill(() => ofRecordings);
  });
  afterAll(() => {
    const before = program;
    if (before !== undefined) {
      stackReader.fill(() => before);
    }
  });
}
