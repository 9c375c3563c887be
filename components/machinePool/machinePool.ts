import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import { contentHash } from "../../domain/capi/contentHash";
import { childOf, type ComponentOptions } from "../childOptions";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { imageText, listImagesCommand } from "../../domain/machines/images";
import { machineDeploymentObjects } from "./machineDeployment";
import type { PoolKind, PoolObjectArgs } from "./manifests";
import { poolObjects } from "./manifests";
import type { NodeOs } from "../../domain/machines/naming";
import { computerName, machinePrefix, scaleSetName } from "../../domain/machines/naming";

/** What a pool of either system is made of, and what it is called in Azure. */
export abstract class Pool extends pulumi.ComponentResource {
  readonly poolName: string;
  readonly kind: PoolKind;
  /** The MachinePool or MachineDeployment. */
  readonly machines: pulumi.CustomResource;
  /** Of all its objects. */
  readonly contentHash: string;
  readonly os: NodeOs;
  /** What the computer names of all its machines begin with; for a MachinePool also the name of the scale set. */
  readonly computerNamePrefix: string;
  /** Computer names of the machines that a scale set makes first; those of a MachineDeployment nobody can know. */
  readonly firstNodes: readonly string[];
  readonly image: string;
  /** Command that lists which images there are of this kind. */
  readonly listImages: string;

  protected constructor(type: string, name: string, args: PoolObjectArgs, opts: ComponentOptions) {
    super(componentType(type), name, {}, opts);
    const scaleSet = args.kind === "MachinePool";
    const objects = scaleSet ? poolObjects(args) : machineDeploymentObjects(args);
    const bootstrap = new apiextensions.CustomResource(
      `${name}-bootstrap`,
      objects.bootstrap,
      childOf(this, opts),
    );
    const infrastructure = new apiextensions.CustomResource(
      `${name}-azure`,
      objects.infrastructure,
      childOf(this, opts),
    );
    this.machines = new apiextensions.CustomResource(`${name}-pool`, objects.machines, {
      // Depends on both: a changed one exists before, and a removed pool loses its MachinePool first, whose finalizer
      // then takes the machines away in order.
      ...childOf(this, opts, bootstrap, infrastructure),
      customTimeouts: machineTimeouts,
    });
    if (objects.healthCheck) {
      new apiextensions.CustomResource(`${name}-health-check`, objects.healthCheck, childOf(this, opts));
    }
    this.poolName = args.name;
    this.contentHash = contentHash(Object.values(objects));
    this.os = args.os;
    this.kind = args.kind;
    this.computerNamePrefix = scaleSet ? scaleSetName(args.name, args.os) : machinePrefix(args.name);
    this.firstNodes = Array.from(
      { length: scaleSet ? (args.autoscale?.min ?? args.replicas) : 0 },
      (_, index) => computerName(args.name, args.os, index),
    );
    this.image = imageText(args.image);
    this.listImages = listImagesCommand(args.image, args.location);
    this.registerOutputs({
      computerNamePrefix: this.computerNamePrefix,
      firstNodes: this.firstNodes,
      image: this.image,
    });
  }
}
