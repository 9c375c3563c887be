import fs from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { projectDir } from "./projectDir";

/*
 * The stack files beside Pulumi.yaml belong to the users of the project, and tests must pass whatever they contain. So
 * no test may read them; tests read those in test/stacks/. Jest runs this before each suite.
 */

const installed = Symbol.for("capz-windows: tests do not read the users' stack files");

type AnyFunction = (path: unknown, ...rest: unknown[]) => unknown;

const isUsers = (path: unknown): boolean =>
  typeof path === "string" &&
  dirname(resolve(path)) === projectDir &&
  /^Pulumi\..+\.ya?ml$/.test(basename(path));

const guarded = (original: AnyFunction): AnyFunction =>
  function (this: unknown, path, ...rest) {
    if (isUsers(path)) {
      throw new Error(`${String(path)}: tests do not read the users' stack files; take one of test/stacks/`);
    }
    return original.call(this, path, ...rest);
  };

// All suites of one worker share this module, so it is patched only once.
if (!(installed in fs)) {
  const { readFileSync, existsSync, copyFileSync } = fs;
  Object.assign(fs, {
    readFileSync: guarded(readFileSync as AnyFunction),
    existsSync: guarded(existsSync as AnyFunction),
    copyFileSync: guarded(copyFileSync as AnyFunction),
    [installed]: true,
  });
}
