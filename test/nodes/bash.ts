import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { scriptContent } from "../../bootstrap/files";
import { probeScript } from "capz-windows-probe/objects";

const contentOf = (script: string): string =>
  script.startsWith("probe.") ? probeScript(script) : scriptContent(script);

/** Runs scripts for Linux nodes with fakes of programs. The same in small as powershell.ts for Windows. */
export interface LinuxScene {
  /** Arguments of the script. Default: none. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Files by their absolute path on the node. */
  readonly files?: Readonly<Record<string, string>>;
  /** Further preparation of the node's root folder. */
  readonly prepare?: (root: string) => void;
  /** Absolute paths in the script that are on the node, and URLs that somebody else answers. Default: none. */
  readonly moved?: readonly string[] | Readonly<Record<string, string>>;
  /** Programs and what they do, in sh. $ROOT is the node's root folder, $CALL counts the calls of the program from 1. */
  readonly programs?: Readonly<Record<string, string>>;
  /** Lets the script be read from standard input, as `ssh NODE 'bash -s'` does. Default: true. */
  readonly shell?: "sh" | "bash";
}

export interface LinuxTold {
  /** What the script did to the node by its programs, in order. */
  readonly calls: readonly string[];
  readonly out: string;
  readonly err: string;
  readonly code: number | null;
  /** Standard output before it is decoded. */
  readonly bytes: Buffer;
  /** Reads a file of the node. */
  readonly file: (path: string) => string;
}

const fake = (name: string, body: string): string =>
  [
    "#!/bin/sh",
    `printf '%s' '${name}' >>"$ROOT/calls"`,
    `for word; do printf ' %s' "$word" >>"$ROOT/calls"; done`,
    `echo >>"$ROOT/calls"`,
    `CALL=$(grep -c '^${name}\\b' "$ROOT/calls")`,
    body,
    "",
  ].join("\n");

const roots: string[] = [];
afterEach(() => {
  for (const root of roots.splice(0)) {
    rmSync(root, { recursive: true, force: true });
  }
});

/** Runs a script of bootstrap/scripts/ on a Linux that behaves as the scene says. */
export async function runOnLinux(script: string, scene: LinuxScene = {}): Promise<LinuxTold> {
  const root = mkdtempSync(join(tmpdir(), "capz-windows-node-"));
  roots.push(root);
  const write = (name: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text, { mode });
  };
  write("calls", "");
  for (const [name, body] of Object.entries(scene.programs ?? {})) {
    write(`fakes/${name}`, fake(name, body), 0o755);
  }
  for (const [name, text] of Object.entries(scene.files ?? {})) {
    write(name, text);
  }
  scene.prepare?.(root);
  const { moved = [] } = scene;
  const places = Array.isArray(moved) ? moved.map((one: string) => [one, root + one]) : Object.entries(moved);
  const text = places.reduce<string>(
    (left, [from = "", to = ""]) => left.replaceAll(from, to),
    contentOf(script),
  );
  const child = spawn(scene.shell ?? "bash", ["-s", ...(scene.args ?? [])], {
    env: { ...scene.env, ROOT: root, PATH: `${join(root, "fakes")}:${process.env.PATH ?? ""}` },
  });
  const chunks: Buffer[] = [];
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.on("error", () => undefined);
  child.stdin.end(text);
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  const file = (name: string): string => readFileSync(join(root, name), "utf8");
  const bytes = Buffer.concat(chunks);
  return {
    calls: file("calls").split("\n").slice(0, -1),
    out: bytes.toString().replaceAll(root, ""),
    err: err.replaceAll(root, ""),
    ...{ code, bytes, file },
  };
}

/** The lines of a log as collect-linux.sh saves them. */
export async function hiddenOnLinux(text: string): Promise<string[]> {
  const { bytes } = await runOnLinux("collect-linux.sh", { files: { "/var/log/cloud-init.log": text } });
  const { stdout } = spawnSync("tar", ["xzOf", "-", "logs/files/var/log/cloud-init.log"], {
    ...{ input: bytes, encoding: "utf8", maxBuffer: 2 ** 26 },
  });
  return stdout.split("\n");
}
