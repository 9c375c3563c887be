import { Store } from "./azure/store";
import { Clock } from "./azure/clock";
import { Capacity } from "./capacity";
import { Timeline } from "./timeline";
import type { WorkloadCluster } from "./workload/cluster";
import type { Machine } from "./workload/machine";

const group = "/subscriptions/s/resourceGroups/g";
const instance = (number: number): string =>
  `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/win1/virtualMachines/${number}`;

/** A pool of two Ready nodes whose machines a test can change. */
function world() {
  const store = new Store();
  const timeline = new Timeline(new Clock(), "test");
  const machines: Machine[] = [];
  const boot = (number: number, version = "v1.35.6", role: "join" | "init" = "join"): void => {
    store.put(instance(number), {});
    machines.push({
      facts: { id: instance(number), hostname: `n${number}`, os: "linux", version, vmSize: "" },
      plan: { role, nodeName: `n${number}`, labels: {}, taints: [], externalCloud: false },
      node: "ready",
      since: "",
    });
  };
  const cluster = {
    options: { name: "test", resourceGroupId: group },
    running: () => machines,
    apiVersions: () => machines.filter(({ plan }) => plan.role === "init").map(({ facts }) => facts.version),
  } as unknown as WorkloadCluster;
  boot(0);
  boot(1);
  return { store, timeline, boot, capacity: new Capacity(store, cluster, timeline) };
}

describe("the invariants find", () => {
  it("one machine too many", () => {
    const { boot, capacity } = world();
    capacity.limit("win1", { most: 2, fewestReady: 2 });
    expect(capacity.violations()).toEqual([]);
    boot(2);
    expect(capacity.violations()).toEqual(["win1 has 3 machines, at most 2 may be"]);
  });

  it("one node too few, as soon as the deletion of its machine begins", () => {
    const { store, timeline, capacity } = world();
    capacity.limit("win1", { fewestReady: 2 });
    store.setProperties(instance(1), { provisioningState: "Deleting" });
    timeline.add("test", "anything", "happens");
    expect(capacity.violations()).toEqual(["win1 has 1 ready nodes, at least 2 must be"]);
  });

  it("a kubelet that is newer than an API server", () => {
    const { boot, capacity } = world();
    boot(2, "v1.34.9", "init");
    boot(3, "v1.34.1");
    expect(capacity.violations()).toEqual([
      "kubelet v1.35.6 of n0 is newer than an API server of v1.34.9",
      "kubelet v1.35.6 of n1 is newer than an API server of v1.34.9",
    ]);
  });

  it("the worst moment, and every machine that existed", () => {
    const { store, boot, capacity } = world();
    capacity.measure("win1");
    boot(2);
    store.remove(instance(0));
    store.remove(instance(1));
    const { most, fewestReady, seen } = capacity.extremesOf("win1");
    expect([most, fewestReady, seen.size]).toEqual([3, 1, 3]);
  });
});
