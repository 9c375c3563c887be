import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleFile, projectDir } from "../support/stacks";

/** The scripts of package.json work with this version of Node.js: V8 flags come and go, and an unknown one ends the process. */

const { scripts } = JSON.parse(readFileSync(join(projectDir, "package.json"), "utf8")) as {
  readonly scripts: Readonly<Record<string, string>>;
};

const run = (args: readonly string[]): { readonly status: number | null; readonly stderr: string } => {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: projectDir, encoding: "utf8" });
  return { status, stderr };
};

const nodeScripts = Object.entries(scripts).flatMap(([name, script]) => {
  // Each script installs what is missing first.
  const [command, ...words] = script.replace(/^node scripts\/install\.js( --dev)? && /, "").split(" ");
  return command === "node" ? [[name, words] as const] : [];
});

it("Node.js knows the options of every script", () => {
  const refused = nodeScripts.flatMap(([name, words]) => {
    const options = words.slice(
      0,
      words.findIndex((word) => !word.startsWith("--")),
    );
    const { status, stderr } =
      options.length === 0 ? { status: 0, stderr: "" } : run([...options, "-e", "0"]);
    return status === 0 && stderr === "" ? [] : [`${name}: ${stderr}`];
  });
  expect(nodeScripts.length).toBeGreaterThan(10);
  expect(refused).toEqual([]);
});

it("the benchmark explains its options", () => {
  expect(run(["scripts/bench.js", "--help"])).toEqual({ status: 0, stderr: "" });
});

it("every script that needs packages installs what is missing itself, because npm may run no script before it", () => {
  const needless = Object.entries(scripts).filter(
    // The only one that npm runs by itself, and it says only that nothing is packed there.
    ([name, script]) => name !== "prepack" && !/^node scripts\/install\.js( --dev)? && /.test(script),
  );
  expect(needless).toEqual([]);
  expect(Object.keys(scripts).filter((name) => name.startsWith("pre") && name.slice(3) in scripts)).toEqual(
    [],
  );
});

it("npm start plans without a message from Node.js", () => {
  const out = mkdtempSync(join(tmpdir(), "capz-windows-scripts-"));
  try {
    const [, words] = nodeScripts.find(([name]) => name === "start")!;
    const { status, stderr } = run([...words, "--config-file", exampleFile("dev"), "--out", out]);
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: "Planning: starting the program\n",
    });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});

it("no package may run a script of its own when it is installed", () => {
  const root = mkdtempSync(join(tmpdir(), "capz-windows-scripts-"));
  try {
    mkdirSync(join(root, "scripts"));
    copyFileSync(join(projectDir, "scripts/install.js"), join(root, "scripts/install.js"));
    writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: {} }));
    writeFileSync(join(root, "npm"), `#!/bin/sh\necho "$@" > '${root}/asked'\nexit 1\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: `${root}:${process.env.PATH ?? ""}` };
    spawnSync(process.execPath, [join(root, "scripts/install.js")], { env });
    expect(readFileSync(join(root, "asked"), "utf8")).toMatch(/^ci --ignore-scripts /);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
