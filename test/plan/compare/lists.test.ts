import { diffPlans } from "../../../commands/plan/compare/diffPlans";
import { listTypes } from "../../../capi/crds/listTypes";
import type { PropertyChange } from "../../../commands/plan/compare/stackDiff";
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

const cluster = "kubernetes:cluster.x-k8s.io/v1beta2:";
const azure = "kubernetes:infrastructure.cluster.x-k8s.io/v1beta1:";
const kubeadmConfig = "kubernetes:bootstrap.cluster.x-k8s.io/v1beta2:KubeadmConfig";
const controlPlane = "kubernetes:controlplane.cluster.x-k8s.io/v1beta2:KubeadmControlPlane";
const addons = "kubernetes:addons.cluster.x-k8s.io/v1beta2:ClusterResourceSet";

describe("another order is a difference", () => {
  it.each<[why: string, type: string, path: string, list: readonly unknown[], found: string]>([
    [
      "of what a ClusterResourceSet applies, one after another",
      addons,
      "spec.resources",
      named,
      "spec.resources(order)",
    ],
    [
      "of a MachinePool's zones, which CAPZ compares in order (CAPZ v1.27.0 azure/types.go, HasModelChanges)",
      `${cluster}MachinePool`,
      "spec.failureDomains",
      texts,
      "spec.failureDomains",
    ],
    [
      "of a Cluster's pod ranges: the first one is of its primary IP family",
      `${cluster}Cluster`,
      "spec.clusterNetwork.pods.cidrBlocks",
      texts,
      "spec.clusterNetwork.pods.cidrBlocks",
    ],
    [
      "of data disks",
      `${azure}AzureMachineTemplate`,
      "spec.template.spec.dataDisks",
      [{ lun: 0 }, { lun: 1 }],
      "spec.template.spec.dataDisks(order)",
    ],
    [
      "of the control plane's arguments: a map by its schema, but Cluster API compares in order and rolls",
      controlPlane,
      "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs",
      named,
      "spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs(order)",
    ],
    [
      "of a set in an API version that we do not know",
      "kubernetes:infrastructure.cluster.x-k8s.io/v1beta2:AzureCluster",
      "spec.networkSpec.apiServerLB.availabilityZones",
      texts,
      "spec.networkSpec.apiServerLB.availabilityZones",
    ],
    [
      "of a Deployment's containers: its controller rolls the pods",
      "kubernetes:apps/v1:Deployment",
      "spec.template.spec.containers",
      named,
      "spec.template.spec.containers(order)",
    ],
    [
      "of variables in a Deployment's container: one may use another",
      "kubernetes:apps/v1:Deployment",
      "spec.template.spec.containers[].env",
      named,
      "spec.template.spec.containers[only].env(order)",
    ],
    ["in an Azure resource that has no rules", "azure-native:x:Y", "zones", texts, "zones"],
  ])("%s", (_, type, path, list, found) => {
    expect(reversed(type, path, list)).toEqual([found]);
  });
});

describe("another order is no difference", () => {
  it.each<[why: string, type: string, path: string, list: readonly unknown[]]>([
    ["of an AzureCluster's subnets", `${azure}AzureCluster`, "spec.networkSpec.subnets", named],
    [
      "of the security rules of one of them",
      `${azure}AzureCluster`,
      "spec.networkSpec.subnets[].securityGroup.securityRules",
      named,
    ],
    [
      "of a load balancer's zones",
      `${azure}AzureCluster`,
      "spec.networkSpec.apiServerLB.availabilityZones",
      texts,
    ],
    [
      "of kubelet's arguments",
      kubeadmConfig,
      "spec.joinConfiguration.nodeRegistration.kubeletExtraArgs",
      [
        { name: "v", value: "2" },
        { name: "v", value: "3" },
      ],
    ],
    [
      "of a machine's taints, also in a patch",
      `${cluster}MachinePoolPatch`,
      "spec.template.spec.taints",
      [
        { key: "a", effect: "NoSchedule" },
        { key: "a", effect: "NoExecute" },
      ],
    ],
    [
      "of a provider's resource claims, in any of its deployments",
      "kubernetes:operator.cluster.x-k8s.io/v1alpha2:CoreProvider",
      "spec.additionalDeployments.some-name.deployment.containers[].resources.claims",
      named,
    ],
    [
      "of a Service's ports",
      "kubernetes:core/v1:Service",
      "spec.ports",
      [
        { port: 53, protocol: "TCP" },
        { port: 53, protocol: "UDP" },
      ],
    ],
    ["of subnets", "azure-native:network:VirtualNetwork", "subnets", named],
    ["of address ranges", "azure-native:network:VirtualNetwork", "addressSpace.addressPrefixes", texts],
    ["of security rules", "azure-native:network:NetworkSecurityGroup", "securityRules", named],
    [
      "of the sources of one of them",
      "azure-native:network:NetworkSecurityGroup",
      "securityRules[].sourceAddressPrefixes",
      texts,
    ],
    [
      "of the addresses of a NAT gateway",
      "azure-native:network:NatGateway",
      "publicIpAddresses",
      [{ id: "a" }, { id: "b" }],
    ],
    [
      "of AKS' outbound addresses",
      "azure-native:containerservice:ManagedCluster",
      "networkProfile.loadBalancerProfile.outboundIPs.publicIPs",
      [{ id: "a" }, { id: "b" }],
    ],
    [
      "of who may reach AKS",
      "azure-native:containerservice:ManagedCluster",
      "apiServerAccessProfile.authorizedIPRanges",
      texts,
    ],
  ])("%s", (_, type, path, list) => {
    expect(reversed(type, path, list)).toEqual([]);
  });
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
