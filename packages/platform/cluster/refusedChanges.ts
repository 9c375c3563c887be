import { refusing } from "./updateHook";
import { major, minor, valid } from "semver";
import { calicoBlock } from "../network/defaults";
import { networkNames, nodeSubnetName } from "./naming";
import { keptWayOut, wayOutOf } from "./wayOut";
import { covers } from "../network/addressing";
import { encryptionIn, encryptionOf, encryptionText, refusedStep } from "../encryption/keys";
import { at, list, strings, text, textAt } from "capz-windows-kit/untyped";

/**
 * Changes of objects that Cluster API, CAPZ or Azure cannot carry out. The webhooks accept some of them, and the
 * cluster fails much later; they reject others with messages about internal fields. A Pulumi hook therefore checks
 * each update first, in previews too. plan/impact/rules says the same of each. Sources: CAPI v1.14.2 (Cluster,
 * KubeadmControlPlane), CAPZ v1.27.0 internal/webhooks (AzureCluster), and updates tried against their CRDs.
 */

interface Rule {
  readonly kind: string;
  /** Path from the object's root, with dots. */
  readonly path: string;
  /** What stands there, where a path alone does not lead to it, or where a missing field matters. */
  readonly read?: (object: unknown) => unknown;
  readonly refuses: (before: string, after: string) => boolean;
  /** Why the change is refused, and what to do instead. */
  readonly why: string | ((before: string, after: string) => string);
}

const differs = (before: string, after: string): boolean => before !== after;

const immutable =
  "this is immutable for the lifetime of a cluster: create a new cluster and move the workloads there";

/** The elements of a list that textOf wrote. */
const elementsOf = (text: string): string[] => strings(JSON.parse(text));

const versions = (test: (before: string, after: string) => boolean) => (before: string, after: string) =>
  valid(before) !== null && valid(after) !== null && test(before, after);

/** The block size in the Installation that a ClusterResourceSet delivers; "" in other ConfigMaps. */
const blockSizeIn = (object: unknown): string =>
  Object.values(at(object, "data") ?? {})
    .map(String)
    .filter((text) => /^kind: Installation$/m.test(text))
    .map((text) => /^ +(?:- )?blockSize: (\d+)$/m.exec(text)?.[1] ?? String(calicoBlock.calicos))
    .join("");

/** Whether an object delivers Calico's settings, of which one cannot be changed. */
export const hasBlockSize = (object: unknown): boolean => blockSizeIn(object) !== "";

/** Whether the network interfaces of a pool are what CAPZ writes itself: one in the subnet of the nodes. */
const isDefaultInterface = ([first, ...more]: readonly unknown[]): boolean =>
  more.length === 0 &&
  textAt(first, "subnetName") === nodeSubnetName &&
  at(first, "acceleratedNetworking") === undefined;

const subnetsOf = (object: unknown) => list(at(object, "spec", "networkSpec", "subnets"));

/** Whether the VNET of an AzureCluster is one of others: that of the stack has its name and its group from the cluster. */
export const isVnetOfOthers = (azureCluster: unknown): boolean => {
  const vnet = at(azureCluster, "spec", "networkSpec", "vnet");
  return (
    textAt(vnet, "name") !== networkNames(textAt(azureCluster, "metadata", "name")).vnet ||
    textAt(vnet, "resourceGroup") !== textAt(azureCluster, "spec", "resourceGroup")
  );
};

/** Where a list has elements that begin alike in both, but go on otherwise: `nodes: a` and `nodes: b`. */
const differsWithin = (before: string, after: string): boolean => {
  const now = new Map(elementsOf(after).map((text) => text.split(": ") as [string, string]));
  return elementsOf(before).some((text) => {
    const [name = "", value] = text.split(": ");
    return now.has(name) && now.get(name) !== value;
  });
};

const ownPool = "add a pool with it under another name, move the workload, and remove this one";

const olderMinor = versions(
  (before, after) =>
    major(after) < major(before) || (major(after) === major(before) && minor(after) < minor(before)),
);

const rules: readonly Rule[] = [
  {
    kind: "ConfigMap",
    path: "addons.calicoBlockSize",
    read: blockSizeIn,
    refuses: differs,
    why: "Calico does not change the blocks of a cluster that exists (calico v3.32.1 libcalico-go/lib/clientv3/ippool.go), and its operator would change no range of addresses any more: set addons.calicoBlockSize to the former value",
  },
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    // An older patch is possible: the webhook and KubeadmControlPlane take it, and a bad patch must be rolled back.
    refuses: versions((before, after) => minor(after) < minor(before)),
    why: "etcd and the API server cannot be downgraded: restore the previous kubernetesVersion",
  },
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    refuses: versions((before, after) => minor(after) - minor(before) > 1),
    why: "kubeadm upgrades one minor version at a time: set the next minor, run `pulumi up`, and repeat",
  },
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    // CAPI 1.11 removed the code that created kubelet-config-1.23 and kubelet-config for kubeadm join (CAPI #12303).
    refuses: versions((before, after) => minor(before) < 24 && minor(after) > minor(before)),
    why: "Cluster API no longer creates the ConfigMap that kubeadm join of the next version reads: create a new cluster instead (docs/older-kubernetes.md)",
  },
  {
    kind: "KubeadmControlPlane",
    path: "spec.version",
    refuses: versions((before, after) => minor(before) < 26 && minor(after) >= 26),
    why: "1.26 and newer use another cloud provider and another Calico installation, which cannot take over running nodes: create a new cluster instead (docs/older-kubernetes.md)",
  },
  {
    kind: "KubeadmControlPlane",
    path: "controlPlane.encryption",
    read: (object) => encryptionText(encryptionOf(object)),
    refuses: (before, after) => refusedStep(encryptionIn(before), encryptionIn(after)) !== undefined,
    why: (before, after) => refusedStep(encryptionIn(before), encryptionIn(after)) ?? "",
  },
  // The label selects the CNI add-on, which follows from the flavor.
  { kind: "Cluster", path: "metadata.labels.cni", refuses: differs, why: immutable },
  { kind: "Cluster", path: "spec.clusterNetwork.pods.cidrBlocks", refuses: differs, why: immutable },
  { kind: "Cluster", path: "spec.clusterNetwork.services.cidrBlocks", refuses: differs, why: immutable },
  ...[
    "subscriptionID",
    "resourceGroup",
    "location",
    "networkSpec.vnet.resourceGroup",
    "networkSpec.vnet.name",
  ].map((path): Rule => ({
    kind: "AzureCluster",
    path: `spec.${path}`,
    refuses: differs,
    why: immutable,
  })),
  {
    kind: "AzureCluster",
    path: "network.apiServer",
    // Type, address and zone are immutable (CAPZ v1.27.0 internal/webhooks/azurecluster_webhook.go).
    read: (object) => {
      const spec = at(object, "spec", "networkSpec");
      if (spec === undefined) {
        return "";
      }
      return textAt(spec, "apiServerLB", "type") === "Internal"
        ? `private, ${textAt(list(at(spec, "apiServerLB", "frontendIPs"))[0], "privateIP")} in ${textAt(spec, "privateDNSZoneName")}`
        : "public";
    },
    refuses: differs,
    why: immutable,
  },
  {
    kind: "AzureCluster",
    path: "spec.networkSpec.vnet.cidrBlocks",
    refuses: (before, after) => !covers(elementsOf(after), elementsOf(before)),
    why: "Azure does not take a range from a VNET while machines have addresses of it: a VNET can only grow",
  },
  ...["control-plane", "node"].map((role): Rule => ({
    kind: "AzureCluster",
    path: `spec.networkSpec.subnets[${role}].cidrBlocks`,
    read: (object) => subnetsOf(object).find((subnet) => subnet.role === role)?.cidrBlocks,
    refuses: differs,
    why: "Azure does not change the range of a subnet with machines: set network.controlPlaneSubnetCidr and network.nodeSubnetCidr to the present ranges",
  })),
  {
    kind: "AzureCluster",
    path: "spec.networkSpec.subnets[pools].cidrBlocks",
    // The first one of nodes is that of all pools without another one.
    read: (object) =>
      subnetsOf(object)
        .filter(({ role }) => role === "node")
        .slice(1)
        .map(({ name, cidrBlocks }) => `${text(name)}: ${strings(cidrBlocks).join(", ")}`),
    refuses: differsWithin,
    why: "Azure does not change the range of a subnet with machines: add a subnet under another name for a new pool, move the workload, and remove the old pool, and its subnet in a later `up`",
  },
  ...["control-plane", "node"].map((role): Rule => ({
    kind: "AzureCluster",
    path: `spec.networkSpec.subnets[${role}].name`,
    read: (object) => subnetsOf(object).find((subnet) => subnet.role === role)?.name,
    refuses: differs,
    why: "machines do not move to another subnet: restore the ARM ID in network.existing, or create a new cluster and move the workloads there",
  })),
  {
    kind: "AzureCluster",
    path: "spec.networkSpec.subnets[pools].name",
    // The first one of nodes is that of all pools without another one. A VNET of the stack changes before its machines do,
    // and there Azure refuses what is in use.
    read: (object) =>
      isVnetOfOthers(object)
        ? subnetsOf(object)
            .filter(({ role }) => role === "node")
            .slice(1)
            .map(({ name }) => name)
            .sort()
        : "",
    // Subnets may come with new pools and go with old ones.
    refuses: (before, after) => {
      const [was, is] = [elementsOf(before), elementsOf(after)];
      return was.some((name) => !is.includes(name)) && is.some((name) => !was.includes(name));
    },
    why: "machines do not move to another subnet: restore the ARM ID in network.existing; to use another subnet, add it for a new pool, move the workload, and remove the old pool and its subnet in a later `up`",
  },
  // CAPZ v1.27.0 internal/webhooks/azurecluster_validation.go (validateAzureClusterSubnetUpdate) refuses both;
  // azurecluster_default.go names the route table where the object names none.
  ...(["securityGroup", "routeTable"] as const).map((field): Rule => ({
    kind: "AzureCluster",
    path: `spec.networkSpec.subnets.${field}`,
    read: (object) => {
      const { routeTable } = networkNames(textAt(object, "metadata", "name"));
      const byDefault = field === "routeTable" ? routeTable : "";
      return subnetsOf(object).map(
        (subnet) => `${text(subnet.name)}: ${textAt(subnet, field, "name") || byDefault}`,
      );
    },
    refuses: differsWithin,
    why: `CAPZ keeps the ${field === "routeTable" ? "route table" : "security group"} of a subnet: restore network.existing, or create a new cluster and move the workloads there`,
  })),
  {
    kind: "AzureCluster",
    path: "network.outbound",
    read: wayOutOf,
    refuses: differs,
    why: `${keptWayOut.why}: ${keptWayOut.instead}`,
  },
  ...["spotVMOptions", "osDisk.diffDiskSettings"].map((field): Rule => ({
    kind: "AzureMachinePool",
    path: `spec.template.${field}`,
    read: (object) => at(object, "spec", "template", ...field.split(".")) ?? "nothing",
    refuses: differs,
    why: `Azure takes this for a scale set when it is created, and refuses every later update that has it: ${ownPool}`,
  })),
  {
    kind: "AzureMachinePool",
    path: "spec.template.networkInterfaces",
    read: (object) => list(at(object, "spec", "template", "networkInterfaces")),
    // CAPZ v1.27.0 azure/scope/machinepool.go (SetSubnetName) writes the list into an object without one.
    refuses: (before, after) =>
      before === "[]" && after !== "[]" && !isDefaultInterface(list(JSON.parse(after))),
    why: `CAPZ has written the list into the object, and leaves it out of every update of a scale set: ${ownPool}`,
  },
  {
    kind: "MachinePool",
    path: "spec.failureDomains",
    read: (object) => at(object, "spec", "failureDomains") ?? [],
    refuses: (before, after) => {
      const kept = elementsOf(after);
      return elementsOf(before).some((zone) => !kept.includes(zone));
    },
    why: "Azure can add zones to a scale set, but not remove them: add a pool with the zones that you want, move the workload, and remove this one",
  },
  ...["CoreProvider", "BootstrapProvider", "ControlPlaneProvider", "InfrastructureProvider"].map(
    (kind): Rule => ({
      kind,
      path: "spec.version",
      refuses: olderMinor,
      why: "objects are stored in newer API versions, and the operator of Cluster API refuses it: keep the version",
    }),
  ),
  {
    kind: "InfrastructureProvider",
    path: "spec.version",
    refuses: versions((before, after) => major(after) === major(before) && minor(after) - minor(before) > 1),
    why: "a release of CAPZ drops API versions of Azure Service Operator that the release before the previous one still stored: upgrade one minor version per `up`",
  },
];

/** Kinds of which a change may be refused. */
export const refusedKinds: readonly string[] = [...new Set(rules.map(({ kind }) => kind))];

/** A field as text that is equal for equal values; "" for one that is missing. */
function textOf(object: unknown, { path, read }: Rule): string {
  const value = read ? read(object) : at(object, ...path.split("."));
  if (value === undefined) {
    return "";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * The refused parts of a change, one line each; empty for a possible change.
 * @param before - the object as it was last applied
 * @param after - the object that the program now declares
 */
export function refusedChanges(before: unknown, after: unknown): string[] {
  const kind = textAt(after, "kind");
  return rules
    .filter((rule) => rule.kind === kind)
    .map((rule) => ({ ...rule, from: textOf(before, rule), to: textOf(after, rule) }))
    .filter(({ from, to, refuses }) => from !== "" && to !== "" && refuses(from, to))
    .map(
      ({ path, from, to, why }) =>
        `${path} from ${from} to ${to}: ${typeof why === "string" ? why : why(from, to)}`,
    );
}

/** Pulumi hook that runs before an update, and throws an Error with every change that is refused. */
export const refuseChanges = refusing(refusedChanges);
