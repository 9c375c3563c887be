import type { KubernetesObject } from "../../domain/capi/types";
import { isRecord, textAt } from "../../domain/untyped";

/** What a stack uses and somebody else has made: a life has to have it, and keeps it when the stack goes away. */

/** Resource groups in which there are ids that are not in a group of one's own: of a container registry, say. */
export function groupsOfOthers(ids: readonly string[]): string[] {
  const own = new Set(ids.map((id) => id.toLowerCase()));
  const groups = ids.flatMap((id) => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? []);
  return [...new Set(groups)].filter((group) => !own.has(group.toLowerCase()));
}

/** Names and keys of Secrets from which files come (`contentFrom`), wherever they stand in an object. */
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

/** The Secrets of others from which objects take files, each with a text under every key that is used. */
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
