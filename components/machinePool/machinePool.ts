import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import { contentHash } from "../capi/contentHash";
import { childOf, type ComponentOptions } from "../childOptions";
import { componentType, machineTimeouts } from "../componentType";
import { imageText, listImagesCommand } from "./images";
import type { PoolObjectArgs } from "./manifests";
import { poolObjects } from "./manifests";
import type { NodeOs } from "./naming";
import { computerName, scaleSetName } from "./naming";

/** What a pool of either system is made of, and what it is called in Azure. */
export abstract class Pool extends pulumi.ComponentResource {
  readonly poolName: string;
  readonly machinePool: pulumi.CustomResource;
  /** Of all its objects. */
  readonly contentHash: string;
  readonly os: NodeOs;
  readonly scaleSetName: string;
  /** Computer names of the machines that the scale set makes first. */
  readonly firstNodes: readonly string[];
  readonly image: string;
  /** Command that lists which images there are of this kind. */
  readonly listImages: string;

  protected constructor(type: string, name: string, args: PoolObjectArgs, opts: ComponentOptions) {
    super(componentType(type), name, {}, opts);
    const objects = poolObjects(args);
    const kubeadmConfig = new apiextensions.CustomResource(
      `${name}-bootstrap`,
      objects.kubeadmConfig,
      childOf(this, opts),
    );
    const scaleSet = new apiextensions.CustomResource(
      `${name}-azure`,
      objects.azureMachinePool,
      childOf(this, opts),
    );
    this.machinePool = new apiextensions.CustomResource(`${name}-pool`, objects.machinePool, {
      // Depends on both: a changed KubeadmConfig exists before, and a removed pool loses its MachinePool first, whose
      // finalizer then takes the machines away in order.
      ...childOf(this, opts, kubeadmConfig, scaleSet),
      customTimeouts: machineTimeouts,
    });
    this.poolName = args.name;
    this.contentHash = contentHash(objects);
    this.os = args.os;
    this.scaleSetName = scaleSetName(args.name, args.os);
    this.firstNodes = Array.from({ length: args.autoscale?.min ?? args.replicas }, (_, index) =>
      computerName(args.name, args.os, index),
    );
    this.image = imageText(args.image);
    this.listImages = listImagesCommand(args.image, args.location);
    this.registerOutputs({ scaleSetName: this.scaleSetName, firstNodes: this.firstNodes, image: this.image });
  }
}
