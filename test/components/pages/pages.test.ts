import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { addonLabels } from "capz-windows-platform/cluster/addonLabels";
import { Flavor, platformOf } from "capz-windows-platform/cluster/platform";
import { readComponents } from "../../../commands/explain/components";
import { readText } from "../../architecture/sources";
import { consumer } from "../public/consumer";
import { withProgram } from "./page";
import { componentNames, inWords } from "./schema";
import { componentsFile, pageSources } from "./sources";
import { texts } from "./texts";
import "../public/schema.part";

/** What users of single components read. */

let sources: Awaited<ReturnType<typeof pageSources>>;
beforeAll(async () => {
  sources = await pageSources();
});

/** What a strict compiler says about programs of a user: one compiler for all, because it reads the SDKs first. */
function compilerFaults(...programs: readonly string[]): string[][] {
  const theirs = consumer("");
  try {
    const files = programs.map((program, index) => {
      const file = join(theirs.dir, `index${index}.ts`);
      writeFileSync(file, program);
      return file;
    });
    const compiled = ts.createProgram(files, {
      ...{ strict: true, noEmit: true, skipLibCheck: true, preserveSymlinks: true },
      ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS, types: [] },
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    });
    return files.map((file) =>
      ts
        .getPreEmitDiagnostics(compiled, compiled.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
    );
  } finally {
    theirs.remove();
  }
}

describe("schema/components.json", () => {
  it("has each public component, as `npm run docs` writes it", () => {
    const written = componentsFile(sources);
    expect(JSON.parse(readText("schema/components.json"))).toEqual(written);
    expect(Object.keys(written.components)).toEqual(componentNames());
    expect(Object.keys(texts)).toEqual(componentNames());
  });

  it("says in words which file lacks the name of a choice", () => {
    const fault = new Error(
      "Union types are not supported for component 'LinuxPool' input 'LinuxPoolArgs.size': type '\"a\" | \"b\"'",
    );
    expect(inWords(fault)).toMatchObject({
      stack:
        'LinuxPool: LinuxPoolArgs.size is one of "a" | "b", and components of other languages know no such type. Name the choice in packages/platform/machines/pools.ts, as OsDiskType is, and use that name in config/schema/ and, without undefined, in the args of the component.',
    });
    expect(inWords(sources)).toBe(sources);
  });

  it("names what a component makes, from a plan of the example", () => {
    const { components } = readComponents();
    expect(Object.values(components).filter(({ makes }) => Object.keys(makes).length === 0)).toEqual([]);
    expect(components.VirtualNetwork?.makes).toMatchObject({ "azure-native:network:NatGateway": 1 });
  });

  it("has every type that its args and outputs name", () => {
    const { components, types } = readComponents();
    const known = new Set([
      ...Object.keys(types),
      "string",
      "boolean",
      "number",
      "integer",
      "list",
      "mapping",
      "of",
    ]);
    const properties = [
      ...Object.values(components).flatMap(({ args, outputs }) => [args, outputs]),
      ...Object.values(types).map(({ fields }) => fields),
    ].flatMap((one) => Object.values(one));
    const named = properties
      .filter(({ type }) => !type.includes(" | "))
      .flatMap(({ type }) => type.split(" "));
    expect(named.filter((word) => !known.has(word))).toEqual([]);
  });
});

describe("schema/plugin.json", () => {
  it("is byte for byte what the SDK's analyzer says, as `npm run docs` writes it", () => {
    expect(readText("schema/plugin.json")).toBe(`${JSON.stringify(sources.schema, null, 2)}\n`);
  });
});

describe("docs/components.md", () => {
  const page = readText("docs/components.md");

  it("has the command of each component", () => {
    const rows = [...page.matchAll(/^\| `npm run explain -- (\w+)` +\|/gm)].map(([, name]) => name);
    expect(rows.sort()).toEqual(componentNames());
  });

  it("has one program with all components, as `npm run docs` writes it", () => {
    expect(withProgram(page, sources)).toBe(page);
    expect(page).toContain(sources.program);
  });
});

describe("the examples", () => {
  it("compile in TypeScript", () => {
    const wrong = sources.program
      .replace("vnetId:", "vnetIds:")
      .replace('namespace: "blue"', "namespace: network.resourceGroupName");
    expect(compilerFaults(sources.program, wrong)).toEqual([
      [],
      expect.arrayContaining([
        expect.stringContaining("'vnetIds' does not exist in type 'ApiServerZoneArgs'"),
        expect.stringContaining("'Output<string>' is not assignable to type 'string'"),
      ]),
    ]);
  });

  it("name the identity that ClusterApi makes for the control plane", () => {
    const { resourceGroup, subscriptionId } = sources.examples.api!.properties as Record<string, string>;
    expect(sources.outputs["capz-windows:index:ClusterApi"]).toMatchObject({
      controlPlaneIdentityId: sources.examples.controlPlane?.properties.identityId,
    });
    expect(sources.examples.controlPlane?.properties.identityId).toContain(
      `/${subscriptionId ?? ""}/resourceGroups/${resourceGroup ?? ""}/`,
    );
  });

  it("select the Cluster by a label that it has", () => {
    const { cloudProvider } = addonLabels("blue", platformOf(Flavor.containerd, "v1.35.6"));
    expect(sources.examples.settings?.properties.clusterSelector).toEqual(cloudProvider);
  });
});
