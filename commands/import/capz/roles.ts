import type { PoolKind } from "capz-windows-platform/machines/pools";
import { at, isRecord, textAt, type Plain } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import { Refused } from "../findings";
import { poolName } from "../values";
import type { CapiObject } from "./normal";

/** Sorts the objects of one cluster by their role. */

export type PoolObjects = ReturnType<typeof poolObjects>;
export type ClusterObjects = ReturnType<typeof rolesOf>;

/** Kinds of clusters that a stack cannot be, with the reason. */
const refusedKinds: readonly (readonly [RegExp, string])[] = [
  [
    /^AzureManaged|^AzureASOManaged/,
    "is a cluster of AKS: its control plane is Azure's, and this program makes clusters whose control plane is machines. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool",
  ],
  [
    /^ClusterClass$|^AzureClusterTemplate$|^KubeadmControlPlaneTemplate$/,
    "is a ClusterClass, from which clusters are made: it does not describe a cluster. Import a cluster that was made from it, with --kubeconfig",
  ],
];

const notAzure = "is no infrastructure of CAPZ: this program makes clusters on Azure only";
const notKubeadm = "is not kubeadm's: images and bootstrap data of this program are for kubeadm";

/** The kinds that a stack can have, by their role, and why it has no others. */
const roles = {
  infrastructure: [/^AzureCluster$/, notAzure],
  controlPlane: [/^KubeadmControlPlane$/, notKubeadm],
  machines: [/^AzureMachine(Pool|Template)$/, notAzure],
  bootstrap: [/^KubeadmConfig(Template)?$/, notKubeadm],
} as const;

type Role = keyof typeof roles;

const record = (value: unknown): Plain => (isRecord(value) ? value : {});

/** A machine's own fields: those of an AzureMachinePool's template, or of an AzureMachineTemplate's. */
export const machineOf = ({ kind, spec }: CapiObject): Plain =>
  record(kind === "AzureMachinePool" ? spec.template : at(spec, "template", "spec"));

/** The spec of a KubeadmConfig, or the one inside a KubeadmConfigTemplate. */
export const nodeOf = ({ kind, spec }: CapiObject): Plain =>
  record(kind === "KubeadmConfigTemplate" ? at(spec, "template", "spec") : spec);

const refused = (object: CapiObject, why: string): Refused =>
  new Refused(`${object.kind} ${object.name} ${why}.`);

/** The object to which a reference refers. @throws Refused if it is missing, or of a kind that a stack cannot have there */
function referred(objects: readonly CapiObject[], by: CapiObject, reference: unknown, role: Role) {
  const [kind, name] = [textAt(reference, "kind"), textAt(reference, "name")];
  const found = objects.find((object) => object.kind === kind && object.name === name);
  if (found === undefined) {
    throw new Refused(
      name === ""
        ? `${by.kind} ${by.name} names no object that this import needs of it: a control plane, machines and their templates.`
        : `${by.kind} ${by.name} refers to ${kind || "an object"} ${name}, which is not in the source: pass all objects of the cluster.`,
    );
  }
  const [kinds, why] = roles[role];
  if (!kinds.test(kind)) {
    throw refused(found, why);
  }
  return found;
}

/** Whether a health check selects the machines of a pool. */
function selects(check: CapiObject, pool: CapiObject): boolean {
  const labels: Plain = {
    "cluster.x-k8s.io/deployment-name": pool.name,
    ...record(at(pool.spec, "template", "metadata", "labels")),
  };
  const wanted = Object.entries(record(at(check.spec, "selector", "matchLabels"))).filter(
    ([key]) => key !== "cluster.x-k8s.io/cluster-name",
  );
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value);
}

function poolObjects(
  objects: readonly CapiObject[],
  checks: readonly CapiObject[],
  { name: cluster }: CapiObject,
  pool: CapiObject,
) {
  const template = at(pool.spec, "template", "spec");
  const machines = referred(objects, pool, at(template, "infrastructureRef"), "machines");
  const configRef = at(template, "bootstrap", "configRef");
  const bootstrap = referred(objects, pool, configRef, "bootstrap");
  const isWindows = textAt(machineOf(machines), "osDisk", "osType").toLowerCase() === "windows";
  return {
    /** That of its MachinePool or MachineDeployment without the prefix of the cluster's name, valid in a stack file. */
    name: poolName(pool.name.startsWith(`${cluster}-`) ? pool.name.slice(cluster.length + 1) : pool.name),
    os: isWindows ? ("windows" as const) : ("linux" as const),
    kind: pool.kind as PoolKind,
    ...{ pool, machines, bootstrap },
    ...withoutUndefined({ healthCheck: checks.find((check) => selects(check, pool)) }),
  };
}

function onlyCluster(objects: readonly CapiObject[], wanted: string | undefined): CapiObject {
  for (const [kind, why] of refusedKinds) {
    const found = objects.find((object) => kind.test(object.kind));
    if (found !== undefined) {
      throw refused(found, why);
    }
  }
  const clusters = objects.filter(({ kind }) => kind === "Cluster");
  const names = clusters.map(({ name }) => name).join(", ");
  const [cluster, other] = clusters.filter(({ name }) => wanted === undefined || name === wanted);
  if (cluster === undefined) {
    const others = [...new Set(objects.map(({ kind }) => kind))].sort().join(", ");
    throw new Refused(
      wanted === undefined
        ? `There is no object of kind Cluster in the source${others === "" ? "" : `, but ${others}, inside of which this import does not look`}: pass all objects of one cluster.`
        : `There is no Cluster ${wanted}; there are ${names || "none"}.`,
    );
  }
  if (other !== undefined) {
    throw new Refused(
      `The source has several clusters, and a stack has one. Choose with --cluster: ${names}.`,
    );
  }
  // A running cluster of a ClusterClass has references, too, so it can be imported.
  if (at(cluster.spec, "topology") !== undefined && at(cluster.spec, "infrastructureRef") === undefined) {
    throw refused(
      cluster,
      "is made from a ClusterClass, which says what it is like: import the live cluster with --kubeconfig",
    );
  }
  return cluster;
}

/**
 * The objects of one cluster.
 * @param wanted - name of the cluster; needed if the source has several
 * @throws Refused when objects are missing, or a stack cannot describe the cluster
 */
export function rolesOf(objects: readonly CapiObject[], wanted?: string) {
  const cluster = onlyCluster(objects, wanted);
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const azureCluster = referred(objects, cluster, infrastructureRef, "infrastructure");
  const controlPlane = referred(objects, cluster, controlPlaneRef, "controlPlane");
  const machinesRef = at(controlPlane.spec, "machineTemplate", "spec", "infrastructureRef");
  const controlPlaneMachines = referred(objects, controlPlane, machinesRef, "machines");
  const ofCluster = objects.filter(({ spec }) => spec.clusterName === cluster.name);
  const checks = ofCluster.filter(({ kind }) => kind === "MachineHealthCheck");
  const controlPlaneHealthCheck = checks.find(
    ({ spec }) => at(spec, "selector", "matchLabels", "cluster.x-k8s.io/control-plane") !== undefined,
  );
  const identityName = textAt(azureCluster.spec, "identityRef", "name");
  const identity = objects.find(({ kind, name }) => kind === "AzureClusterIdentity" && name === identityName);
  const pools = ofCluster
    .filter(({ kind }) => kind === "MachinePool" || kind === "MachineDeployment")
    .map((pool) => poolObjects(objects, checks, cluster, pool));
  const twice = pools.find(({ name }, index) => pools.findIndex((pool) => pool.name === name) !== index);
  if (twice !== undefined) {
    throw refused(
      twice.pool,
      `would be the second pool ${twice.name}, because a pool's name has only lowercase letters, digits and '-', and begins with a letter: import a copy of the source in which it has another name`,
    );
  }
  const used = new Set<CapiObject | undefined>([
    ...[cluster, azureCluster, controlPlane, controlPlaneMachines, controlPlaneHealthCheck, identity],
    ...pools.flatMap((pool) => [pool.pool, pool.machines, pool.bootstrap, pool.healthCheck]),
  ]);
  return {
    ...{ cluster, azureCluster, controlPlane, controlPlaneMachines, pools },
    ...withoutUndefined({ controlPlaneHealthCheck, identity }),
    others: objects.filter((object) => !used.has(object)),
  };
}
