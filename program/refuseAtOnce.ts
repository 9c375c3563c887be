import * as pulumi from "@pulumi/pulumi";
import { encryptionBootstrap } from "../bootstrap/encryption";
import { overridden } from "../capi/overrides/overrides";
import { azureClusterObject, clusterObject } from "../components/workloadCluster/manifests";
import { privateApiServer } from "../config/apiServer";
import type { Settings } from "../config/settings";
import { controlPlaneName } from "../platform/cluster/naming";
import { platformOf } from "../platform/cluster/platform";
import { refusedChanges } from "../platform/cluster/refusedChanges";
import { refusalText } from "../platform/cluster/updateHook";
import { textAt } from "../tools/untyped";
import { recordedObjects, type RecordedObject } from "./recordedState";
import { messageOf } from "../tools/messageOf";

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

/** What the state has of an object: the same one, not one of the same resource under another name. */
const recordedOf = (object: object, recorded: readonly RecordedObject[]): RecordedObject | undefined =>
  recorded.find(({ object: before }) =>
    [["kind"], ["metadata", "name"], ["metadata", "namespace"]].every(
      (path) => textAt(before, ...path) === textAt(object, ...path),
    ),
  );

/** The changes of a stack that are refused, one text for each object. */
export const refusalsOf = (settings: Settings, recorded: readonly RecordedObject[]): string[] =>
  [declaredAzureCluster(settings), declaredCluster(settings), declaredControlPlane(settings)].flatMap(
    (object) => {
      const before = recordedOf(object, recorded);
      const refused = before === undefined ? [] : refusedChanges(before.object, object);
      return before === undefined || refused.length === 0 ? [] : [refusalText(before.name, refused)];
    },
  );

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
