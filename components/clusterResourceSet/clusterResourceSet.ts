import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../componentType";
import type { PackArgs } from "./manifests";
import { packResources } from "./manifests";

/**
 * Objects that Cluster API applies in the workload cluster as soon as its API server answers. It waits for no nodes:
 * nodes become ready because of what is delivered here.
 */
export class ClusterResourceSet extends pulumi.ComponentResource {
  constructor(name: string, args: PackArgs, opts: pulumi.ComponentResourceOptions) {
    super(componentType("ClusterResourceSet"), name, {}, opts);
    const { configMaps, clusterResourceSet } = packResources(args);
    const contents = configMaps.map(
      // The object's own name is unique in the set and says which part it is.
      (object) => new core.ConfigMap(`${name}-${object.metadata.name}`, object, { parent: this }),
    );
    new apiextensions.CustomResource(`${name}-set`, clusterResourceSet, { parent: this, dependsOn: contents });
    this.registerOutputs();
  }
}
