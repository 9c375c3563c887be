import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import { ComponentResource } from "@pulumi/pulumi";
import * as components from "../../../components";
import { memoize } from "capz-windows-kit/memoize";
import { projectDir } from "../../support/projectDir";

/** The schema of the components for other languages, as the SDK's own analyzer reads it from their source. */

export interface Property {
  readonly $ref?: string;
  readonly type?: string;
  readonly plain?: boolean;
  readonly description?: string;
  readonly items?: Property;
  readonly additionalProperties?: Property;
}

type Properties = Readonly<Record<string, Property>>;

export interface ResourceSchema {
  readonly description?: string;
  readonly inputProperties: Properties;
  readonly requiredInputs: readonly string[];
  readonly properties: Properties;
  readonly required: readonly string[];
}

export interface TypeSchema {
  readonly description?: string;
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly enum?: readonly { readonly value: string; readonly description?: string }[];
}

export interface PackageSchema {
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly types: Readonly<Record<string, TypeSchema>>;
}

export const componentNames = (): string[] =>
  Object.entries(components)
    .filter(([, value]) => typeof value === "function" && value.prototype instanceof ComponentResource)
    .map(([name]) => name)
    .sort();

/** The SDK's analyzer in the words of this project, where it meets an argument that may be one of several texts. */
export function inWords(error: unknown): unknown {
  const [, component, key, type] =
    /Union types are not supported for component '(\w+)' \w+ '([\w.]+)': type '(.+)'$/s.exec(String(error)) ??
    [];
  const words = `${component}: ${key} is one of ${type}, and components of other languages know no such type. Name the choice in packages/platform/machines/pools.ts, as OsDiskType is, and use that name in config/schema/ and, without undefined, in the args of the component.`;
  // Without a stack: it shows the SDK only.
  return type === undefined ? error : Object.assign(new Error(words), { stack: words });
}

function analyzed(analyzer: Analyzer) {
  try {
    return analyzer.analyze();
  } catch (error) {
    throw inWords(error);
  }
}

interface AnalyzerParts {
  analyzeSymbols: (context: object, symbols: readonly { readonly escapedName: string }[]) => unknown;
}

/** The analyzer makes an output of every field of a class, also of one that is private (`#name`), which no resource can be. */
function withoutPrivateFields(analyzer: Analyzer): Analyzer {
  const parts = analyzer as unknown as AnalyzerParts;
  const original = parts.analyzeSymbols.bind(analyzer);
  parts.analyzeSymbols = (context, symbols) =>
    original(
      context,
      symbols.filter(({ escapedName }) => !escapedName.startsWith("__#")),
    );
  return analyzer;
}

export const componentSchema = memoize((): PackageSchema => {
  const manifest = { name: "capz-windows", version: "0.0.0", main: "components/index.ts" };
  const analyzer = new Analyzer(projectDir, "capz-windows", manifest, new Set(componentNames()));
  const { components: found, typeDefinitions, dependencies } = analyzed(withoutPrivateFields(analyzer));
  return generateSchema(
    ...(["capz-windows", "0.0.0", "", found, typeDefinitions, dependencies] as const),
  ) as unknown as PackageSchema;
});
