import * as kubernetes from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { assertDefined } from "../../tools/assertDefined";
import { componentType } from "../componentType";
import type { AksClusterArgs } from "./aksCluster";
import { AksCluster } from "./aksCluster";

/** An existing cluster. */
export interface ExistingClusterArgs {
  /**
   * Your name for the cluster. Pulumi takes a cluster with another name for another cluster, and recreates every
   * Kubernetes object in it.
   */
  name: string;
  /** Kubeconfig of the cluster; it is kept as a secret. */
  kubeconfig: pulumi.Input<string>;
  /** Networks from which its controllers reach the Internet. */
  egressCidrs: pulumi.Input<pulumi.Input<string>[]>;
  /** OIDC issuer of its service account tokens, exactly as the tokens contain it. Default: none. */
  oidcIssuerUrl?: pulumi.Input<string> | undefined;
}

/** Exactly one of the two. */
export interface ManagementClusterArgs {
  /** Create an AKS cluster. */
  aks?: AksClusterArgs | undefined;
  /** Use an existing cluster. */
  existing?: ExistingClusterArgs | undefined;
}

/** Not a field of the component: a provider cannot be an output, and the component has a schema for other languages. */
const providers = new WeakMap<ManagementCluster, kubernetes.Provider>();
const aksClusters = new WeakMap<ManagementCluster, pulumi.Resource>();

/**
 * The cluster in which Cluster API runs: a new AKS cluster or an existing one. Either way it has one Kubernetes
 * provider, and nothing reaches the cluster in any other way.
 */
export class ManagementCluster extends pulumi.ComponentResource {
  /** Changes exactly when the cluster is another one. */
  readonly clusterIdentifier: string;
  /** Kubeconfig of the cluster, a secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Networks from which its controllers reach the Internet. */
  readonly egressCidrs: pulumi.Output<string[]>;
  /** OIDC issuer of the service account tokens; missing when none was given. */
  readonly oidcIssuerUrl?: pulumi.Output<string> | undefined;

  constructor(name: string, args: ManagementClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    // Excludes the kubeconfig: it may come from a stack that is slow to answer, and it is an output anyway.
    const inputs = { aks: args.aks, existing: args.existing && { ...args.existing, kubeconfig: undefined } };
    super(componentType("ManagementCluster"), name, inputs, opts);
    const cluster = this.cluster(name, args);
    this.kubeconfig = cluster.kubeconfig;
    this.egressCidrs = cluster.egressCidrs;
    this.clusterIdentifier = cluster.clusterIdentifier;
    this.oidcIssuerUrl = cluster.oidcIssuerUrl;
    const provider = new kubernetes.Provider(
      `${name}-provider`,
      {
        kubeconfig: this.kubeconfig,
        // This alone decides whether everything in the cluster is recreated: a renewed certificate or another server
        // URL in the kubeconfig must not cause that, another cluster must.
        clusterIdentifier: this.clusterIdentifier,
        // Otherwise a changed add-on would delete its ConfigMap and create another, and a ClusterResourceSet would find
        // none in between.
        enableConfigMapMutable: true,
      },
      { parent: this },
    );
    providers.set(this, provider);
    this.registerOutputs({
      kubeconfig: this.kubeconfig,
      egressCidrs: this.egressCidrs,
      clusterIdentifier: this.clusterIdentifier,
      oidcIssuerUrl: this.oidcIssuerUrl,
    });
  }

  /** The only way into the cluster. */
  get provider(): kubernetes.Provider {
    return assertDefined(providers.get(this), "the provider of the management cluster");
  }

  /** Options of what is in the cluster: it is deleted along with an AKS cluster of this component. */
  get contents(): Pick<pulumi.ComponentResourceOptions, "deletedWith"> {
    const aks = aksClusters.get(this);
    return aks === undefined ? {} : { deletedWith: aks };
  }

  private cluster(name: string, { aks, existing }: ManagementClusterArgs) {
    if (aks !== undefined && existing === undefined) {
      const created = new AksCluster(`${name}-aks`, aks, { parent: this });
      aksClusters.set(this, created.cluster);
      return created;
    }
    if (existing !== undefined && aks === undefined) {
      return {
        // A plain string would be in the state in clear text.
        kubeconfig: pulumi.secret(existing.kubeconfig),
        egressCidrs: pulumi.output(existing.egressCidrs),
        oidcIssuerUrl:
          existing.oidcIssuerUrl === undefined ? undefined : pulumi.output(existing.oidcIssuerUrl),
        clusterIdentifier: existing.name,
      };
    }
    throw new pulumi.ResourceError("give exactly one of aks and existing", this, true);
  }
}
