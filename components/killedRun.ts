import { bash } from "capz-windows-kit/shell";

const restored =
  "If the stack has it already, a changed value would replace it, and all in it would be lost: restore that value, or run `npx pulumi destroy` first.";

const ofOthers = "Otherwise it belongs to something else, and this stack needs another name for it.";

/** A command that deletes only what Azure says is empty: it compares the answer to a question with 0. */
const ifEmpty = (question: string, deletion: string): string =>
  `[ "$(${question} --output tsv)" = 0 ] && ${deletion}`;

/**
 * What to do about something that exists in Azure. It may be alive: a group and a network are deleted only if Azure says that
 * they are empty; of everything else Azure says who made it, and no command from here deletes it.
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
  if (/\/virtualNetworks\/[^/]+$/i.test(id)) {
    const question = bash`az network vnet show --ids '${id}' --query 'length(subnets[].ipConfigurations[])'`;
    return [...emptied, `  ${ifEmpty(question, bash`az resource delete --ids '${id}'`)}`, ofOthers];
  }
  return [
    restored,
    `This lists who wrote it in the last 30 days, and when. If a run of this stack was killed while it made it, that run is the first: delete it in the Azure portal, and ${again}:`,
    bash`  az monitor activity-log list --resource-id '${id}' --offset 30d --query '[].[eventTimestamp, caller, operationName.value]' --output table`,
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
