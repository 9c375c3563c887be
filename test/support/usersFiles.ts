import fs from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { projectDir } from "./projectDir";

/*
 * The stack files beside Pulumi.yaml belong to the users of the project: whatever stands in them, tests must stay green.
 * So no test may read them; those in examples/ are there for it. Jest runs this before each suite.
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
      throw new Error(`${String(path)}: tests do not read the users' stack files; take one of examples/`);
    }
    return original.call(this, path, ...rest);
  };

// Suites of one worker share the module.
if (!(installed in fs)) {
  const { readFileSync, existsSync, copyFileSync } = fs;
  Object.assign(fs, {
    readFileSync: guarded(readFileSync as AnyFunction),
    existsSync: guarded(existsSync as AnyFunction),
    copyFileSync: guarded(copyFileSync as AnyFunction),
    [installed]: true,
  });
}
