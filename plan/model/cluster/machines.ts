import { controlPlaneName } from "capz-windows-platform/cluster/naming";
import { poolAccess } from "capz-windows-platform/cluster/access";
import { hybridBenefitCommand } from "capz-windows-platform/machines/hybridBenefit";
import { autoscalerAnnotation } from "capz-windows-platform/machines/autoscalerAnnotation";
import { imageText, type CapzImage } from "capz-windows-platform/machines/images";
import { firstNodeText, poolMachineNames, type NodeOs } from "capz-windows-platform/machines/naming";
import type { Taint } from "capz-windows-platform/machines/nodeLabels";
import { patchText } from "capz-windows-platform/machines/patchMonths";
import { poolKinds, type PoolKind } from "capz-windows-platform/machines/pools";
import { at, list, numberAt, strings, textAt } from "capz-windows-kit/untyped";
import { byName } from "../order";
import type { PlanResource } from "capz-windows-contract";
import { shortType } from "../resourceTypes";
import { clusterRoleDetails } from "./clusterRoles";
import { controlPlaneDetails, poolDetails } from "./poolDetails";
import { overridesField } from "./overrides";
import { parseUrn } from "../urn";
import { readDnsServers } from "./peerings";
import {
  childrenOf,
  componentsIn,
  isOfType,
  ofType,
  type ClusterSource,
  type PlanResources,
} from "./resources";
import type { NodeRange } from "./plainTypes";

const autoscalerLimit = (object: unknown, end: "min" | "max"): number | undefined => {
  const value = at(object, "metadata", "annotations", autoscalerAnnotation[end]);
  return value === undefined ? undefined : Number(value);
};

function autoscaleOf(object: unknown): NodeRange | undefined {
  const [min, max] = [autoscalerLimit(object, "min"), autoscalerLimit(object, "max")];
  return min === undefined ? undefined : { min, max: max ?? min };
}

/** "capi-win-2022-containerd 1.35.6" */
function shortImage({ computeGallery, marketplace, id }: CapzImage): string {
  if (computeGallery) {
    return `${computeGallery.name} ${computeGallery.version}`;
  }
  return marketplace ? `${marketplace.sku} ${marketplace.version}` : (id.split("/").at(-1) ?? "");
}

/** What a machine is made of: an AzureMachinePool describes it in place, an AzureMachineTemplate in a template. */
function machineOf(infrastructure: PlanResource | undefined) {
  const template = at(infrastructure?.inputs, "spec", "template");
  const isTemplate = infrastructure !== undefined && isOfType(infrastructure, "AzureMachineTemplate");
  const machine = isTemplate ? at(template, "spec") : template;
  // CAPZ reads the annotations of a template's machines from its inner metadata.
  const metadata = isTemplate ? at(template, "metadata") : at(infrastructure?.inputs, "metadata");
  const image = at(machine, "image") as CapzImage | undefined;
  const subnets = list(at(machine, "networkInterfaces")).map((one) => textAt(one, "subnetName"));
  return {
    vmSize: textAt(machine, "vmSize"),
    /** Of its network interfaces, the node's first; missing where CAPZ takes the only node subnet. */
    ...(subnets.some((subnet) => subnet !== "") ? { subnets } : {}),
    /** In full: gallery, definition and version, a Marketplace URN, or an ARM id. The short one is without gallery or publisher. */
    image: image === undefined ? "" : imageText(image),
    shortImage: image === undefined ? "" : shortImage(image),
    /** Windows Server release: "2022". */
    windowsServer: textAt(metadata, "annotations", "windowsServerVersion").replace(/^windows-/, ""),
    /** How old the Windows of the image is, in words. */
    patches: image === undefined ? "" : patchText(image),
  };
}

/** The default is a surge of 1 and none unavailable, with CAPZ as with Cluster API. */
function rolloutOf(kind: PoolKind, machines: PlanResource, infrastructure: PlanResource | undefined) {
  const rolling =
    kind === "MachinePool"
      ? at(infrastructure?.inputs, "spec", "strategy", "rollingUpdate")
      : at(machines.inputs, "spec", "rollout", "strategy", "rollingUpdate");
  const deletePolicy =
    kind === "MachinePool"
      ? textAt(rolling, "deletePolicy")
      : textAt(machines.inputs, "spec", "deletion", "order");
  // A number of machines, or a percentage such as "25%".
  return {
    maxSurge: (at(rolling, "maxSurge") ?? 1) as number | string,
    maxUnavailable: (at(rolling, "maxUnavailable") ?? 0) as number | string,
    ...(deletePolicy === "" ? {} : { deletePolicy }),
  };
}

/** A MachineDeployment has one failure domain for all its machines. */
const zonesOf = (kind: PoolKind, { inputs }: PlanResource): string[] =>
  kind === "MachinePool"
    ? strings(at(inputs, "spec", "failureDomains"))
    : [textAt(inputs, "spec", "template", "spec", "failureDomain")].filter((zone) => zone !== "");

/** Names of a pool's machines and the commands that reach them. */
function namesOf(
  { name, os, kind, replicas }: { name: string; os: NodeOs; kind: PoolKind; replicas: number },
  host: string,
  /** Of a pool that is to use licences of one's own. */
  licensedIn: string | undefined,
  surroundings: Parameters<typeof poolAccess>[3],
) {
  const names = poolMachineNames({ name, os, kind, replicas });
  return {
    /** Missing for a MachineDeployment, whose machines are in none. */
    ...(kind === "MachinePool" ? { scaleSet: names.computerNamePrefix } : {}),
    ...names,
    access: {
      ...poolAccess(host, firstNodeText(names), os, surroundings),
      ...(licensedIn !== undefined && {
        hybridBenefit: hybridBenefitCommand({ kind, ...names }, licensedIn),
      }),
    },
  };
}

/**
 * Cluster API copies no limit to machines of a scale set (CAPI v1.14.2 core/reconcilers/machinepool, computeDesiredMachine).
 * @param template - of machines
 */
function drainLimit(kind: PoolKind | "control plane", template: unknown): { drainLimitSeconds?: number } {
  const isOff = (what: string): boolean =>
    at(template, "metadata", "annotations", `machine.cluster.x-k8s.io/exclude-${what}`) !== undefined;
  const limit = (field: string): number =>
    (kind === "MachinePool" ? undefined : numberAt(template, "spec", "deletion", field)) ?? 0;
  // For Cluster API, 0 is no limit.
  const [drain, volumes] = [limit("nodeDrainTimeoutSeconds"), limit("nodeVolumeDetachTimeoutSeconds")];
  if (isOff("node-draining")) {
    return { drainLimitSeconds: volumes };
  }
  return drain === 0
    ? {}
    : { drainLimitSeconds: drain + (isOff("wait-for-node-volume-detach") ? 0 : volumes) };
}

function readPool(component: PlanResource, { resources, outputs }: ClusterSource, host: string) {
  const children = childrenOf(resources, component);
  const [machines] = ofType(children, ...poolKinds);
  if (machines === undefined) {
    return undefined;
  }
  const kind = shortType(machines.type) as PoolKind;
  const [infrastructure] = ofType(children, "AzureMachinePool", "AzureMachineTemplate");
  const [bootstrap] = ofType(children, "KubeadmConfig", "KubeadmConfigTemplate");
  const [healthCheck] = ofType(children, "MachineHealthCheck");
  const os: NodeOs = isOfType(component, "WindowsPool") ? "windows" : "linux";
  const name = textAt(machines.inputs, "metadata", "name");
  const autoscale = autoscaleOf(machines.inputs);
  const replicas = autoscale?.min ?? numberAt(machines.inputs, "spec", "replicas") ?? 1;
  const { windowsServer, patches, ...machine } = machineOf(infrastructure);
  const details = poolDetails(component, os);
  const taints = list(at(component.inputs, "taints")) as unknown as readonly Taint[];
  const [azureCluster] = ofType(resources, "AzureCluster");
  const licensedIn =
    at(component.inputs, "hybridBenefit") === true
      ? textAt(azureCluster?.inputs, "spec", "resourceGroup")
      : undefined;
  return {
    name,
    os,
    kind,
    ...(windowsServer === "" ? {} : { windowsServer }),
    ...(os === "windows" && patches !== "" ? { patches } : {}),
    /** Wanted machines; with an autoscaler, which decides how many there are, its smallest number. */
    replicas,
    ...(autoscale === undefined ? {} : { autoscale }),
    /** Of Kubernetes, with leading v. */
    version: textAt(machines.inputs, "spec", "template", "spec", "version"),
    ...machine,
    /** Availability zones; none means regional. */
    zones: zonesOf(kind, machines),
    rollout: rolloutOf(kind, machines, infrastructure),
    /** How long a machine may be drained, and wait for its volumes, before it is deleted; missing where there is no limit. */
    ...drainLimit(kind, at(machines.inputs, "spec", "template")),
    /** Of a scale set whose nodes are drained before it is deleted, because it is removed from the stack. */
    ...(componentsIn(resources, "ScaleSets").some(
      ({ inputs }) => at(inputs, "pools", name, "drainBeforeRemoval") === true,
    ) && { drainBeforeRemoval: true as const }),
    ...namesOf({ name, os, kind, replicas }, host, licensedIn, {
      stack: parseUrn(component.urn).stack,
      hasOtherDns:
        readDnsServers(resources).length > 0 || componentsIn(resources, "ExistingNetwork").length > 0,
      wayIn: outputs.wayIn,
    }),
    /** Beside those by which add-ons know nodes; missing where the pool has none. */
    ...(taints.length === 0 ? {} : { taints }),
    /** Whether Azure may take its machines back at any time. */
    ...(at(component.inputs, "spot") === undefined ? {} : { spot: true }),
    /** What it has beyond what every one has, in words: labels, taints, limits. */
    ...(details.length === 0 ? {} : { details }),
    /** Fields of its objects that the stack file overrides: `AzureMachinePool spec.template.diagnostics`. */
    ...overridesField(component),
    /** URNs; `machines` are the MachinePool or MachineDeployment, `infrastructure` the AzureMachinePool or AzureMachineTemplate. */
    members: {
      component: component.urn,
      machines: machines.urn,
      ...(infrastructure === undefined ? {} : { infrastructure: infrastructure.urn }),
      ...(bootstrap === undefined ? {} : { bootstrap: bootstrap.urn }),
      ...(healthCheck === undefined ? {} : { healthCheck: healthCheck.urn }),
    },
  };
}

/**
 * Every pool, found by its component.
 * @param host of the workload cluster's API server, through which people reach the nodes
 */
export const readPools = (source: ClusterSource, host: string) =>
  componentsIn(source.resources, "LinuxPool", "WindowsPool")
    .flatMap((component) => readPool(component, source, host) ?? [])
    .sort(byName);

export function readControlPlane(resources: PlanResources, clusterName: string) {
  const [component] = componentsIn(resources, "LinuxControlPlane");
  const children = component === undefined ? [] : childrenOf(resources, component);
  const [controlPlane] = ofType(children, "KubeadmControlPlane");
  if (component === undefined || controlPlane === undefined) {
    return undefined;
  }
  const [infrastructure] = ofType(children, "AzureMachineTemplate");
  const [healthCheck] = ofType(children, "MachineHealthCheck");
  const { vmSize, image, shortImage: short } = machineOf(infrastructure);
  const details = [...controlPlaneDetails(component), ...clusterRoleDetails(resources)];
  return {
    name: textAt(controlPlane.inputs, "metadata", "name") || controlPlaneName(clusterName),
    replicas: numberAt(controlPlane.inputs, "spec", "replicas") ?? 1,
    /** Machines beyond the wanted number while they are replaced; 1 is Cluster API's default, too. */
    maxSurge: numberAt(controlPlane.inputs, "spec", "rollout", "strategy", "rollingUpdate", "maxSurge") ?? 1,
    vmSize,
    version: textAt(controlPlane.inputs, "spec", "version"),
    image,
    shortImage: short,
    ...drainLimit("control plane", at(controlPlane.inputs, "spec", "machineTemplate")),
    ...(details.length === 0 ? {} : { details }),
    ...overridesField(component),
    /** Whether `pulumi up` waits until it is upgraded before it changes what must not be newer. */
    ...(resources.some(({ type }) => shortType(type) === "KubeadmControlPlanePatch")
      ? { ordersUpgrades: true as const }
      : {}),
    members: {
      component: component.urn,
      controlPlane: controlPlane.urn,
      ...(infrastructure === undefined ? {} : { infrastructure: infrastructure.urn }),
      ...(healthCheck === undefined ? {} : { healthCheck: healthCheck.urn }),
    },
  };
}
