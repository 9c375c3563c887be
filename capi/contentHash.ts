import { createHash } from "node:crypto";

/** JSON with sorted keys, so that equal values give equal text regardless of the order of their keys. */
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

/** First 8 hexadecimal digits of the SHA-256 of a value; enough to distinguish the versions of one template. */
export function contentHash(value: unknown): string {
  return createHash("sha256").update(canonicalJson(value)).digest("hex").slice(0, 8);
}

/**
 * Name of an object that Cluster API treats as immutable. A change of content changes the name, so Pulumi creates the
 * new object, updates the references to it and deletes the old object, in this order.
 */
export const hashedName = (base: string, content: unknown): string => `${base}-${contentHash(content)}`;
