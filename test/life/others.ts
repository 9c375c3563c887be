import type { KubernetesObject } from "../../capi/types";
import { isRecord, textAt } from "../../tools/untyped";

/** Resources that a stack uses but does not create. A life creates them, and keeps them when the stack is deleted. */

/** Resource groups of these IDs that are not among the IDs themselves, for example that of a container registry. */
export function groupsOfOthers(ids: readonly string[]): string[] {
  const own = new Set(ids.map((id) => id.toLowerCase()));
  const groups = ids.flatMap((id) => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? []);
  return [...new Set(groups)].filter((group) => !own.has(group.toLowerCase()));
}

/** Names and keys of Secrets from which files come (`contentFrom`), at any depth of an object. */
function contentsFrom(value: unknown): { name: string; key: string }[] {
  if (Array.isArray(value)) {
    return value.flatMap(contentsFrom);
  }
  if (!isRecord(value)) {
    return [];
  }
  const [name, key] = [
    textAt(value, "contentFrom", "secret", "name"),
    textAt(value, "contentFrom", "secret", "key"),
  ];
  return [...(name === "" ? [] : [{ name, key }]), ...Object.values(value).flatMap(contentsFrom)];
}

/** Secrets outside of the stack from which objects take files, with a text under every key that is used. */
export function secretsOfOthers(objects: readonly KubernetesObject[]): KubernetesObject[] {
  const own = new Set(objects.filter(({ kind }) => kind === "Secret").map(({ metadata }) => metadata.name));
  const secrets = new Map<string, KubernetesObject & { stringData: Record<string, string> }>();
  for (const object of objects) {
    for (const { name, key } of contentsFrom(object).filter((one) => !own.has(one.name))) {
      const { namespace } = object.metadata;
      const id = `${namespace}/${name}`;
      const secret = secrets.get(id) ?? {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
        stringData: {},
      };
      secret.stringData[key] = "of somebody else";
      secrets.set(id, secret);
    }
  }
  return [...secrets.values()];
}
