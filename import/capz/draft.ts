import { autoscalerAnnotation } from "../../domain/machines/autoscaler";
import { networkOfList, zonesOf } from "../../config/foreignKeys/values";
import { at, isRecord, list, strings, text, textAt } from "../../domain/untyped";
import type { Draft, LeftOut } from "../findings";
import { controlPlaneKeys, machineKeys, machineSpec, present, sshKeyOf, unlessEmpty } from "./machines";
import { bootstrapSpec, nodeKeys } from "./nodes";
import { egressOf, type Egress } from "./egress";
import { otherObject } from "./others";
import type { ClusterObjects, PoolObjects } from "./roles";

/** The keys of a stack file that say what a cluster of Cluster API is. */

type Plain = Record<string, unknown>;

const plain = (value: unknown): Plain => (isRecord(value) ? value : {});

const autoscaleOf = ({ pool }: PoolObjects): Plain | undefined => {
  const [min, max] = [autoscalerAnnotation.min, autoscalerAnnotation.max].map((key) => pool.annotations[key]);
  return min === undefined || max === undefined ? undefined : { min: Number(min), max: Number(max) };
};

function poolKeys(pool: PoolObjects, clusterVersion: string, egress: Egress) {
  const { keys, leftOut } = nodeKeys(pool, egress);
  const autoscale = autoscaleOf(pool);
  const zones = pool.pool.spec.failureDomains ?? at(pool.pool.spec, "template", "spec", "failureDomain");
  return {
    keys: present({
      replicas: autoscale === undefined ? pool.pool.spec.replicas : undefined,
      autoscale,
      zones: zones === undefined ? undefined : zonesOf(zones),
      ...machineKeys(pool, clusterVersion),
      ...keys,
    }),
    leftOut: [
      ...leftOut,
      ...(pool.os === "linux" && pool.kind === "MachineDeployment"
        ? [
            {
              from: `MachineDeployment ${pool.name}`,
              why: "Linux pools are always scale sets",
              instead: `linuxPools.${pool.name}, a scale set`,
            },
          ]
        : []),
    ],
  };
}

const subnetCidr = (networkSpec: unknown, role: string): unknown =>
  networkOfList(list(at(networkSpec, "subnets")).find((subnet) => subnet.role === role)?.cidrBlocks ?? []);

const networkKeys = (cluster: Plain, networkSpec: unknown): Plain | undefined =>
  unlessEmpty({
    vnetCidr: networkOfList(at(networkSpec, "vnet", "cidrBlocks") ?? []),
    controlPlaneSubnetCidr: subnetCidr(networkSpec, "control-plane"),
    nodeSubnetCidr: subnetCidr(networkSpec, "node"),
    podCidr: networkOfList(at(cluster, "clusterNetwork", "pods") ?? []),
    serviceCidr: networkOfList(at(cluster, "clusterNetwork", "services") ?? []),
  });

const identityLeftOut = ({ identity, azureCluster }: ClusterObjects): LeftOut[] =>
  identity === undefined && at(azureCluster.spec, "identityRef") === undefined
    ? []
    : [
        {
          from: `AzureClusterIdentity ${identity?.name ?? textAt(azureCluster.spec, "identityRef", "name")}`,
          why: "the stack makes an identity with the smallest roles that work, federated with the management cluster and without a secret",
          instead: "clusterApi.identity, for one that the installed CAPZ can use already",
        },
      ];

/** Identities in the group that goes with the cluster were made with it; the stack makes those that it needs. */
function withoutOwnIdentities(
  { keys, leftOut }: ReturnType<typeof poolKeys>,
  pool: PoolObjects,
  resourceGroup: string,
): ReturnType<typeof poolKeys> {
  const ids = strings(keys.identityIds);
  const own = ids.filter((id) =>
    id.toLowerCase().includes(`/resourcegroups/${resourceGroup}/`.toLowerCase()),
  );
  const others = ids.filter((id) => !own.includes(id));
  return own.length === 0
    ? { keys, leftOut }
    : {
        keys: present({ ...keys, identityIds: others.length === 0 ? undefined : others }),
        leftOut: [
          ...leftOut,
          ...own.map((id) => ({
            from: `${pool.machines.kind} ${pool.name} identity ${id.split("/").at(-1) ?? ""}`,
            why: "it is in the resource group of the cluster, and goes with it",
            instead:
              "azureContainerRegistries, for the identity that pulls images, or identityIds with one of another group",
          })),
        ],
      };
}

/** What the objects of a cluster say, in the keys of a stack file. */
export function draftOf(objects: ClusterObjects): Draft {
  const { cluster, azureCluster, controlPlane, controlPlaneMachines, identity, pools } = objects;
  const azure = azureCluster.spec;
  const version = String(controlPlane.spec.version);
  const network = networkKeys(cluster.spec, azure.networkSpec);
  const egress = egressOf(plain(controlPlane.spec.kubeadmConfigSpec), {
    vnetCidr: text(network?.vnetCidr),
    podCidr: text(network?.podCidr),
    serviceCidr: text(network?.serviceCidr),
    location: text(azure.location),
  });
  const group = text(azure.resourceGroup) || cluster.name;
  const made = pools.map((pool) => ({
    pool,
    ...withoutOwnIdentities(poolKeys(pool, version, egress), pool, group),
  }));
  const poolsOf = (os: PoolObjects["os"]): Plain =>
    Object.fromEntries(made.filter(({ pool }) => pool.os === os).map(({ pool, keys }) => [pool.name, keys]));
  const resourceGroup = azure.resourceGroup;
  const { namespace } = cluster;
  const key = sshKeyOf(
    [machineSpec({ machines: controlPlaneMachines }), ...pools.map(machineSpec)],
    pools.flatMap((pool) => list(bootstrapSpec(pool).users)),
  );
  return {
    config: present({
      clusterName: cluster.name,
      namespace: ["", "default", cluster.name].includes(namespace) ? undefined : namespace,
      kubernetesVersion: version,
      azure: present({
        subscriptionId: azure.subscriptionID,
        tenantId: identity?.spec.tenantID,
        location: azure.location,
        resourceGroup: resourceGroup === cluster.name ? undefined : resourceGroup,
      }),
      access: { ...(key === undefined ? {} : { sshPublicKey: key }) },
      network,
      ...egress.keys,
      controlPlane: controlPlaneKeys(controlPlaneMachines, controlPlane.spec),
      linuxPools: poolsOf("linux"),
      windowsPools: poolsOf("windows"),
      tags: unlessEmpty(plain(azure.additionalTags)),
    }),
    leftOut: [
      ...(namespace === "default"
        ? [
            {
              from: `Cluster ${cluster.name} in the namespace default`,
              why: "a cluster gets a namespace of its own, which goes with it",
              instead: "namespace",
            },
          ]
        : []),
      ...identityLeftOut(objects),
      ...made.flatMap(({ leftOut }) => leftOut),
      ...objects.others.flatMap(otherObject),
    ],
  };
}
