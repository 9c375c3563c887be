import type { PlanDocument } from "../../../../commands/plan/model/planDocument";
import { withInput, without } from "../../../support/planDocuments";
import type { Case } from "../plans";

const calico = (document: PlanDocument) => {
  const data = document.resources.find(({ name }) => name === "kube-proxy-windows-part-1")!.inputs.data;
  return Object.entries(data as Record<string, string>)[0]!;
};

const withAddonText = (document: PlanDocument, change: (text: string) => string): PlanDocument => {
  const [key, text] = calico(document);
  return withInput(document, "kube-proxy-windows-part-1", ["data", key], change(text));
};

/** The document with a change in the manifest of the Azure Disk add-on. */
const withDisks = (document: PlanDocument, change: (text: string) => string): PlanDocument => {
  const data = document.resources.find(({ name }) => name === "azure-disk-part-1")!.inputs.data;
  const [key, text] = Object.entries(data as Record<string, string>)[0]!;
  return withInput(document, "azure-disk-part-1", ["data", key], change(text));
};

/** The document with another version in the comment that names the manifest of Calico's operator. */
export const withCalico = (document: PlanDocument, version: string): PlanDocument => {
  const data = document.resources.find(({ name }) => name === "calico-part-1")!.inputs.data;
  const [key, text] = Object.entries(data as Record<string, string>)[0]!;
  return withInput(
    document,
    "calico-part-1",
    ["data", key],
    text.replace(/tigera-operator v[0-9.]+:/, `tigera-operator ${version}:`),
  );
};

export const otherCases: readonly Case[] = [
  {
    rule: "pool-licence",
    severity: "metadata",
    to: "registries",
    what: "Windows pool win2 is to use licences of your own: nothing changes by itself",
    instead:
      "az vmss update --resource-group blue --name win2 --license-type Windows_Server && az vmss update-instances",
  },
  {
    rule: "secret-files",
    severity: "changes",
    to: "registries",
    what: "The Secret blue-secret-files is made: contents of files for new nodes",
  },
  {
    rule: "addon-applied-once",
    severity: "changes",
    from: "manifests",
    to: "otherManifests",
    what: "Other contents of extra-own do not reach the workload cluster",
    instead: "strategy: Reconcile",
  },
  {
    rule: "addon-set-replaced",
    severity: "changes",
    from: "manifests",
    to: "reconciled",
    what: "extra-own is delivered by another set: strategy ApplyOnce → Reconcile; nothing is deleted in the workload cluster",
  },
  {
    rule: "tags",
    severity: "metadata",
    edit: (document) => withInput(document, "network-nat", ["tags", "owner"], "me"),
    what: "Azure tags change on 1 resource: owner",
  },
  {
    rule: "protect-off",
    severity: "metadata",
    to: "base",
    from: "protected",
    what: "No longer protected: cluster-api-namespace, management-aks-cluster, management-aks-resource-group, network-vnet, network-resource-group and cluster-cluster",
    instead: "protect: true again",
  },
  {
    rule: "protect-on",
    severity: "metadata",
    to: "more",
    what: "Protected from now on: cluster-api-namespace, management-aks-cluster, management-aks-resource-group, network-vnet, network-resource-group and cluster-cluster",
  },
  {
    rule: "sdk-version",
    severity: "metadata",
    edit: (document) => ({
      ...document,
      resources: document.resources.map((resource) =>
        resource.name === "azure" ? { ...resource, options: { version: "9.9.9" } } : resource,
      ),
    }),
    editBefore: (document) => ({
      ...document,
      resources: document.resources.map((resource) =>
        resource.name === "azure" ? { ...resource, options: { version: "9.9.8" } } : resource,
      ),
    }),
    what: "Provider azure changes its version: 9.9.8 → 9.9.9",
  },
  {
    rule: "pulumi-options",
    severity: "metadata",
    edit: (document) => ({
      ...document,
      resources: document.resources.map((resource) =>
        resource.name === "network-nat" ? { ...resource, options: { retainOnDelete: true } } : resource,
      ),
    }),
    what: "Pulumi treats network-nat differently: retainOnDelete",
  },
  {
    rule: "pulumi-annotations",
    severity: "metadata",
    editBefore: (document) =>
      without(document, ({ name }) => name === "cluster-api-providers-core-installed"),
    edit: (document) =>
      withInput(document, "cluster-cluster", ["metadata", "annotations", "pulumi.com/waitFor"], "x"),
    what: "What `pulumi up` waits for changes: cluster-cluster and cluster-api-providers-core-installed",
  },
  {
    rule: "description",
    severity: "metadata",
    edit: (document) =>
      withInput(document, "network-control-plane-nsg", ["securityRules", "0", "description"], "x"),
    what: "Descriptions change: network-control-plane-nsg",
  },
  {
    rule: "addon-removed",
    severity: "changes",
    edit: (document) => without(document, ({ name }) => name.startsWith("kube-proxy-windows")),
    what: "Add-on kube-proxy-windows is no longer delivered; what it delivered stays in the workload cluster",
    instead: "after `pulumi up`",
    commands: [
      "kubectl --kubeconfig workload.kubeconfig delete --ignore-not-found -n kube-system daemonset/kube-proxy-windows",
    ],
  },
  {
    rule: "cni-left",
    severity: "changes",
    edit: (document) => without(document, ({ name }) => name.startsWith("calico")),
    what: "Calico is no longer delivered; it stays in the workload cluster, also for new nodes, and nothing updates it any more",
    instead: "two CNIs on a node take each other's pods",
  },
  {
    rule: "cni-installed",
    severity: "destroys",
    editBefore: (document) => without(document, ({ name }) => name.startsWith("calico")),
    what: "Calico is installed in a cluster that has another CNI, or none: the network of every pod may fail",
    instead: "addons.cni: none",
  },
  {
    rule: "addon-created",
    severity: "changes",
    editBefore: (document) => without(document, ({ name }) => name.startsWith("kube-proxy-windows")),
    what: "Add-on kube-proxy-windows is delivered to the workload cluster",
  },
  {
    rule: "addon-set-immutable",
    severity: "refused",
    edit: (document) => withInput(document, "calico-set", ["spec", "strategy"], "ApplyOnce"),
    what: "ClusterResourceSet calico cannot change spec.strategy",
    instead: "another name",
  },
  {
    rule: "addon-selector-immutable",
    severity: "refused",
    edit: (document) =>
      withAddonText(document, (text) => text.replace("matchLabels:", "matchLabels:\n      x: y")),
    what: "DaemonSet kube-proxy-windows cannot change its selector",
    instead: "delete the object",
    also: ["addon-changes"],
  },
  {
    rule: "storage-class-immutable",
    severity: "refused",
    edit: (document) =>
      withDisks(document, (text) => text.replace("skuName: Premium_LRS", "skuName: Premium_ZRS")),
    what: "StorageClass managed-csi-premium has fields that cannot be changed",
    instead: "a class with another name",
    also: ["addon-changes"],
  },
  {
    rule: "addon-object-left-behind",
    severity: "changes",
    edit: (document) =>
      withAddonText(document, (text) => text.replaceAll("name: kube-proxy-windows\n", "name: other\n")),
    what: "DaemonSet kube-proxy-windows of add-on kube-proxy-windows stays in the workload cluster",
    instead: "delete it",
    commands: [
      "kubectl --kubeconfig workload.kubeconfig delete --ignore-not-found -n kube-system daemonset/kube-proxy-windows",
    ],
    also: ["addon-changes"],
  },
  {
    rule: "calico-downgrade",
    severity: "destroys",
    edit: (document) => withCalico(document, "v3.31.7"),
    what: "Calico goes back to an older version: v3.32.1 → v3.31.7; the network of every pod may fail",
    instead: "keep the version",
    also: ["addon-changes"],
  },
  {
    rule: "pod-mtu",
    severity: "changes",
    to: "growth",
    what: "Pods get another MTU: 1350 → 1330",
    instead: "restart the workloads",
  },
  {
    rule: "windows-release",
    severity: "changes",
    to: "growth",
    what: "Windows pool win3 goes from Windows Server 2022 to 2025: containers of the former release still start there",
    instead: "npm run workloads -- --stack NAME FOLDER",
  },
  {
    rule: "windows-policy-denies",
    severity: "changes",
    to: "growth",
    what: "Pods that name no operating system, have an image for another Windows release, or are HostProcess are refused from now on (until now: Warn)",
    instead: "policy: warn first",
  },
  {
    rule: "gmsa-webhook-again",
    severity: "changes",
    ...{ from: "manifests", to: "otherManifests" },
    what: "New pods with a gMSA are refused for some seconds, until the Job gmsa-certificate has run; other pods are not",
  },
  {
    rule: "addon-changes",
    severity: "changes",
    to: "growth",
    what: "Add-on kube-proxy-windows is applied again in the workload cluster: DaemonSet kube-proxy-windows",
  },
  {
    rule: "addon-labels",
    severity: "refused",
    edit: (document) => withInput(document, "cluster-cluster", ["metadata", "labels", "cni"], "x"),
    what: "The cluster cannot change its CNI: label blue-calico → x",
  },
  {
    rule: "sample-disk",
    severity: "replaces",
    ...{ from: "sampled", to: "otherSample" },
    what: "The sample's StatefulSet sample-disk is deleted and created again, with the disk that it has",
    instead: "delete the claim data-iis-disk-0",
  },
  {
    rule: "sample-disk-deleted",
    severity: "changes",
    ...{ from: "sampled", to: "smallerSample" },
    what: "The sample's StatefulSet sample-disk is deleted; its disk stays in Azure until the cluster is deleted",
    instead: "delete the claim data-iis-disk-0",
  },
  {
    rule: "sample-address",
    severity: "changes",
    ...{ from: "sampled", to: "otherSample" },
    what: "The sample gets another address",
  },
  {
    rule: "sample-changes",
    severity: "changes",
    to: "sampled",
    what: "The sample workload is new",
  },
  {
    rule: "autoscaler-new",
    severity: "changes",
    editBefore: (document) => without(document, ({ name }) => name.startsWith("cluster-autoscaler")),
    what: "The cluster autoscaler is new: it adds nodes to pools with `autoscale`, and drains and deletes nodes that are not needed",
    instead: "addons.clusterAutoscaler.enabled: false",
  },
  {
    rule: "autoscaler-gone",
    severity: "changes",
    to: "less",
    what: "The cluster autoscaler is deleted: pools keep the nodes that they have",
    instead: "replicas instead of autoscale",
  },
  {
    rule: "autoscaler-changes",
    severity: "changes",
    to: "newer",
    what: "The cluster autoscaler restarts: image registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2 → registry.k8s.io/autoscaling/cluster-autoscaler:v1.36.1",
  },
  {
    rule: "other",
    severity: "changes",
    edit: (document) => withInput(document, "network-routes", ["disableBgpRoutePropagation"], true),
    what: "RouteTable network-routes changes: disableBgpRoutePropagation",
  },
];
