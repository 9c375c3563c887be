import ts from "typescript";
import { allSources, isCommand, isComponentFile, nodes, sourceOf, valueImports, type Source } from "./trees";

// In one suite, because the sources are parsed once.
import "./boundedFiles.part";
import "./boundedYaml.part";

/** What the files that create no resources must not use, so that they stay functions over plain values. */

/** The only other files of the program that need the SDK at run time. */
const sdkFiles = [
  "index.ts",
  "program/managementVnet.ts",
  // They ask the engine for the state before anything is registered.
  "program/recordedState.ts",
  "program/refuseAtOnce.ts",
  "program/requireManagement.ts",
  "program/run.ts",
  "program/stackProgram.ts",
  "components/childOptions.ts",
  "components/kubeconfigOfCluster.ts",
  "components/scaleDown/keepNodes.ts",
  "components/waitingPatch.ts",
  "components/workloadCluster/kubeconfigId.ts",
];

/** The process that serves the components to other languages: it reads its arguments, and belongs to no plan. */
const plugin = "components/plugin.ts";

const sources = allSources().filter(({ path }) => path !== plugin);

const needsSdk = (source: Source): boolean => isComponentFile(source) || sdkFiles.includes(source.path);

/** What a file loads of the Pulumi SDK. */
const sdkImports = (source: Source): string[] =>
  valueImports(source)
    .map(({ from }) => from)
    .filter((from) => from.startsWith("@pulumi/"));

const clients = /^(@kubernetes\/client-node|@azure\/identity)/;

const clientImports = (source: Source) => valueImports(source).filter(({ from }) => clients.test(from));

/** Modules through which a program sees the machine that it runs on, or loads others under any name (createRequire). */
const ofTheMachine =
  /^(node:)?(fs|os|child_process|process|module|worker_threads|net|http|https|dns)(\/.*)?$/;

/** The global `process`, and not a property or a word of a text with this name. */
function isProcess(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node) || node.text !== "process") {
    return false;
  }
  const { parent } = node;
  return ts.isPropertyAccessExpression(parent) && parent.name === node
    ? /^global(This)?$/.test(parent.expression.getText())
    : !(ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent)) || parent.name !== node;
}

/** How a file sees the machine or the process that it runs in. */
const machineUses = (source: Source): string[] => {
  const modules = valueImports(source).filter(({ from }) => ofTheMachine.test(from));
  const process = nodes(source, isProcess).map(({ parent }) => parent.parent.getText().split("\n")[0] ?? "");
  return [...new Set([...modules.map(({ from }) => from), ...process])].map(
    (use) => `${source.path}: ${use}`,
  );
};

/** Why each of these may. */
const stated = [
  // What it fills in is loaded when it is read.
  "older/addons/register.ts: node:module",
  "older/config/register.ts: node:module",
  "older/import/register.ts: node:module",
  // Files of a plan are written by the commands.
  "packages/kit/io/atomic.ts: node:fs",
  // Addresses of names that texts of others have.
  "packages/kit/io/innerHosts.ts: node:dns",
  "packages/kit/io/innerHosts.ts: node:net",
  "packages/kit/io/optionalPackage.ts: node:fs",
  // Downloads of pinned manifests go through the proxy that the environment names.
  "packages/kit/io/proxiedRequest.ts: node:http",
  "packages/kit/io/proxiedRequest.ts: node:https",
  "packages/kit/io/proxiedRequest.ts: node:net",
  "packages/kit/io/proxy.ts: env: Environment = process.env",
  "packages/kit/io/proxy.ts: node:net",
  // Files of users, and pinned manifests from a folder of earlier downloads, each with a limit.
  "packages/kit/readBounded.ts: node:fs",
  // Scripts that are shipped next to the code.
  "packages/kit/readBundledFile.ts: node:fs",
  // Manifests and an audit policy of the user.
  "packages/kit/regularFile.ts: node:fs/promises",
  // The names of stack files in a folder.
  "packages/kit/stackNames.ts: node:fs",
];

describe("pure files", () => {
  it("import no Pulumi SDK at run time", () => {
    const wrong = sources
      .filter((source) => !needsSdk(source) && !source.path.startsWith("packages/"))
      .flatMap((source) => sdkImports(source).map((from) => `${source.path}: ${from}`));
    expect(wrong).toEqual([]);
  });

  it("the engine of plans imports only the wire protocol of the SDK, not the SDK", () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith("packages/"))
      .flatMap((source) => sdkImports(source))
      .filter((from) => !from.startsWith("@pulumi/pulumi/proto/"));
    // Only resolved, not loaded: the engine looks for the SDK of the program that it runs.
    expect(wrong.sort()).toEqual(["@pulumi/pulumi/cmd/run", "@pulumi/pulumi/package.json"]);
  });

  it.each([
    `import * as pulumi from "@pulumi/pulumi";`,
    `import { output, type Input } from '@pulumi/pulumi';`,
    `import "@pulumi/pulumi";`,
    `export * from "@pulumi/pulumi";`,
    `export { output } from "@pulumi/pulumi";`,
    `import pulumi = require("@pulumi/pulumi");`,
    `const pulumi = require("@pulumi/pulumi");`,
    `const pulumi = await import("@pulumi/pulumi");`,
    `const pulumi = import(\`@pulumi/pulumi\`);`,
  ])("an import of the SDK would be found: %s", (text) => {
    expect(sdkImports(sourceOf("packages/platform/versions.ts", text))).toEqual(["@pulumi/pulumi"]);
  });

  it.each([
    `import type * as pulumi from "@pulumi/pulumi";`,
    `export type { Input } from "@pulumi/pulumi";`,
    `type Input = import("@pulumi/pulumi").Input<string>;`,
  ])("types of the SDK are no import at run time: %s", (text) => {
    expect(sdkImports(sourceOf("packages/platform/versions.ts", text))).toEqual([]);
  });

  it("only the commands about live clusters and the change of a pool's size load their clients, and these only when they need them", () => {
    const found = sources.flatMap((source) =>
      clientImports(source).map(({ lazy }) => `${source.path}: ${lazy ? "when needed" : "always"}`),
    );
    expect([...new Set(found)]).toEqual([
      "components/scaleDown/keepNodes.ts: when needed",
      "packages/doctor/cluster/connect.ts: when needed",
      "commands/azure/credential.ts: when needed",
    ]);
  });

  it("a client that is always loaded would be found", () => {
    for (const text of [
      `import "@azure/identity";`,
      `const { KubeConfig } = require("@kubernetes/client-node");`,
    ]) {
      expect(clientImports(sourceOf("packages/doctor/a.ts", text))).toMatchObject([{ lazy: false }]);
    }
  });

  it("load the parts of providers that they use, and no whole provider, which takes seconds", () => {
    const whole = (source: Source) =>
      valueImports(source).filter(({ from }) => /^@pulumi\/(azure-native|kubernetes)(\/v\d.*)?$/.test(from));
    expect(sources.filter((source) => whole(source).length > 0).map(({ path }) => path)).toEqual([]);
    expect(whole(sourceOf("components/a.ts", `export * from "@pulumi/azure-native";`))).toHaveLength(1);
  });

  it("read neither the environment nor files of the machine, with stated exceptions", () => {
    const found = sources
      .filter((source) => !isCommand(source) && !/^(config|program)\/|^index\.ts$/.test(source.path))
      .flatMap(machineUses);
    expect(found.sort()).toEqual(stated);
  });

  it("the program reads no environment variable but the folder of pinned manifests and the proxy", () => {
    const found = sources
      .filter((source) => !isCommand(source) && source.path !== "program/errorStacks.ts")
      .flatMap((source) => nodes(source, isProcess).map(({ parent }) => parent.parent.getText()));
    // And the proxy of downloads.
    expect(found.sort()).toEqual([
      "env: Environment = process.env",
      "process.env[manifestCacheVariable]",
      "silentServer(managementKubeconfig, process.env)",
    ]);
  });

  it.each([
    `import { readFileSync } from "node:fs";`,
    `import { readFileSync } from 'fs';`,
    `export * from "node:fs/promises";`,
    `const { homedir } = require("node:os");`,
    `const { execSync } = await import("node:child_process");`,
    `import { env } from "node:process";`,
    `import { createRequire } from "node:module";`,
    `const home = process.env.HOME;`,
    `const { env } = process;`,
    `const home = globalThis.process["env"].HOME;`,
    `read(process);`,
    `const surroundings = { process };`,
  ])("a use of the machine would be found: %s", (text) => {
    expect(machineUses(sourceOf("components/childOptions.ts", text))).toHaveLength(1);
  });

  it.each([`const classes = { process: "runhcs-wcow-process" };`, `classes.process;`, `// process.env`])(
    "no use of the machine: %s",
    (text) => {
      expect(machineUses(sourceOf("components/childOptions.ts", text))).toEqual([]);
    },
  );
});

/** Caches whose values depend on their keys only, so that no run is affected by another one. */
const memos = [
  "program/managementVnet.ts: vnets",
  "config/jsonSchema.ts: cached",
  "bootstrap/limits.ts: plainScalars",
];

/** Variables, collections and statements of a module that can differ after a run. */
function stateOf({ path, tree }: Source): string[] {
  const variables = tree.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations
      .filter(
        ({ initializer }) =>
          (declarationList.flags & ts.NodeFlags.Const) === 0 ||
          // A collection that is empty at first will be filled.
          (initializer !== undefined &&
            ts.isNewExpression(initializer) &&
            (initializer.arguments?.length ?? 0) === 0),
      )
      .map(({ name }) => name.getText()),
  );
  const statics = tree.statements
    .filter(ts.isClassDeclaration)
    .flatMap(({ members }) => members.filter(ts.isPropertyDeclaration))
    .filter(({ modifiers = [] }) => modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
    .map(({ name }) => name.getText());
  const actions = tree.statements.filter(ts.isExpressionStatement).map((node) => node.getText());
  return [...variables, ...statics, ...actions].map((what) => `${path}: ${what}`);
}

it("files that a plan loads once for both runs of the program keep no state between them", () => {
  const loadedOnce = sources.filter(({ path }) =>
    /^(components|config|bootstrap|capi|program|packages\/(platform|kit(?!\/commandLine)))\//.test(path),
  );
  expect(loadedOnce.flatMap(stateOf)).toEqual(memos);
  const text = "let a = 1;\nconst b = new Map();\nclass C { static d = 1; }\ne();";
  expect(stateOf(sourceOf("a", text))).toEqual(["a: a", "a: b", "a: d", "a: e();"]);
});
