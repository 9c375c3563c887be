import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";
import ts from "typescript";
import { projectDir } from "../support/stacks";

/** Every way in which a file of the project names another module, read from its syntax tree. */

/** A module that a file names, with the position of the import in its text. */
export interface Import {
  readonly from: string;
  readonly position: number;
  /** Whether it disappears when the types do. */
  readonly typeOnly: boolean;
  /** Whether it is a call of `import()`, which loads the module when it is needed. */
  readonly lazy: boolean;
}

const literal = (node: ts.Node | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;

/** What a type position, a declaration or a `/// <reference>` imports. */
function declared(node: ts.Node): Pick<Import, "typeOnly"> & { readonly from: string | undefined } {
  if (ts.isImportDeclaration(node)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    return { from: literal(node.moduleSpecifier), typeOnly };
  }
  if (ts.isExportDeclaration(node)) {
    return { from: literal(node.moduleSpecifier), typeOnly: node.isTypeOnly };
  }
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return { from: literal(node.moduleReference.expression), typeOnly: node.isTypeOnly };
  }
  return ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
    ? { from: literal(node.argument.literal), typeOnly: true }
    : { from: undefined, typeOnly: false };
}

/**
 * The module that a call loads. `createRequire` gives the function any name, so that any function with a relative path as
 * its only argument counts; a method does so only with a path that cannot be a separator, as in `split(".")`.
 */
function called({ expression, arguments: [first, ...others] }: ts.CallExpression): string | undefined {
  const from = literal(first);
  if (from === undefined) {
    return undefined;
  }
  const isLoader =
    expression.kind === ts.SyntaxKind.ImportKeyword ||
    (ts.isIdentifier(expression) && expression.text === "require") ||
    (ts.isPropertyAccessExpression(expression) && /^(require|resolve)$/.test(expression.name.text));
  const relative = ts.isPropertyAccessExpression(expression) ? /^(\.\.?\/)+\w/ : /^\.\.?(\/|$)/;
  return isLoader || (others.length === 0 && relative.test(from)) ? from : undefined;
}

/** All imports of a file, in the order of the text. */
export function importsOfTree(tree: ts.SourceFile): Import[] {
  const found: Import[] = tree.referencedFiles.map(({ fileName, pos }) => ({
    ...{ from: fileName, position: pos, typeOnly: true, lazy: false },
  }));
  const visit = (node: ts.Node): void => {
    const { from, typeOnly } = ts.isCallExpression(node)
      ? { from: called(node), typeOnly: false }
      : declared(node);
    if (from !== undefined) {
      const lazy = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
      found.push({ from, position: node.getStart(tree), typeOnly, lazy });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const isFile = (path: string): boolean =>
  existsSync(join(projectDir, path)) && statSync(join(projectDir, path)).isFile();

/** The folder of each package of the project, by its name. */
const packages: readonly (readonly [name: string, folder: string])[] = readdirSync(
  join(projectDir, "packages"),
).map((folder) => {
  const manifest = readFileSync(join(projectDir, "packages", folder, "package.json"), "utf8");
  return [(JSON.parse(manifest) as { name: string }).name, `packages/${folder}`];
});

/** The path that the name of a package of the project stands for; `undefined` for any other module. */
function inPackage(from: string): string | undefined {
  const [name = "", folder] = packages.find(([each]) => from === each || from.startsWith(`${each}/`)) ?? [];
  return folder && `${folder}${from.slice(name.length)}`;
}

/** Whether an import stays in the project: it is relative, or names one of its packages. */
export const isOfProject = (from: string): boolean =>
  /^\.\.?(\/|$)/.test(from) || inPackage(from) !== undefined;

/**
 * The file that an import means, which is relative or names a package of the project: that of a folder is its index. A file
 * that does not exist stays as it is named.
 */
export function resolved(file: string, from: string): string {
  const path = inPackage(from) ?? normalize(join(file, "..", from)).replace(/\/$/, "");
  const candidates = ["", ".ts", ".js", ".json", "/index.ts", "/index.js"].map((end) =>
    normalize(`${path}${end}`),
  );
  return candidates.find(isFile) ?? path;
}

/** An import between files of the project, by their paths from the project folder. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** The imports of a file that stay in the project. */
export const arrowsOf = (path: string, text: string): Arrow[] =>
  importsOfTree(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022))
    .filter(({ from }) => isOfProject(from))
    .map(({ from }) => ({ from: path, to: resolved(path, from) }));
