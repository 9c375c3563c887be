import type { Impact } from "../../../plan/impact/impact";
import { existingManagement, minimal } from "../../support/stacks";
import * as plans from "./between";
import { poolsAfter, poolsBefore } from "./poolPlans";

/** Changes for which webhooks and CAPZ do something else than one would expect. */

type Raw = Record<string, unknown>;

const impactsBetween = (before: Raw, after: Raw): Promise<Impact[]> =>
  plans.impactsBetween({ ...minimal(), ...before }, { ...minimal(), ...after });

const line = ({ severity, nodes, what }: Impact): string => `${severity} ${nodes}: ${what}`;

const pool = (kind: "MachinePool" | "MachineDeployment", version?: string) => ({
  windowsPools: { win1: { kind, ...(version === undefined ? {} : { kubernetesVersion: version }) } },
});

const drained =
  ", after all are drained at once; where a PodDisruptionBudget holds one for an hour, `up` fails and the pool stays";

const size = "VM size Standard_D4s_v5 → Standard_D8s_v5";

it("changes of pools are explained as Cluster API and CAPZ apply them", async () => {
  const impacts = await impactsBetween(poolsBefore, poolsAfter);
  expect(impacts.map(line)).toEqual([
    "destroys 3: Windows pool backends-blue has the scale set of pool frontend-blue, win--blue, and loses it when that pool is deleted",
    `destroys 3: Windows pool frontend-blue is deleted: 3 nodes and their disks are lost${drained}`,
    `destroys 2: Linux pool win-green is deleted: 2 nodes and their disks are lost${drained}`,
    "destroys 2: Windows pool backends-green has the scale set of pool win-green, win-green, and loses it when that pool is deleted",
    "destroys 1: Windows pool empty is no longer autoscaled and gets 0 nodes, 1 to 2 fewer",
    "rolls 3: Windows pool shrinks loses 3 of 6 nodes",
    "rolls 3: Windows pool surges loses 3 of 6 nodes",
    "rolls 2: Windows pool begins is autoscaled from now on, from 1 to 2 nodes, and goes from 4 to 2 nodes at once",
    "rolls 2: Windows pool ends is no longer autoscaled and gets 4 nodes, 2 to 5 fewer",
    `rolls 1: Windows pool swells is only partly replaced: ${size} for 3 nodes, 1 stays as it is`,
    `rolls 0: Windows pool told is only partly replaced: ${size} for 0 to 1 node, 0 to 1 stay as they are (autoscaled)`,
    "changes 0: Windows pool fits is autoscaled from now on, from 1 to 9 nodes",
    "changes 0: Windows pool grows is autoscaled from now on, from 6 to 9 nodes, and goes from 4 to 6 nodes at once",
    `changes 0: Windows pool newest is not renewed: ${size} for nodes that come later, 3 stay as they are`,
    `changes 0: Windows pool shrinks is not renewed: ${size} for nodes that come later, 3 stay as they are`,
    "changes 0: Windows pool surges changes how it rolls: maxSurge 1 → 3",
    `changes 0: Windows pool surges is not renewed: ${size} for nodes that come later, 3 stay as they are`,
    "changes 0: Windows pool swells grows by 2 nodes to 4",
    "changes 0: Windows pool told: the autoscaler reckons with nodes of another size (Standard_D4s_v5 → Standard_D8s_v5)",
    "metadata 0: What `pulumi up` waits for changes: upgrade-win-green",
    "metadata 0: Windows pool same names the same image in another form",
  ]);
});

it("a rollout that may take all nodes away, and what an autoscaler knows of new nodes, are named", async () => {
  const pools = (win1: Raw, win2: Raw) => ({
    windowsPools: { win1, win2: { autoscale: { min: 0, max: 3 }, ...win2 } },
  });
  const impacts = await impactsBetween(
    pools({}, {}),
    pools({ rollout: { maxSurge: 0, maxUnavailable: "100%" } }, { kubelet: { maxPods: 60 } }),
  );
  expect(impacts.map(line)).toEqual([
    "changes 0: Windows pool win1 changes how it rolls: maxSurge 1 → 0 and maxUnavailable 0 → 100%; a rollout then takes all nodes away at once",
    "changes 0: Windows pool win2 gets new bootstrap data for new nodes; 0 to 3 nodes (autoscaled) already running keep theirs",
    "changes 0: Windows pool win2: the autoscaler reckons with nodes with other labels, taints, zones or resources",
  ]);
});

it("without a wait, MachineDeployments follow the control plane, and scale sets do not", async () => {
  const rulesFor = async (kind: "MachinePool" | "MachineDeployment", wait = "none") =>
    (
      await impactsBetween({ ...pool(kind), wait }, { ...pool(kind), wait, kubernetesVersion: "v1.36.2" })
    ).map(({ rule }) => rule);
  expect(await rulesFor("MachinePool")).toContain("upgrade-all-at-once");
  const ordered = await rulesFor("MachinePool", "controlPlane");
  expect(ordered).toContain("upgrade-in-order");
  expect(ordered).not.toContain("upgrade-all-at-once");
  const machines = await rulesFor("MachineDeployment");
  expect(machines).not.toContain("upgrade-all-at-once");
  expect(machines).toEqual(expect.arrayContaining(["control-plane-rolls", "deployment-rolls"]));
});

it("the control plane can be downgraded by a patch, and its machines roll", async () => {
  const impacts = await impactsBetween({}, { kubernetesVersion: "v1.35.5" });
  expect(impacts.map(({ rule }) => rule)).toContain("control-plane-rolls");
  expect(impacts.filter(({ severity }) => severity === "refused")).toEqual([]);
});

it("Cluster API can be downgraded by a patch", async () => {
  const impacts = await impactsBetween(
    { clusterApi: { coreVersion: "v1.13.6" } },
    { clusterApi: { coreVersion: "v1.13.5" } },
  );
  expect(impacts.map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
    "changes cluster-api-changes",
    "metadata pulumi-annotations",
  ]);
});

const existing = {
  namespace: "shared",
  ...existingManagement,
  clusterApi: { install: false },
  protect: false,
};

it("another clusterName in the same namespace is refused if pools would move to the new cluster", async () => {
  const of = (more: Raw) =>
    impactsBetween({ ...existing, ...more }, { ...existing, ...more, clusterName: "green" });
  expect((await of({ windowsPools: { win1: {} } })).map(line)).toEqual([
    "refused 0: clusterName test → green is another cluster, and win1 cannot move to it",
  ]);
  expect((await of({})).map(({ severity, rule }) => `${severity} ${rule}`)).toEqual([
    "destroys another-cluster",
  ]);
});

it("a control plane that rolls because of an unnamed change does not print an empty list", async () => {
  const azure = minimal().azure as Raw;
  const impacts = await impactsBetween({}, { azure: { ...azure, resourceGroup: "other" } });
  const rolls = impacts.find(({ rule }) => rule === "control-plane-rolls");
  expect(rolls?.why).toContain("what changes is part of each machine");
});

it("zones in another order are the same zones", async () => {
  const of = (zones: string[]) => ({ linuxPools: { zoned: { zones } } });
  expect(await impactsBetween(of(["2", "1"]), of(["1", "2"]))).toEqual([]);
});

it("limits of a drain and of a health check roll no machines of a MachineDeployment", async () => {
  const machines = (more: Raw) => ({ windowsPools: { win1: { kind: "MachineDeployment", ...more } } });
  const limits = { nodeDrainTimeoutSeconds: 600, nodeVolumeDetachTimeoutSeconds: 60 };
  expect((await impactsBetween(machines({}), machines({ deletion: limits }))).map(line)).toEqual([
    "changes 0: Windows pool win1: nodes are deleted with other limits, and nothing rolls",
  ]);
  expect(
    (
      await impactsBetween(machines({}), machines({ healthCheck: { unhealthyLessThanOrEqualTo: "100%" } }))
    ).map(line),
  ).toEqual(["changes 0: Unhealthy machines of pool win1 are replaced automatically by new rules"]);
  expect(
    (await impactsBetween(machines({}), machines({ healthCheck: { enabled: false } }))).map(line),
  ).toEqual(["changes 0: Unhealthy machines of pool win1 are no longer replaced automatically"]);
});

it("the first subnets of pools roll MachineDeployments, and change only metadata of scale sets", async () => {
  const pools = (more: Raw) => ({
    ...more,
    windowsPools: { single: { kind: "MachineDeployment" }, scale: {} },
  });
  const impacts = await impactsBetween(
    pools({}),
    pools({ network: { poolSubnets: { web: "10.10.64.0/24" } } }),
  );
  expect(impacts.map(line)).toEqual([
    "changes 0: Subnets for pools: web is added",
    "rolls 2: Windows pool single rolls: 2 nodes replaced, surge 1",
    "metadata 0: Windows pool scale names the subnet that it is in",
  ]);
});
