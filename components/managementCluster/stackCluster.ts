import * as core from "@pulumi/kubernetes/core/v1";
import type { Provider } from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import {
  clientLabel,
  clientName,
  clientsNamespace,
  noSharedManagement,
  sharedOutputs,
} from "../../platform/cluster/clients";

/** The management cluster of another stack. */
export interface StackClusterArgs {
  /** Fully qualified name of the other stack: organization/project/stack. */
  stack: string;
  /** Name of the workload cluster that is going to live on it. */
  clusterName: string;
  /** Namespace of that cluster's objects. Default: clusterName. */
  namespace?: string | undefined;
}

/** What the outputs of the other stack say of its management cluster. */
export interface StackCluster {
  readonly kubeconfig: pulumi.Output<string>;
  readonly clusterIdentifier: pulumi.Output<string>;
  readonly egressCidrs: pulumi.Output<string[]>;
  readonly oidcIssuerUrl: pulumi.Output<string>;
}

/** Reads the outputs of the other stack. A missing one is reported with what to write there. */
export function stackCluster(
  name: string,
  { stack }: StackClusterArgs,
  parent: pulumi.ComponentResource,
): StackCluster {
  const reference = new pulumi.StackReference(`${name}-stack`, { name: stack }, { parent });
  const output = <T>(key: keyof typeof sharedOutputs, byDefault?: T): pulumi.Output<T> =>
    reference.outputs.apply((outputs: Readonly<Record<string, unknown>>) => {
      if (outputs[sharedOutputs.clients] === undefined) {
        throw new pulumi.RunError(noSharedManagement(stack));
      }
      return (outputs[sharedOutputs[key]] ?? byDefault) as T;
    });
  // Outputs with a secret among them are secret as a whole, and these are none.
  const plain = <T>(key: keyof typeof sharedOutputs, byDefault?: T) => pulumi.unsecret(output<T>(key, byDefault));
  return {
    kubeconfig: pulumi.secret(output<string>("kubeconfig")),
    clusterIdentifier: plain<string>("clusterIdentifier"),
    egressCidrs: plain<string[]>("egressCidrs", []),
    oidcIssuerUrl: plain<string>("oidcIssuerUrl", ""),
  };
}

/**
 * Tells the management stack that it has a client, for as long as the cluster lives: it is there before the first object
 * of the cluster, and is deleted after the last one.
 */
export const clientOf = (
  name: string,
  { clusterName, namespace = clusterName }: StackClusterArgs,
  parent: pulumi.ComponentResource,
  provider: Provider,
): core.ConfigMap =>
  new core.ConfigMap(
    `${name}-client`,
    {
      metadata: {
        name: clientName(namespace, clusterName),
        namespace: clientsNamespace,
        labels: { [clientLabel]: "true" },
      },
      data: {
        stack: `${pulumi.getProject()}/${pulumi.getStack()}`,
        cluster: `${namespace}/${clusterName}`,
      },
    },
    { parent, provider },
  );
