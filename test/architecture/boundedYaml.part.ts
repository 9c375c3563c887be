import ts from "typescript";
import { allSources, nodes, type Source, sourceOf } from "./trees";

/** YAML that users, clusters and strangers write is parsed by packages/kit/boundedYaml.ts, whose time follows from the length of a text. */

const parsers = /^(?:parse|parseDocument|parseAllDocuments|Parser|Composer|Lexer|default)$/;

const isText = (node: ts.Node): node is ts.StringLiteralLike => ts.isStringLiteralLike(node);

function parsersOf(source: Source): string[] {
  const names = nodes(source, isText)
    .filter(({ text }) => text === "yaml")
    .filter(
      ({ parent }) =>
        ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isCallExpression(parent),
    )
    .flatMap(({ parent }) => {
      const declaration = ts.isImportDeclaration(parent) ? parent.importClause : undefined;
      const bindings = declaration?.namedBindings;
      return bindings !== undefined && ts.isNamedImports(bindings)
        ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
        : ["all of it"];
    });
  return [...new Set(names)].filter((name) => name === "all of it" || parsers.test(name));
}

const known: Readonly<Record<string, string>> = {
  "addons/calico.ts: parseDocument": "a manifest that is compared with its sha256",
  "older/addons/calicoManifests.ts: parseDocument": "the same",
  "packages/doctor/rules/knowledge.ts: parse": "a file of this program",
  "commands/init/cli.ts: parse": "a text that it has written itself",
  "commands/init/files.ts: parse": "the same",
  "commands/init/files.ts: parseDocument": "an example of this program",
  "packages/plan-engine/options.ts: all of it":
    "Pulumi.yaml, of which projectText takes a limited number of bytes",
  "packages/platform/azure/kubelogin.ts: parse": "the kubeconfig of AKS, from Azure",
  "program/loginKubeconfig.ts: parse": "a kubeconfig that packages/kit/clusterKubeconfig.ts has written",
  "packages/kit/boundedYaml.ts: parseAllDocuments": "the one reader",
  "packages/kit/boundedYaml.ts: parseDocument": "the one reader",
};

it("only the one reader with a bound parses YAML of others", () => {
  const found = allSources().flatMap((source) => parsersOf(source).map((name) => `${source.path}: ${name}`));
  expect(found.sort()).toEqual(Object.keys(known).sort());
});

it.each([
  [`import { parseDocument } from "yaml";`, ["parseDocument"]],
  [`import { parse as read } from "yaml";`, ["parse"]],
  [`import * as yaml from "yaml";`, ["all of it"]],
  [`const yaml = require("yaml");`, ["all of it"]],
  [`import { stringify } from "yaml";`, []],
])("another reader would be found: %s", (text, found) => {
  expect(parsersOf(sourceOf("commands/a.ts", text))).toEqual(found);
});
