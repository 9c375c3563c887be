import { parse } from "yaml";

/** What makes a text no usable kubeconfig, or `undefined`. Never carries a part of the text. */
export function kubeconfigError(text: string): string | undefined {
  let document: unknown;
  try {
    document = parse(text, { logLevel: "silent" });
  } catch {
    return "it is neither YAML nor JSON";
  }
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    return "it is no mapping";
  }
  const { kind, clusters, contexts, users } = document as Record<string, unknown>;
  const current = (document as Record<string, unknown>)["current-context"];
  if (kind !== "Config") {
    return "its kind is not Config";
  }
  for (const [name, list] of Object.entries({ clusters, contexts, users })) {
    if (!Array.isArray(list) || list.length === 0) {
      return `it has no ${name}`;
    }
  }
  const names = (contexts as { name?: unknown }[]).map((context) => context.name);
  return typeof current === "string" && names.includes(current)
    ? undefined
    : "its current-context is none of its contexts";
}
