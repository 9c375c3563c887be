import { storageClasses } from "../addons/storage/csi";
import { deliveredOptions, kubeletFields } from "../bootstrap/kubeletConfig";
import { stackSchema, type PoolFacts, type StackFacts } from "../packages/contract";
import { wayInOf } from "../platform/cluster/wayIn";
import { poolMachineNames } from "../platform/machines/naming";
import { windowsBuilds } from "../platform/machines/windowsReleases";
import { expectedMtus } from "../platform/network/mtu";
import { textAt } from "../tools/untyped";
import { withoutUndefined } from "../tools/without";
import { isDeployment, type PlacedPool, poolsOf } from "./pools";
import type { Settings } from "./settings";

/** How many pods a kubelet takes if nothing says otherwise (KubeletConfiguration, kubelet.config.k8s.io/v1beta1). */
const defaultMaxPods = 110;

function windowsOf(placed: PlacedPool) {
  if (placed.os === "linux") {
    return { hybridBenefit: false };
  }
  const { windowsServer, hybridBenefit } = placed.pool;
  return {
    windowsServer,
    ...withoutUndefined({ windowsBuild: windowsBuilds[windowsServer] }),
    hybridBenefit: hybridBenefit === true,
  };
}

function poolFacts(placed: PlacedPool, platform: Settings["platform"]): PoolFacts {
  const { name, path, os, pool } = placed;
  const kind = isDeployment(pool) ? "MachineDeployment" : "MachinePool";
  const kubelet = deliveredOptions(pool.kubelet, os, platform);
  const fields = kubeletFields(kubelet, os, pool.kubernetesVersion);
  return {
    ...{ name, path, os, kind },
    computerNamePrefix: poolMachineNames({ os, name, kind, replicas: 0 }).computerNamePrefix,
    vmSize: pool.vmSize,
    zones: pool.zones,
    spot: pool.spot !== undefined,
    encryptionAtHost: pool.encryptionAtHost === true,
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

export const poolsFacts = (settings: Settings): PoolFacts[] =>
  poolsOf(settings).map((placed) => poolFacts(placed, settings.platform));

function storageFacts({ addons }: Settings): StackFacts["addons"]["storageClasses"] {
  return (["azureDisk", "azureFile"] as const)
    .filter((addon) => addons[addon].enabled)
    .flatMap((addon) =>
      storageClasses[addon].map((name) => ({ addon, name, isDefault: addons.defaultStorageClass === name })),
    );
}

/** What tools know about a stack, from its stack file. */
export function stackFacts(settings: Settings): StackFacts {
  const { network, platform, addons, workloads, registryMirror, access } = settings;
  const { management } = settings;
  // The schema leaves out what the values have beside it.
  return stackSchema.parse({
    clusterName: settings.clusterName,
    namespace: settings.namespace,
    kubernetesVersion: settings.kubernetesVersion,
    location: settings.azure.location,
    management:
      management.kind === "stack" ? { kind: "stack", stack: management.stack } : { kind: management.kind },
    controlPlane: settings.controlPlane,
    pools: poolsFacts(settings),
    network: {
      podCidr: network.podCidr,
      serviceCidr: network.serviceCidr,
      mtus: expectedMtus(platform.cni, network.mtu),
      allowedCidrs: access.allowedCidrs,
      wayIn: wayInOf(settings),
    },
    ...(registryMirror !== undefined && { registryMirror: registryMirror.url }),
    addons: {
      azureMetadata: addons.azureMetadata,
      gmsa: addons.gmsa.enabled,
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
