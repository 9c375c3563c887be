import type { Fact } from "../facts";
import type { Row } from "../row";
import { about, coming, find } from "../row";
import { textAt } from "../../model/untyped";
import { machines } from "../scene";
import { arrow, said } from "../words";

/** What makes a cluster this cluster: its name, where it stands, its networks. */

const webhook = "CAPZ v1.26.0 internal/webhooks/azurecluster_webhook.go, ValidateUpdate";
const ownCluster = "make a second stack beside this one, move the workload, and destroy the old one";

/**
 * Is a fact no more than the change of one value in all that is made of it? So also what is replaced for another one's
 * sake.
 */
const follows =
  (before: string, after: string) =>
  ({ property, kind, type }: Fact): boolean =>
    kind === "replace" && type !== "AzureMachineTemplate"
      ? true
      : property?.before === undefined || property.after === undefined
        ? property !== undefined && [before, after].some((text) => property.path.includes(text))
        : JSON.stringify(property.before).replaceAll(before, after) ===
          JSON.stringify(property.after ?? null);

/** A field of AzureCluster that CAPZ's webhook keeps, and everything else that the same setting changes. */
const fixedField = (rule: string, path: RegExp, setting: string, why: string): Row => ({
  rule,
  severity: "refused",
  source: webhook,
  per: "stack",
  match: about("AzureCluster", path),
  claims: (fact, facts) => {
    const { before, after } = find(facts, path) ?? {};
    return follows(said(before), said(after))(fact);
  },
  tell: (facts) => {
    const { before, after } = find(facts, path) ?? {};
    return {
      what: `The cluster cannot change its ${setting}: ${arrow(before, after)}`,
      why,
      instead: ownCluster,
    };
  },
});

export const clusterRows: readonly Row[] = [
  {
    rule: "stack-removed",
    severity: "destroys",
    source:
      "https://www.pulumi.com/docs/iac/concepts/secrets/ (the stack file holds the key of the state's secrets)",
    per: "stack",
    match: (_, { after }) => after === undefined,
    claims: () => true,
    tell: (_, scene) => ({
      what: "The stack's file is gone: nothing manages its cluster any more, and nothing can remove it in order",
      why: "Pulumi deletes nothing by itself, but the file holds the stack's settings and the key of its secrets",
      nodes: machines(scene),
      instead: "run `pulumi destroy` first, and remove the file when the stack is empty",
    }),
  },
  {
    rule: "stack-new",
    severity: "changes",
    source: "project",
    per: "stack",
    match: (_, { before }) => before === undefined,
    claims: () => true,
    tell: (facts) => ({
      what: `A new stack: ${facts.filter(({ custom }) => custom).length} resources are made`,
      why: "the older side has no file of this stack",
    }),
  },
  {
    rule: "protected",
    severity: "refused",
    source: "Pulumi pkg/resource/deploy/step.go and step_generator.go (protect)",
    per: "stack",
    adds: true,
    match: ({ kind, before, after }) =>
      before?.options.protect === true &&
      (kind === "delete" || (kind === "replace" && after?.options.protect === true)),
    tell: (facts) => {
      const names = [...new Set(facts.map(({ resource }) => resource.name))];
      return {
        what: `Pulumi refuses to delete what is protected: ${names.join(", ")}`,
        why: "protect: true (the default) keeps what cannot be brought back",
        instead:
          "check that it is meant; then write protect: false, run `up`, and make this change after that",
      };
    },
  },
  {
    rule: "another-cluster",
    severity: "destroys",
    source:
      "@pulumi/kubernetes 4 provider/pkg/provider/diff.go (metadata.name); project (names follow clusterName)",
    per: "stack",
    match: about("Cluster", /^metadata\.name$/),
    claims: () => true,
    tell: (facts, scene) => {
      const { before, after } = find(facts, /^metadata\.name$/) ?? {};
      return {
        what: `clusterName ${arrow(before, after)} is another cluster: the old one is deleted with all its machines, addresses and data`,
        why: "nearly every name in Azure and in the management cluster follows from it",
        nodes: machines(scene),
        instead: `leave the name; for a new cluster ${ownCluster}`,
      };
    },
  },
  {
    rule: "another-subscription",
    severity: "destroys",
    source: `${webhook} (spec.subscriptionID)`,
    per: "stack",
    match: about("AzureCluster", /^spec\.subscriptionID$/),
    claims: () => true,
    tell: (facts, scene, group) => {
      const { before, after } = find(facts, /subscriptionID/) ?? {};
      const moves = group.some(({ type, path }) => type === "kubernetes" && path === "clusterIdentifier");
      return {
        what: `The cluster cannot move to another subscription: ${arrow(before, after)}`,
        why: moves
          ? "everything is made anew there, the management cluster too, and what stands in the old one is deleted or left to nobody"
          : "AzureCluster.spec.subscriptionID is immutable, and nothing in Azure moves along",
        ...(moves ? { nodes: machines(scene) } : { severity: "refused" as const }),
        instead: ownCluster,
      };
    },
  },
  {
    rule: "another-namespace",
    severity: "destroys",
    source: "@pulumi/kubernetes 4 provider/pkg/provider/diff.go (metadata.namespace)",
    per: "stack",
    match: about("Cluster", /^metadata\.namespace$/),
    claims: ({ resource }) => resource.type.startsWith("kubernetes:"),
    tell: (facts, scene) => {
      const { before, after } = find(facts, /^metadata\.namespace$/) ?? {};
      return {
        what: `namespace ${arrow(before, after)} deletes the cluster and makes another`,
        why: "an object cannot move to another namespace, and Cluster API removes the machines of a deleted Cluster",
        nodes: machines(scene),
        instead: "leave the namespace as it is",
      };
    },
  },
  {
    rule: "another-management-cluster",
    severity: "destroys",
    source: "@pulumi/kubernetes 4 DiffConfig (clusterIdentifier)",
    per: "stack",
    match: ({ resource, path }) =>
      resource.type === "pulumi:providers:kubernetes" && path === "clusterIdentifier",
    claims: ({ resource, subject }) => resource.type.startsWith("kubernetes:") || subject === "management",
    tell: (facts, scene) => {
      const { before, after } = find(facts, /^clusterIdentifier$/) ?? {};
      return {
        what: `Another management cluster (${arrow(before, after)}): the cluster is deleted in the old one and made anew in the new one`,
        why: "management.name (or the AKS cluster's id) tells Pulumi which cluster it talks to; every object of the stack hangs on it",
        nodes: machines(scene),
        instead:
          "keep management.name when the cluster is the same; to move, use `clusterctl move` and import the objects",
      };
    },
  },
  {
    rule: "cluster-deleted",
    severity: "destroys",
    source: "CAPI v1.13 Cluster finalizer",
    match: coming("delete", "Cluster"),
    claims: ({ subject }) => subject === "cluster",
    tell: ([fact], scene) => ({
      what: `The cluster ${textAt(fact.before?.inputs, "metadata", "name")} is deleted with all its machines, addresses and data`,
      why: "its object is no longer in the plan, and Cluster API takes apart what belongs to it",
      nodes: machines(scene),
    }),
  },
  fixedField(
    "location",
    /^spec\.location$/,
    "region",
    "AzureCluster.spec.location is immutable; resource group, VNET, addresses and identities would be deleted and made again, and the API server's name has the region in it",
  ),
  fixedField(
    "resource-group",
    /^spec\.resourceGroup$/,
    "resource group",
    "AzureCluster.spec.resourceGroup is immutable; everything in the old group would be deleted, and the API server's name hangs on it",
  ),
  {
    rule: "pod-network",
    severity: "refused",
    source:
      "project: domain/capi/refusedChanges.ts (no webhook refuses it: tried with CAPI v1.14 and CAPZ v1.26.0)",
    match: about("Cluster", /^spec\.clusterNetwork\.pods\b/),
    tell: (facts) => {
      const { before, after } = find(facts, /pods/) ?? {};
      return {
        what: `The pod network cannot change: ${arrow(before, after)}`,
        why: "running nodes, Calico's pool and the controller manager keep the old one; no webhook refuses it, the program does",
        instead: ownCluster,
      };
    },
  },
  {
    rule: "service-network",
    severity: "refused",
    source:
      "https://kubernetes.io/docs/reference/command-line-tools-reference/kube-apiserver/ (service-cluster-ip-range)",
    match: about("Cluster", /^spec\.clusterNetwork\.services\b/),
    tell: (facts) => {
      const { before, after } = find(facts, /services/) ?? {};
      return {
        what: `The service network cannot change: ${arrow(before, after)}`,
        why: "the API server's certificate, its own Service and cluster DNS have addresses of the old one",
        instead: ownCluster,
      };
    },
  },
  {
    rule: "azure-cluster-immutable-field",
    severity: "refused",
    source: webhook,
    match: about(
      "AzureCluster",
      /^spec\.(azureEnvironment|controlPlaneEndpoint|cloudProviderConfigOverrides|networkSpec\.(vnet\.(name|resourceGroup)|privateDNSZone|apiServerLB\.(name|type|sku|availabilityZones)|controlPlaneOutboundLB|nodeOutboundLB)|networkSpec\.subnets\[[^\]]*\]\.(routeTable|natGateway|securityGroup)\.name)/,
    ),
    tell: (facts) => ({
      what: `CAPZ refuses a change of ${facts.map(({ path }) => path).join(", ")}`,
      why: "these fields of AzureCluster are immutable",
    }),
  },
];
