import ts from "typescript";
import { allSources, nodes, type Source, sourceOf } from "./trees";

/** Files that users, clusters and strangers write are read by packages/kit/readBounded.ts, which has a limit for each. */

/** What reads a file of any size. */
const readers =
  /^(?:readFile|readFileSync|createReadStream|ReadStream|FileReadStream|open|openSync|openAsBlob|read|readSync|readv|readvSync|promises|cp|cpSync|default)$/;

const isFileSystem = (text: string): boolean => /^(?:node:)?fs(?:\/promises)?$/.test(text);

const isText = (node: ts.Node): node is ts.StringLiteralLike => ts.isStringLiteralLike(node);

/** What a file takes from node:fs to read with, or "all of it" where no list says what. */
function readsOf(source: Source): string[] {
  const from = nodes(source, isText).filter(({ text }) => isFileSystem(text));
  const names = from.flatMap(({ parent }) => {
    const declaration = ts.isImportDeclaration(parent) ? parent.importClause : undefined;
    const bindings = declaration?.namedBindings;
    return declaration?.name === undefined && bindings !== undefined && ts.isNamedImports(bindings)
      ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : ["all of it"];
  });
  return [...new Set(names)].filter((name) => name === "all of it" || readers.test(name));
}

/** Each reads what is installed with this program, or what this program itself has written. */
const ofThisProgram = [
  "packages/doctor/rules/knowledge.ts: readFileSync",
  // Opens with "wx" the new files that it writes.
  "commands/init/cli.ts: openSync",
  "commands/init/files.ts: readFileSync",
  "plan/reports/html/page.ts: readFileSync",
  "packages/kit/io/optionalPackage.ts: readFileSync",
  // Files of the program that it runs; it has a limit of its own.
  "packages/plan-engine/projectText.ts: readFileSync",
  "packages/kit/readBundledFile.ts: readFileSync",
];

it("only the one reader with a limit reads files of others", () => {
  const found = allSources().flatMap((source) => readsOf(source).map((name) => `${source.path}: ${name}`));
  expect(found.sort()).toEqual(
    [
      ...ofThisProgram,
      "packages/kit/readBounded.ts: openSync",
      "packages/kit/readBounded.ts: readSync",
    ].sort(),
  );
});

it.each([
  [`import { readFileSync } from "node:fs";`, ["readFileSync"]],
  [`import { existsSync, readFileSync as read } from "fs";`, ["readFileSync"]],
  [`import { readFile } from "node:fs/promises";`, ["readFile"]],
  [`import { promises } from "node:fs";`, ["promises"]],
  [`import * as fs from "node:fs";`, ["all of it"]],
  [`import fs from "node:fs";`, ["all of it"]],
  [`const { readFileSync } = require("fs");`, ["all of it"]],
  [`const fs = await import("node:fs/promises");`, ["all of it"]],
  [`export * from "node:fs";`, ["all of it"]],
  [`import { existsSync, writeFileSync } from "node:fs";`, []],
])("another reader would be found: %s", (text, found) => {
  expect(readsOf(sourceOf("commands/a.ts", text))).toEqual(found);
});
