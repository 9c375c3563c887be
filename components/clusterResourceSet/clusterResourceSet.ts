import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { hasBlockSize, refuseChanges } from "capz-windows-platform/cluster/refusedChanges";
import { childOf, givenOptions, requireProviders, webhookRetry } from "../childOptions";
import { componentType } from "../componentType";
import { type ClusterResourceSetArgs, packResources } from "./manifests";

export interface ClusterResourceSetOptions extends pulumi.ComponentResourceOptions {
  /** What the set itself waits for, but its ConfigMaps do not. */
  deliveredAfter?: pulumi.Output<pulumi.Resource> | undefined;
}

/**
 * Objects that Cluster API applies in the workload cluster as soon as its API server answers. It waits for no nodes:
 * nodes become ready because of what is delivered here.
 */
export class ClusterResourceSet extends pulumi.ComponentResource {
  /** Names of the ConfigMaps, in the order in which Cluster API applies them. */
  readonly configMapNames: string[];
  readonly #contents: pulumi.Resource[];

  constructor(name: string, args: ClusterResourceSetArgs, opts?: ClusterResourceSetOptions) {
    // Excludes the manifests, because the ConfigMaps contain them, and they are long.
    super(componentType("ClusterResourceSet"), name, { ...args, entries: undefined }, givenOptions(opts));
    requireProviders(this, "kubernetes");
    const { configMaps, clusterResourceSet } = packResources(args);
    const hooks = configMaps.some(hasBlockSize)
      ? { beforeUpdate: [new pulumi.ResourceHook(`${name}-refuse`, refuseChanges, { onDryRun: true })] }
      : {};
    const contents = configMaps.map(
      (object, part) =>
        // A part is what fits into one ConfigMap: its position in the stream is its identity.
        new core.ConfigMap(`${name}-part-${part + 1}`, object, { ...childOf(this, opts), hooks }),
    );
    new apiextensions.CustomResource(`${name}-set`, clusterResourceSet, {
      ...childOf(this, opts, ...contents, ...(opts?.deliveredAfter ? [opts.deliveredAfter] : [])),
      hooks: webhookRetry(name),
    });
    this.#contents = contents;
    this.configMapNames = configMaps.map(({ metadata }) => metadata.name);
    this.registerOutputs({ configMapNames: this.configMapNames });
  }

  /**
   * The ConfigMaps: a resource that must follow a change of the set's contents depends on them, not on the set's
   * creation.
   */
  get contents(): pulumi.Resource[] {
    return this.#contents;
  }
}
