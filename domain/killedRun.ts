/**
 * What to do about an error that an earlier run has left behind: it was killed after something was made, and before it
 * could write so into the state. Nothing for other errors.
 */
export function adviceAfterKill(urn: string, error: string): string | undefined {
  // azure-native: "cannot create already existing resource '/subscriptions/…'".
  const id = /cannot create already existing resource '([^']+)'/.exec(error)?.[1];
  if (id !== undefined) {
    return [
      "This exists in Azure and is not in the state. If a run of this stack was killed while it made it, take it over:",
      `  npx pulumi refresh --import-pending-creates '${urn}' --import-pending-creates '${id}'`,
      "Otherwise it belongs to something else, and this stack needs another name for it.",
    ].join("\n");
  }
  // The API server: 'namespaces "dev" already exists'.
  const object = /[\w.-]+ "[^"]+" already exists/.exec(error)?.[0];
  if (object !== undefined) {
    return [
      `${object}, and is not in the state. If a run of this stack was killed while it made it, take it over:`,
      "  PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true npx pulumi up",
      "Otherwise it belongs to something else: another stack, or this one under another name of its management cluster.",
    ].join("\n");
  }
  return undefined;
}
