/** Whether an alias only differs in a type token with an API version: azure-native gives dozens to each resource. */
export function isFormerType(alias: unknown): boolean {
  const { name, type } = (typeof alias === "object" ? (alias ?? {}) : {}) as Readonly<
    Record<string, unknown>
  >;
  return name === undefined && typeof type === "string" && /^azure-native:.*\/v[0-9]{8}/.test(type);
}
