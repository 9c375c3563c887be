import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The example of the engine's README is a project that works, outside of this one. */

const [program = "", itsTest = "", tsconfig = ""] = [
  ...readFileSync(join(__dirname, "../README.md"), "utf8").matchAll(/^```(?:ts|json)\n([^]*?)^```$/gm),
].map(([, block]) => block);

const dir = mkdtempSync(join(tmpdir(), "plan-engine-readme-"));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

beforeAll(() => {
  const needed = ["@pulumi/azure-native", "@pulumi/pulumi", "@swc/core", "ts-node", "typescript"];
  for (const name of [...needed, "pulumi-plan-engine"]) {
    mkdirSync(dirname(join(dir, "node_modules", name)), { recursive: true });
    symlinkSync(dirname(require.resolve(`${name}/package.json`)), join(dir, "node_modules", name));
  }
  const files = {
    "Pulumi.yaml": "name: files\nruntime: nodejs\n",
    "package.json": "{}",
    "tsconfig.json": tsconfig,
    "index.ts": program,
    "files.test.ts": itsTest,
  };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(dir, name), text);
  }
});

const runTest = () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--require", "pulumi-plan-engine/register", "--test", "--test-reporter=tap", "files.test.ts"],
    // The variable would make the runner report to one around it.
    { cwd: dir, encoding: "utf8", env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  );
  return { status, pass: Number(/^# pass (\d+)$/m.exec(stdout)?.[1]), stdout };
};

it.each([
  [
    "in its own process",
    '{ "compilerOptions": { "module": "node16", "moduleResolution": "node16", "noCheck": true } }',
  ],
  ["in the process of the test", tsconfig],
])("the example passes, with its program %s", (_, settings) => {
  writeFileSync(join(dir, "tsconfig.json"), settings);
  expect(runTest()).toMatchObject({ status: 0, pass: 2 });
});

it("the example fails if the program does something else", () => {
  writeFileSync(join(dir, "index.ts"), program.replace("protect: true", "protect: false"));
  expect(runTest()).toMatchObject({ status: 1, pass: 1 });
});
