import * as pulumi from "@pulumi/pulumi";
import { encryptionBootstrap } from "../bootstrap/encryption";
import { overridden } from "../capi/overrides/overrides";
import { providerReleases } from "../components/clusterApi/manifests";
import { poolObjects } from "../components/machinePool/manifests";
import { poolObjectArgs } from "../components/machinePool/poolObjectArgs";
import { azureClusterObject, clusterObject } from "../components/workloadCluster/manifests";
import { privateApiServer } from "../config/apiServer";
import { isManagementOnly } from "../config/managementStack";
import type { Settings } from "../config/settings";
import { controlPlaneName } from "capz-windows-platform/cluster/naming";
import { platformOf } from "capz-windows-platform/cluster/platform";
import { calicoBlock } from "capz-windows-platform/network/defaults";
import { hasBlockSize, refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { refusalText } from "capz-windows-platform/cluster/updateHook";
import { at, textAt } from "capz-windows-kit/untyped";
import { linuxPools, windowsPools } from "./args";
import { recordedObjects, type RecordedObject } from "./recordedState";
import { messageOf } from "capz-windows-kit/messageOf";

/** The part of the control plane of which changes are refused. */
const declaredControlPlane = ({ clusterName, namespace, kubernetesVersion, controlPlane }: Settings) => ({
  kind: "KubeadmControlPlane",
  metadata: { name: controlPlaneName(clusterName), namespace },
  spec: {
    version: kubernetesVersion,
    kubeadmConfigSpec: { files: encryptionBootstrap(controlPlane.encryption, clusterName).files },
  },
});

function declaredAzureCluster(settings: Settings) {
  const { clusterName, namespace, azure, network, tags, overrides } = settings;
  const { vnetCidr, controlPlaneSubnetCidr, nodeSubnetCidr, poolSubnets, existing, outbound } = network;
  const { subscriptionId, resourceGroup, location } = azure;
  const object = azureClusterObject({
    ...{ clusterName, namespace, subscriptionId, resourceGroup, location, tags, vnetCidr },
    // Its change is not refused, and it is an output of another component.
    identityName: "",
    controlPlaneSubnetCidr,
    nodeSubnetCidr,
    poolSubnets,
    existing,
    outbound,
    privateApiServer: privateApiServer(settings),
  });
  return overridden(object, overrides);
}

function declaredCluster(settings: Settings) {
  const { clusterName, namespace, flavor, kubernetesVersion, network, overrides } = settings;
  const platform = platformOf(flavor, kubernetesVersion);
  const { podCidr, serviceCidr } = network;
  return overridden(clusterObject({ clusterName, namespace, platform, podCidr, serviceCidr }), overrides);
}

/** What of Calico's settings cannot be changed, as the ConfigMap has it that the state has. */
function declaredCalico(
  { platform, addons, namespace }: Settings,
  recorded: readonly RecordedObject[],
): object[] {
  if (platform.cni !== "calico") {
    return [];
  }
  const { calicoBlockSize = calicoBlock.default } = addons;
  const data = { calico: `kind: Installation\n  blockSize: ${calicoBlockSize}\n` };
  return recorded
    .filter(({ object }) => textAt(object, "kind") === "ConfigMap" && hasBlockSize(object))
    .filter(({ object }) => textAt(object, "metadata", "namespace") === namespace)
    .map(({ object }) => ({ kind: "ConfigMap", metadata: at(object, "metadata"), data }));
}

/** The objects of scale sets. */
function declaredPools(settings: Settings): object[] {
  const { mtu } = settings.network;
  const pools = [
    ...linuxPools(settings, { mtu }).map((args) => poolObjectArgs(args, "linux")),
    ...windowsPools(settings, { mtu }).map((args) => poolObjectArgs(args, "windows")),
  ];
  return pools
    .filter(({ kind }) => kind === "MachinePool")
    .map(poolObjects)
    .flatMap(({ infrastructure, machines }) => [infrastructure, machines]);
}

function declaredProviders({ clusterApi }: Settings): object[] {
  const { install, coreVersion: core, azureVersion: azure } = clusterApi;
  return install ? providerReleases({ core, azure }).map(({ object }) => object) : [];
}

/** Every object of which refusedChanges refuses a change, as far as it reads it. */
export function declaredObjects(settings: Settings, recorded: readonly RecordedObject[]): object[] {
  if (isManagementOnly(settings)) {
    return declaredProviders(settings);
  }
  return [
    declaredAzureCluster(settings),
    declaredCluster(settings),
    declaredControlPlane(settings),
    ...declaredPools(settings),
    ...declaredCalico(settings, recorded),
    ...declaredProviders(settings),
  ];
}

/** What the state has of an object: the same one, not one of the same resource under another name. */
const recordedOf = (object: object, recorded: readonly RecordedObject[]): RecordedObject | undefined =>
  recorded.find(({ object: before }) =>
    [["kind"], ["metadata", "name"], ["metadata", "namespace"]].every(
      (path) => textAt(before, ...path) === textAt(object, ...path),
    ),
  );

/** The changes of a stack that are refused, one text for each object. */
export const refusalsOf = (settings: Settings, recorded: readonly RecordedObject[]): string[] =>
  declaredObjects(settings, recorded).flatMap((object) => {
    const before = recordedOf(object, recorded);
    const refused = before === undefined ? [] : refusedChanges(before.object, object);
    return before === undefined || refused.length === 0 ? [] : [refusalText(before.name, refused)];
  });

async function recordedOrNone(): Promise<RecordedObject[]> {
  try {
    return await recordedObjects();
  } catch (error) {
    const reason = messageOf(error);
    await pulumi.log.warn(
      `The state of this stack could not be read (${reason}). A change that cannot be made is refused at its object, which in an \`up --skip-preview\` is after others have changed.`,
    );
    return [];
  }
}

/**
 * Refuses what cannot be changed before anything is: hooks refuse it at its object, and in an `up --skip-preview` other
 * resources have changed by then.
 * @throws RunError with all that is refused
 */
export async function refuseAtOnce(settings: Settings): Promise<void> {
  const refused = refusalsOf(settings, await recordedOrNone());
  if (refused.length > 0) {
    throw new pulumi.RunError([...refused, "Nothing was changed."].join("\n"));
  }
}
