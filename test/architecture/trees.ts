import ts from "typescript";
import { memoize } from "capz-windows-kit/memoize";
import { importsOfTree } from "./imports";
import { allowed, layerOf } from "./layers";
import { sourcesOf } from "./sources";

/** The syntax trees of the program and of its commands. */

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** A source that need not be a file, so that a test can show that a rule finds what it forbids. */
export const sourceOf = (path: string, text: string): Source => ({
  path,
  text,
  tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true),
});

/** All of them, parsed once for a suite. */
export const allSources = memoize((): readonly Source[] =>
  sourcesOf(Object.keys(allowed)).map(({ path, text }) => sourceOf(path, text)),
);

/** Packages that the program is made of, too. */
const ofProgram = /^packages\/(platform|capz-types|azure-network-paths|kit(?!\/commandLine))(\/|$)/;

/** Whether a file belongs to a command or its engine, which may use classes and the environment of the process. */
export const isCommand = ({ path }: Source): boolean =>
  /^(commands|packages|plan)\//.test(layerOf(path)) && !ofProgram.test(path);

export function nodes<T extends ts.Node>({ tree }: Source, is: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (is(node)) {
      found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The file that creates the children of both kinds of pools. */
const poolResources = "components/machinePool/poolResources.ts";

/** Whether a file creates resources, as a component or as children of one. */
export const isComponentFile = ({ path, text }: Source): boolean =>
  /class \w+ extends pulumi\.ComponentResource\b/.test(text) || path === poolResources;

/** Modules that a file loads at run time, when it is loaded itself or later. */
export const valueImports = (source: Source): { readonly from: string; readonly lazy: boolean }[] =>
  importsOfTree(source.tree).filter(({ typeOnly }) => !typeOnly);
