import { diskPrice, readBill } from "../../../commands/plan/model/cluster/bill";
import type { ClusterModel, PoolModel } from "../../../commands/plan/model/cluster/types";
import type { PlanResource } from "../../../commands/plan/model/planDocument";
import { resourceOf } from "../../support/planDocuments";

const quota: ClusterModel["quota"] = { vcpus: [], unknownSizes: [], publicAddresses: 0 };

const disk = (diskSizeGB: number, storageAccountType = "Premium_LRS") => ({
  diskSizeGB,
  managedDisk: { storageAccountType },
});

const infrastructure = (template: Record<string, unknown>): PlanResource =>
  resourceOf("kubernetes:infrastructure.cluster.x-k8s.io/v1beta1:AzureMachinePool", "p", {
    spec: { template },
  });

const pool = (change: Partial<PoolModel> = {}): PoolModel =>
  ({
    ...{ name: "p", os: "windows", vmSize: "Standard_D4s_v5", replicas: 3, access: {} },
    members: { infrastructure: infrastructure({}).urn },
    ...change,
  }) as PoolModel;

const billOf = (resources: readonly PlanResource[], change: Partial<ClusterModel>): string[] =>
  readBill(resources, { management: { name: "m", providers: [] }, pools: [], quota, ...change }).map(
    ({ owner, role, count: { min, max }, price }) => `${owner}, ${role}: ${min} to ${max} ${price}`,
  );

it.each<[string, Partial<PoolModel>, string]>([
  ["Windows", {}, "3 to 3 Standard_D4s_v5 Windows"],
  ["Linux", { os: "linux" }, "3 to 3 Standard_D4s_v5 Linux"],
  ["licences of one's own", { access: { hybridBenefit: "az …" } as never }, "3 to 3 Standard_D4s_v5 Linux"],
  ["spot", { spot: true }, "3 to 3 Standard_D4s_v5 Windows spot"],
  ["an autoscaler", { autoscale: { min: 0, max: 5 } }, "0 to 5 Standard_D4s_v5 Windows"],
])("has the price of the machines of a pool: %s", (_, change, expected) => {
  expect(
    billOf([infrastructure({ osDisk: { diffDiskSettings: { option: "Local" } } })], {
      pools: [pool(change)],
    }),
  ).toEqual([`pool p, machines: ${expected}`]);
});

it("has the disks of each machine, and nothing for a pool without machines", () => {
  const resources = [
    infrastructure({ osDisk: disk(128), dataDisks: [{ nameSuffix: "data", ...disk(129) }] }),
  ];
  expect(billOf(resources, { pools: [pool()] })).toEqual([
    "pool p, machines: 3 to 3 Standard_D4s_v5 Windows",
    "pool p, OS disks: 3 to 3 Premium_LRS P10",
    "pool p, disks data: 3 to 3 Premium_LRS P15",
  ]);
  expect(billOf(resources, { pools: [pool({ replicas: 0 })] })).toEqual([]);
});

it.each([
  ["Premium_LRS", 1, "Premium_LRS P1"],
  ["Premium_LRS", 256, "Premium_LRS P15"],
  ["Premium_ZRS", 257, "Premium_ZRS P20"],
  ["StandardSSD_LRS", 30, "StandardSSD_LRS E4"],
  ["Standard_LRS", 8, "Standard_LRS S4"],
  ["Premium_LRS", 32_767, "Premium_LRS P80"],
  ["Premium_LRS", 40_000, "disk of type Premium_LRS with 40000 GiB"],
  ["PremiumV2_LRS", 64, "disk of type PremiumV2_LRS with 64 GiB"],
  ["", undefined, "disk of type unknown with unknown size"],
])("bills a disk of type %s with %s GiB as %s", (type, gib, expected) => {
  expect(diskPrice(type, gib)).toBe(expected);
});

const aks = (tier: string, vmSize: string) => ({
  management: {
    ...{ name: "m", providers: [] },
    aks: {
      tier,
      vmSize,
      nodes: { min: 3, max: 5 },
      kubernetesVersion: "1.35",
      maxSurge: 1,
      authorizedCidrs: [],
    },
  },
});

it.each([
  ["standard", "Standard_D4s_v5", ["tier: 1 to 1 AKS standard"], ["OS disks: 3 to 5 Premium_LRS P10"]],
  ["premium", "Standard_D8s_v5", ["tier: 1 to 1 AKS premium"], ["OS disks: 3 to 5 Premium_LRS P15"]],
  ["free", "Standard_D8ds_v5", [], []],
  ["free", "Standard_D2ds_v5", [], ["OS disks: 3 to 5 Premium_LRS P10"]],
  ["free", "Standard_DS3_v2", [], ["OS disks: 3 to 5 OS disk that AKS chooses for Standard_DS3_v2"]],
])("has the management cluster: tier %s, nodes of %s", (tier, vmSize, before, after) => {
  expect(billOf([], aks(tier, vmSize))).toEqual(
    [...before, `machines: 3 to 5 ${vmSize} Linux`, ...after].map((line) => `management cluster, ${line}`),
  );
});

const service = (name: string, ports: number, annotations = {}): PlanResource =>
  resourceOf("kubernetes:core/v1:Service", name, {
    metadata: { annotations },
    spec: { type: "LoadBalancer", ports: Array.from({ length: ports }, (_, port) => ({ port })) },
  });

it("has what CAPZ, AKS and Services make in the network", () => {
  const internal = { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" };
  const resources = [
    resourceOf("kubernetes:infrastructure.cluster.x-k8s.io/v1beta1:AzureCluster", "c"),
    resourceOf("azure-native:network:BastionHost", "b"),
    resourceOf("azure-native:containerservice:ManagedCluster", "m"),
    resourceOf("azure-native:network:NatGateway", "n"),
    ...[service("a", 4), service("b", 3), service("c", 1, internal)],
  ];
  expect(billOf(resources, { quota: { ...quota, publicAddresses: 4 } })).toEqual([
    "network, load balancer of the API server: 1 to 1 load balancer",
    "network, load balancer of AKS: 1 to 1 load balancer",
    "network, load balancer of Services for the Internet: 1 to 1 load balancer",
    "network, load balancer of Services for the Internet, more rules: 2 to 2 load balancer rule beyond five",
    "network, load balancer of Services for the VNET: 1 to 1 load balancer",
    "network, public addresses: 4 to 4 public IPv4 address",
    "network, NAT gateway: 1 to 1 NAT gateway",
    "network, bastion: 1 to 1 Azure Bastion Standard",
  ]);
});

it.each([
  ["managed-csi", "StandardSSD_LRS E1"],
  ["mine", "disk of type of class mine with 4 GiB"],
])("has the volumes of a sample in the class %s", (storageClassName, expected) => {
  const claim = { spec: { storageClassName, resources: { requests: { storage: "4Gi" } } } };
  const set = resourceOf("kubernetes:apps/v1:StatefulSet", "s", {
    metadata: { name: "iis" },
    spec: { replicas: 2, volumeClaimTemplates: [claim] },
  });
  expect(billOf([set], {})).toEqual([`sample iis, volumes: 2 to 2 ${expected}`]);
});
