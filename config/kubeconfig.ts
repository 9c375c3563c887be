import { configLimits, yamlValue } from "capz-windows-kit/boundedYaml";

/** Why a text is not a usable kubeconfig, or `undefined`. The answer never quotes the text, because it is a secret. */
export function kubeconfigError(text: string): string | undefined {
  let document: unknown;
  try {
    document = yamlValue(text, configLimits);
  } catch {
    return "neither valid YAML nor JSON";
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    return "expected a mapping";
  }
  const { kind, clusters, contexts, users } = document as Record<string, unknown>;
  const current = (document as Record<string, unknown>)["current-context"];
  if (kind !== "Config") {
    return "kind is not Config";
  }
  for (const [name, list] of Object.entries({ clusters, contexts, users })) {
    if (!Array.isArray(list) || list.length === 0) {
      return `it contains no ${name}`;
    }
  }
  const names = (contexts as { name?: unknown }[]).map((context) => context.name);
  return typeof current === "string" && names.includes(current)
    ? undefined
    : "current-context is not one of its contexts";
}
