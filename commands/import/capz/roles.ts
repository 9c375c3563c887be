import type { PoolKind } from "../../../platform/machines/pools";
import { at, isRecord, textAt, type Plain } from "../../../tools/untyped";
import { Refused } from "../findings";
import { poolName } from "../foreign";
import type { CapiObject } from "./normal";
import { withoutUndefined } from "../../../tools/without";

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
  [
    /^RKE2|^K0s|^K3s|^TalosControlPlane/,
    "is not kubeadm's: images and bootstrap data of this program are for kubeadm",
  ],
];

/** A machine's own fields: those of an AzureMachinePool's template, or of an AzureMachineTemplate's. */
export const machineOf = ({ kind, spec }: CapiObject): Plain => {
  const inner = kind === "AzureMachinePool" ? spec.template : at(spec, "template", "spec");
  return isRecord(inner) ? inner : {};
};

/** The spec of a KubeadmConfig, or the one inside a KubeadmConfigTemplate. */
export const nodeOf = ({ kind, spec }: CapiObject): Plain => {
  const inner = kind === "KubeadmConfigTemplate" ? at(spec, "template", "spec") : spec;
  return isRecord(inner) ? inner : {};
};

const refused = (object: CapiObject, why: string): Refused =>
  new Refused(`${object.kind} ${object.name} ${why}.`);

function named(objects: readonly CapiObject[], by: CapiObject, reference: unknown): CapiObject {
  const [kind, name] = [textAt(reference, "kind"), textAt(reference, "name")];
  const found = objects.find((object) => object.kind === kind && object.name === name);
  if (found === undefined) {
    throw new Refused(
      `${by.kind} ${by.name} refers to ${kind || "an object"} ${name || "without a name"}, which is not in the source: pass all objects of the cluster.`,
    );
  }
  return found;
}

/** A name without the prefix of the cluster's name, which a stack adds itself. */
const withoutCluster = (name: string, cluster: string): string =>
  name.startsWith(`${cluster}-`) ? name.slice(cluster.length + 1) : name;

function poolObjects(objects: readonly CapiObject[], cluster: CapiObject, pool: CapiObject) {
  const template = at(pool.spec, "template", "spec");
  const machines = named(objects, pool, at(template, "infrastructureRef"));
  const bootstrap = named(objects, pool, at(template, "bootstrap", "configRef"));
  if (!/^AzureMachine(Pool|Template)$/.test(machines.kind)) {
    throw refused(machines, "is no machine of CAPZ");
  }
  if (!/^KubeadmConfig(Template)?$/.test(bootstrap.kind)) {
    throw refused(bootstrap, "is not kubeadm's: images and bootstrap data of this program are for kubeadm");
  }
  const spec = machines.kind === "AzureMachinePool" ? machines.spec : at(machines.spec, "template");
  const osType =
    textAt(spec, machines.kind === "AzureMachinePool" ? "template" : "spec", "osDisk", "osType") || "Linux";
  const selects = (object: CapiObject): boolean => {
    const labels = at(object.spec, "selector", "matchLabels");
    const own = {
      ...(at(pool.spec, "template", "metadata", "labels") as Record<string, string> | undefined),
    };
    const wanted = Object.entries((labels ?? {}) as Record<string, string>).filter(
      ([key]) => key !== "cluster.x-k8s.io/cluster-name",
    );
    return (
      wanted.length > 0 &&
      wanted.every(
        ([key, value]) =>
          own[key] === value || (key === "cluster.x-k8s.io/deployment-name" && value === pool.name),
      )
    );
  };
  const healthCheck = objects.find(
    (object) =>
      object.kind === "MachineHealthCheck" && object.spec.clusterName === cluster.name && selects(object),
  );
  return {
    /** That of its MachinePool or MachineDeployment without the prefix of the cluster's name, valid in a stack file. */
    name: poolName(withoutCluster(pool.name, cluster.name)),
    os: osType.toLowerCase() === "windows" ? ("windows" as const) : ("linux" as const),
    kind: pool.kind as PoolKind,
    ...{ pool, machines, bootstrap },
    ...(healthCheck === undefined ? {} : { healthCheck }),
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
  const chosen = wanted === undefined ? clusters : clusters.filter(({ name }) => name === wanted);
  const [cluster, ...others] = chosen;
  if (cluster === undefined) {
    throw new Refused(
      wanted === undefined
        ? "There is no object of kind Cluster in the source: pass all objects of one cluster."
        : `There is no Cluster ${wanted}; there are ${clusters.map(({ name }) => name).join(", ") || "none"}.`,
    );
  }
  if (others.length > 0) {
    throw new Refused(
      `The source has several clusters, and a stack has one. Choose with --cluster: ${chosen.map(({ name }) => name).join(", ")}.`,
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
  // A running cluster of a ClusterClass has references, too, so it can be imported.
  if (at(cluster.spec, "topology") !== undefined && at(cluster.spec, "infrastructureRef") === undefined) {
    throw refused(
      cluster,
      "is made from a ClusterClass, which says what it is like: import the live cluster with --kubeconfig",
    );
  }
  const azureCluster = named(objects, cluster, at(cluster.spec, "infrastructureRef"));
  const controlPlane = named(objects, cluster, at(cluster.spec, "controlPlaneRef"));
  if (azureCluster.kind !== "AzureCluster") {
    throw refused(azureCluster, "is no infrastructure of CAPZ: this program makes clusters on Azure only");
  }
  if (controlPlane.kind !== "KubeadmControlPlane") {
    throw refused(
      controlPlane,
      "is not kubeadm's: images and bootstrap data of this program are for kubeadm",
    );
  }
  const controlPlaneMachines = named(
    objects,
    controlPlane,
    at(controlPlane.spec, "machineTemplate", "spec", "infrastructureRef"),
  );
  const controlPlaneHealthCheck = objects.find(
    ({ kind, spec }) =>
      kind === "MachineHealthCheck" &&
      spec.clusterName === cluster.name &&
      at(spec, "selector", "matchLabels", "cluster.x-k8s.io/control-plane") !== undefined,
  );
  const identityName = textAt(azureCluster.spec, "identityRef", "name");
  const identity = objects.find(({ kind, name }) => kind === "AzureClusterIdentity" && name === identityName);
  const pools = objects
    .filter(
      ({ kind, spec }) =>
        (kind === "MachinePool" || kind === "MachineDeployment") && spec.clusterName === cluster.name,
    )
    .map((pool) => poolObjects(objects, cluster, pool));
  const [twice] = pools.filter(({ name }, index) => pools.findIndex((pool) => pool.name === name) !== index);
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
