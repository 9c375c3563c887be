import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseYaml } from "yaml";
import { run, type WorkloadsOptions } from "windows-workloads/cli";
import { said } from "capz-windows-test-kit/said";
import { readRecordedStacks } from "capz-windows-test-kit/recordedStacks";

readRecordedStacks();

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
      run(["--stack", stack, ...args.map((arg) => arg.replace("DIR", dir)), join(dir, "m.yaml")], {
        projectDir: dir,
        ...options,
      }),
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
 * Paragraphs of pods.txt: what is tried; `stack` if it is not prod; `object` other manifests; the spec of a pod, and what its container
 * has beside name and image, none of both for no pod; after `=` what is said, after `=!` what is not; `refused`: by the API server;
 * `exit` the code. \n at an end is the end of a line.
 */
export const pods = readFileSync(join(__dirname, "pods.txt"), "utf8")
  .trimEnd()
  .split("\n\n")
  .map((paragraph) => {
    const [what = "", ...lines] = paragraph.split("\n");
    const after = (mark: string): string[] =>
      lines.flatMap((line) =>
        line.startsWith(mark) ? [line.slice(mark.length).replaceAll("\\n", "\n")] : [],
      );
    const [own] = after("container ");
    const [spec] = lines.filter((line) => line.startsWith("{"));
    const container = {
      name: "c",
      image: "r.example/app:1-ltsc2022",
      ...(own === undefined ? {} : parse(own)),
    };
    const pod = {
      ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p", labels: { app: "a" } } },
      spec: { nodeSelector: on2022, containers: [container], ...(spec === undefined ? {} : parse(spec)) },
    };
    const objects = after("object ").map(parse);
    const said = after("= ");
    const [code] = after("exit ").map(Number);
    return {
      what,
      manifest: [...objects, ...((own ?? spec) ? [pod] : [])]
        .map((each) => JSON.stringify(each))
        .join("\n---\n"),
      stack: after("stack ")[0] ?? "prod",
      said: said.map((text) =>
        text.startsWith("refused ") ? `the API server refuses it: ${text.slice(8)}\n` : text,
      ),
      unsaid: after("=! "),
      refused: said.some((text) => text.startsWith("refused ")),
      code: said.some((text) => text.startsWith("refused ")) ? 2 : code,
    };
  });
