/** Configs that have not been checked yet. */
type Raw = Record<string, unknown>;

/** A config as Pulumi passes it: all values are texts, structured ones as JSON. */
export const asText = (config: Raw): Raw =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      typeof value === "object" ? JSON.stringify(value) : value,
    ]),
  );

/** The options that a config sets, pools under `<name>` as in docs/config.md. */
export function pathsOf(config: Raw): string[] {
  const visit = (value: unknown, path: string): string[] =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([key, inner]) => {
          const here = /^((linux|windows)Pools|extraManifests|network\.peerings)$/.test(path)
            ? `${path}.<name>`
            : path === ""
              ? key
              : `${path}.${key}`;
          return [here, ...visit(inner, here)];
        })
      : [];
  return visit(config, "");
}
