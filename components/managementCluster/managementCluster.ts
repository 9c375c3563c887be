import * as core from "@pulumi/kubernetes/core/v1";
import * as kubernetes from "@pulumi/kubernetes/provider";
import * as pulumi from "@pulumi/pulumi";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { clientLabel, clientName, clientsNamespace } from "capz-windows-platform/cluster/clients";
import { refuseReplacement } from "capz-windows-platform/cluster/keptManagement";
import { givenOptions } from "../childOptions";
import { componentType } from "../componentType";
import { type AksClusterArgs, AksCluster } from "./aksCluster";
import { StackCluster, type StackClusterArgs } from "./stackCluster";
import { pick } from "capz-windows-kit/without";

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

/** Exactly one of the three. */
export interface ManagementClusterArgs {
  /** Create an AKS cluster. */
  aks?: AksClusterArgs | undefined;
  /** Use an existing cluster. */
  existing?: ExistingClusterArgs | undefined;
  /** Use the management cluster of another stack, by its outputs. */
  stack?: StackClusterArgs | undefined;
}

/** Options for a cluster that other stacks use: with `protect: false`, Pulumi would replace AKS while they use it. */
export const keptCluster = (): Pick<pulumi.ComponentResourceOptions, "hooks"> => ({
  hooks: {
    beforeUpdate: [new pulumi.ResourceHook("management-keep", refuseReplacement, { onDryRun: true })],
  },
});

/**
 * The cluster in which Cluster API runs: a new AKS cluster, an existing one, or that of another stack. In any case it has
 * one Kubernetes provider, and nothing reaches the cluster in any other way.
 */
export class ManagementCluster extends pulumi.ComponentResource {
  /** Changes exactly when the cluster is another one. */
  readonly clusterIdentifier: pulumi.Output<string>;
  /** Kubeconfig of the cluster, a secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Networks from which its controllers reach the Internet. */
  readonly egressCidrs: pulumi.Output<string[]>;
  /** OIDC issuer of the service account tokens; missing when none was given. */
  readonly oidcIssuerUrl?: pulumi.Output<string> | undefined;
  readonly #provider: kubernetes.Provider;
  readonly #client: pulumi.Resource | undefined;
  #aks: AksCluster | undefined;
  #stack: StackCluster | undefined;

  constructor(name: string, args: ManagementClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    // Excludes the kubeconfig: it may come from a stack that is slow to answer, and it is an output anyway.
    const inputs = {
      aks: args.aks,
      existing: args.existing && { ...args.existing, kubeconfig: undefined },
      stack: args.stack,
    };
    super(componentType("ManagementCluster"), name, inputs, givenOptions(opts));
    const cluster = this.cluster(name, args);
    this.kubeconfig = cluster.kubeconfig;
    this.egressCidrs = cluster.egressCidrs;
    this.clusterIdentifier = pulumi.output(cluster.clusterIdentifier);
    this.oidcIssuerUrl = cluster.oidcIssuerUrl;
    this.#provider = new kubernetes.Provider(
      `${name}-provider`,
      {
        kubeconfig: this.kubeconfig,
        // This alone decides whether everything in the cluster is recreated: a renewed certificate or another server
        // URL in the kubeconfig must not cause that, another cluster must.
        clusterIdentifier: this.clusterIdentifier,
        // Otherwise a changed add-on would delete its ConfigMap and create another, and a ClusterResourceSet would find
        // none in between.
        enableConfigMapMutable: true,
        // The same for the Secret with the contents of `secretFiles`, which new machines read at any time.
        enableSecretMutable: true,
      },
      { parent: this },
    );
    this.#client = args.stack && this.client(name, args.stack, this.#provider);
    this.registerOutputs(pick(this, "kubeconfig", "egressCidrs", "clusterIdentifier", "oidcIssuerUrl"));
  }

  /** The only way into the cluster. */
  get provider(): kubernetes.Provider {
    return this.#provider;
  }

  /**
   * After these a VNET that is made for an AKS cluster can be peered: Azure refuses a write to it while AKS joins it
   * (AnotherOperationInProgress).
   */
  get vnetReady(): pulumi.Resource[] {
    return this.#aks?.network?.isMade === true ? [this.#aks.cluster] : [];
  }

  /** ARM id of the VNET of its nodes, where this component knows it. */
  get vnetId(): pulumi.Output<string> | undefined {
    return this.#aks?.network?.vnetId;
  }

  /** The VNET of its nodes, where it is the cluster of another stack. */
  get vnetOfStack(): StackCluster["vnet"] | undefined {
    return this.#stack?.vnet;
  }

  /** Options of what is in the cluster: it is deleted along with an AKS cluster of this component. */
  get contents(): Pick<pulumi.ComponentResourceOptions, "deletedWith"> {
    return this.#aks === undefined ? {} : { deletedWith: this.#aks.cluster };
  }

  /** What is there before the first object of a workload cluster, and until after the last one. */
  get ready(): pulumi.Resource[] {
    return this.#client === undefined ? [] : [this.#client];
  }

  /**
   * Tells the management stack that it has a client, for as long as the cluster lives: it is there before the first object
   * of the cluster, and is deleted after the last one.
   */
  private client(
    name: string,
    { clusterName, namespace = clusterName }: StackClusterArgs,
    provider: kubernetes.Provider,
  ): core.ConfigMap {
    return new core.ConfigMap(
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
      { parent: this, provider },
    );
  }

  private cluster(name: string, { aks, existing, stack }: ManagementClusterArgs) {
    if ([aks, existing, stack].filter((one) => one !== undefined).length !== 1) {
      throw new pulumi.ResourceError("give exactly one of aks, existing and stack", this, true);
    }
    if (stack !== undefined) {
      this.#stack = new StackCluster(`${name}-stack`, stack, { parent: this });
      return this.#stack;
    }
    if (aks !== undefined) {
      this.#aks = new AksCluster(`${name}-aks`, aks, { parent: this });
      return this.#aks;
    }
    const given = assertDefined(existing, "an existing cluster");
    return {
      // A plain string would be in the state in clear text.
      kubeconfig: pulumi.secret(given.kubeconfig),
      egressCidrs: pulumi.output(given.egressCidrs),
      oidcIssuerUrl: given.oidcIssuerUrl === undefined ? undefined : pulumi.output(given.oidcIssuerUrl),
      clusterIdentifier: given.name,
    };
  }
}
