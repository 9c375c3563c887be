import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import type { KubernetesObject } from "capz-types";
import { machineTimeouts } from "./timeouts";

export interface WaitingPatchOptions extends pulumi.CustomResourceOptions {
  /** The patched object is deleted with that resource, and a patch of a deleted object cannot be undone. */
  readonly deletedWith: pulumi.Resource;
}

/** A patch that adds a wait to an object, and outputs the object's status. */
export class WaitingPatch extends apiextensions.CustomResourcePatch {
  /** The status when the wait ended or was interrupted. */
  declare readonly status: pulumi.Output<unknown>;

  /** @param id - ID of the patched resource */
  constructor(
    name: string,
    { apiVersion, kind, metadata }: Pick<KubernetesObject, "apiVersion" | "kind" | "metadata">,
    id: pulumi.Input<string>,
    opts: WaitingPatchOptions,
  ) {
    super(
      name,
      {
        apiVersion,
        kind,
        // Unknown until the object exists: in the preview, the provider tries out a patch with a known name, and the
        // API server refuses one of a missing object.
        metadata: { ...metadata, annotations: pulumi.output(id).apply(() => metadata.annotations ?? {}) },
        // Named here so that the SDK makes it an output.
        status: undefined,
      },
      // Machines come up: image, first boot, and on Windows a restart of the network.
      { customTimeouts: machineTimeouts, ...opts },
    );
  }
}
