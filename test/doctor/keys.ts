import { isRecord } from "capz-windows-kit/untyped";

/** Keys of a value that are not in docs/config.md. Names of pools are arbitrary. */
export function parseConfigKeys(document: string, value: Readonly<Record<string, unknown>>): string[] {
  const has = (section: string, key: string): boolean => {
    const text = document.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? "";
    return new RegExp(`^\\| \`${key.replaceAll(".", "\\.")}\``, "m").test(text);
  };
  return Object.entries(value).flatMap(([key, inner]) => {
    if (/^(linux|windows)Pools$/.test(key)) {
      return Object.values(inner as Record<string, unknown>).flatMap((pool) =>
        Object.keys(pool as Record<string, unknown>)
          .filter((name) => !has("linuxPools and windowsPools", name))
          .map((name) => `${key}.*.${name}`),
      );
    }
    return isRecord(inner)
      ? Object.keys(inner)
          .filter((name) => !has(key, name))
          .map((name) => `${key}.${name}`)
      : has("The cluster", key)
        ? []
        : [key];
  });
}
