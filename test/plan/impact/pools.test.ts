import type { Impact } from "../../../plan/impact/impact";
import { existingManagement, minimal } from "../../support/stacks";
import * as plans from "./between";

/** Changes for which webhooks and CAPZ do something else than one would expect. */

type Raw = Record<string, unknown>;

const impactsBetween = (before: Raw, after: Raw): Promise<Impact[]> =>
  plans.impactsBetween({ ...minimal(), ...before }, { ...minimal(), ...after });

const line = ({ severity, nodes, what }: Impact): string => `${severity} ${nodes}: ${what}`;

const pool = (kind: "MachinePool" | "MachineDeployment", version?: string) => ({
  windowsPools: { win1: { kind, ...(version === undefined ? {} : { kubernetesVersion: version }) } },
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
