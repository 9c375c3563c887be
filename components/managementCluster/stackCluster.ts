import * as pulumi from "@pulumi/pulumi";
import { sharedManagement } from "capz-windows-platform/cluster/clients";
import { componentType } from "../componentType";
import { pick } from "capz-windows-kit/without";

/** The management cluster of another stack. */
export interface StackClusterArgs {
  /** Fully qualified name of the other stack: organization/project/stack. */
  stack: string;
  /** Name of the workload cluster that is going to live on it. */
  clusterName: string;
  /** Namespace of that cluster's objects. Default: clusterName. */
  namespace?: string | undefined;
}

/** What the outputs of the other stack say of its management cluster. A missing one is reported with what to write there. */
export class StackCluster extends pulumi.ComponentResource {
  /** Kubeconfig of the cluster, a secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** What tells it from other clusters. */
  readonly clusterIdentifier: pulumi.Output<string>;
  /** Networks from which its controllers reach the Internet. */
  readonly egressCidrs: pulumi.Output<string[]>;
  /** OIDC issuer of its service account tokens. */
  readonly oidcIssuerUrl: pulumi.Output<string>;
  /** The VNET of its nodes: its ARM id, "" where none can be peered, and what the other stack knows of its ranges. */
  readonly vnet: pulumi.Output<{ id: string; cidrs: string[] }>;

  constructor(name: string, args: StackClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("StackCluster"), name, { ...args }, opts);
    const { stack } = args;
    const reference = new pulumi.StackReference(`${name}-reference`, { name: stack }, { parent: this });
    const outputs = reference.outputs.apply((values: Readonly<Record<string, unknown>>) => {
      const read = sharedManagement(stack, values);
      if ("problem" in read) {
        throw new Error(read.problem);
      }
      return read.outputs;
    });
    this.kubeconfig = pulumi.secret(outputs.apply((given) => given.managementKubeconfig));
    // Outputs with a secret among them are secret as a whole, and these are public.
    this.clusterIdentifier = pulumi.unsecret(outputs.apply((given) => given.managementClusterId));
    this.egressCidrs = pulumi.unsecret(outputs.apply((given) => [...given.egressCidrs]));
    this.oidcIssuerUrl = pulumi.unsecret(outputs.apply((given) => given.oidcIssuerUrl ?? ""));
    this.vnet = pulumi.unsecret(
      outputs.apply(({ managementVnetId: id = "", managementVnetCidrs: cidrs = [] }) => ({
        id,
        cidrs: [...cidrs],
      })),
    );
    this.registerOutputs(pick(this, "kubeconfig", "clusterIdentifier", "egressCidrs", "oidcIssuerUrl"));
  }
}
