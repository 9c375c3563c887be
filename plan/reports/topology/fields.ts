import type { KubernetesObject } from "../../../domain/capi/types";
import * as reading from "../../model/untyped";
import type { Plan } from "../../model/plan";
import type { AzureResource } from "../../model/stackObjects";

/** The value at a dotted path; `undefined` when a step is missing. */
export const at = (value: unknown, path: string): unknown => reading.at(value, ...path.split("."));

export const text = (value: unknown, path: string, otherwise = ""): string => {
  const found = at(value, path);
  return typeof found === "string" || typeof found === "number" ? String(found) : otherwise;
};

export const list = (value: unknown, path: string): readonly unknown[] => {
  const found = at(value, path);
  return Array.isArray(found) ? found : [];
};

export const strings = (value: unknown, path: string): string[] => list(value, path).map(String);

export const azureOf = ({ objects }: Plan, type: string): AzureResource[] =>
  objects.azure.filter((resource) => resource.type.endsWith(`:${type}`));

export const objectsOf = ({ objects }: Plan, ...kinds: readonly string[]): KubernetesObject[] =>
  objects.management.map(({ object }) => object).filter(({ kind }) => kinds.includes(kind));
