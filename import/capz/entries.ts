import { canonicalJson } from "../../domain/capi/contentHash";
import { at, list, strings, text } from "../../domain/untyped";
import { bootstrapSpec, entryOf } from "./nodes";
import type { ClusterObjects, PoolObjects } from "./roles";

/** Finds the files and commands of nodes that a plan has in the same form as the source. */

/** A file as the node gets it. Of a Secret only the key counts: that of azure.json is named after the object. */
function contentOf(file: Readonly<Record<string, unknown>>): string {
  const key = at(file, "contentFrom", "secret", "key");
  const content =
    file.encoding === "base64" ? Buffer.from(text(file.content), "base64").toString("utf8") : file.content;
  return canonicalJson({ content: key ?? content ?? "", permissions: file.permissions ?? "0644" });
}

const entriesOf = (pool: PoolObjects): Map<string, string> => {
  const spec = bootstrapSpec(pool);
  return new Map([
    ...list(spec.files).map((file) => [entryOf(pool, text(file.path)), contentOf(file)] as const),
    ...[...strings(spec.preKubeadmCommands), ...strings(spec.postKubeadmCommands)].map(
      (command) => [entryOf(pool, command), ""] as const,
    ),
  ]);
};

/** The files and commands (see `entryOf`) that are the same in both. */
export function commonEntries(before: ClusterObjects, after: ClusterObjects): Set<string> {
  const fresh = new Map(after.pools.flatMap((pool) => [...entriesOf(pool)]));
  const old = before.pools.flatMap((pool) => [...entriesOf(pool)]);
  return new Set(old.filter(([entry, content]) => fresh.get(entry) === content).map(([entry]) => entry));
}
