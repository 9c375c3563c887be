import { unknownSecret } from "../../../config/parse";
import { pullIdentityName } from "capz-windows-platform/cluster/naming";
import { present } from "capz-windows-kit/present";
import { at, isRecord, list, text, textAt, type Plain } from "capz-windows-kit/untyped";
import { withoutUndefined } from "capz-windows-kit/without";
import { unlessEmpty, unlessNone, type Draft } from "../findings";
import type { Variables } from "../variables";
import { egressKeys, registriesIn, registryIds, sshKeys } from "./files";
import { kubeletCertificatesOf } from "./kubelet";
import { controlPlaneKeys, deletionKeys, healthCheckKeys } from "./machines";
import { networkKeys } from "./network";
import { addonKeys, extraManifests, otherObject } from "./others";
import { poolKeys, type Common } from "./pools";
import { machineOf, nodeOf, type ClusterObjects, type PoolObjects } from "./roles";

/** The keys of a stack file that describe a cluster of Cluster API. */

const isContainerd = (pool: PoolObjects): boolean =>
  JSON.stringify([
    pool.machines.annotations,
    machineOf(pool.machines).image,
    at(nodeOf(pool.bootstrap), "joinConfiguration", "nodeRegistration", "criSocket"),
  ]).includes("containerd");

/** `dockershim`, up to Kubernetes 1.23, if no Windows pool has a sign of containerd. */
function flavorOf(pools: readonly PoolObjects[], version: string): "dockershim" | undefined {
  const windows = pools.filter(({ os }) => os === "windows");
  return /^v1\.(1\d|2[0-3])\./.test(version) && windows.length > 0 && !windows.some(isContainerd)
    ? "dockershim"
    : undefined;
}

/** Machines with addresses for pods. */
const hasAzureCni = ({ controlPlaneMachines, pools }: ClusterObjects): boolean =>
  [controlPlaneMachines, ...pools.map(({ machines }) => machines)].some((machines) =>
    list(machineOf(machines).networkInterfaces).some(({ privateIPConfigs }) => Number(privateIPConfigs) > 1),
  );

/**
 * The draft of a stack like this cluster.
 * @param variables - values for the resource groups of registries, of which the objects have only the names
 * @param made - what a plan of the stack makes without files and commands, which are left out as long as no plan is known
 */
export function draftOf(objects: ClusterObjects, variables: Variables, made?: ClusterObjects): Draft {
  const { cluster, azureCluster, controlPlane, controlPlaneHealthCheck, identity, pools, others } = objects;
  const { subscriptionID, location, resourceGroup, networkSpec, identityRef, additionalTags } =
    azureCluster.spec;
  const version = String(controlPlane.spec.version);
  const placed = networkKeys(cluster.spec, azureCluster, hasAzureCni(objects));
  const { network, ...management } = placed.config;
  const spec = controlPlane.spec.kubeadmConfigSpec;
  const registries = registriesIn(pools.flatMap((pool) => list(nodeOf(pool.bootstrap).files)));
  const checks = [controlPlaneHealthCheck, ...pools.map(({ healthCheck }) => healthCheck)];
  const common: Common = {
    ...{ version, networkSpec },
    hasHealthChecks: checks.some((check) => check !== undefined),
    resourceGroup: text(resourceGroup) || cluster.name,
    pullIdentity: registries.length === 0 ? "" : pullIdentityName(cluster.name),
  };
  const carried = pools.map((pool) => {
    const planned = made?.pools.find(({ name, os }) => name === pool.name && os === pool.os);
    return { pool, ...poolKeys(pool, common, planned) };
  });
  const poolsOf = (system: PoolObjects["os"]): Plain =>
    Object.fromEntries(
      carried.filter(({ pool }) => pool.os === system).map(({ pool, keys }) => [pool.name, keys]),
    );
  const { namespace } = cluster;
  const manifests = extraManifests(others, cluster.name);
  const files = carried.flatMap(({ keys }) => list(keys.files));
  const secretFiles = [...new Set(files.flatMap((file) => textAt(file, "contentFrom", "secretFile") || []))];
  const isChecked = Number(controlPlane.spec.replicas) > 1 || controlPlaneHealthCheck !== undefined;
  return {
    config: withoutUndefined({
      clusterName: cluster.name,
      namespace: ["", "default", cluster.name].includes(namespace) ? undefined : namespace,
      kubernetesVersion: version,
      flavor: flavorOf(pools, version),
      azure: withoutUndefined({
        subscriptionId: subscriptionID,
        tenantId: identity?.spec.tenantID,
        location,
        resourceGroup: resourceGroup === cluster.name ? undefined : resourceGroup,
      }),
      access: sshKeys(objects),
      network,
      ...management,
      ...egressKeys(spec, {
        vnetCidr: textAt(network, "vnetCidr"),
        podCidr: textAt(network, "podCidr"),
        serviceCidr: textAt(network, "serviceCidr"),
        location: text(location),
      }),
      azureContainerRegistries: unlessNone(registryIds(registries, text(subscriptionID), variables)),
      secretFiles: secretFiles.length === 0 ? undefined : unknownSecret,
      controlPlane: withoutUndefined({
        ...controlPlaneKeys(objects.controlPlaneMachines, controlPlane.spec),
        healthCheck: isChecked
          ? healthCheckKeys(controlPlaneHealthCheck, undefined, common.hasHealthChecks)
          : undefined,
        deletion: deletionKeys(at(controlPlane.spec, "machineTemplate")),
      }),
      kubeletCertificates: kubeletCertificatesOf(spec),
      linuxPools: poolsOf("linux"),
      windowsPools: poolsOf("windows"),
      tags: isRecord(additionalTags) ? unlessEmpty(additionalTags) : undefined,
      addons: addonKeys(others),
      extraManifests: manifests.extraManifests,
    }),
    open: present(
      ...placed.open,
      secretFiles.length > 0 && {
        path: "secretFiles",
        what: `npx pulumi config set --secret capz-windows:secretFiles < FILE, a YAML mapping with ${secretFiles.join(", ")}; no secret is ever read`,
      },
    ),
    leftOut: present(
      ...placed.leftOut,
      namespace === "default" && {
        from: `Cluster ${cluster.name} in the namespace default`,
        why: "each cluster gets its own namespace, which is deleted with it",
        instead: "namespace",
      },
      (identity !== undefined || identityRef !== undefined) && {
        from: `AzureClusterIdentity ${identity?.name ?? textAt(identityRef, "name")}`,
        why: "the stack makes an identity with the smallest roles that work, federated with the management cluster and without a secret",
        instead: "clusterApi.identity, for one that the installed CAPZ can use already",
      },
      ...carried.flatMap((pool) => pool.leftOut),
      ...others.filter((object) => !manifests.carried.has(object)).flatMap(otherObject),
    ),
  };
}
