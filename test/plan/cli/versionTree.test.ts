import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openVersion } from "../../../commands/plan/cli/baseSide";
import { fakeRegistry, tinyPlan } from "../../support/packages";
import { projectDir } from "../../support/stacks";
import { using } from "./opened";

/** Packages whose plan consists of a few lines that name their version and what they read, in a registry on this machine. */

const work = realpathSync(mkdtempSync(join(os.tmpdir(), "capz-windows-versions-")));
const project = join(work, "infra");
const temporary = join(work, "tmp");
const versions = join(work, "cache/capz-windows/versions");
const before = { ...process.env };
const mocked = jest.spyOn(os, "tmpdir").mockReturnValue(temporary);
const registry = fakeRegistry(work, { "capz-windows": ["0.1.0", "0.2.0"], answer: ["1.0.0"] });

const write = (file: string, text: string): void => {
  mkdirSync(dirname(join(work, file)), { recursive: true });
  writeFileSync(join(work, file), text);
};

function pack(version: string, name = "capz-windows"): string {
  const dir = `packages/${name}-${version}`;
  write(`${dir}/package.json`, JSON.stringify({ name, version }));
  write(`${dir}/index.js`, `module.exports = "${version}";`);
  if (name === "capz-windows") {
    write(`${dir}/commands/package/bin.js`, tinyPlan(version));
  }
  execFileSync("npm", ["pack", "--silent", "--pack-destination", work], { cwd: join(work, dir) });
  return join(work, `${name}-${version}.tgz`);
}

beforeAll(async () => {
  mkdirSync(temporary);
  Object.assign(process.env, {
    npm_config_registry: await registry.start(),
    npm_config_cache: join(work, "npm"),
    npm_config_fetch_retries: "0",
    XDG_CACHE_HOME: join(work, "cache"),
  });
  ["0.1.0", "0.2.0", "0.3.0"].forEach((version) => pack(version));
  pack("1.0.0", "answer");
  write("infra/Pulumi.yaml", "name: p\n");
  write("infra/Pulumi.a.yaml", "config: {of: user}\n");
  write("infra/Pulumi.b.yaml", "newer key\n");
  write("infra/index.js", 'module.exports = require("capz-windows") + " and " + require("answer");');
  write("infra/node_modules/capz-windows/package.json", '{"version": "0.3.0"}');
  write("infra/rendered/a/plan.json", "{}");
  write(
    "infra/package.json",
    JSON.stringify({
      dependencies: { "capz-windows": "0.3.0", answer: "1.0.0" },
      devDependencies: { none: "1.0.0" },
    }),
  );
});

afterAll(() => {
  mocked.mockRestore();
  process.env = before;
  registry.stop();
  rmSync(work, { recursive: true, force: true });
});

const open = (version: string, stack = "a", configFile?: string) =>
  openVersion(project, version, { stacks: [stack], configFile });

/** What is left beside whole installations. */
const leftOver = (): string[] => [
  ...readdirSync(temporary).filter((name) => name.startsWith("capz-windows-version-")),
  ...(existsSync(versions) ? readdirSync(versions).filter((name) => name.endsWith(".tmp")) : []),
];

describe("in a project that installs the package", () => {
  it("plans the user's own stack files with the other version, and asks the registry once", async () => {
    await using(open("0.1.0"), async (base) => {
      expect(base.label).toBe("version 0.1.0");
      expect(base.stacks).toEqual(["a", "b"]);
      expect(await base.plan("a")).toMatchObject({
        program: "0.1.0",
        outputs: { text: "config: {of: user}\n", version: "0.1.0", own: "0.1.0 and 1.0.0" },
      });
      expect(await base.plan("nope")).toBeUndefined();
    });
    expect(leftOver()).toEqual([]);
    const asked = registry.requests.length;
    (await open("v0.1.0")).remove();
    expect({ asked: registry.requests.length, installed: readdirSync(versions).length }).toEqual({
      asked,
      installed: 1,
    });
  });

  it("reads a stack file outside of the project, too", async () => {
    write("elsewhere/Pulumi.e.yaml", "config: {of: elsewhere}\n");
    await using(open("0.1.0", "e", "../elsewhere/Pulumi.e.yaml"), async (base) => {
      expect((await base.plan("e"))?.outputs).toMatchObject({ text: "config: {of: elsewhere}\n" });
    });
  });

  it("says why the other version cannot plan a stack", async () => {
    await using(open("0.1.0", "b"), async (base) => {
      await expect(base.plan("b")).rejects.toThrow(
        new Error("Stack b cannot be planned at version 0.1.0:\n\nPulumi.b.yaml: 1 problem"),
      );
    });
  });

  it("takes a tag of the registry, and the file of a package", async () => {
    for (const [version, label, found] of [
      ["latest", "version 0.2.0 (latest)", "0.2.0"],
      [join(work, "capz-windows-0.3.0.tgz"), "version 0.3.0 (capz-windows-0.3.0.tgz)", "0.3.0"],
    ] as const) {
      await using(open(version), async (base) => {
        expect(base.label).toBe(label);
        expect((await base.plan("a"))?.outputs).toMatchObject({ version: found });
      });
    }
  });

  it("installs again where other packages of the project change", async () => {
    const installed = readdirSync(versions).length;
    const manifest = readFileSync(join(project, "package.json"), "utf8");
    write(
      "infra/package.json",
      manifest.replace('"answer"', '"other":"file:../packages/answer-1.0.0","answer"'),
    );
    try {
      const base = await open("0.1.0");
      expect((await base.plan("a"))?.outputs).toMatchObject({ version: "0.1.0" });
      base.remove();
      expect(readdirSync(versions)).toHaveLength(installed + 1);
    } finally {
      write("infra/package.json", manifest);
    }
  });

  it("deletes versions that were not used for long, but none that it needs", async () => {
    const long = new Date("2026-01-01");
    const old = ["e", "f"].map((digit) => join(versions, digit.repeat(20)));
    old.forEach((folder) => {
      mkdirSync(join(folder, "node_modules"), { recursive: true });
    });
    readdirSync(versions).forEach((name) => {
      utimesSync(join(versions, name), long, long);
    });
    await using(open("0.1.0"), async (base) => {
      expect((await base.plan("a"))?.outputs).toMatchObject({ version: "0.1.0" });
    });
    expect(readdirSync(versions)).toHaveLength(3);
    expect(leftOver()).toEqual([]);
    // One that was deleted is installed again.
    for (const version of ["0.1.0", "0.2.0", join(work, "capz-windows-0.3.0.tgz")]) {
      const again = await open(version);
      expect((await again.plan("a"))?.outputs).toMatchObject({
        own: expect.stringContaining(" and 1.0.0") as string,
      });
      again.remove();
    }
  });

  it("does not keep the registry's token of the project's .npmrc", async () => {
    write("infra/.npmrc", "//example.com/:_authToken=PLANTED\n");
    const manifest = readFileSync(join(project, "package.json"), "utf8");
    write("infra/package.json", manifest.replace('"1.0.0"', '"^1.0.0"'));
    try {
      (await open("0.1.0")).remove();
      const kept = readdirSync(join(work, "cache"), { recursive: true, encoding: "utf8" });
      expect(kept.filter((path) => path.endsWith(".npmrc"))).toEqual([]);
    } finally {
      write("infra/package.json", manifest);
      rmSync(join(project, ".npmrc"));
    }
  });

  it.each([
    [
      "9.9.9",
      {},
      "--against-version 9.9.9: the registry has no such version. `npm view capz-windows versions` prints those that it has.",
    ],
    [
      "beta",
      {},
      "--against-version beta: the registry has no such tag. `npm view capz-windows dist-tags` prints those that it has.",
    ],
    [
      "0.2.7",
      { npm_config_registry: "http://127.0.0.1:1" },
      "--against-version 0.2.7: npm cannot reach its registry (ECONNREFUSED). Check your network and its proxy, or name the file of the package: --against-version FILE.tgz",
    ],
    [
      "latest",
      { npm_config_registry: "http://127.0.0.1:1" },
      "--against-version latest: npm cannot reach its registry (ECONNREFUSED). Check your network and its proxy, or name the file of the package: --against-version FILE.tgz",
    ],
    [
      "0.1.1",
      { PATH: "/nowhere" },
      "--against-version 0.1.1: npm installs the other version, and is not in PATH. It comes with Node.js.",
    ],
    ["none.tgz", {}, "--against-version none.tgz: there is no such file."],
  ])("%s with %j is refused in words for people", async (version, env, message) => {
    const given = { ...process.env };
    const installed = readdirSync(versions).length;
    // Another cache of npm's, which has none of these packages.
    Object.assign(process.env, { npm_config_cache: join(work, `npm-${version}`), ...env });
    try {
      await expect(open(version)).rejects.toThrow(new Error(message));
    } finally {
      process.env = given;
    }
    expect({ left: leftOver(), installed: readdirSync(versions).length }).toEqual({ left: [], installed });
  });

  it("refuses a registry without the package, and another package", async () => {
    const { npm_config_registry: registered = "" } = process.env;
    process.env.npm_config_registry = `${registered}/gone`;
    try {
      await expect(open("0.2.8")).rejects.toThrow(
        new Error(
          "--against-version 0.2.8: the registry has no package capz-windows. Name its registry in .npmrc, or the file of the package: --against-version FILE.tgz",
        ),
      );
    } finally {
      process.env.npm_config_registry = registered;
    }
    const other = join(work, "answer-1.0.0.tgz");
    await expect(open(other)).rejects.toThrow(
      new Error(`--against-version ${other}: this is not the package capz-windows, or one without a plan.`),
    );
    expect(leftOver()).toEqual([]);
  });

  it("never takes an interrupted installation for a whole one, and deletes it", async () => {
    const bin = join(work, "bin");
    const started = join(work, "npm-started");
    write("bin/npm", "");
    rmSync(join(bin, "npm"));
    writeFileSync(
      join(bin, "npm"),
      `#!/bin/sh\nmkdir -p node_modules/capz-windows\necho 1 > ${started}\nsleep 300\n`,
      {
        mode: 0o755,
      },
    );
    const script = `
      require(${JSON.stringify(join(projectDir, "scripts/typescript.js"))});
      const { installVersion } = require(${JSON.stringify(join(projectDir, "commands/plan/cli/packageCache.ts"))});
      void installVersion(${JSON.stringify(project)}, "0.2.1");`;
    const another = () =>
      spawn(process.execPath, ["-e", script], {
        env: { ...process.env, TMPDIR: temporary, PATH: `${bin}:${process.env.PATH ?? ""}` },
        stdio: "inherit",
      });
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const child = another();
      try {
        while (!existsSync(started)) {
          await sleep(20);
        }
        expect(leftOver()).toHaveLength(1);
        child.kill(signal);
        const [, ended] = (await once(child, "exit")) as [number | null, string | null];
        expect({ ended, left: leftOver().length }).toEqual({
          ended: signal,
          left: signal === "SIGKILL" ? 1 : 0,
        });
      } finally {
        child.kill("SIGKILL");
        rmSync(started, { force: true });
      }
    }
    // The next installation deletes what the killed one left.
    await expect(open("9.9.9")).rejects.toThrow("no such version");
    expect(leftOver()).toEqual([]);
  });
});

it("needs the package or a clone", async () => {
  write("other/package.json", "{}");
  await expect(openVersion(join(work, "other"), "0.1.0", { stacks: [] })).rejects.toThrow(
    new Error(
      "--against-version 0.1.0: package.json of this project has no dependency capz-windows, so another version cannot take its place.",
    ),
  );
});
