import * as apiextensions from "@pulumi/kubernetes/apiextensions";
import type * as pulumi from "@pulumi/pulumi";
import { contentHash } from "../../capi/contentHash";
import { imageText, listImagesCommand } from "capz-windows-platform/machines/images";
import { poolMachineNames } from "capz-windows-platform/machines/naming";
import { childOf, guarded, webhookRetry } from "../childOptions";
import { machineTimeouts, rollTimeouts } from "../timeouts";
import { machineDeploymentObjects } from "./machineDeployment";
import type { PoolObjectArgs } from "./poolObjectArgs";
import { ordersUpgrades, poolObjects } from "./manifests";

/**
 * The resources of a pool of either operating system, as children of its component, and the component's outputs, which
 * have the same names as its fields. Each component declares them itself, because the SDK reads the outputs of a
 * component from the class's own members only.
 */
export function poolResources(
  parent: pulumi.ComponentResource,
  name: string,
  args: PoolObjectArgs,
  opts: pulumi.ComponentResourceOptions | undefined,
) {
  const objects = args.kind === "MachinePool" ? poolObjects(args) : machineDeploymentObjects(args);
  const hooks = webhookRetry(name);
  const refusing = guarded(name, hooks);
  const bootstrap = new apiextensions.CustomResource(`${name}-bootstrap`, objects.bootstrap, {
    ...childOf(parent, opts),
    hooks,
  });
  const infrastructure = new apiextensions.CustomResource(`${name}-azure`, objects.infrastructure, {
    ...childOf(parent, opts),
    hooks: refusing,
  });
  const machines = new apiextensions.CustomResource(`${name}-pool`, objects.machines, {
    // Depends on both: a changed one is created first, and a removed pool loses its MachinePool first, whose finalizer
    // then deletes the machines in order.
    ...childOf(parent, opts, bootstrap, infrastructure),
    hooks: refusing,
    customTimeouts:
      args.kind === "MachineDeployment"
        ? rollTimeouts(args.autoscale?.max ?? args.replicas)
        : machineTimeouts,
  });
  if (objects.healthCheck) {
    new apiextensions.CustomResource(`${name}-health-check`, objects.healthCheck, {
      ...childOf(parent, opts),
      hooks,
    });
  }
  return {
    poolName: args.name,
    poolId: machines.id,
    kind: args.kind,
    os: args.os,
    contentHash: contentHash(Object.values(objects)),
    ordersUpgrades: ordersUpgrades(args),
    ...poolMachineNames({ ...args, replicas: args.autoscale?.min ?? args.replicas }),
    image: imageText(args.image),
    listImages: listImagesCommand(args.image, args.location),
  };
}

/** Each component implements it, so that the compiler sees a field that is missing. */
export type PoolOutputs = ReturnType<typeof poolResources>;
