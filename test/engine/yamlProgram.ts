import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { readExamples, type Example, type Examples } from "../components/pages/program";
import type { TestProject } from "../support/project";

/** The program of docs/components.md in YAML, for the real language host of YAML. */

/** Why it cannot run with this CLI; undefined if it can. */
export const yamlIsMissing = (pulumi: string): string | undefined =>
  existsSync(join(dirname(pulumi), "pulumi-language-yaml"))
    ? undefined
    : "skipped: no pulumi-language-yaml beside the pulumi on PATH";

/** Without the protection that the examples show, such that it can be destroyed. */
const unprotected = (example: Example): Example =>
  JSON.parse(JSON.stringify(example), (key, value: unknown) =>
    key === "protect" ? false : value,
  ) as Example;

/** Every component, each in a resource of its own. */
export const yamlResources = (): Examples =>
  Object.fromEntries(Object.entries(readExamples()).map(([name, example]) => [name, unprotected(example)]));

/** A folder with the program alone, as a user has it. */
export function yamlProject(resources: Examples): TestProject {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-yaml-"));
  const write = (file: string, content: string): void => {
    writeFileSync(join(dir, file), content);
  };
  write("Pulumi.yaml", stringify({ name: "capz-windows", runtime: "yaml", resources }));
  return {
    dir,
    write,
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
