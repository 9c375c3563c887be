import { refuseChanges, refusedChanges } from "capz-windows-platform/cluster/refusedChanges";
import { azureClusterObject, clusterObject } from "../../../components/workloadCluster/manifests";
import { dockershim, today } from "../../support/platforms";

const controlPlane = (version: string, replicas = 3) => ({
  kind: "KubeadmControlPlane",
  spec: { version, replicas },
});

const cluster = (podCidr: string, serviceCidr = "10.96.0.0/12", platform = today.platform) =>
  clusterObject({ clusterName: "c", namespace: "c", podCidr, serviceCidr, platform });

const azureCluster = (change: Partial<Parameters<typeof azureClusterObject>[0]> = {}) =>
  azureClusterObject({
    clusterName: "c",
    namespace: "c",
    identityName: "c-identity",
    subscriptionId: "s",
    resourceGroup: "g",
    location: "westeurope",
    vnetCidr: "10.10.0.0/16",
    controlPlaneSubnetCidr: "10.10.0.0/24",
    nodeSubnetCidr: "10.10.128.0/17",
    tags: {},
    ...change,
  });

/** Calico's set, as toYamlStream writes it. */
const calico = (blockSize: number | undefined, other = "mtu: 1350") => ({
  kind: "ConfigMap",
  data: {
    "01-calico.yaml": `kind: Installation\nspec:\n  calicoNetwork:\n    ${other}\n    ipPools:\n      - cidr: 192.168.0.0/16\n${blockSize === undefined ? "" : `        blockSize: ${blockSize}\n`}        encapsulation: VXLAN\n`,
  },
});

const scaleSet = (template: object) => ({ kind: "AzureMachinePool", spec: { template } });
const pool = (...failureDomains: string[]) => ({ kind: "MachinePool", spec: { failureDomains } });
const provider = (version: string, kind = "InfrastructureProvider") => ({ kind, spec: { version } });
const inNodeSubnet = [{ subnetName: "node-subnet" }];

it.each([
  ["the image of a spot pool", scaleSet({ spotVMOptions: {} }), scaleSet({ spotVMOptions: {}, image: {} })],
  ["a pool that names the subnet it is in", scaleSet({}), scaleSet({ networkInterfaces: inNodeSubnet })],
  [
    "the subnet of a pool that has named one since it was created",
    scaleSet({ networkInterfaces: inNodeSubnet }),
    scaleSet({ networkInterfaces: [{ subnetName: "own" }] }),
  ],
  ["zones that are added", pool("1"), pool("1", "2")],
  ["zones from none", { kind: "MachinePool", spec: {} }, pool("1")],
  ["the next minor of CAPZ", provider("v1.26.0"), provider("v1.27.0")],
  ["a patch of CAPZ, back", provider("v1.27.1"), provider("v1.27.0")],
  ["two minors of Cluster API", provider("v1.12.0", "CoreProvider"), provider("v1.14.2", "CoreProvider")],
  ["a patch", controlPlane("v1.34.2"), controlPlane("v1.34.9")],
  ["the next minor", controlPlane("v1.34.2"), controlPlane("v1.35.0")],
  ["a patch back, which is how a bad one goes", controlPlane("v1.35.6"), controlPlane("v1.35.5")],
  ["a VNET that grows around its subnets", azureCluster(), azureCluster({ vnetCidr: "10.10.0.0/15" })],
  [
    "another subnet for pools",
    azureCluster({ poolSubnets: { web: "10.10.64.0/24" } }),
    azureCluster({ poolSubnets: { web: "10.10.64.0/24", api: "10.10.65.0/24" } }),
  ],
  [
    "a subnet of the stack's own VNET for another one, which Azure refuses while it is in use",
    azureCluster({ poolSubnets: { web: "10.10.64.0/24" } }),
    azureCluster({ poolSubnets: { api: "10.10.65.0/24" } }),
  ],
  [
    "a route table from none to that which CAPZ names itself",
    { ...azureCluster(), spec: { networkSpec: { subnets: [{ name: "a" }] } } },
    {
      ...azureCluster(),
      spec: { networkSpec: { subnets: [{ name: "a", routeTable: { name: "c-node-routetable" } }] } },
    },
  ],
  ["a patch of an old release", controlPlane("v1.22.9"), controlPlane("v1.22.17")],
  ["1.24 to 1.25", controlPlane("v1.24.17"), controlPlane("v1.25.16")],
  ["1.26 to 1.27", controlPlane("v1.26.15"), controlPlane("v1.27.16")],
  ["the number of machines", controlPlane("v1.34.2", 3), controlPlane("v1.34.2", 5)],
  ["other parts of Calico's settings", calico(25), calico(25, "mtu: 1380")],
  ["the contents of another ConfigMap", { kind: "ConfigMap", data: { a: "x" } }, calico(25)],
  ["nothing", cluster("192.168.0.0/16"), cluster("192.168.0.0/16")],
  ["the tags", azureCluster(), azureCluster({ tags: { team: "a" } })],
  ["nothing that was there before", {}, cluster("192.168.0.0/16")],
  ["fields that the program no longer sets", cluster("192.168.0.0/16"), { kind: "Cluster" }],
  ["a version from something that is not a version", controlPlane("latest"), controlPlane("v1.20.0")],
  ["a version to something that is not a version", controlPlane("v1.35.6"), controlPlane("latest")],
  [
    "the version of an object that is not the control plane",
    { kind: "MachineDeployment", spec: { version: "v1.35.6" } },
    { kind: "MachineDeployment", spec: { version: "v1.34.2" } },
  ],
])("lets %s change", (_, before, after) => {
  expect(refusedChanges(before, after)).toEqual([]);
});

const subnet =
  "Azure does not change the range of a subnet with machines: set network.controlPlaneSubnetCidr and network.nodeSubnetCidr to the present ranges";

const immutable =
  "this is immutable for the lifetime of a cluster: create a new cluster and move the workloads there";

/** An AzureCluster with a private API server. */
const inside = (privateIP: string) => ({
  kind: "AzureCluster",
  spec: {
    networkSpec: {
      apiServerLB: { type: "Internal", frontendIPs: [{ privateIP }] },
      privateDNSZoneName: "k8s.example.com",
    },
  },
});

it.each([
  [
    { kind: "AzureCluster", spec: { networkSpec: {} } },
    inside("10.10.0.254"),
    "public to private, 10.10.0.254 in k8s.example.com",
  ],
  [
    inside("10.10.0.254"),
    inside("10.10.0.10"),
    "private, 10.10.0.254 in k8s.example.com to private, 10.10.0.10 in k8s.example.com",
  ],
])("keeps the address of the API server: %#", (before, after, change) => {
  expect(refusedChanges(before, after)).toEqual([`network.apiServer from ${change}: ${immutable}`]);
});

const wayOut =
  "CAPZ keeps the name of the NAT gateway once the AzureCluster has one, and Azure whether a subnet has default outbound access: restore network.outbound, or create a new cluster with the new way out and move the workloads there";
const single = "a NAT gateway of the stack with single addresses";
const leaving = (type: "nat" | "existingNat" | "firewall" | "none", more: object = {}) =>
  azureCluster({ outbound: { type, ...more } });

it.each([
  [azureCluster(), leaving("firewall"), `${single} to another way out`],
  [leaving("nat"), leaving("nat", { prefixLength: 30 }), `${single} to another way out`],
  [leaving("none"), azureCluster(), `another way out to ${single}`],
])("keeps whether CAPZ knows a NAT gateway: %#", (before, after, change) => {
  expect(refusedChanges(before, after)).toEqual([`network.outbound from ${change}: ${wayOut}`]);
});

it.each([
  [azureCluster(), leaving("nat", { addresses: 4 })],
  [leaving("existingNat"), leaving("firewall")],
  [leaving("nat", { prefixLength: 30 }), leaving("none")],
])("lets the way out change where CAPZ sees the same: %#", (before, after) => {
  expect(refusedChanges(before, after)).toEqual([]);
});

const another = "add a pool with it under another name, move the workload, and remove this one";

it.each([
  ...[
    ["spotVMOptions", {}, "nothing to {}"],
    ["osDisk", { diffDiskSettings: { option: "Local" } }, 'nothing to {"option":"Local"}'],
  ].map(([field, value, change]): [object, object, string] => [
    scaleSet({}),
    scaleSet({ [field as string]: value }),
    `spec.template.${field === "osDisk" ? "osDisk.diffDiskSettings" : (field as string)} from ${change as string}: Azure takes this for a scale set when it is created, and refuses every later update that has it: ${another}`,
  ]),
  [
    scaleSet({ spotVMOptions: {} }),
    scaleSet({}),
    `spec.template.spotVMOptions from {} to nothing: Azure takes this for a scale set when it is created, and refuses every later update that has it: ${another}`,
  ],
  [
    scaleSet({}),
    scaleSet({ networkInterfaces: [{ subnetName: "own" }] }),
    `spec.template.networkInterfaces from [] to [{"subnetName":"own"}]: CAPZ has written the list into the object, and leaves it out of every update of a scale set: ${another}`,
  ],
  ...[pool("1"), { kind: "MachinePool", spec: {} }].map((after): [object, object, string] => [
    pool("1", "2"),
    after,
    `spec.failureDomains from ["1","2"] to ${"failureDomains" in after.spec ? '["1"]' : "[]"}: Azure can add zones to a scale set, but not remove them: add a pool with the zones that you want, move the workload, and remove this one`,
  ]),
  [
    provider("v1.14.2", "CoreProvider"),
    provider("v1.13.5", "CoreProvider"),
    "spec.version from v1.14.2 to v1.13.5: objects are stored in newer API versions, and the operator of Cluster API refuses it: keep the version",
  ],
  [
    provider("v1.25.0"),
    provider("v1.27.0"),
    "spec.version from v1.25.0 to v1.27.0: a release of CAPZ drops API versions of Azure Service Operator that the release before the previous one still stored: upgrade one minor version per `up`",
  ],
  [
    controlPlane("v1.35.6"),
    controlPlane("v1.34.9"),
    "spec.version from v1.35.6 to v1.34.9: etcd and the API server cannot be downgraded: restore the previous kubernetesVersion",
  ],
  [
    calico(undefined),
    calico(25),
    "addons.calicoBlockSize from 26 to 25: Calico does not change the blocks of a cluster that exists (calico v3.32.1 libcalico-go/lib/clientv3/ippool.go), and its operator would change no range of addresses any more: set addons.calicoBlockSize to the former value",
  ],
  [
    controlPlane("v1.34.2"),
    controlPlane("v1.36.0"),
    "spec.version from v1.34.2 to v1.36.0: kubeadm upgrades one minor version at a time: set the next minor, run `pulumi up`, and repeat",
  ],
  ...[
    ["v1.22.9", "v1.23.6"],
    ["v1.23.17", "v1.24.0"],
  ].map(([from = "", to = ""]): [object, object, string] => [
    controlPlane(from),
    controlPlane(to),
    `spec.version from ${from} to ${to}: Cluster API no longer creates the ConfigMap that kubeadm join of the next version reads: create a new cluster instead (docs/older-kubernetes.md)`,
  ]),
  [
    controlPlane("v1.25.16"),
    controlPlane("v1.26.0"),
    "spec.version from v1.25.16 to v1.26.0: 1.26 and newer use another cloud provider and another Calico installation, which cannot take over running nodes: create a new cluster instead (docs/older-kubernetes.md)",
  ],
  [
    cluster("192.168.0.0/16", "10.96.0.0/12", dockershim.platform),
    cluster("192.168.0.0/16"),
    `metadata.labels.cni from c-flannel to c-calico: ${immutable}`,
  ],
  [
    cluster("192.168.0.0/16"),
    cluster("100.64.0.0/16"),
    `spec.clusterNetwork.pods.cidrBlocks from ["192.168.0.0/16"] to ["100.64.0.0/16"]: ${immutable}`,
  ],
  [
    cluster("192.168.0.0/16", "10.96.0.0/12"),
    cluster("192.168.0.0/16", "10.96.0.0/16"),
    `spec.clusterNetwork.services.cidrBlocks from ["10.96.0.0/12"] to ["10.96.0.0/16"]: ${immutable}`,
  ],
  [
    azureCluster(),
    azureCluster({ location: "northeurope" }),
    `spec.location from westeurope to northeurope: ${immutable}`,
  ],
  [
    azureCluster(),
    azureCluster({ vnetCidr: "10.10.0.0/17" }),
    'spec.networkSpec.vnet.cidrBlocks from ["10.10.0.0/16"] to ["10.10.0.0/17"]: Azure does not take a range from a VNET while machines have addresses of it: a VNET can only grow',
  ],
  [
    azureCluster(),
    azureCluster({ vnetCidr: "10.30.0.0/16" }),
    'spec.networkSpec.vnet.cidrBlocks from ["10.10.0.0/16"] to ["10.30.0.0/16"]: Azure does not take a range from a VNET while machines have addresses of it: a VNET can only grow',
  ],
  [
    azureCluster(),
    azureCluster({ controlPlaneSubnetCidr: "10.10.0.0/23" }),
    `spec.networkSpec.subnets[control-plane].cidrBlocks from ["10.10.0.0/24"] to ["10.10.0.0/23"]: ${subnet}`,
  ],
  [
    azureCluster(),
    azureCluster({ nodeSubnetCidr: "10.10.64.0/18" }),
    `spec.networkSpec.subnets[node].cidrBlocks from ["10.10.128.0/17"] to ["10.10.64.0/18"]: ${subnet}`,
  ],
  [
    azureCluster({ poolSubnets: { web: "10.10.64.0/24", api: "10.10.65.0/24" } }),
    azureCluster({ poolSubnets: { web: "10.10.66.0/24", api: "10.10.65.0/24" } }),
    'spec.networkSpec.subnets[pools].cidrBlocks from ["api: 10.10.65.0/24","web: 10.10.64.0/24"] to ["api: 10.10.65.0/24","web: 10.10.66.0/24"]: Azure does not change the range of a subnet with machines: add a subnet under another name for a new pool, move the workload, and remove the old pool, and its subnet in a later `up`',
  ],
  [azureCluster(), azureCluster({ subscriptionId: "t" }), `spec.subscriptionID from s to t: ${immutable}`],
])("refuses %#", (before, after, text) => {
  expect(refusedChanges(before, after)).toEqual([text]);
});

it("reports all refused changes of an object together, with its logical name", () => {
  const change = { oldInputs: azureCluster(), newInputs: azureCluster({ resourceGroup: "h" }) };
  expect(() => {
    refuseChanges({ name: "cluster-azure", ...change });
  }).toThrow(
    [
      "cluster-azure cannot be updated:",
      `  spec.resourceGroup from g to h: ${immutable}`,
      `  spec.networkSpec.vnet.resourceGroup from g to h: ${immutable}`,
    ].join("\n"),
  );
  expect(() => {
    refuseChanges({ name: "cluster-azure", oldInputs: azureCluster(), newInputs: azureCluster() });
  }).not.toThrow();
});
