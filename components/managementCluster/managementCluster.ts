import * as kubernetes from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../componentType";
import type { AksClusterArgs } from "./aksCluster";
import { AksCluster } from "./aksCluster";

export interface ExistingClusterArgs {
  readonly kind: "existing";
  /** The user's name for the cluster; see clusterIdentifier. */
  readonly name: string;
  readonly kubeconfig: pulumi.Input<string>;
  /** Networks that its controllers reach the Internet from. */
  readonly egressCidrs: readonly string[];
  readonly oidcIssuerUrl?: string | undefined;
}

export type ManagementClusterArgs = ({ readonly kind: "aks" } & AksClusterArgs) | ExistingClusterArgs;

/**
 * The cluster in which Cluster API runs: a new AKS cluster or one that exists. Whatever the kind, it gives one
 * Kubernetes provider, and nothing reaches the cluster by any other way.
 */
export class ManagementCluster extends pulumi.ComponentResource {
  readonly provider: kubernetes.Provider;
  /** Another text exactly when the cluster is another one. */
  readonly clusterIdentifier: string;
  /** Secret. */
  readonly kubeconfig: pulumi.Output<string>;
  readonly egressCidrs: pulumi.Output<string[]>;
  /** OIDC issuer of the service account tokens; missing when the user gave none. */
  readonly oidcIssuerUrl: pulumi.Output<string> | undefined;

  constructor(name: string, args: ManagementClusterArgs, opts: pulumi.ComponentResourceOptions) {
    super(componentType("ManagementCluster"), name, {}, opts);
    const cluster =
      args.kind === "aks"
        ? new AksCluster(`${name}-aks`, args, { parent: this })
        : {
            // A plain string would stand in the state in clear.
            kubeconfig: pulumi.secret(args.kubeconfig),
            egressCidrs: pulumi.output([...args.egressCidrs]),
            oidcIssuerUrl: args.oidcIssuerUrl === undefined ? undefined : pulumi.output(args.oidcIssuerUrl),
            clusterIdentifier: args.name,
          };

    this.kubeconfig = cluster.kubeconfig;
    this.egressCidrs = cluster.egressCidrs;
    this.clusterIdentifier = cluster.clusterIdentifier;
    this.oidcIssuerUrl = cluster.oidcIssuerUrl;
    this.provider = new kubernetes.Provider(
      `${name}-provider`,
      {
        kubeconfig: this.kubeconfig,
        // Decides alone whether everything in the cluster is made anew: a renewed certificate or another server URL
        // in the kubeconfig must not, another cluster must.
        clusterIdentifier: this.clusterIdentifier,
        // Else a changed add-on would delete its ConfigMap and make another, and a ClusterResourceSet in between would
        // find none.
        enableConfigMapMutable: true,
      },
      { parent: this },
    );
    this.registerOutputs({ kubeconfig: this.kubeconfig, egressCidrs: this.egressCidrs });
  }
}
