import { canonicalJson } from "../../domain/capi/contentHash";
import { at, list, strings, text } from "../../domain/untyped";
import { bootstrapSpec, entryOf } from "./nodes";
import type { ClusterObjects, PoolObjects } from "./roles";

/** Files and commands of nodes one by one, to tell which of them a plan has, too. */

/** A file as the node gets it; the Secret of an azure.json is named after the object that it belongs to. */
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

/** What both sides have in the same way. */
export function commonEntries(before: ClusterObjects, after: ClusterObjects): Set<string> {
  const fresh = new Map(after.pools.flatMap((pool) => [...entriesOf(pool)]));
  const old = before.pools.flatMap((pool) => [...entriesOf(pool)]);
  return new Set(old.filter(([entry, content]) => fresh.get(entry) === content).map(([entry]) => entry));
}
