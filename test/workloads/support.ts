import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseYaml } from "yaml";
import { run, type WorkloadsOptions } from "../../commands/workloads/cli";
import { said } from "../support/said";
import { exampleFile, projectDir } from "../support/stacks";

const parse = (text: string): object => parseYaml(text) as object;

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command with the stack prod (Windows 2022 and 2025, Linux) and these files. */
export async function workloads(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: readonly string[] = ["--offline"],
  options: Partial<WorkloadsOptions> = {},
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

/**
 * Pods of pods.txt: what they are like, their spec and what their container has beside name and image, and after `=` what is
 * said of them; `refused`: by the API server. \n at its end is the end of a line.
 */
export const pods = readFileSync(join(__dirname, "pods.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((paragraph) => {
    const [what = "", ...lines] = paragraph.split("\n");
    const after = (mark: string): string | undefined =>
      lines.find((line) => line.startsWith(mark))?.slice(mark.length);
    const own = after("container ");
    const container = {
      name: "c",
      image: "r.example/app:1-ltsc2022",
      ...(own === undefined ? {} : parse(own)),
    };
    const spec = { ...parse(lines.find((line) => line.startsWith("{")) ?? "{}"), containers: [container] };
    const said = (after("= ") ?? "").replaceAll("\\n", "\n");
    const refused = said.startsWith("refused ");
    const refusal = `  error          the API server refuses it: ${said.slice(8)}\n`;
    return { what, spec, refused, expected: refused ? refusal : said };
  });
