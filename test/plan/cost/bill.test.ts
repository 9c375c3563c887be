import { diskPrice, readBill } from "../../../plan/model/cluster/bill";
import type { ClusterModel, PoolModel } from "../../../plan/model/cluster/types";
import type { PlanResource } from "capz-windows-contract";
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
  ["", undefined, "disk of type unknown with unknown GiB"],
])("bills a disk of type %s with %s GiB as %s", (type, gib, expected) => {
  expect(diskPrice(type, gib)).toBe(expected);
});

it("has the nodes of the management cluster, and what costs by the hour in the network", () => {
  const aks = {
    tier: "standard",
    vmSize: "Standard_D4s_v5",
    nodes: { min: 3, max: 5 },
    kubernetesVersion: "1.35",
    maxSurge: 1,
    authorizedCidrs: [],
  };
  const resources = [
    resourceOf("azure-native:network:BastionHost", "b"),
    resourceOf("azure-native:network:NatGateway", "n"),
  ];
  expect(
    billOf(resources, {
      management: { name: "m", providers: [], aks },
      quota: { ...quota, publicAddresses: 4 },
    }),
  ).toEqual([
    "management cluster, machines: 3 to 5 Standard_D4s_v5 Linux",
    "network, public addresses: 4 to 4 public IPv4 address",
    "network, NAT gateway: 1 to 1 NAT gateway",
    "network, bastion: 1 to 1 Azure Bastion Standard",
  ]);
});
