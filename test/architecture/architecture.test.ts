import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { compatibilityDocument } from "../../config/compatibilityDocument";
import { configDocument } from "../../config/configDocument";
import { troubleshootingDocument } from "../../doctor/report/document";
import { stackFileSchema } from "../../config/schemaDocs";
import { projectDir } from "../support/stacks";
import { filesBelow, readText, sourcesOf } from "./sources";

/** The rules of the design that a reader of the code would check, checked by a program. */

interface Source {
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

/** Whether a file belongs to a command, which may use classes and the environment of the process. */
const isCommand = (path: string): boolean =>
  /^(plan|commandLine|doctor|access|preflight|workloads)\//.test(path);

const sources = sourcesOf([
  ...[
    "index.ts",
    "program",
    "components",
    "config",
    "domain",
    "io",
    "plan",
    "commandLine",
    "doctor",
    "access",
    "preflight",
    "workloads",
  ],
]).map(({ path, text }): Source => ({
  path,
  text,
  tree: ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true),
}));

function nodes<T extends ts.Node>({ tree }: Source, is: (node: ts.Node) => node is T): T[] {
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

const line = ({ tree }: Source, node: ts.Node): number =>
  tree.getLineAndCharacterOfPosition(node.getStart()).line;

const at = (source: Source, node: ts.Node): string => `${source.path}:${line(source, node) + 1}`;

/** The file that creates the children of both kinds of pools. */
const poolResources = "components/machinePool/poolResources.ts";

/** Whether a file creates resources, as a component or as children of one. */
const isComponentFile = ({ path, text }: Source): boolean =>
  /class \w+ extends pulumi\.ComponentResource\b/.test(text) || path === poolResources;

/** Imports that remain at run time. */
const valueImports = (source: Source): { node: ts.ImportDeclaration; from: string }[] =>
  nodes(source, ts.isImportDeclaration)
    .filter(({ importClause }) => importClause?.phaseModifier !== ts.SyntaxKind.TypeKeyword)
    .map((node) => ({ node, from: (node.moduleSpecifier as ts.StringLiteral).text }));

/** The only other files of the program that need the SDK at run time. */
const sdkFiles = [
  "index.ts",
  "program/stackProgram.ts",
  "components/childOptions.ts",
  "components/waitingPatch.ts",
  "components/workloadCluster/kubeconfigId.ts",
];

describe("pure files", () => {
  it("import no Pulumi SDK at run time", () => {
    const wrong = sources
      .filter((source) => !isComponentFile(source) && !sdkFiles.includes(source.path))
      .filter(({ path }) => !path.startsWith("plan/engine/"))
      .flatMap((source) =>
        valueImports(source)
          .filter(({ from }) => from.startsWith("@pulumi/"))
          .map(({ node }) => at(source, node)),
      );
    expect(wrong).toEqual([]);
  });

  it("the plan imports only the wire protocol of the SDK, not the SDK", () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith("plan/"))
      .flatMap((source) => valueImports(source).filter(({ from }) => from.startsWith("@pulumi/")))
      .filter(({ from }) => !from.startsWith("@pulumi/pulumi/proto/"));
    expect(wrong.map(({ from }) => from)).toEqual([]);
  });

  it("only the commands about live clusters load their clients, and these only when they need them", () => {
    const clients = /^(@kubernetes\/client-node|@azure\/identity)/;
    const wrong = sources.flatMap((source) =>
      valueImports(source)
        .filter(({ from }) => clients.test(from))
        .map(({ node }) => at(source, node)),
    );
    expect(wrong).toEqual([]);
    const loading = sources.filter(({ text }) => /import\("(@kubernetes|@azure)\//.test(text));
    expect(loading.map(({ path }) => path)).toEqual(["doctor/read/connect.ts", "preflight/credential.ts"]);
  });

  it("create no objects with `new` except values and errors", () => {
    const values =
      /^(Map|Set|RegExp|URL|X509Certificate|Error|Document|RangeError|ConfigError|ManifestError|ManifestMismatchError|FinalAnswer)$/;
    const wrong = sources
      .filter((source) => !isComponentFile(source) && !sdkFiles.includes(source.path))
      .filter(({ path }) => !isCommand(path))
      .flatMap((source) =>
        nodes(source, ts.isNewExpression)
          .filter(({ expression }) => !values.test(expression.getText()))
          .map((node) => `${at(source, node)} ${node.expression.getText()}`),
      );
    expect(wrong).toEqual([]);
  });

  it("read no environment variable but the folder of pinned manifests", () => {
    const read = sources
      .filter(({ path }) => !isCommand(path))
      .flatMap(({ text }) => [...text.matchAll(/process\.env\W+(\w+)/g)].map(([, name]) => name));
    expect([...new Set(read)]).toEqual(["manifestCacheVariable"]);
  });
});

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
          const here = line(source, node);
          // A comment within the three lines above, or in the same statement above the option.
          return !lines.slice(Math.max(0, here - 4), here + 1).some((text) => /^\s*(\/\/|\*)/.test(text));
        })
        .map((node) => at(source, node));
    });
    expect(wrong.filter((place) => !place.startsWith("plan/"))).toEqual([]);
  });

  it("import provider submodules only", () => {
    const roots = sources.flatMap((source) =>
      nodes(source, ts.isImportDeclaration).filter(({ moduleSpecifier }) =>
        /^"@pulumi\/(azure-native|kubernetes)(\/v\d.*)?"$/.test(moduleSpecifier.getText()),
      ),
    );
    expect(roots.map((node) => node.getText())).toEqual([]);
  });
});

/** Caches whose values depend on their keys only, so that no run is affected by another one. */
const memos = [
  "components/clusterApi/clusterApi.ts: ready",
  "components/clusterResourceSet/clusterResourceSet.ts: contentsOf",
  "components/managementCluster/managementCluster.ts: providers",
  "components/managementCluster/managementCluster.ts: aksClusters",
  "components/workloadCluster/workloadCluster.ts: resourcesOf",
  "config/jsonSchema.ts: cached",
  "domain/bootstrap/limits.ts: plainScalars",
];

it("files that a plan loads once for both runs of the program keep no state between them", () => {
  const found = sources
    .filter(({ path }) => /^(components|config|domain|io|program)\//.test(path))
    .flatMap(({ path, tree }) => {
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
    });
  expect(found).toEqual(memos);
});

it("index.ts reads like the architecture: under 70 lines and without a decision", () => {
  const text = readText("index.ts");
  expect(text.split("\n").length).toBeLessThan(70);
  expect(text).not.toMatch(/\bif\b|\?\s|&&|\|\|/);
});

it("no file of the program is longer than 300 lines", () => {
  const long = sources.filter(({ text }) => text.split("\n").length > 300).map(({ path }) => path);
  expect(long.filter((path) => !path.startsWith("domain/capi/crds/"))).toEqual([]);
});

it("every dependency is pinned exactly", () => {
  const { dependencies, devDependencies } = JSON.parse(readText("package.json")) as Record<
    string,
    Record<string, string>
  >;
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, v]) => !/^\d+\.\d+\.\d+$/.test(v),
  );
  expect(loose).toEqual([]);
});

it("the tsconfig that pulumi reads sets the options that the language host would not inherit", () => {
  const { config } = ts.readConfigFile(join(projectDir, "tsconfig.pulumi.json"), (path) =>
    readFileSync(path, "utf8"),
  ) as {
    config: { compilerOptions: Record<string, unknown> };
  };
  expect(config.compilerOptions).toMatchObject({
    noCheck: true,
    target: "es2022",
    module: "node16",
    moduleResolution: "node16",
  });
  expect(readText("Pulumi.yaml")).toContain("tsconfig: tsconfig.pulumi.json");
});

it("scripts for Windows are ASCII: Windows PowerShell reads a file without a byte order mark as ANSI", () => {
  const scripts = ["access", "components", "domain"]
    .flatMap(filesBelow)
    .filter((path) => path.endsWith(".ps1"));
  expect(scripts.length).toBeGreaterThanOrEqual(3);

  expect(scripts.filter((path) => /[^\x00-\x7f]/.test(readText(path)))).toEqual([]);
});

describe("what is generated from the schema is up to date (npm run docs)", () => {
  it("schema/stack.schema.json", () => {
    expect(JSON.parse(readText("schema/stack.schema.json"))).toEqual(
      JSON.parse(JSON.stringify(stackFileSchema())),
    );
  });

  it("docs/troubleshooting.md", () => {
    expect(readText("docs/troubleshooting.md")).toBe(troubleshootingDocument());
  });

  it("docs/compatibility.md", () => {
    expect(readText("docs/compatibility.md")).toBe(compatibilityDocument());
  });

  it("docs/config.md", () => {
    expect(readText("docs/config.md")).toBe(configDocument());
  });

  it("every example stack names the schema for editors", () => {
    for (const path of filesBelow("examples")) {
      expect(readText(path)).toMatch(/^# yaml-language-server: \$schema=\.\.\/schema\/stack\.schema\.json\n/);
    }
  });
});

it("every part of a test suite is run by one suite", () => {
  const files = filesBelow("test").filter((path) => path.endsWith(".ts"));
  const imported = files
    .filter((path) => path.endsWith(".test.ts"))
    .flatMap((path) =>
      [...readText(path).matchAll(/^import "(\..+\.part)";$/gm)].map(
        ([, part = ""]) => `${join(dirname(path), part)}.ts`,
      ),
    );
  expect(imported.sort()).toEqual(files.filter((path) => path.endsWith(".part.ts")).sort());
});

it("no test reads a stack file of the users", () => {
  const file = join(projectDir, "Pulumi.dev.yaml");
  expect(() => readFileSync(file, "utf8")).toThrow(
    new Error(`${file}: tests do not read the users' stack files; take one of examples/`),
  );
});

it("no path or tool of a workplace is named", () => {
  const everything = ["README.md", "CHANGELOG.md", ...["docs", "scripts", "test"].flatMap(filesBelow)].map(
    readText,
  );
  expect(
    [...everything, ...sources.map(({ text }) => text)].filter((text) => /\/home\/|\/root\//.test(text)),
  ).toEqual([]);
});
