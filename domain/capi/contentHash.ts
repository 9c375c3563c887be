import { createHash } from "node:crypto";

/** JSON with sorted keys: equal contents give equal text, whatever the order in which they were built. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonicalJson).join(",")}]`;
  }
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`);
    return `{${fields.join(",")}}`;
  }
  return JSON.stringify(value);
}

/** First 8 hexadecimal digits of the sha256 of a content: enough to tell apart the versions of one template. */
export function contentHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 8);
}

/**
 * Name of an object that Cluster API treats as immutable: a change of contents makes another name, so Pulumi
 * creates the new object, moves the references and deletes the old one, in this order.
 */
export const hashedName = (base: string, content: unknown): string => `${base}-${contentHash(content)}`;
