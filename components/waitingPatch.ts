import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import type { KubernetesObject } from "../domain/capi/types";
import { machineTimeouts } from "./timeouts";

export interface WaitingPatchOptions extends pulumi.CustomResourceOptions {
  /** Its object is gone with that resource, and a patch of what is gone cannot be taken back. */
  readonly deletedWith: pulumi.Resource;
}

/** A patch that adds a wait to an object, and knows the object's status. */
export class WaitingPatch extends apiextensions.CustomResourcePatch {
  /** As it was when the wait ended or was cut off. */
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
        // Unknown as long as the object is not there: the provider tries a known patch out in the preview, and the
        // API server refuses one of nothing.
        metadata: { ...metadata, annotations: pulumi.output(id).apply(() => metadata.annotations ?? {}) },
        // Named here, the SDK makes an output of it.
        status: undefined,
      },
      // Machines come up: image, first boot, and with Windows a reboot of the network.
      { customTimeouts: machineTimeouts, ...opts },
    );
  }
}
