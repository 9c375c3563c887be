import type { Path } from "../../config/advice/steps";
import { subnetParts } from "../../platform/network/existingNetwork";
import { at, isRecord, list, strings, text, textAt, type Plain } from "../../tools/untyped";
import { entriesOf, translated } from "./aksCluster";
import { askedRange, askedRanges } from "./capz/placedNetwork";
import { subnetKey } from "./capz/subnets";
import { taintsIn } from "./capz/taints";
import { newestRelease } from "./complete";
import { omitted, type Draft } from "./findings";
import { Carrier, nothing, poolName, put, type OwnKeys } from "./foreign";

/** Node pools of AKS, as the Azure CLI prints them: `az aks nodepool list`, `az aks nodepool show`, `az aks show`. */

const isPool = (value: unknown): boolean =>
  isRecord(value) && ("osType" in value || "agentPoolType" in value) && "vmSize" in value;

/** A resource as the CLI prints it. The REST API and tools based on it have the same fields under `properties`. */
const flat = (value: unknown): unknown =>
  isRecord(value) && isRecord(value.properties)
    ? { ...omitted(value, "properties"), ...value.properties }
    : value;

const poolsOf = (value: unknown): Plain[] => {
  const pools = isRecord(value) && Array.isArray(value.value) ? value.value : value;
  if (Array.isArray(pools)) {
    return pools.map(flat).filter(isRecord);
  }
  const one = flat(pools);
  return !isRecord(one) ? [] : Array.isArray(one.agentPoolProfiles) ? list(one.agentPoolProfiles) : [one];
};

/** Whether a document is an AKS cluster or has AKS node pools. */
export const isAks = (value: unknown): boolean => {
  const pools = poolsOf(value);
  return pools.length > 0 && pools.every(isPool);
};

const ofAks = { why: "it is what AKS says of its pool, or a feature of AKS alone" };

/** Fields of AKS's kubeletConfig that have keys in a stack file: their path below `kubelet`. */
const kubeletKeys: Readonly<Record<string, readonly string[]>> = {
  containerLogMaxFiles: ["containerLogs", "maxFiles"],
  containerLogMaxSizeMb: ["containerLogs", "maxSizeMi"],
  imageGcHighThreshold: ["imageGC", "highPercent"],
  imageGcLowThreshold: ["imageGC", "lowPercent"],
};

const rolloutKeys = ["maxSurge", "maxUnavailable"];

/** A number of nodes, which the CLI prints as a string; a percentage stays one. */
const nodes = (value: unknown): unknown => (/^\d+$/.test(text(value)) ? Number(value) : value);

const poolKeys: OwnKeys = {
  ...Object.fromEntries(
    [
      ...[
        "id",
        "name",
        "osType",
        "provisioningState",
        "resourceGroup",
        "type",
        "typePropertiesType",
        "eTag",
        "etag",
      ],
      ...[
        "nodeImageVersion",
        "currentOrchestratorVersion",
        "powerState",
        "status",
        "kubeletDiskType",
        "networkProfile",
      ],
    ].map((key) => [key, () => nothing]),
  ),
  osDiskType: (value, pool) =>
    value === "Ephemeral" ? put("CacheDisk", ...pool, "ephemeralOsDisk") : nothing,
  nodeTaints: (value, pool) => put(strings(value).flatMap(taintsIn), ...pool, "taints"),
  scaleSetPriority: (value, pool) => (value === "Spot" ? put({}, ...pool, "spot") : nothing),
  spotMaxPrice: (value, pool) =>
    typeof value === "number" && value > 0 ? put(String(value), ...pool, "spot", "maxPrice") : nothing,
  scaleSetEvictionPolicy: (value, pool) => put(value, ...pool, "spot", "evictionPolicy"),
  enableAutoScaling: () => nothing,
  maxPods: (value, pool) => put(value, ...pool, "kubelet", "maxPods"),
  kubeletConfig: (value, pool) => {
    const entries = entriesOf(value);
    const known = entries.filter(([key]) => key in kubeletKeys);
    return {
      set: known.map(([key, one]) => ({
        set: [...pool, "kubelet", ...(kubeletKeys[key] ?? [])],
        value: one,
      })),
      leftOut: entries
        .filter((entry) => !known.includes(entry))
        .map(([key]) => ({
          from: `pool ${String(pool[1])}.kubeletConfig.${key}`,
          why: "no key of a stack file says this",
          instead: "overrides.KubeadmConfig, with an argument or a file of kubelet",
        })),
    };
  },
  upgradeSettings: (value, pool) => ({
    set: entriesOf(value)
      .filter(([key]) => rolloutKeys.includes(key))
      .map(([key, one]) => ({ set: [...pool, "rollout", key], value: nodes(one) })),
    leftOut: entriesOf(value)
      .filter(([key]) => !rolloutKeys.includes(key))
      .map(([key]) => ({
        from: `pool ${String(pool[1])}.upgradeSettings.${key}`,
        ...(key === "drainTimeoutInMinutes"
          ? {
              why: "Cluster API passes machines of a scale set no limit for their drain",
              instead: "deletion.nodeDrainTimeoutSeconds of a Windows pool with kind: MachineDeployment",
            }
          : {
              why: "AKS upgrades nodes in its own way; Cluster API drains a machine and replaces it",
              instead: "rollout",
            }),
      })),
  }),
  mode: () => ofAks,
  windowsProfile: () => ({
    why: "outbound connections of Windows pods are translated to the address of their node, as Calico does",
  }),
  osSku: (value, pool) => {
    const year = /20\d\d/.exec(text(value))?.[0];
    return pool[0] === "windowsPools" && year !== undefined
      ? put(year, ...pool, "windowsServer")
      : { why: "the image of a Linux node says which distribution it has", instead: "image" };
  },
  tags: () => ({ why: "tags are those of all resources", instead: "tags" }),
};

const clusterKeys: OwnKeys = Object.fromEntries(
  [
    ...[
      "id",
      "name",
      "type",
      "resourceGroup",
      "location",
      "kubernetesVersion",
      "currentKubernetesVersion",
      "agentPoolProfiles",
    ],
    ...["provisioningState", "eTag", "resourceUid", "systemData", "sku", "identity", "kind", "maxAgentPools"],
  ].map((key) => [key, () => nothing]),
);

/** ARM ID of a cluster or of one of its pools. */
const armId =
  /^\/subscriptions\/([^/]+)\/resourceGroups\/[^/]+\/providers\/Microsoft\.ContainerService\/managedClusters\/([^/]+)/i;

/** A pool without the features that are off, which the CLI prints, too. */
const withoutSwitchesOff = (pool: Plain): Plain =>
  Object.fromEntries(
    Object.entries(pool).filter(
      ([, value]) =>
        value !== false &&
        !(
          isRecord(value) &&
          entriesOf(value).every(([, one]) => one === false || /^LocalUser$/.test(text(one)))
        ),
    ),
  );

/** A pool of type VirtualMachines may have several VM sizes; a stack file needs a pool for each. */
const poolsOfSizes = (pool: Plain): Plain[] => {
  const sizes = list(at(pool, "virtualMachinesProfile", "scale", "manual"));
  return sizes.length === 0
    ? [pool]
    : sizes.map(({ size, count }, index) => ({
        ...omitted(pool, "virtualMachinesProfile"),
        ...{ vmSize: size, count, name: index === 0 ? pool.name : `${text(pool.name)}${index + 1}` },
      }));
};

interface Placed {
  readonly pool: Plain;
  readonly path: Path;
}

/** The subnets of the pools, which others have made: the first is that of all pools, and each further one is named. */
function placeSubnets(carrier: Carrier, placed: readonly Placed[]): string[] {
  const idOf = ({ pool }: Placed): string => text(pool.vnetSubnetId) || text(pool.vnetSubnetID);
  const ids = [...new Set(placed.map(idOf).filter((id) => id !== ""))];
  const [first, ...more] = ids;
  if (first === undefined) {
    return [];
  }
  const { subscription } = subnetParts(first);
  if (carrier.get(["azure", "subscriptionId"]) === undefined) {
    carrier.set(["azure", "subscriptionId"], subscription);
  }
  carrier.set(["network", "existing", "nodeSubnetId"], first);
  carrier.ask(...Object.entries(askedRanges).map(([key, what]) => askedRange(key, what)));
  for (const id of more) {
    const name = subnetKey(subnetParts(id).subnet);
    carrier.set(["network", "existing", "poolSubnetIds", name], id);
    carrier.ask(askedRange(`poolSubnets.${name}`, `the subnet ${subnetParts(id).subnet}`));
    carrier.set(["network", "poolSubnets"], {});
    placed
      .filter((one) => idOf(one) === id)
      .forEach(({ path }) => {
        carrier.set([...path, "subnet"], name);
      });
  }
  return ids;
}

/**
 * The draft of a stack with these pools. If the source has no exact Kubernetes version, it is the newest release that
 * this program supports.
 */
export function draftOfAksPools(source: unknown): Draft {
  const carrier = new Carrier();
  const document = flat(source);
  const pools = poolsOf(document).flatMap(poolsOfSizes).map(withoutSwitchesOff);
  const cluster = isRecord(document) && Array.isArray(document.agentPoolProfiles) ? document : undefined;
  const [, subscription, name] = armId.exec(text(cluster?.id)) ?? armId.exec(text(pools[0]?.id)) ?? [];
  if (name !== undefined) {
    carrier.set(["clusterName"], name.toLowerCase());
    carrier.set(["azure", "subscriptionId"], subscription);
  }
  const versions = pools.map(
    (pool) => text(pool.currentOrchestratorVersion) || text(pool.orchestratorVersion),
  );
  const version = [
    cluster?.currentKubernetesVersion,
    cluster?.kubernetesVersion,
    ...versions.sort().reverse(),
  ]
    .map(text)
    .find((one) => /^\d+\.\d+\.\d+$/.test(one));
  carrier.set(["kubernetesVersion"], version === undefined ? newestRelease() : `v${version}`);
  if (cluster !== undefined) {
    carrier.set(["azure", "location"], cluster.location);
    const { podCidr, serviceCidr } = (at(cluster, "networkProfile") ?? {}) as Plain;
    carrier.set(["network"], { ...(podCidr ? { podCidr } : {}), ...(serviceCidr ? { serviceCidr } : {}) });
  }
  const placed = pools.map((pool) => ({
    pool,
    path: [
      textAt(pool, "osType").toLowerCase() === "windows" ? "windowsPools" : "linuxPools",
      poolName(pool.name),
    ] as Path,
  }));
  placed.forEach(({ path }) => {
    carrier.set(path, {});
  });
  const subnets = placeSubnets(carrier, placed);
  if (cluster !== undefined) {
    const tenant = textAt(cluster, "identity", "tenantId") || undefined;
    carrier.set(["azure", "tenantId"], tenant);
    const own = { ...clusterKeys, ...translated(carrier.pools("windows"), tenant, subnets.length > 0) };
    carrier.carry(cluster, "", [], own);
    carrier.carry(cluster.windowsProfile, "windowsProfile", [], own);
  }
  for (const { pool, path } of placed) {
    const { count, minCount, maxCount, enableAutoScaling, orchestratorVersion, ...rest } = omitted(
      pool,
      "vnetSubnetId",
      "vnetSubnetID",
    );
    const own = text(orchestratorVersion);
    carrier.carry(
      {
        ...rest,
        ...(enableAutoScaling === true ? { minCount, maxCount } : { count }),
        ...(own === version || !/^\d+\.\d+\.\d+$/.test(own) ? {} : { orchestratorVersion: `v${own}` }),
      },
      `pool ${text(pool.name)}`,
      path,
      poolKeys,
    );
  }
  return carrier.draft();
}
