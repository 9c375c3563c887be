import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isItsTurn } from "capz-windows-test-kit/sample";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { projectDir } from "../support/projectDir";

/** Each package passes its tests where there is nothing but what it names: no program, and no other package. */

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const packages = join(projectDir, "packages");
const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(packages, folder, "package.json"), "utf8")) as Manifest;
const testKit = "test-kit";
const folderOf = new Map(readdirSync(packages).map((folder) => [manifestOf(folder).name, folder]));

const dir = temporaryFolder();

/** Copies a package into a folder, with links to what its manifest names; those of this repository are copied, too. */
function copy(folder: string, to: string, isTested: boolean): string {
  const target = join(to, folder);
  if (existsSync(target)) {
    return target;
  }
  const tests = join(packages, folder, "test");
  cpSync(join(packages, folder), target, { recursive: true, filter: (path) => isTested || path !== tests });
  const { name, dependencies, devDependencies, peerDependencies } = manifestOf(folder);
  // Whoever has the package of the tests' helpers has the clone, and with it what that package is developed with.
  const forTests = isTested || folder === testKit ? devDependencies : {};
  for (const wanted of [name, ...Object.keys({ ...dependencies, ...peerDependencies, ...forTests })]) {
    const own = folderOf.get(wanted);
    const link = join(target, "node_modules", wanted);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(
      own === undefined ? join(projectDir, "node_modules", wanted) : relative(dirname(link), join(to, own)),
      link,
    );
    if (own !== undefined) {
      copy(own, to, false);
    }
  }
  return target;
}

/** Runs the tests of a copied package as `npm test` does there. */
function tested(folder: string) {
  const jest = join(projectDir, "node_modules/jest/bin/jest.js");
  const { status, stderr } = spawnSync(process.execPath, [jest, "--silent"], {
    ...{ cwd: folder, encoding: "utf8", maxBuffer: 1 << 26 },
    // As on a developer's machine: what takes long has run beside this test.
    env: { ...process.env, JEST_WORKER_ID: undefined, CI: undefined, CAPZ_WINDOWS_SAMPLE: undefined },
  });
  return { status, stderr };
}

const all = readdirSync(packages).filter((folder) => folder !== testKit);

/**
 * One of them in each run, without the doctor, which takes minutes. What a package imports without naming it, test/architecture/layers
 * finds in each run.
 */
const ofRun =
  process.env.CAPZ_WINDOWS_LIVES === "all"
    ? all
    : all.filter((folder) => folder !== "doctor").filter((_, index, short) => isItsTurn(index, short.length));

it.each(ofRun)("%s alone", (folder) => {
  const { status, stderr } = tested(copy(folder, join(dir, "alone", folder), true));
  expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  expect(stderr).toMatch(/^Tests: .*[1-9]\d* passed/m);
});

it("a package fails that needs the program, a package that it does not name, or a file of another", () => {
  const folder = copy("contract", join(dir, "broken"), true);
  const wrong = ["../../../config/load", "semver", "capz-windows-kit/visible", "../../platform/versions"];
  for (const [index, from] of wrong.entries()) {
    writeFileSync(join(folder, `test/wrong${index}.test.ts`), `import "${from}";\nit("runs", () => {});\n`);
  }
  const { status, stderr } = tested(folder);
  expect(status).toBe(1);
  expect(wrong.filter((from) => !stderr.includes(`Cannot find module '${from}'`))).toEqual([]);
  expect(stderr).toContain(`Test Suites: ${wrong.length} failed, `);
  expect(folder.startsWith(projectDir + sep)).toBe(false);
});
