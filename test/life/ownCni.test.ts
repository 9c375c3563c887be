import type { KubernetesObject } from "capz-types";
import { until } from "./deploy";
import { allRun, deletedMachines, inOrder, live, livesIn, machines } from "./lives";
import { machinesOf, planned, stackOf } from "./stacks";

/** Represents a CNI of the user's: simulated nodes get a network when it exists. */
const cni: KubernetesObject = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "kube-flannel-ds", namespace: "own-cni" },
  spec: {
    selector: { matchLabels: { app: "own-cni" } },
    template: {
      metadata: { labels: { app: "own-cni" } },
      spec: { containers: [{ name: "cni", image: "registry.example/own-cni:v1" }] },
    },
  },
};
const namespace: KubernetesObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "own-cni" } };

const pools = {
  linuxPools: { linux: { replicas: 1 } },
  windowsPools: {
    win1: { replicas: 1 },
    single: { replicas: 1, kind: "MachineDeployment" },
  },
};
const bare = stackOf("bare", { ...pools, addons: { cni: "none" } });
const full = stackOf("brought", {
  ...pools,
  addons: { cni: "none" },
  extraManifests: { cni: { objects: [namespace, cni] } },
  wait: "nodes",
});

/** A cluster with a CNI of its user's: `addons.cni: none`. */
livesIn("a CNI of one's own", {}, (world) => {
  const ofNetwork = { apiVersion: "apps/v1", kind: "DaemonSet" };

  it("delivered by extraManifests: `pulumi up` waits for nodes, which it makes Ready", async () => {
    const plan = await planned(full);
    const life = await world().begins(plan, { patience: 300 });
    const { kube } = life.cluster.options;
    const entries = await live(life, "bring-up with the CNI among extraManifests", async () => {
      await life.deployment.up(plan);
      await allRun(world(), life, plan);
    });
    const delivered = await kube.get(ofNetwork, "kube-flannel-ds", "own-cni");
    expect(delivered?.spec).toMatchObject(cni.spec as object);
    expect(await kube.get({ apiVersion: "v1", kind: "Namespace" }, "tigera-operator")).toBeUndefined();
    expect(await kube.get(ofNetwork, "kube-proxy-windows", "kube-system")).toBeUndefined();
    expect(await kube.get(ofNetwork, "cloud-node-manager-windows", "kube-system")).toBeDefined();
    expect(
      inOrder(
        entries,
        ({ object, what }) => object === "ClusterResourceSet brought-extra-cni" && what === "created",
        ({ object, what }) => object === "network" && what.startsWith("delivered"),
        ({ object, what }) => object === "MachinePool win1" && what.includes("waited"),
      ),
    ).toBe(true);
    expect(deletedMachines(entries)).toEqual([]);
    await life.deployment.destroy();
  }, 600_000);

  it("installed afterwards: `pulumi up` ends without it, and no waiting node is replaced", async () => {
    const plan = await planned(bare);
    const life = await world().begins(plan, { patience: 300 });
    const { kube } = life.cluster.options;
    const wanted = machinesOf(plan);
    const entries = await live(life, "bring-up without a CNI, which comes by hand", async () => {
      await life.deployment.up(plan);
      await until(`${wanted} nodes wait for a network`, 200, async () => {
        const waiting = life.cluster.running().filter(({ node }) => node === "registered");
        return waiting.length === wanted && (await machines(world(), life)).length === wanted;
      });
      expect(life.cluster.running().filter(({ node }) => node === "ready")).toEqual([]);
      await kube.applyAs("kubectl", namespace);
      await kube.applyAs("kubectl", cni);
      await allRun(world(), life, plan);
    });
    expect(deletedMachines(entries)).toEqual([]);
    expect(
      (await kube.list({ apiVersion: "v1", kind: "Node" })).filter(({ spec }) =>
        JSON.stringify(spec).includes("uninitialized"),
      ),
    ).toEqual([]);
    await life.deployment.destroy();
  }, 600_000);
});
