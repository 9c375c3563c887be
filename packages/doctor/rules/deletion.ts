import { stays, conditionNamed, ownerOf, title } from "../cluster/objects";
import { deleting, deletingSays, drainsInTime, minutesDeleting } from "./deletionFinders";
import { drainRules } from "./drains";
import { missingIdentity } from "./identity";
import { instancesOf } from "../cluster/scope";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";

/** Why objects that are being deleted remain. */

const networkKinds = [
  ...["AzureCluster", "ResourceGroup", "VirtualNetwork", "VirtualNetworksSubnet", "NatGateway"],
];

/** What is being deleted for so long is late: CAPZ's full sync, which comes every 10 minutes, has not helped. */
const lateMinutes = 20;

/** The first object in the order of deletion that is late; the others wait for it. */
const waits = (world: World): Match[] => {
  const object = deleting(world).find((one) => minutesDeleting(one, world) >= lateMinutes);
  if (object === undefined || deleting(world).some((one) => drainsInTime(one, world))) {
    return [];
  }
  const found = conditionNamed(object, "Deleting") ?? conditionNamed(object, "Ready");
  const finalizers = (object.metadata.finalizers ?? []).join(", ");
  const why = [found?.message, found?.reason].find((one) => (one ?? "") !== "") ?? "no condition says why";
  return [
    {
      object,
      proof: {
        where: `${title(object)}, deleted ${Math.round(minutesDeleting(object, world))} minutes ago, finalizers ${finalizers}`,
        text: why,
      },
      vars: { why },
    },
  ];
};

/** Pools are deleted before the AzureCluster, and need the identity as well. */
const identityGone = (world: World): Match[] =>
  missingIdentity(world).filter(
    ({ object }) =>
      (object !== undefined && !stays(object)) || (world.cluster !== undefined && !stays(world.cluster)),
  );

/**
 * Instances of a pool that is being deleted for which Cluster API has not made a Machine. CAPZ deletes an instance through
 * its Machine only, and passes over one that has none; Cluster API makes none for a pool that is being deleted.
 */
const withoutMachine = (world: World): Match[] =>
  deleting(world)
    .filter(({ kind }) => kind === "AzureMachinePool")
    .filter((pool) => minutesDeleting(pool, world) >= 3)
    .flatMap(({ metadata }) => instancesOf(world, metadata.name))
    .filter((object) => stays(object) && ownerOf(object, "Machine") === undefined)
    .map((object) => ({
      object,
      proof: {
        where: `${title(object)}, metadata`,
        text: "no owner Machine and no deletionTimestamp, although its pool is being deleted",
      },
    }));

/** The scope of a lock in Azure's message, without the subscription. */
const lockOf = (text: string): string | undefined =>
  /scope\(s\) are locked: '(?:\/subscriptions\/[^/']+\/)?([^',]+)/.exec(text)?.[1];

/**
 * One lock of the resource group stops many objects, and the cause does not name them, so that it is reported once. The
 * objects of the whole cluster come first for the same reason.
 */
const locked = (world: World): Match[] =>
  [...networkKinds, "AzureMachine", "AzureMachinePool"].flatMap((kind) =>
    deletingSays(
      [kind],
      /ScopeLocked|scope\(s\) are locked/,
    )(world).map((match) => ({
      ...match,
      vars: { locked: lockOf(match.proof.text) ?? "the resource group or a resource in it" },
    })),
  );

export const deletion: Detectors = {
  "deletion-identity-gone": identityGone,
  ...drainRules,
  "deletion-locked": locked,
  "instance-without-machine": withoutMachine,
  "deletion-late": waits,
};
