import { bash } from "capz-windows-kit/shell";

const restored =
  "If the stack has it already, a changed value would replace it, and all in it would be lost: restore that value, or run `npx pulumi destroy` first.";

const ofOthers = "Otherwise it belongs to something else, and this stack needs another name for it.";

/** A command that deletes only what Azure says is empty: it compares the answer to a question with 0. */
const ifEmpty = (question: string, deletion: string): string =>
  `[ "$(${question} --output tsv)" = 0 ] && ${deletion}`;

/**
 * What to do about something that exists in Azure. A group, a network or a cluster may be alive: Azure is asked before it is
 * deleted, or it is not deleted by a command from here.
 */
function remedyInAzure(id: string, again: string): string[] {
  const [, subscription = "", group] = /^\/subscriptions\/([^/]+)\/resourceGroups\/([^/]+)$/.exec(id) ?? [];
  const emptied = [
    restored,
    `If a run of this stack was killed while it made it, nothing is in it. This deletes it only then; ${again}:`,
  ];
  if (group !== undefined) {
    const question = bash`az resource list --subscription '${subscription}' --resource-group '${group}' --query 'length(@)'`;
    return [
      ...emptied,
      `  ${ifEmpty(question, bash`az group delete --subscription '${subscription}' --name '${group}'`)}`,
      ofOthers,
    ];
  }
  const deletion = bash`az resource delete --ids '${id}'`;
  if (/\/virtualNetworks\/[^/]+$/i.test(id)) {
    const question = bash`az network vnet show --ids '${id}' --query 'length(subnets[].ipConfigurations[])'`;
    return [...emptied, `  ${ifEmpty(question, deletion)}`, ofOthers];
  }
  if (/\/managedClusters\/[^/]+$/i.test(id)) {
    return [
      restored,
      `If a run of this stack was killed while it made it, nothing is in it. This says when it was made and by whom; if that was the killed run, delete it in the Azure portal, and ${again}:`,
      bash`  az resource show --ids '${id}' --query systemData`,
      ofOthers,
    ];
  }
  return [
    `If a run of this stack was killed while it made it, nothing uses it yet. Delete it, and ${again}:`,
    /\/roleAssignments\/[^/]+$/.test(id) ? bash`  az role assignment delete --ids '${id}'` : `  ${deletion}`,
    ofOthers,
  ];
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
    const again = `run \`npx pulumi up --stack ${stack}\` again`;
    return ["This exists in Azure.", ...remedyInAzure(id, again)].join("\n");
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
