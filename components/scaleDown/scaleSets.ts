import * as pulumi from "@pulumi/pulumi";
import { componentType } from "../componentType";

export interface ScaleSetsArgs {
  /** Names of the scale sets, and whether their nodes are drained before one that is removed is deleted. */
  pools: Record<string, { drainBeforeRemoval: boolean }>;
  /** Refuse a destroy of the stack before it deletes anything. */
  protect: boolean;
}

/**
 * Remembers the scale sets of the stack in its inputs, so that the hook of its update knows which ones are removed and how.
 * Their own resources cannot have it: with a hook of a deletion in the state, `pulumi destroy` needs `--run-program`
 * (pulumi v3.274 pkg/engine/destroy.go).
 *
 * Name in `opts.dependsOn` all other resources of the stack. Pulumi's engine begins a destroy with what depends on everything,
 * and leaves what a refused resource depends on (v3.274 pkg/resource/deploy/deployment_executor.go, performPostSteps).
 */
export class ScaleSets extends pulumi.ComponentResource {
  constructor(name: string, args: ScaleSetsArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("ScaleSets"), name, { ...args }, { ...opts, protect: args.protect });
    this.registerOutputs();
  }
}
