import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { projectDir } from "../support/stacks";

export interface Workplace {
  readonly dir: string;
  readonly path: (file: string) => string;
  readonly write: (file: string, content: string) => string;
  readonly read: (file: string) => string;
  /** Installs a fake command, which is first on PATH. */
  readonly command: (name: string, script: string) => void;
  readonly run: (
    script: string,
    args?: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  readonly remove: () => void;
}

/** Creates a directory in which a test runs the scripts of the workflows. */
export function workplace(): Workplace {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-scripts-"));
  const path = (file: string): string => join(dir, file);
  const write = (file: string, content: string): string => {
    mkdirSync(dirname(path(file)), { recursive: true });
    writeFileSync(path(file), content);
    return path(file);
  };
  return {
    dir,
    path,
    write,
    read: (file) => readFileSync(path(file), "utf8"),
    command: (name, script) => {
      chmodSync(write(`bin/${name}`, `#!${process.execPath}\n${script}`), 0o755);
    },
    run: (script, args = [], env = {}) => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [join(projectDir, "scripts", script), ...args],
        {
          cwd: dir,
          encoding: "utf8",
          env: {
            PATH: `${path("bin")}${delimiter}${process.env.PATH ?? ""}`,
            GITHUB_REPOSITORY: "owner/repository",
            ...env,
          },
        },
      );
      return { status, stdout, stderr };
    },
    remove: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
