import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../componentType";

export interface ScaleSetsArgs {
  /** Names of the scale sets, and whether their nodes are drained before one that is removed is deleted. */
  pools: Record<string, { drainBeforeRemoval: boolean }>;
}

/**
 * Remembers the scale sets of the stack in its inputs, so that the hook of its update knows which ones are removed and how.
 * Their own resources cannot have it: with a hook of a deletion in the state, `pulumi destroy` needs `--run-program`
 * (pulumi v3.274 pkg/engine/destroy.go). Name in `opts.dependsOn` what must be there first: the nodes of new pools.
 */
export class ScaleSets extends pulumi.ComponentResource {
  constructor(name: string, args: ScaleSetsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("ScaleSets"), name, { ...args }, opts);
    this.registerOutputs();
  }
}
