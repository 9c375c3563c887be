import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run, type CommandOptions } from "../../commands/workloads/cli";
import { said } from "../support/said";
import { exampleFile, projectDir } from "../support/stacks";

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command with the stack prod (Windows 2022 and 2025, Linux) and these files. */
export async function workloads(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: readonly string[] = ["--offline"],
  options: Partial<CommandOptions> = {},
  stack = "prod",
): Promise<Ran & { readonly dir: string }> {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-workloads-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  try {
    const { code, out, err } = await said(() =>
      run(
        [
          "--config-file",
          join(projectDir, exampleFile(stack)),
          ...args.map((arg) => arg.replace("DIR", dir)),
          join(dir, "m.yaml"),
        ],
        { projectDir, ...options },
      ),
    );
    return { code, out: out.replaceAll(dir, ""), err: err.replaceAll(dir, ""), dir };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

export const onWindows = { "kubernetes.io/os": "windows" };
export const on2022 = { ...onWindows, "node.kubernetes.io/windows-build": "10.0.20348" };

/** A pod as JSON, which is also YAML. */
export const podYaml = (spec: object, image = "r.example/app:1-ltsc2022"): string =>
  JSON.stringify({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p" } },
    spec: { nodeSelector: on2022, containers: [{ name: "c", image }], ...spec },
  });
