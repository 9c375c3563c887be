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

/** Outputs of a stack that makes only a management cluster, by which other stacks use it. */
export const sharedOutputs = {
  kubeconfig: "managementKubeconfig",
  clusterIdentifier: "managementClusterId",
  egressCidrs: "egressCidrs",
  oidcIssuerUrl: "oidcIssuerUrl",
  vnetId: "managementVnetId",
  vnetCidrs: "managementVnetCidrs",
  syncPeriodMinutes: "syncPeriodMinutes",
  bootstrapTtlMinutes: "bootstrapTtlMinutes",
  clients: "clientsNamespace",
} as const;

/** Why a stack cannot use the management cluster of another stack; undefined if it can. */
export function sharedManagementProblem(
  stack: string,
  outputs: Readonly<Record<string, unknown>>,
): string | undefined {
  if (Object.keys(outputs).length === 0) {
    return `management.stack: the stack ${stack} has no outputs yet: run \`npx pulumi up --stack ${stack}\` first`;
  }
  return outputs[sharedOutputs.clients] === undefined ? noSharedManagement(stack) : undefined;
}

/** Said where a stack has no such outputs. */
const noSharedManagement = (stack: string): string =>
  `management.stack: the stack ${stack} has no management cluster for other stacks: its output ${sharedOutputs.clients} is missing. Write \`only: true\` in management of its stack file and run \`npx pulumi up --stack ${stack}\`, or name another stack`;

/**
 * One of these outputs.
 * @throws Error with what to write, if the other stack has no management cluster for other stacks
 */
export function sharedOutput<T>(
  stack: string,
  outputs: Readonly<Record<string, unknown>>,
  key: keyof typeof sharedOutputs,
  byDefault?: T,
): T {
  if (outputs[sharedOutputs.clients] === undefined) {
    throw new Error(noSharedManagement(stack));
  }
  return (outputs[sharedOutputs[key]] ?? byDefault) as T;
}
