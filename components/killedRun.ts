/** The Azure CLI command that deletes a resource. */
function deletion(id: string): string {
  const [, subscription = "", group] = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)$/.exec(id) ?? [];
  return group !== undefined
    ? `az group delete --subscription ${subscription} --name ${group}`
    : /\/roleAssignments\/[^/]+$/.test(id)
      ? `az role assignment delete --ids '${id}'`
      : `az resource delete --ids '${id}'`;
}

/**
 * What to do about an error that an earlier run of the stack has left behind: it was killed after it had created a resource, and
 * before it recorded that in the state. Empty for other errors. Pulumi's own `refresh --import-pending-creates` drops
 * the note and imports nothing (CLI v3.260).
 */
export function adviceAfterKill(error: string, stack: string): string | undefined {
  // azure-native: "cannot create already existing resource '/subscriptions/…'".
  const id = /cannot create already existing resource '([^']+)'/.exec(error)?.[1];
  if (id !== undefined) {
    return [
      `This exists in Azure and is not in the state. If a run of this stack was killed while it made it, nothing uses it yet. Delete it, and run \`npx pulumi up --stack ${stack}\` again:`,
      `  ${deletion(id)}`,
      "Otherwise it belongs to something else, and this stack needs another name for it.",
    ].join("\n");
  }
  // The API server: 'namespaces "dev" already exists'.
  const object = /[\w.-]+ "[^"]+" already exists/.exec(error)?.[0];
  if (object !== undefined) {
    return [
      `${object}, and is not in the state. If a run of this stack was killed while it created this resource, take it over:`,
      `  PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true npx pulumi up --stack ${stack}`,
      "Otherwise it belongs to something else: another stack, or this one under another name of its management cluster.",
    ].join("\n");
  }
  return undefined;
}
