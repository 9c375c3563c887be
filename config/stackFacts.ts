import { storageClasses } from "../addons/storage/csi";
import { deliveredOptions, kubeletFields } from "../bootstrap/kubeletConfig";
import { stackSchema, type PoolFacts, type StackFacts } from "capz-windows-contract";
import { withDigests } from "capz-windows-platform/cluster/artifacts";
import { wayInOf } from "capz-windows-platform/cluster/wayIn";
import { capzImage } from "capz-windows-platform/machines/images";
import { poolMachineNames } from "capz-windows-platform/machines/naming";
import { windowsBuilds } from "capz-windows-platform/machines/windowsReleases";
import { expectedMtus } from "capz-windows-platform/network/mtu";
import { textAt } from "capz-windows-kit/untyped";
import { pick, withoutUndefined } from "capz-windows-kit/without";
import { privateApiServer } from "./apiServer";
import { isManagementOnly } from "./managementStack";
import { controlPlaneImage, poolImage, type NodeImage } from "./nodeImages";
import { isDeployment, type PlacedPool, poolsOf } from "./pools";
import { interfacesIn, machinesIn } from "./rules/network";
import type { Settings } from "./settings";

/** How many pods a kubelet takes if nothing says otherwise (KubeletConfiguration, kubelet.config.k8s.io/v1beta1). */
const defaultMaxPods = 110;

function windowsOf(placed: PlacedPool) {
  if (placed.os === "linux") {
    return {};
  }
  const { windowsServer } = placed.pool;
  return { windowsServer, ...withoutUndefined({ windowsBuild: windowsBuilds[windowsServer] }) };
}

const imageFacts = ({ image, node, version }: NodeImage) => capzImage(image, node, version);

function poolFacts(placed: PlacedPool, settings: Settings): PoolFacts {
  const { name, path, os, pool } = placed;
  const kind = isDeployment(pool) ? "MachineDeployment" : "MachinePool";
  const kubelet = deliveredOptions(pool.kubelet, os, settings.platform);
  const fields = kubeletFields(kubelet, os, pool.kubernetesVersion);
  return {
    ...{ name, path, os, kind },
    computerNamePrefix: poolMachineNames({ os, name, kind, replicas: 0 }).computerNamePrefix,
    vmSize: pool.vmSize,
    image: imageFacts(poolImage(placed, settings)),
    zones: pool.zones,
    spot: pool.spot !== undefined,
    encryptionAtHost: pool.encryptionAtHost === true,
    ...pick(pool, "diskEncryptionSetId", "identityIds"),
    ...(pool.ephemeralOsDisk && {
      ephemeralOsDisk: { placement: pool.ephemeralOsDisk, diskGB: pool.osDiskGB },
    }),
    ...windowsOf(placed),
    labels: pool.labels,
    taints: pool.taints,
    maxPods: Number(fields.maxPods ?? defaultMaxPods),
    reservedMemory: textAt(fields.systemReserved, "memory"),
  };
}

function storageFacts({ addons }: Settings): StackFacts["addons"]["storageClasses"] {
  return (["azureDisk", "azureFile"] as const)
    .filter((addon) => addons[addon].enabled)
    .flatMap((addon) =>
      storageClasses[addon].map((name) => ({ addon, name, isDefault: addons.defaultStorageClass === name })),
    );
}

/** The network of a cluster, and what of others is beside it. */
function networkFacts(settings: Settings): StackFacts["network"] {
  const { network, platform, access, proxy } = settings;
  const furtherSubnets = Object.keys(network.poolSubnets);
  return {
    ...network,
    mtus: expectedMtus(platform.cni, network.mtu),
    allowedCidrs: access.allowedCidrs,
    wayIn: wayInOf(settings),
    addresses: {
      ...machinesIn(settings),
      ...Object.fromEntries(
        furtherSubnets.map((name) => [`poolSubnets.${name}`, interfacesIn(settings, name)]),
      ),
    },
    apiServer: privateApiServer(settings),
    hasProxy: proxy !== undefined,
  };
}

/** What tools know about a stack, from its stack file. */
export function stackFacts(settings: Settings): StackFacts {
  const { azure, addons, clusterApi, workloads, registryMirror } = settings;
  const { gmsa } = addons;
  // The schema leaves out what the values have beside it.
  return stackSchema.parse({
    ...settings,
    ...azure,
    hasWorkload: !isManagementOnly(settings),
    clusterApi: { ...clusterApi, artifacts: withDigests(clusterApi) },
    controlPlane: { ...settings.controlPlane, image: imageFacts(controlPlaneImage(settings)) },
    pools: poolsOf(settings).map((placed) => poolFacts(placed, settings)),
    network: networkFacts(settings),
    registryMirror: registryMirror?.url,
    addons: {
      azureMetadata: addons.azureMetadata,
      gmsa: gmsa.enabled,
      gmsaIdentity: gmsa.enabled ? gmsa.keyVaultIdentity : undefined,
      storageClasses: storageFacts(settings),
    },
    workloads: {
      runtimeClasses: workloads.runtimeClasses,
      hyperV: workloads.hyperV,
      denies: workloads.policy === "deny",
      hostProcessNamespaces: workloads.hostProcessNamespaces,
    },
  } satisfies StackFacts);
}
