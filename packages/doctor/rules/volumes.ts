import { anyOf, isNotReady, isPending, warned, olderThan, podWarns } from "./finders";
import { withRole } from "./roles";
import type { Detectors, Match, Find } from "./rule";
import { textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { nodesOf } from "../cluster/scope";
import { withAnswer } from "./answers";

/** Volumes of Pods that Azure cannot create or attach. */

const refusedBy = (text: RegExp) =>
  anyOf(
    warned({ kinds: ["PersistentVolumeClaim"], side: "workload", where: isPending, text }),
    podWarns(text),
  );

/** Storage accounts that refuse the CSI driver of Azure Files, although its identity has the roles. */
const refuses = (text: RegExp): Find => withAnswer(refusedBy(text));

/** The name of the account, where the driver says it. */
const account = String.raw`(?:[^]*?(?:under |storage )?account[ (]'?(?<account>[a-z0-9]{3,24})\b(?= in |\)|'|,))?`;

/** Whether a Pod has waited for longer than a disk needs to be detached and attached. */
const waitsForDisk = (pod: KubeObject, world: World): boolean => isNotReady(pod) && olderThan(pod, 7, world);

const attachedTo = warned({
  kinds: ["Pod"],
  side: "workload",
  where: waitsForDisk,
  text: /already attached to node\([^)]*\/resourceGroups\/(?<group>[^/]+)\/providers\/Microsoft\.Compute\/(?:virtualMachineScaleSets\/(?<set>[^/]+)\/)?virtualMachines\/(?<machine>[^/)]+)\)/i,
});

/** The driver calls the instance 3 of the scale set win1 win1_3; provider IDs have its number alone. */
const instanceOf = (machine: string): string => machine.replace(/^.*_/, "");

const toNoNode = (world: World): Match[] =>
  attachedTo(world).flatMap((match) => {
    const { group = "", set, machine = "" } = match.vars ?? {};
    const id = set === undefined ? machine : `${set}/virtualMachines/${instanceOf(machine)}`;
    const isNode = nodesOf(world).some(({ spec }) =>
      textAt(spec, "providerID").toLowerCase().endsWith(`/${id.toLowerCase()}`),
    );
    if (isNode) {
      return [];
    }
    // Without names: those of an Event may be of anybody's machine.
    const [remove, detach] =
      set === undefined
        ? [
            "vm delete --resource-group GROUP --name MACHINE",
            "vm disk detach --resource-group GROUP --vm-name MACHINE --name DISK",
          ]
        : [
            "vmss delete-instances --resource-group GROUP --name SCALE-SET --instance-ids INSTANCE",
            "vmss disk detach --resource-group GROUP --vmss-name SCALE-SET --instance-id INSTANCE --lun LUN",
          ];
    return [{ ...match, vars: { machine, group, remove, detach } }];
  });

/** Matches errors of the drivers about missing rights of their identity. */
const refused =
  /^(?![^]*LinkedAuthorizationFailed)(?:ProvisioningFailed|FailedAttachVolume)(?:[^]*?client '(?<client>[^']+)')?[^]*(?:AuthorizationFailed|does not have authorization)(?:[^]*action '(?<action>[^']+)' over scope '(?<scope>[^']+)')?/;

/** The same about a resource that the disk refers to, such as its disk encryption set. The first of several counts. */
const refusedLinked =
  /(?:ProvisioningFailed|FailedAttachVolume)[^]*?LinkedAuthorizationFailed(?:[^]*?client '(?<client>[^']+)')?(?:[^]*?not have permission to perform action(?:\(s\))? '(?<action>[^',]+)[^']*')?(?:[^]*?linked scope(?:\(s\))? '(?<scope>[^',]+))?/;

export const volumes: Detectors = {
  "disk-role": withRole(anyOf(refusedBy(refusedLinked), refusedBy(refused))),
  "share-network-rules": refuses(
    new RegExp(
      `^${account}[^]*(?:AuthorizationFailure\\b|This request is not authorized to perform this operation(?! using this permission)|PublicNetworkAccess\\w* (?:is )?disabled)`,
    ),
  ),
  "share-keys-forbidden": refuses(
    new RegExp(
      `^${account}[^]*(?:KeyBasedAuthenticationNotPermitted|Key[- ]based authentication is not permitted)`,
      "i",
    ),
  ),
  "disk-attached-to-no-node": toNoNode,
  "disk-attached": warned({
    kinds: ["Pod"],
    side: "workload",
    where: waitsForDisk,
    // kubernetes v1.36.3 attachdetach reconciler, MultiAttachErrorReported.
    once: true,
    text: /Multi-Attach error for volume|disk\S* (?:is )?(?:already|currently) (?:being )?attached to (?:a different|another|node)/,
  }),
};
