import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectDir } from "./stacks";

/** A folder with the files of the project, except for stack files, which a test writes itself. */
export interface TestProject {
  readonly dir: string;
  readonly write: (file: string, content: string) => void;
  readonly remove: () => void;
}

/** @param own - files that the test writes itself */
export function testProject(own: readonly string[] = []): TestProject {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-test-"));
  for (const entry of readdirSync(projectDir)) {
    if (!/^(Pulumi\..+\.yaml|rendered|\.git)$/.test(entry) && !own.includes(entry)) {
      symlinkSync(join(projectDir, entry), join(dir, entry));
    }
  }
  return {
    dir,
    write: (file, content) => {
      writeFileSync(join(dir, file), content);
    },
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
