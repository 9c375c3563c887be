import type { KubernetesObject } from "../../domain/capi/types";
import { pulumiAnnotations } from "../../domain/capi/waits";
import { at } from "../../domain/untyped";
import type { LiveObject } from "./kube";

/**
 * The annotation pulumi.com/waitFor as the Kubernetes provider reads it.
 * https://github.com/pulumi/pulumi-kubernetes, provider/pkg/await/internal
 */

/** Conditions that an object is waited for; empty for none. */
export function waitsOf({ metadata }: KubernetesObject): string[] {
  const text = metadata.annotations?.[pulumiAnnotations.waitFor];
  if (text === undefined || metadata.annotations?.[pulumiAnnotations.skipAwait] === "true") {
    return [];
  }
  return text.startsWith("[") ? (JSON.parse(text) as string[]) : [text];
}

/** The controller has seen the newest generation, where it says which one it saw. */
const isCurrent = ({ metadata, status }: LiveObject): boolean => {
  const observed = status?.observedGeneration;
  return typeof observed !== "number" || observed >= (metadata.generation ?? 0);
};

/** @throws Error for a condition of a form that is not known */
export function isMet(condition: string, object: LiveObject): boolean {
  const [, path, wanted] = /^jsonpath=\{\.([\w.]+)\}(?:=(.*))?$/.exec(condition) ?? [];
  if (path !== undefined) {
    const value = at(object, ...path.split("."));
    return isCurrent(object) && (wanted === undefined ? value !== undefined : String(value) === wanted);
  }
  const [, type] = /^condition=(\w+)$/.exec(condition) ?? [];
  if (type === undefined) {
    throw new Error(`${condition} is no condition that is known here`);
  }
  const conditions = (at(object.status, "conditions") ?? []) as { type: string; status: string }[];
  return isCurrent(object) && conditions.some((each) => each.type === type && each.status === "True");
}
