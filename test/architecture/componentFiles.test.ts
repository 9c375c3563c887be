import ts from "typescript";
import { importsOfTree } from "./imports";
import { allSources, at, isComponentFile, lineAt, nodes, sourceOf, type Source } from "./trees";

/** How the files that create resources do so. */

const sources = allSources();

/** Imports of a whole provider instead of the part that is used. */
const rootImports = ({ tree }: Source): string[] =>
  importsOfTree(tree)
    .map(({ from }) => from)
    .filter((from) => /^@pulumi\/(azure-native|kubernetes)(\/v\d.*)?$/.test(from));

describe("component files", () => {
  const components = sources.filter(isComponentFile);

  it("are found", () => {
    expect(components.length).toBeGreaterThanOrEqual(10);
  });

  it("register their outputs as the last thing that a constructor does", () => {
    const wrong = components.flatMap((source) =>
      nodes(source, ts.isConstructorDeclaration)
        .filter(({ body }) => !(body?.statements.at(-1)?.getText() ?? "").startsWith("this.registerOutputs("))
        .map((node) => at(source, node)),
    );
    expect(wrong).toEqual([]);
  });

  it("create nothing inside an apply", () => {
    const wrong = components.flatMap((source) =>
      nodes(source, ts.isCallExpression)
        .filter(
          ({ expression }) => ts.isPropertyAccessExpression(expression) && expression.name.text === "apply",
        )
        .filter((call) =>
          call.arguments.some((argument) => /\bnew (?!Set\b|Map\b|Error\b)/.test(argument.getText())),
        )
        .map((node) => at(source, node)),
    );
    expect(wrong).toEqual([]);
  });

  it("give every resource `this` as its parent", () => {
    const wrong = components.flatMap((source) =>
      nodes(source, ts.isNewExpression)
        .filter(({ expression }) => /^(\w+\.)?[A-Z]/.test(expression.getText()))
        .filter(
          ({ expression }) =>
            !/^(Set|Map|WeakMap|Error)$|ResourceError$|(Resource|Error)Hook$/.test(expression.getText()),
        )
        .filter((node) => !/parent: this|childOf\((this|parent)\b|inCluster/.test(node.getText()))
        .map((node) => at(source, node)),
    );
    expect(wrong).toEqual([]);
  });

  it("have a comment at each option that changes what Pulumi does", () => {
    const wrong = sources.flatMap((source) => {
      const lines = source.text.split("\n");
      return nodes(source, ts.isPropertyAssignment)
        .filter(({ name }) =>
          /^(ignoreChanges|customTimeouts|aliases|deleteBeforeReplace)$/.test(name.getText()),
        )
        .filter((node) => {
          const here = lineAt(source, node.getStart());
          // A comment within the three lines above, or in the same statement above the option.
          return !lines.slice(Math.max(0, here - 4), here + 1).some((text) => /^\s*(\/\/|\*)/.test(text));
        })
        .map((node) => at(source, node));
    });
    expect(wrong.filter((place) => !/^(commands\/plan|packages)\//.test(place))).toEqual([]);
  });

  it("import provider submodules only", () => {
    expect(sources.flatMap((source) => rootImports(source).map((from) => `${source.path}: ${from}`))).toEqual(
      [],
    );
    for (const text of [
      `import type * as k8s from '@pulumi/kubernetes';`,
      `export * from "@pulumi/azure-native";`,
    ]) {
      expect(rootImports(sourceOf("components/a.ts", text))).toHaveLength(1);
    }
  });
});
