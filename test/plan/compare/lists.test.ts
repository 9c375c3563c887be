import { diffPlans } from "../../../plan/compare/diffPlans";
import { listTypes } from "capz-types/crds/listTypes";
import type { PropertyChange } from "../../../plan/compare/stackDiff";
import { planOfResources, resourceOf } from "../../support/planDocuments";

type Plain = Readonly<Record<string, unknown>>;

/** Inputs of a resource with a value at a path, in which `[]` is a list with one element. */
const nested = (path: string, value: unknown): Plain =>
  path
    .split(".")
    .reverse()
    .reduce<unknown>(
      (inner, step) =>
        step.endsWith("[]")
          ? { [step.slice(0, -2)]: [{ name: "only", ...(inner as Plain) }] }
          : { [step]: inner },
      value,
    ) as Plain;

function changed(
  type: string,
  path: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly PropertyChange[] {
  const plan = (list: readonly unknown[]) => planOfResources(resourceOf(type, "x", nested(path, list)));
  return diffPlans(plan(before), plan(after)).changes.flatMap(({ properties }) => properties);
}

const reversed = (type: string, path: string, list: readonly unknown[]) =>
  changed(type, path, list, [...list].reverse()).map((change) => change.path);

const named = [{ name: "a" }, { name: "b" }];
const texts = ["a", "b"];
const ids = [{ id: "a" }, { id: "b" }];

const kubeadmConfig = "kubernetes:bootstrap.cluster.x-k8s.io/v1beta2:KubeadmConfig";
const azureCluster = "kubernetes:infrastructure.cluster.x-k8s.io/v1beta1:AzureCluster";

type Lists = Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>;

const rowsOf = (lists: Lists) =>
  Object.entries(lists).flatMap(([type, paths]) =>
    Object.entries(paths).map(([path, list]) => [type, path, list] as const),
  );

const ordered: Lists = {
  // What it applies, one after another.
  "kubernetes:addons.cluster.x-k8s.io/v1beta2:ClusterResourceSet": { "spec.resources": named },
  // Zones, which CAPZ compares in order (CAPZ v1.27.0 azure/types.go, HasModelChanges).
  "kubernetes:cluster.x-k8s.io/v1beta2:MachinePool": { "spec.failureDomains": texts },
  // The first pod range is of the primary IP family.
  "kubernetes:cluster.x-k8s.io/v1beta2:Cluster": { "spec.clusterNetwork.pods.cidrBlocks": texts },
  "kubernetes:infrastructure.cluster.x-k8s.io/v1beta1:AzureMachineTemplate": {
    "spec.template.spec.dataDisks": [{ lun: 0 }, { lun: 1 }],
  },
  // A map by its schema, but Cluster API compares in order and rolls.
  "kubernetes:controlplane.cluster.x-k8s.io/v1beta2:KubeadmControlPlane": {
    "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs": named,
  },
  // A set in an API version that we do not know.
  [azureCluster.replace("v1beta1", "v1beta2")]: { "spec.networkSpec.apiServerLB.availabilityZones": texts },
  "kubernetes:apps/v1:Deployment": {
    // The controller rolls the pods.
    "spec.template.spec.containers": named,
    // One variable may use another.
    "spec.template.spec.containers[].env": named,
  },
  // An Azure resource that has no rules.
  "azure-native:x:Y": { zones: texts },
};

it.each(rowsOf(ordered))("another order is a difference: %s %s", (type, path, list) => {
  const found = `${path.replace("[]", "[only]")}${typeof list[0] === "object" ? "(order)" : ""}`;
  expect(reversed(type, path, list)).toEqual([found]);
});

const unordered: Lists = {
  [azureCluster]: {
    "spec.networkSpec.subnets": named,
    "spec.networkSpec.subnets[].securityGroup.securityRules": named,
    "spec.networkSpec.apiServerLB.availabilityZones": texts,
  },
  [kubeadmConfig]: {
    "spec.joinConfiguration.nodeRegistration.kubeletExtraArgs": ["2", "3"].map((value) => ({
      name: "v",
      value,
    })),
  },
  "kubernetes:cluster.x-k8s.io/v1beta2:MachinePoolPatch": {
    "spec.template.spec.taints": ["NoSchedule", "NoExecute"].map((effect) => ({ key: "a", effect })),
  },
  "kubernetes:operator.cluster.x-k8s.io/v1alpha2:CoreProvider": {
    "spec.additionalDeployments.some-name.deployment.containers[].resources.claims": named,
  },
  "kubernetes:core/v1:Service": {
    "spec.ports": ["TCP", "UDP"].map((protocol) => ({ port: 53, protocol })),
  },
  "azure-native:network:VirtualNetwork": { subnets: named, "addressSpace.addressPrefixes": texts },
  "azure-native:network:NetworkSecurityGroup": {
    securityRules: named,
    "securityRules[].sourceAddressPrefixes": texts,
  },
  "azure-native:network:NatGateway": { publicIpAddresses: ids },
  "azure-native:containerservice:ManagedCluster": {
    "networkProfile.loadBalancerProfile.outboundIPs.publicIPs": ids,
    "apiServerAccessProfile.authorizedIPRanges": texts,
  },
};

it.each(rowsOf(unordered))("another order is no difference: %s %s", (type, path, list) => {
  expect(reversed(type, path, list)).toEqual([]);
});

it("an argument with another value is one changed argument, at whatever position", () => {
  const args = (v: string) => [
    { name: "v", value: v },
    { name: "cloud-provider", value: "external" },
  ];
  const path = "spec.joinConfiguration.nodeRegistration.kubeletExtraArgs";
  expect(changed(kubeadmConfig, path, args("2"), args("4").reverse())).toEqual([
    { path: `${path}[v].value`, before: "2", after: "4" },
  ]);
});

it("the order of property paths in an option is no difference, that of hooks is one", () => {
  const plan = (options: Plain) => planOfResources(resourceOf("a:b:C", "x", {}, { options }));
  const paths = (before: Plain, after: Plain) =>
    diffPlans(plan(before), plan(after)).changes.flatMap(({ options }) => options.map(({ path }) => path));
  expect(paths({ ignoreChanges: ["a", "b"] }, { ignoreChanges: ["b", "a"] })).toEqual([]);
  expect(paths({ hooks: { beforeUpdate: ["a", "b"] } }, { hooks: { beforeUpdate: ["b", "a"] } })).toEqual([
    "hooks.beforeUpdate",
  ]);
});

it("the lists that we compare in order although their schema says map are still maps in the schema", () => {
  const kind = "controlplane.cluster.x-k8s.io/v1beta2 KubeadmControlPlane";
  expect(listTypes[kind]?.["spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs"]).toEqual([
    "name",
    "value",
  ]);
});
