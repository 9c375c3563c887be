import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { childOf, type ComponentOptions } from "../childOptions";
import { componentType } from "../componentType";
import type { PackArgs } from "./manifests";
import { packResources } from "./manifests";

/**
 * Objects that Cluster API applies in the workload cluster as soon as its API server answers. It waits for no nodes:
 * nodes become ready because of what is delivered here.
 */
export class ClusterResourceSet extends pulumi.ComponentResource {
  constructor(name: string, args: PackArgs, opts: ComponentOptions) {
    super(componentType("ClusterResourceSet"), name, {}, opts);
    const { configMaps, clusterResourceSet } = packResources(args);
    const contents = configMaps.map(
      (object, part) =>
        // A part is what fits into one ConfigMap: the position in the stream is its identity.
        new core.ConfigMap(`${name}-part-${part + 1}`, object, childOf(this, opts)),
    );
    new apiextensions.CustomResource(`${name}-set`, clusterResourceSet, childOf(this, opts, ...contents));
    this.registerOutputs();
  }
}
