import {
  anyOf,
  complaintsOf,
  isReady,
  warned,
  hasCondition,
  conditionProof,
  isFailedVm,
  olderThan,
} from "./finders";
import type { Detectors, Match } from "./rule";
import { withAnswer } from "./answers";
import { azureKinds } from "./kinds";
import { stays, conditionNamed, isTrue } from "../cluster/objects";
import type { World } from "../cluster/snapshot";

/** Networks, addresses, names, and everything else that Azure refuses. */

/** CAPZ's error when Azure does not answer within seconds. CAPZ tries again, so it is temporary while Azure is slow. */
const timedOut = /context (?:deadline exceeded|canceled)\s*$/;

/** Objects of CAPZ that have failed, with any answer of Azure. More specific rules come before this one. */
const failed = (world: World): Match[] =>
  azureKinds
    .filter((kind) => kind.startsWith("Azure"))
    .flatMap((kind) => world.all(kind))
    .filter(stays)
    .flatMap((object) => {
      const found = complaintsOf(world, object, "management").find(
        ({ where, text }) =>
          /condition \w+=False \((?:Failed|\w*ProvisionFailed)\)|failureMessage|event (?:ReconcileError|ClusterReconcilerNormalFailed|SKUNotFound|CreateClusterScopeFailed)/.test(
            where,
          ) &&
          text !== "Failed" &&
          !timedOut.test(text),
      );
      return found === undefined ? [] : [{ object, proof: found }];
    });

const asoNotReady = (world: World): Match[] =>
  ["ResourceGroup", "VirtualNetwork", "NatGateway", "VirtualNetworksSubnet"]
    .flatMap((kind) => world.all(kind))
    .flatMap((object) => {
      const ready = conditionNamed(object, "Ready");
      // Every resource is missing in Azure at first; CAPZ then lets the operator create it.
      return ready?.status === "False" &&
        !/^(AzureResourceNotFound|Reconciling|Deleting)$/.test(ready.reason) &&
        (ready.severity === "Error" || olderThan(object, 10, world))
        ? [{ object, proof: conditionProof(object, ready) }]
        : [];
    });

export const azureResources: Detectors = {
  "aso-reference": withAnswer((world: World): Match[] =>
    hasCondition({
      kinds: azureKinds.filter((kind) => !kind.startsWith("Azure")),
      type: "Ready",
      reason: /^(?:ReferenceNotFound|WaitingForOwner)$/,
      minutes: 10,
      where: stays,
    })(world),
  ),
  "instance-failed": anyOf(
    (world) =>
      world
        .all("AzureMachinePoolMachine")
        .filter(
          ({ status }) =>
            (status as { provisioningState?: string } | undefined)?.provisioningState === "Failed",
        )
        .map((object) => ({
          object,
          proof: complaintsOf(world, object, "management").find(({ where }) =>
            where.includes("FailedVMState"),
          ) ?? {
            where: `AzureMachinePoolMachine ${object.metadata.name}, status.provisioningState`,
            text: "Failed",
          },
        })),
    warned({
      kinds: ["AzureMachinePoolMachine"],
      text: /^FailedVMState/,
      where: (object) => !isReady(object),
    }),
  ),
  "network-not-ready": withAnswer(asoNotReady),
  "azure-other": (world) =>
    withAnswer(failed)(world).filter(
      ({ object }) =>
        object === undefined || !isReady(object) || !isTrue(object, "Ready") || isFailedVm(object, world),
    ),
};
