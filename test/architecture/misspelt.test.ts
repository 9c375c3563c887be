import { join } from "node:path";
import { Linter } from "eslint";
import ts from "typescript";
import tseslint from "typescript-eslint";
import config from "../../eslint.config";
import { projectDir } from "../support/stacks";
import { filesBelow, readText } from "./sources";

/** A misspelt field of a CRD fails in the compiler, because ESLint demands a type at each spread that could bring one. */

/** In each builder, a part of the text and the same part with a misspelt field. */
const cases: readonly (readonly [path: string, text: string, misspelt: string])[] = [
  ["components/machinePool/machineSpec.ts", `securityType: "TrustedLaunch"`, `securityTyp: "TrustedLaunch"`],
  ["components/machinePool/machineSpec.ts", "privateIPConfigs: 1", "privateIPConfig: 1"],
  ["components/machinePool/machineSpec.ts", "{ settings }", "{ setings: settings }"],
  ["components/machinePool/machineSpec.ts", "diskEncryptionSet: id ===", "diskEncryptionSets: id ==="],
  ["components/machinePool/machineSpec.ts", "{ managedDisk: managedDisk(", "{ managedDisc: managedDisk("],
  ["platform/machines/healthChecks.ts", "{ deletion };", "{ deletions: deletion };"],
  [
    "platform/machines/healthChecks.ts",
    "    nodeDrainTimeoutSeconds,\n  ",
    "    nodeDrainTimeout: nodeDrainTimeoutSeconds,\n  ",
  ],
  ["platform/machines/healthChecks.ts", "remediation: {", "remedy: {"],
  ["platform/machines/images.ts", "{ subscriptionID: ", "{ subscriptionId: "],
  ["components/machinePool/manifests.ts", "replicas: autoscale ?", "replica: autoscale ?"],
  ["components/machinePool/machineDeployment.ts", "{ additionalTags: args.tags }", "{ tags: args.tags }"],
  ["components/controlPlane/manifests.ts", "{ additionalTags: args.tags }", "{ tags: args.tags }"],
  ["components/workloadCluster/manifests.ts", "{ additionalTags: args.tags }", "{ tags: args.tags }"],
  ["components/clusterResourceSet/manifests.ts", "{ labels }", "{ label: labels }"],
  ["components/clusterApi/manifests.ts", "{ fetchConfig: ", "{ fetch: "],
];

const builders = [...new Set(cases.map(([path]) => path))];

/** The lines of a builder with all its misspelt fields, each in its own line as before. */
function misspell(path: string): { readonly text: string; readonly lines: readonly number[] } {
  const own = cases.filter(([file]) => file === path);
  const original = readText(path);
  const text = own.reduce((before, [, from, to]) => {
    expect(before).toContain(from);
    return before.replace(from, to);
  }, original);
  const lines = own.map(([, , to]) => text.slice(0, text.indexOf(to)).split("\n").length);
  return { text, lines };
}

function compile(files: ReadonlyMap<string, string>): Map<string, number[]> {
  const { config: json } = ts.readConfigFile(join(projectDir, "tsconfig.json"), (path) =>
    ts.sys.readFile(path),
  ) as {
    config: object;
  };
  const { options } = ts.parseJsonConfigFileContent({ ...json, include: [], files: [] }, ts.sys, projectDir);
  const host = ts.createCompilerHost({ ...options, types: ["node"] });
  const read = host.readFile.bind(host);
  host.readFile = (path) => files.get(path) ?? read(path);
  const program = ts.createProgram([...files.keys()], { ...options, types: ["node"] }, host);
  return new Map(
    [...files.keys()].map((path) => [
      path,
      program
        .getSemanticDiagnostics(program.getSourceFile(path))
        .map(({ file, start = 0 }) => (file?.getLineAndCharacterOfPosition(start).line ?? 0) + 1),
    ]),
  );
}

it("the compiler finds every misspelt field of the builders", () => {
  const changed = new Map(builders.map((path) => [path, misspell(path)]));
  const texts = new Map([...changed].map(([path, { text }]) => [join(projectDir, path), text]));
  const errors = compile(texts);
  for (const [path, { lines }] of changed) {
    const found = [...new Set(errors.get(join(projectDir, path)))].sort((a, b) => a - b);
    expect({ path, found }).toEqual({ path, found: lines.toSorted((a, b) => a - b) });
  }
});

const block = (config as Linter.Config[]).findLast(
  ({ rules }) => rules?.["no-restricted-syntax"] !== undefined,
);

describe("the rule of ESLint about spreads", () => {
  const linted = (path: string, text: string): string[] =>
    new Linter({ cwd: projectDir })
      .verify(
        text,
        [{ files: ["**/*.ts"], languageOptions: { parser: tseslint.parser } }, { ...block }],
        join(projectDir, path),
      )
      .map(({ ruleId, message }) => ruleId ?? message);

  const text = "export const a = { ...(b ? { c: 1 } : {}) };";

  const users = ["addons", "components", "bootstrap", "capi", "older", "platform"]
    .flatMap(filesBelow)
    .filter((path) => path.endsWith(".ts") && !path.startsWith("capi/crds/"))
    .filter((path) => readText(path).includes("/crds/"));

  it.each([...new Set([...builders, ...users])])("is on for %s", (path) => {
    expect(linted(path, text)).toEqual(["no-restricted-syntax"]);
  });

  it.each([
    "export const a = { ...(b && { c: 1 }) };",
    "export const a = { ...(b ? {} : d ? { c: 1 } : {}) };",
    "export const a = { ...(b ? {} : (d && { c: 1 })) };",
  ])("finds %s", (spread) => {
    expect(linted(builders[0]!, spread)).toEqual(["no-restricted-syntax"]);
  });

  it("accepts a spread that says its type", () => {
    expect(linted(builders[0]!, "export const a = { ...(b ? ({ c: 1 } satisfies C) : {}) };")).toEqual([]);
  });
});
