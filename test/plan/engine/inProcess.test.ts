import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Recording, PlanOptions } from "pulumi-plan-engine";
import { projectDir } from "../../support/stacks";

/**
 * Programs that run in the process of their engine. All run in one process, to test what one leaves behind for the
 * next.
 */

const dir = mkdtempSync(join(tmpdir(), "capz-windows-in-process-"));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

interface Answer extends Recording {
  /** What differs in the process from before the first program. */
  readonly changed: readonly string[];
}

const header = `
const pulumi = require("@pulumi/pulumi");
const core = require("@pulumi/kubernetes/core/v1");
`;

type Program = readonly [
  name: string,
  files: string | Readonly<Record<string, string>>,
  Partial<PlanOptions>?,
];

function optionsOf([name, files, options = {}]: Program): PlanOptions {
  const folder = join(dir, name.replaceAll(" ", "-"));
  mkdirSync(folder);
  symlinkSync(join(projectDir, "node_modules"), join(folder, "node_modules"));
  const all = typeof files === "string" ? { "index.js": header + files } : files;
  for (const [file, text] of Object.entries({ "package.json": "{}", ...all })) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return {
    ...{ projectDir: folder, project: "test", stack: "dev", mode: "update" },
    config: { "test:token": "hunter2-and-more" },
    secretKeys: ["test:token"],
    env: { PULUMI_NODEJS_TYPESCRIPT: String("index.ts" in all) },
    ...options,
  };
}

const tsconfig = readFileSync(join(projectDir, "tsconfig.pulumi.json"), "utf8");

const counter = `let count = 0; exports.next = () => (count += 1);`;

/** All programs. The order matters: after the last ones, the process cannot be used for others. */
const programs: readonly Program[] = [
  [
    "surroundings",
    `process.env.ADDED = 1;
    exports.seen = { env: Object.keys(process.env).sort(), added: process.env.ADDED, cwd: process.cwd(),
      args: process.argv.length, zone: new Date(0).getHours(), run: process.env.PULUMI_NODEJS_STACK };
    process.on("SIGINT", () => {});`,
  ],
  ["speaks", `console.log("one " + new pulumi.Config().require("token")); console.error("two");`],
  [
    "makes at once",
    `const at = Date.now(); new core.Namespace("n", { metadata: { name: "n" } });
    exports.count = (globalThis.count = (globalThis.count ?? 0) + 1);`,
  ],
  [
    "makes at once in a preview",
    `let made; made ??= new core.Namespace("n"); exports.id = made.id;`,
    { mode: "preview" },
  ],
  ["makes later", `setTimeout(() => new core.Namespace("late", { metadata: { name: "n" } }), 20);`],
  [
    "has a transform",
    `pulumi.runtime.registerResourceTransform(({ props, opts }) =>
      ({ props: { ...props, metadata: { name: "changed" } }, opts }));
    new core.Namespace("n", { metadata: { name: "n" } });`,
  ],
  [
    "has a transform that fails",
    `pulumi.runtime.registerResourceTransform(() => { throw new Error("planted failure"); });
    new core.Namespace("n");`,
  ],
  [
    "has a hook",
    `const hook = new pulumi.ResourceHook("ask", () => {});
    new core.Namespace("n", {}, { hooks: { beforeCreate: [hook] } });`,
  ],
  [
    "uses seldom used parts",
    `const { fullyQualifiedStackName, LocalWorkspace } = pulumi.automation;
    const provider = { create: async () => ({ id: "made" }) };
    class Made extends pulumi.dynamic.Resource { constructor(name) { super(provider, name, {}); } }
    new Made("dynamic");
    exports.seen = { name: fullyQualifiedStackName("o", "p", "s"), workspace: typeof LocalWorkspace.create };`,
  ],
  [
    "counts",
    {
      "index.js": `exports.counts = [require("./kept/count").next(), require("./own/count").next()];`,
      "kept/count.js": counter,
      "own/count.js": counter,
    },
    { stateless: ["kept"] },
  ],
  ["counts again", {}, { projectDir: join(dir, "counts"), stateless: ["kept"] }],
  [
    "typescript",
    {
      "index.ts": `import { Namespace } from "@pulumi/kubernetes/core/v1";\n\ninterface Erased {\n  readonly a: string;\n}\nconst a: Erased = { a: "x" };\nnew Namespace("n", { metadata: { name: a.a } });\n`,
      "tsconfig.json": tsconfig,
    },
  ],
  [
    "checked typescript",
    {
      "index.ts": `import { Namespace } from "@pulumi/kubernetes/core/v1";\nnew Namespace("n", { metadata: { name: "x" } });\n`,
      "tsconfig.json": JSON.stringify({
        compilerOptions: { module: "node16", moduleResolution: "node16", target: "es2022", noCheck: true },
      }),
    },
  ],
  ["throws", `throw new Error("planted failure");`],
  ["rejects", `Promise.reject(new Error("planted failure"));`],
  ["logs an error", `pulumi.log.error("planted failure");`],
  ["hangs", `exports.never = new Promise(() => { setInterval(() => {}, 1000); });`, { timeoutMs: 4000 }],
  ["exits", `console.error("leaving"); process.exit(0);`],
  ["comes after one that was given up", `exports.x = 1;`],
];

/** Runs the programs in one process, whose stdin is a socket like in every child of Node.js. Returns its output. */
const runAll = (all: readonly Program[], env: NodeJS.ProcessEnv = {}) => {
  const file = join(dir, "runs.json");
  writeFileSync(file, JSON.stringify(all.map(optionsOf)));
  return spawnSync(process.execPath, [join(__dirname, "../fixtures/inProcess.js"), file], {
    cwd: tmpdir(),
    encoding: "utf8",
    // A language in which Node.js formats and sorts by other rules.
    env: { ...process.env, LC_ALL: "de_DE.UTF-8", ...env },
  });
};

const answers = new Map<string, Answer>();

beforeAll(() => {
  const planted = {
    ARM_CLIENT_SECRET: "planted",
    KUBECONFIG: "planted",
    PULUMI_ACCESS_TOKEN: "planted",
    TZ: "Asia/Tokyo",
  };
  const { stdout, stderr } = runAll(programs, planted);
  if (stdout === "") {
    throw new Error(stderr);
  }
  (JSON.parse(stdout) as Answer[]).forEach((answer, index) => answers.set(programs[index]![0], answer));
});

const answerOf = (name: string): Answer => answers.get(name)!;

const told = ({ exitCode, host, diagnostics }: Answer) => ({
  exitCode,
  host,
  errors: diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message),
});

const good = { exitCode: 0, host: "in-process", errors: [] };

describe("a program in the process of its engine", () => {
  it.each(["surroundings", "speaks", "makes at once", "makes later", "has a transform", "typescript"])(
    "%s: ends in the process and changes nothing in it",
    (name) => {
      expect({ ...told(answerOf(name)), changed: answerOf(name).changed }).toEqual({ ...good, changed: [] });
    },
  );

  it("sees a clean environment, its own directory, UTC, and not the command line", () => {
    const { seen } = answerOf("surroundings").outputs as unknown as { seen: Record<string, unknown> };
    expect(seen).toMatchObject({ added: "1", args: 2, zone: 0, run: "dev" });
    expect(String(seen.cwd)).toMatch(/surroundings$/);
    expect(seen.env).toEqual(expect.arrayContaining(["PATH", "PULUMI_CONFIG", "LC_ALL"]));
    expect((seen.env as string[]).filter((key) => /ARM|KUBECONFIG|ACCESS_TOKEN/.test(key))).toEqual([]);
  });

  it("has its output recorded, without secrets", () => {
    const { stdout, stderr } = answerOf("speaks");
    expect({ stdout, stderr }).toEqual({ stdout: "one [secret]\n", stderr: "two\n" });
  });

  it("is loaded again for each run, and a preview knows no computed value", () => {
    expect(answerOf("makes at once").resources.map(({ name }) => name)).toEqual(["test-dev", "n"]);
    expect(answerOf("makes at once in a preview").outputs).toEqual({ id: "[unknown]" });
  });

  it("keeps loaded files of stateless directories for the next run", () => {
    expect(["counts", "counts again"].map((name) => answerOf(name).outputs)).toEqual([
      { counts: [1, 1] },
      { counts: [2, 1] },
    ]);
  });

  it("is waited for as long as it has something to do", () => {
    expect(answerOf("makes later").resources.map(({ name }) => name)).toEqual(["test-dev", "late"]);
  });

  it("may have transforms", () => {
    expect(answerOf("has a transform").resources[1]!.inputs).toMatchObject({ metadata: { name: "changed" } });
  });

  it("may have hooks, which are recorded", () => {
    expect(told(answerOf("has a hook"))).toEqual(good);
    expect(answerOf("has a hook").resources[1]!.options.hooks).toEqual({ beforeCreate: ["ask"] });
  });

  it("may use what the SDK loads later here: the Automation API and dynamic providers", () => {
    const { resources, outputs } = answerOf("uses seldom used parts");
    expect(told(answerOf("uses seldom used parts"))).toEqual(good);
    expect(resources.map(({ type }) => type)).toContain("pulumi-nodejs:dynamic:Resource");
    expect(outputs).toEqual({ seen: { name: "o/p/s", workspace: "function" } });
  });

  it("has the line numbers of its TypeScript", () => {
    expect(answerOf("typescript").resources[1]!.source).toBe("index.ts:7");
  });

  it("runs in the language host if its tsconfig differs from what swc compiles", () => {
    expect(told(answerOf("checked typescript"))).toEqual({ ...good, host: "language-host" });
    expect(answerOf("checked typescript").hostReason).toBe(
      "its entry is neither JavaScript nor TypeScript that swc transpiles for ES2022, node16 and esModuleInterop",
    );
    expect(answerOf("typescript").hostReason).toBeUndefined();
    expect(answerOf("throws").hostReason).toBe("it failed in this process");
  });

  it.each(["throws", "rejects", "logs an error", "has a transform that fails"])(
    "%s: the language host reports the failure",
    (name) => {
      const { exitCode, host, errors } = told(answerOf(name));
      expect({ failed: exitCode !== 0, host, errors: errors.length }).toEqual({
        failed: true,
        host: "language-host",
        errors: 1,
      });
      expect(errors[0]).toContain("planted failure");
      expect(answerOf(name).changed).toEqual([]);
    },
  );

  it("that hangs is stopped", () => {
    expect(told(answerOf("hangs"))).toEqual({
      exitCode: 1,
      host: "in-process",
      errors: ["The program did not come to its end in 4 s and was stopped."],
    });
  });

  it("that calls process.exit does not end the engine, and later programs have a process of their own", () => {
    expect(told(answerOf("exits"))).toMatchObject({ exitCode: 1, host: "language-host" });
    expect(answerOf("exits").stderr).toContain("leaving");
    expect(told(answerOf("comes after one that was given up"))).toEqual({ ...good, host: "language-host" });
  });

  it("that never yields its thread is killed together with the engine, which says why", () => {
    const { signal, stderr } = runAll([["loops", "while (true);", { timeoutMs: 1000 }]]);
    expect({ signal, stderr: stderr.trim() }).toEqual({
      signal: "SIGKILL",
      stderr: "The program did not come to its end in 1 s and was stopped.",
    });
  });
});
