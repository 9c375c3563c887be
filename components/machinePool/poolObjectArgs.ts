import { deliveredOptions, kubeletOptions } from "../../bootstrap/kubeletConfig";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import { parseOverrides } from "../../capi/overrides/overrides";
import type { BootstrapFile, KubeadmConfigSpec } from "capz-types";
import { loginServers } from "capz-windows-platform/azure/containerRegistries";
import { platformOf } from "capz-windows-platform/cluster/platform";
import { defaultPool } from "capz-windows-platform/machines/defaults";
import { capzImage } from "capz-windows-platform/machines/images";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import { azureVnetMtu } from "capz-windows-platform/network/mtu";
import { healthCheckOptions, nodeCount } from "../healthChecks";
import type { NodeFileArgs, WindowsPoolArgs } from "./poolArgs";

/** @throws Error for an encoding that the bootstrap provider would not take */
function bootstrapFile({ encoding, ...file }: NodeFileArgs): BootstrapFile {
  if (encoding !== undefined && encoding !== "base64") {
    throw new Error(`The file ${file.path} has the encoding ${encoding}. Allowed: base64, or none.`);
  }
  return encoding === undefined ? file : { ...file, encoding };
}

/** The args of a pool with every default filled in; the others are passed on as they are. Linux has none of Windows' own. */
export function poolObjectArgs({ poolName: name, files, ...args }: WindowsPoolArgs, os: NodeOs) {
  const { flavor = "containerd", clusterVersion = args.kubernetesVersion, ownCni } = args;
  const platform = platformOf(flavor, clusterVersion, ownCni);
  const { windowsServer: release = defaultPool.windowsServer, kind = "MachinePool" } = args;
  const windowsServer = os === "windows" ? release : undefined;
  const filled = {
    ...args,
    ...{ os, name, kind, platform, windowsServer },
    namespace: args.namespace ?? args.clusterName,
    tags: args.tags ?? {},
    mtu: args.mtu ?? azureVnetMtu,
    replicas: args.replicas ?? defaultPool.replicas,
    vmSize: args.vmSize ?? defaultPool.vmSize,
    osDiskGB: args.osDiskGB ?? defaultPool.osDiskGB[os],
    image: capzImage(
      args.image,
      os === "linux" ? { os } : { os, windowsServer: release, runtime: platform.flavor },
      args.kubernetesVersion,
    ),
    zones: args.zones ?? [],
    overrides: parseOverrides(args.overrides),
    // kubelet logs in with the first one: CAPZ writes its client id into azure.json.
    identityIds: [
      ...(args.containerRegistries === undefined ? [] : [args.containerRegistries.identityId]),
      ...(args.identityIds ?? []),
    ],
    registryHosts: args.containerRegistries?.ids.flatMap(loginServers),
    taints: (args.taints ?? []).map(({ effect = "NoSchedule", ...taint }) => ({ ...taint, effect })),
    kubelet: deliveredOptions(kubeletOptions(args.kubelet), os, platform),
    /** For single machines; `undefined` without a health check. */
    healthCheck: healthCheckOptions(platform, args.healthCheck),
    rollout: {
      maxSurge: nodeCount(args.rollout?.maxSurge, defaultPool.rollout.maxSurge),
      maxUnavailable: nodeCount(args.rollout?.maxUnavailable, defaultPool.rollout.maxUnavailable),
      deletePolicy: args.rollout?.deletePolicy ?? defaultPool.rollout.deletePolicy,
    },
    extraFiles: files?.map(bootstrapFile),
  };
  const bootstrapSpec = os === "linux" ? linuxWorkerKubeadmConfigSpec : windowsKubeadmConfigSpec;
  return {
    ...filled,
    /** Bootstrap data, given the name of the secret in which CAPZ stores azure.json. */
    bootstrap: (azureJsonSecret: string): KubeadmConfigSpec => bootstrapSpec({ ...filled, azureJsonSecret }),
  };
}

/** What the objects of a pool are built from. */
export type PoolObjectArgs = ReturnType<typeof poolObjectArgs>;
