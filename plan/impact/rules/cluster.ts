import { textAt } from "capz-windows-kit/untyped";
import type { Difference } from "../differences";
import { formatChange, formatList, formatValue } from "../format";
import { changeText, findChange, lifecycle, touches, within, type ImpactRule } from "../impactRule";
import { machinesToday } from "../machines";

/** What cannot change without another cluster: its name, its place in Azure, its networks. */

const webhook = "CAPZ v1.27.0 internal/webhooks/azurecluster_webhook.go, ValidateUpdate";
const ownCluster = "create a second stack beside this one, move the workload, and destroy the old one";

/** Is a difference nothing but one value replaced by another? Then it has the same cause as the change of that value. */
function follows(before: string, after: string, { property, kind, type }: Difference): boolean {
  if (kind === "replace" && type !== "AzureMachineTemplate") {
    return true;
  }
  if (property === undefined) {
    return false;
  }
  return property.before === undefined || property.after === undefined
    ? [before, after].some((text) => property.path.includes(text))
    : JSON.stringify(property.before).replaceAll(before, after) === JSON.stringify(property.after ?? null);
}

/** Is it an object that stays the same one, and would belong to another cluster? */
const keepsItsCluster = (difference: Difference): boolean =>
  difference.kind === "update" &&
  touches(["MachinePool", "MachineDeployment", "MachineHealthCheck"], /^spec\.clusterName$/)(difference);

/** A field of AzureCluster that CAPZ's webhook keeps, and everything else that the same setting changes. */
const fixedField = (id: string, path: RegExp, setting: string, why: string): ImpactRule => ({
  id,
  severity: "refused",
  source: webhook,
  per: "stack",
  match: touches("AzureCluster", path),
  claims: (difference, matched) => {
    const { before, after } = findChange(matched, path) ?? {};
    return follows(formatValue(before), formatValue(after), difference);
  },
  explain: (matched) => ({
    what: `The cluster cannot change its ${setting}: ${changeText(matched, path)}`,
    why,
    instead: ownCluster,
  }),
});

export const clusterRules: readonly ImpactRule[] = [
  {
    id: "stack-removed",
    severity: "destroys",
    source:
      "https://www.pulumi.com/docs/iac/concepts/secrets/ (the stack file holds the key of the state's secrets)",
    per: "stack",
    match: (_, { head }) => head === undefined,
    claims: () => true,
    what: "The stack file is removed: nothing manages the cluster any more, and nothing can delete it in order",
    why: "Pulumi does not delete anything by itself, but the file holds the stack's settings and the key of its secrets",
    instead: "run `pulumi destroy` first, and remove the file once the stack is empty",
    nodes: (_, clusters) => machinesToday(clusters),
  },
  {
    id: "stack-new",
    source: "project",
    per: "stack",
    match: (_, { base }) => base === undefined,
    claims: () => true,
    what: "A new stack is created",
    why: "the base has no file of this stack",
  },
  {
    id: "protected",
    severity: "refused",
    source: "Pulumi pkg/resource/deploy/step.go and step_generator.go (protect)",
    per: "stack",
    informational: true,
    match: ({ kind, base, head }) =>
      base?.options.protect === true &&
      (kind === "delete" || (kind === "replace" && head?.options.protect === true)),
    what: (matched) => {
      const names = [...new Set(matched.map(({ resource }) => resource.name))];
      return `Pulumi refuses to delete protected resources: ${names.join(", ")}`;
    },
    why: "protect: true (the default) keeps what cannot be restored",
    instead:
      "check that this is intended; then set protect: false, run `up`, and make this change after that",
  },
  {
    id: "another-cluster",
    severity: "destroys",
    source:
      "@pulumi/kubernetes 4 provider/pkg/provider/diff.go (metadata.name); CAPI v1.14.2 core/webhooks/admission (spec.clusterName); project (names follow clusterName)",
    per: "stack",
    match: touches("Cluster", /^metadata\.name$/),
    claims: () => true,
    explain: (matched, clusters, group) => {
      const { before, after } = findChange(matched, /^metadata\.name$/) ?? {};
      const fixed = group.filter(keepsItsCluster).map(({ head }) => textAt(head?.inputs, "metadata", "name"));
      const another = `clusterName ${formatChange(before, after)} is another cluster`;
      const instead = `keep the name; for a new cluster, ${ownCluster}`;
      return fixed.length > 0
        ? {
            severity: "refused",
            what: `${another}, and ${formatList([...new Set(fixed)])} cannot move to it`,
            why: "in a namespace of their own name, pools and health checks stay the same objects, and spec.clusterName is immutable in them",
            instead,
          }
        : {
            what: `${another}: the old one is deleted with all its machines, addresses and data`,
            why: "nearly every name in Azure and in the management cluster is derived from it",
            nodes: machinesToday(clusters),
            instead,
          };
    },
  },
  {
    id: "another-subscription",
    severity: "destroys",
    source: `${webhook} (spec.subscriptionID)`,
    per: "stack",
    match: touches("AzureCluster", /^spec\.subscriptionID$/),
    claims: () => true,
    explain: (matched, clusters, group) => {
      const { before, after } = findChange(matched, /subscriptionID/) ?? {};
      const moves = group.some(({ type, path }) => type === "kubernetes" && path === "clusterIdentifier");
      return {
        what: `The cluster cannot move to another subscription: ${formatChange(before, after)}`,
        why: moves
          ? "everything would be created again there, including the management cluster, and what exists in the old subscription would be deleted or left unmanaged"
          : "AzureCluster.spec.subscriptionID is immutable, and nothing in Azure moves along",
        ...(moves ? { nodes: machinesToday(clusters) } : { severity: "refused" as const }),
        instead: ownCluster,
      };
    },
  },
  {
    id: "another-namespace",
    severity: "destroys",
    source: "@pulumi/kubernetes 4 provider/pkg/provider/diff.go (metadata.namespace)",
    per: "stack",
    match: touches("Cluster", /^metadata\.namespace$/),
    claims: ({ resource }) => resource.type.startsWith("kubernetes:"),
    what: (matched) =>
      `namespace ${changeText(matched, /^metadata\.namespace$/)} deletes the cluster and creates another one`,
    why: "an object cannot move to another namespace, and Cluster API removes the machines of a deleted Cluster",
    instead: "keep the namespace",
    nodes: (_, clusters) => machinesToday(clusters),
  },
  {
    id: "another-management-cluster",
    severity: "destroys",
    source: "@pulumi/kubernetes 4 DiffConfig (clusterIdentifier)",
    per: "stack",
    // The sample's provider names the workload cluster.
    match: (difference) =>
      within("management")(difference) &&
      difference.resource.type === "pulumi:providers:kubernetes" &&
      difference.path === "clusterIdentifier",
    claims: (difference) =>
      difference.resource.type.startsWith("kubernetes:") || within("management")(difference),
    what: (matched) =>
      `Another management cluster (${changeText(matched, /^clusterIdentifier$/)}): the cluster is deleted in the old one and created again in the new one`,
    why: "management.name (or the id of the AKS cluster, of this stack or of management.stack) tells Pulumi with which cluster it communicates, and every object of the stack depends on it",
    instead:
      "keep management.name or management.stack if the cluster is the same; a cluster cannot move, because Pulumi's state does not follow `clusterctl move`",
    nodes: (_, clusters) => machinesToday(clusters),
  },
  {
    id: "cluster-deleted",
    severity: "destroys",
    source: "CAPI v1.14.2 core/reconcilers/cluster/cluster_controller.go (finalizer)",
    match: lifecycle("delete", "Cluster"),
    claims: within("cluster"),
    what: ([{ base }]) =>
      `The cluster ${textAt(base?.inputs, "metadata", "name")} is deleted with all its machines, addresses and data`,
    why: "its object is no longer in the plan, and Cluster API deletes everything that belongs to it",
    nodes: (_, clusters) => machinesToday(clusters),
  },
  fixedField(
    "location",
    /^spec\.location$/,
    "region",
    "AzureCluster.spec.location is immutable; resource group, VNET, addresses and identities would be deleted and created again, and the API server's name contains the region",
  ),
  fixedField(
    "resource-group",
    /^spec\.resourceGroup$/,
    "resource group",
    "AzureCluster.spec.resourceGroup is immutable; everything in the old group would be deleted, and the API server's name is derived from it",
  ),
  {
    id: "pod-network",
    severity: "refused",
    source:
      "project: packages/platform/cluster/refusedChanges.ts (no webhook refuses it: tried with CAPI v1.14.2 and CAPZ v1.27.0)",
    match: touches("Cluster", /^spec\.clusterNetwork\.pods\b/),
    what: (matched) => `The pod network cannot change: ${changeText(matched, /pods/)}`,
    why: "running nodes, Calico's IP pool and the controller manager keep the old one; no webhook refuses it, so the program does",
    instead: ownCluster,
  },
  {
    id: "service-network",
    severity: "refused",
    source:
      "https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/ (service-cluster-ip-range)",
    match: touches("Cluster", /^spec\.clusterNetwork\.services\b/),
    what: (matched) => `The service network cannot change: ${changeText(matched, /services/)}`,
    why: "the API server's certificate, its own Service and the cluster DNS have addresses of the old one",
    instead: ownCluster,
  },
  {
    id: "azure-cluster-immutable-field",
    severity: "refused",
    source: webhook,
    match: touches(
      "AzureCluster",
      /^spec\.(azureEnvironment|controlPlaneEndpoint|cloudProviderConfigOverrides|networkSpec\.(vnet\.(name|resourceGroup)|privateDNSZone|apiServerLB(?!\.privateLinks)|controlPlaneOutboundLB|nodeOutboundLB)|networkSpec\.subnets\[[^\]]*\]\.(routeTable|(natGateway|securityGroup)\.name))/,
    ),
    what: (matched) => `CAPZ refuses a change of ${formatList(matched.map(({ path }) => path))}`,
    why: "these fields of AzureCluster are immutable: network.apiServer, network.outbound, and the names in network.existing",
    instead: ownCluster,
  },
];
