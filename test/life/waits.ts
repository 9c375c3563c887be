import { jsonpath } from "json-p3";
import type { KubernetesObject } from "capz-types";
import { pulumiAnnotations } from "../../capi/waits";
import { at } from "capz-windows-kit/untyped";
import type { LiveObject } from "./kube";

/**
 * The annotation pulumi.com/waitFor, interpreted like by Pulumi's Kubernetes provider.
 * https://github.com/pulumi/pulumi-kubernetes, provider/pkg/await/internal
 */

/**
 * Conditions that an object must meet. Empty if there is no wait. The provider decides whether to wait from the object
 * that it applies, and takes the conditions from the resulting object, in which another manager may have set them.
 */
export function waitsOf(applied: KubernetesObject, live: Pick<KubernetesObject, "metadata">): string[] {
  const text = live.metadata.annotations?.[pulumiAnnotations.waitFor];
  if (text === undefined || applied.metadata.annotations?.[pulumiAnnotations.skipAwait] === "true") {
    return [];
  }
  return text.startsWith("[") ? (JSON.parse(text) as string[]) : [text];
}

/** Whether the controller has seen the newest generation. True if its status has no observedGeneration. */
const isCurrent = ({ metadata, status }: LiveObject): boolean => {
  const observed = status?.observedGeneration;
  return typeof observed !== "number" || observed >= (metadata.generation ?? 0);
};

/** @throws Error for a condition of an unknown form */
export function isMet(condition: string, object: LiveObject): boolean {
  // A single "=" separates the path from the wanted value; "==" is a comparison in the path.
  const [, path, wanted] = /^jsonpath=\{(.*)\}(?:=([^=]*))?$/.exec(condition) ?? [];
  if (path !== undefined) {
    const [found] = jsonpath.query(path.startsWith("$") ? path : `$${path}`, object as never).values();
    return (
      isCurrent(object) &&
      found !== undefined &&
      (wanted === undefined || JSON.stringify(found).replace(/^"|"$/g, "") === wanted)
    );
  }
  const [, type] = /^condition=(\w+)$/.exec(condition) ?? [];
  if (type === undefined) {
    throw new Error(`${condition} is no condition that is known here`);
  }
  const conditions = (at(object.status, "conditions") ?? []) as { type: string; status: string }[];
  return isCurrent(object) && conditions.some((each) => each.type === type && each.status === "True");
}
