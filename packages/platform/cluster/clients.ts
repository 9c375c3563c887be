import { parseManagementOutputs } from "capz-windows-contract";

/** What the stack with a shared management cluster and the stacks that use it know of each other. */

/** Namespace of the management cluster with one ConfigMap for each client. */
export const clientsNamespace = "capz-windows-clients";

/** On the ConfigMap of each client. */
export const clientLabel = "capz-windows/client";

/** A ConfigMap of the management stack: it can be deleted only when there is no client. */
export const guardName = "management-stack";

/** Logical name of the guard's resource and of its policy. */
export const guardPolicyName = "capz-windows-clients";

/** Name of the ConfigMap of a client: Cluster API knows a cluster by its namespace and name. */
export const clientName = (namespace: string, clusterName: string): string => `${namespace}.${clusterName}`;

/** The parts of a fully qualified name of a stack. */
export function stackParts(name: string): { organization: string; project: string; stack: string } {
  const [organization = "", project = "", stack = ""] = name.split("/");
  return { organization, project, stack };
}

/** The outputs of a stack with a management cluster for other stacks, or why another stack cannot use it. */
export function sharedManagement(
  stack: string,
  outputs: Readonly<Record<string, unknown>>,
): ReturnType<typeof parseManagementOutputs> {
  const up = `run \`npx pulumi up --stack ${stack}\``;
  if (Object.keys(outputs).length === 0) {
    return { problem: `management.stack: the stack ${stack} has no outputs yet: ${up} first` };
  }
  if (outputs.clientsNamespace === undefined) {
    return {
      problem: `management.stack: the stack ${stack} has no management cluster for other stacks: its output clientsNamespace is missing. Write \`only: true\` in management of its stack file and ${up}, or name another stack`,
    };
  }
  const read = parseManagementOutputs(outputs);
  return "outputs" in read
    ? read
    : {
        problem: `management.stack: the outputs of the stack ${stack} are wrong: ${read.problem}. With the release of this program, ${up}`,
      };
}
