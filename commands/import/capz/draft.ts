import { withoutUndefined } from "../../../tools/without";
import { autoscalerAnnotation } from "../../../bootstrap/autoscaler";
import { zonesOf } from "../values";
import { unknownSecret } from "../../../config/parse";
import { pullIdentityName } from "../../../platform/cluster/naming";
import { hybridBenefitAnnotation } from "../../../platform/machines/hybridBenefit";
import { at, isRecord, list, strings, text, textAt, type Plain } from "../../../tools/untyped";
import type { Draft, LeftOut } from "../findings";
import type { Variables } from "../variables";
import { addonKeys } from "./addons";
import { auditOf } from "./audit";
import { controlPlaneKeys, machineKeys, machineSpec, unlessEmpty } from "./machines";
import { bootstrapSpec, nodeKeys, type Carried } from "./nodes";
import { egressKeys } from "./egress";
import { extraKeys, sizeOf } from "./extras";
import { deletionKeys, healthCheckKeys } from "./health";
import { extraManifests } from "./manifests";
import { otherObject } from "./others";
import { registriesIn, registryIds } from "./registries";
import { loginOf } from "./login";
import { placedNetwork } from "./placedNetwork";
import { sshKeys } from "./sshKeys";
import { networkKeys } from "./subnets";
import type { ClusterObjects, PoolObjects } from "./roles";
import type { KubeletCertificates } from "../../../platform/cluster/kubeletCertificates";
import { present } from "../../../tools/present";

/** The keys of a stack file that describe a cluster of Cluster API. */

/** How the kubelets of a source get their serving certificates; nothing where they sign their own. */
function kubeletCertificatesOf(controlPlane: unknown): KubeletCertificates | undefined {
  const spec = at(controlPlane, "kubeadmConfigSpec");
  const isIssued = list(at(spec, "files")).some((file) => at(file, "content", "serverTLSBootstrap") === true);
  const isVerified = list(at(spec, "clusterConfiguration", "apiServer", "extraArgs")).some(
    ({ name }) => name === "kubelet-certificate-authority",
  );
  if (!isIssued) {
    return undefined;
  }
  return isVerified ? "verified" : "issued";
}

const plain = (value: unknown): Plain => (isRecord(value) ? value : {});

const autoscaleOf = ({ pool }: PoolObjects): Plain | undefined => {
  const [min, max] = [autoscalerAnnotation.min, autoscalerAnnotation.max].map((key) => pool.annotations[key]);
  return min === undefined || max === undefined ? undefined : { min: Number(min), max: Number(max) };
};

/** What the objects of all pools have in common. */
interface Common {
  readonly version: string;
  readonly networkSpec: unknown;
  /** Whether any machines of the cluster have a health check. */
  readonly hasHealthChecks: boolean;
}

function poolKeys(pool: PoolObjects, common: Common, made: PoolObjects | undefined): Carried {
  const { keys, leftOut } = nodeKeys(pool, made);
  const autoscale = autoscaleOf(pool);
  const zones = pool.pool.spec.failureDomains ?? at(pool.pool.spec, "template", "spec", "failureDomain");
  const isScaleSet = pool.kind === "MachinePool" || pool.os === "linux";
  const machines = autoscale === undefined ? sizeOf(pool) : Number(autoscale.min);
  return {
    keys: withoutUndefined({
      replicas: autoscale === undefined ? pool.pool.spec.replicas : undefined,
      autoscale,
      zones: zones === undefined ? undefined : zonesOf(zones),
      ...machineKeys(pool, common.version),
      ...extraKeys(pool, common.networkSpec),
      hybridBenefit: pool.pool.annotations[hybridBenefitAnnotation] === "true" ? true : undefined,
      healthCheck: isScaleSet
        ? undefined
        : healthCheckKeys(pool.healthCheck, machines, common.hasHealthChecks),
      deletion: deletionKeys(at(pool.pool.spec, "template"), isScaleSet),
      ...keys,
    }),
    leftOut: present(
      ...leftOut,
      !pool.pool.name.endsWith(pool.name) && {
        from: `${pool.pool.kind} ${pool.pool.name}`,
        why: "a pool's name has at most 40 lowercase letters, digits and '-', and begins with a letter",
        instead: `${pool.os}Pools.${pool.name}`,
      },
      isScaleSet &&
        pool.healthCheck !== undefined && {
          from: `MachineHealthCheck ${pool.healthCheck.name}`,
          why: "machines of a scale set are repaired by Azure: Cluster API remediates only machines that have a Machine object",
          instead: "windowsPools.<name>.kind: MachineDeployment, for Windows nodes with a health check",
        },
      pool.os === "linux" &&
        pool.kind === "MachineDeployment" && {
          from: `MachineDeployment ${pool.name}`,
          why: "Linux pools are always scale sets",
          instead: `linuxPools.${pool.name}, a scale set`,
        },
    ),
  };
}

const identityLeftOut = ({ identity, azureCluster }: ClusterObjects): LeftOut[] =>
  present(
    (identity !== undefined || at(azureCluster.spec, "identityRef") !== undefined) && {
      from: `AzureClusterIdentity ${identity?.name ?? textAt(azureCluster.spec, "identityRef", "name")}`,
      why: "the stack makes an identity with the smallest roles that work, federated with the management cluster and without a secret",
      instead: "clusterApi.identity, for one that the installed CAPZ can use already",
    },
  );

/**
 * Leaves out identities in the cluster's resource group: they were made with the cluster and are deleted with it. The
 * stack makes those that it needs itself.
 */
function withoutOwnIdentities(
  { keys, leftOut }: Carried,
  pool: PoolObjects,
  resourceGroup: string,
  pullIdentity: string,
): Carried {
  const ids = strings(keys.identityIds);
  const own = ids.filter((id) =>
    id.toLowerCase().includes(`/resourcegroups/${resourceGroup}/`.toLowerCase()),
  );
  const others = ids.filter((id) => !own.includes(id));
  return own.length === 0
    ? { keys, leftOut }
    : {
        keys: withoutUndefined({ ...keys, identityIds: others.length === 0 ? undefined : others }),
        leftOut: [
          ...leftOut,
          ...own
            .filter((id) => !id.endsWith(`/${pullIdentity}`))
            .map((id) => ({
              from: `${pool.machines.kind} ${pool.name} identity ${id.split("/").at(-1) ?? ""}`,
              why: "it is in the resource group of the cluster, and goes with it",
              instead:
                "azureContainerRegistries, for the identity that pulls images, or identityIds with one of another group",
            })),
        ],
      };
}

const isContainerd = (pool: PoolObjects): boolean =>
  JSON.stringify([
    pool.machines.annotations,
    machineSpec(pool).image,
    at(bootstrapSpec(pool), "joinConfiguration", "nodeRegistration", "criSocket"),
  ]).includes("containerd");

/** `dockershim`, up to Kubernetes 1.23, if no Windows pool has a sign of containerd. */
function flavorOf(pools: readonly PoolObjects[], version: string): "dockershim" | undefined {
  const windows = pools.filter(({ os }) => os === "windows");
  return /^v1\.(1\d|2[0-3])\./.test(version) && windows.length > 0 && !windows.some(isContainerd)
    ? "dockershim"
    : undefined;
}

/**
 * The draft of a stack like this cluster.
 * @param variables - values for the resource groups of registries, of which the objects have only the names
 * @param made - what a plan of the stack makes without files and commands, which are left out as long as no plan is known
 */
export function draftOf(objects: ClusterObjects, variables: Variables, made?: ClusterObjects): Draft {
  const { cluster, azureCluster, controlPlane, controlPlaneMachines, identity, pools } = objects;
  const azure = azureCluster.spec;
  const version = String(controlPlane.spec.version);
  const placed = placedNetwork(azureCluster);
  const network = networkKeys(cluster.spec, azure.networkSpec, placed.network);
  const egress = egressKeys(controlPlane.spec.kubeadmConfigSpec, {
    vnetCidr: text(network?.vnetCidr),
    podCidr: text(network?.podCidr),
    serviceCidr: text(network?.serviceCidr),
    location: text(azure.location),
  });
  const group = text(azure.resourceGroup) || cluster.name;
  const registries = registriesIn(pools.flatMap((pool) => list(bootstrapSpec(pool).files)));
  const checks = [objects.controlPlaneHealthCheck, ...pools.map(({ healthCheck }) => healthCheck)];
  const common: Common = {
    ...{ version, networkSpec: azure.networkSpec },
    hasHealthChecks: checks.some((check) => check !== undefined),
  };
  const { audit, leftOut: auditLeftOut } = auditOf(controlPlane.spec);
  const { authentication, leftOut: loginLeftOut } = loginOf(controlPlane.spec, version);
  const pullIdentity = registries.length === 0 ? "" : pullIdentityName(cluster.name);
  const carried = pools.map((pool) => {
    const planned = made?.pools.find(({ name, os }) => name === pool.name && os === pool.os);
    return { pool, ...withoutOwnIdentities(poolKeys(pool, common, planned), pool, group, pullIdentity) };
  });
  const poolsOf = (os: PoolObjects["os"]): Plain =>
    Object.fromEntries(
      carried.filter(({ pool }) => pool.os === os).map(({ pool, keys }) => [pool.name, keys]),
    );
  const resourceGroup = azure.resourceGroup;
  const { namespace } = cluster;
  const manifests = extraManifests(objects.others, cluster.name);
  const files = carried.flatMap(({ keys }) => list(keys.files));
  const secretFiles = [...new Set(files.flatMap((file) => textAt(file, "contentFrom", "secretFile") || []))];
  return {
    config: withoutUndefined({
      clusterName: cluster.name,
      namespace: ["", "default", cluster.name].includes(namespace) ? undefined : namespace,
      kubernetesVersion: version,
      flavor: flavorOf(pools, version),
      azure: withoutUndefined({
        subscriptionId: azure.subscriptionID,
        tenantId: identity?.spec.tenantID,
        location: azure.location,
        resourceGroup: resourceGroup === cluster.name ? undefined : resourceGroup,
      }),
      access: sshKeys(objects),
      network,
      ...placed.config,
      ...egress,
      azureContainerRegistries:
        registries.length === 0 ? undefined : registryIds(registries, text(azure.subscriptionID), variables),
      secretFiles: secretFiles.length === 0 ? undefined : unknownSecret,
      controlPlane: withoutUndefined({
        ...controlPlaneKeys(controlPlaneMachines, controlPlane.spec),
        audit,
        authentication,
        healthCheck:
          Number(controlPlane.spec.replicas) > 1 || objects.controlPlaneHealthCheck !== undefined
            ? healthCheckKeys(objects.controlPlaneHealthCheck, undefined, common.hasHealthChecks)
            : undefined,
        deletion: deletionKeys(at(controlPlane.spec, "machineTemplate")),
      }),
      kubeletCertificates: kubeletCertificatesOf(controlPlane.spec),
      linuxPools: poolsOf("linux"),
      windowsPools: poolsOf("windows"),
      tags: unlessEmpty(plain(azure.additionalTags)),
      ...addonKeys(objects.others),
      ...manifests.keys,
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
      ...identityLeftOut(objects),
      ...auditLeftOut,
      ...loginLeftOut,
      ...carried.flatMap(({ leftOut }) => leftOut),
      ...objects.others.filter((object) => !manifests.carried.has(object)).flatMap(otherObject),
    ),
  };
}
