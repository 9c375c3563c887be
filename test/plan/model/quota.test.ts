import { resourceOf } from "../../support/planDocuments";
import { readQuota } from "../../../plan/model/cluster/quota";
import type { ManagementModel, PoolModel } from "../../../plan/model/cluster/types";

const management: ManagementModel = { name: "m", providers: [] };

const pool = (change: Partial<PoolModel>): PoolModel =>
  ({
    vmSize: "Standard_D4s_v5",
    replicas: 3,
    rollout: { maxSurge: 1, maxUnavailable: 0 },
    ...change,
  }) as PoolModel;

const vcpus = (...pools: readonly PoolModel[]) => readQuota([], { management, pools }).vcpus;

it("counts the machines that a rollout adds", () => {
  expect(vcpus(pool({}))).toEqual([{ family: "DSv5", steady: 12, peak: 16 }]);
  expect(vcpus(pool({ rollout: { maxSurge: 0, maxUnavailable: 1 } }))).toEqual([
    { family: "DSv5", steady: 12, peak: 12 },
  ]);
});

it("rounds a percentage of the machines up", () => {
  expect(vcpus(pool({ replicas: 5, rollout: { maxSurge: "25%", maxUnavailable: 0 } }))).toEqual([
    { family: "DSv5", steady: 20, peak: 28 },
  ]);
});

it("uses an autoscaler's limits, and counts nothing for an empty pool", () => {
  expect(vcpus(pool({ autoscale: { min: 2, max: 10 } }))).toEqual([{ family: "DSv5", steady: 8, peak: 44 }]);
  expect(vcpus(pool({ replicas: 0 }))).toEqual([{ family: "DSv5", steady: 0, peak: 0 }]);
});

it("sums up by VM family, AKS and the control plane included, and names unknown VM sizes", () => {
  const aks = {
    kubernetesVersion: "1.35",
    tier: "standard",
    nodes: { min: 3, max: 5 },
    vmSize: "Standard_D4s_v5",
    maxSurge: "33%",
    authorizedCidrs: [],
  };
  const controlPlane = { vmSize: "Standard_E8s_v5", replicas: 3, maxSurge: 1 } as never;
  const pools = [pool({}), pool({ vmSize: "Standard_E8-4s_v5" }), pool({ vmSize: "Standard_E8-4s_v5" })];
  expect(readQuota([], { management: { ...management, aks }, controlPlane, pools })).toEqual({
    vcpus: [
      { family: "DSv5", steady: 24, peak: 44 },
      { family: "ESv5", steady: 24, peak: 32 },
    ],
    unknownSizes: ["Standard_E8-4s_v5"],
    publicAddresses: 0,
  });
});

it("counts a public address for a Service with a public load balancer, and for no other", () => {
  const service = (type: string, annotations = {}) =>
    resourceOf("kubernetes:core/v1:Service", "service", { metadata: { annotations }, spec: { type } });
  const addresses = (...services: readonly ReturnType<typeof service>[]) =>
    readQuota(services, { management, pools: [] }).publicAddresses;
  const internal = { "service.beta.kubernetes.io/azure-load-balancer-internal": "true" };
  expect(addresses(service("LoadBalancer"))).toBe(1);
  expect(addresses(service("LoadBalancer", internal), service("ClusterIP"), service("NodePort"))).toBe(0);
});
