import { refusalsOf } from "../../program/refuseAtOnce";
import type { RecordedObject } from "../../program/recordedState";
import type { Plan } from "../../commands/plan/model/plan";
import { exampleStacks, planOf } from "../support/plans";
import { planInline } from "../support/inlinePlans";
import { minimal, settingsWith } from "../support/stacks";

/** What cannot be changed is refused by the settings and the state alone, before any resource is registered. */

/** The objects of a plan as a state has them. */
const recordedBy = ({ update }: Plan): RecordedObject[] =>
  update.resources
    .filter(({ type }) => type.startsWith("kubernetes:"))
    .map(({ name, inputs }) => ({ name, object: inputs }));

it.each(exampleStacks)("refuses nothing of the example %s that has not changed", async (stack) => {
  const plan = await planOf(stack);
  const recorded = recordedBy(plan);
  expect(refusalsOf(plan.settings, recorded)).toEqual([]);
});

const immutable =
  "this is immutable for the lifetime of a cluster: create a new cluster and move the workloads there";

describe("a change of a stack that exists", () => {
  const azure = minimal().azure as Readonly<Record<string, string>>;
  const before = {
    ...minimal(),
    network: { poolSubnets: { web: "10.10.64.0/24" } },
    controlPlane: { replicas: 3, encryption: { keys: ["identity", "key1"] } },
  };
  let recorded: RecordedObject[];
  beforeAll(async () => {
    recorded = recordedBy(await planInline(before));
  });

  const refused = (change: object): string[] => refusalsOf(settingsWith({ ...before, ...change }), recorded);

  it.each([
    [
      "azure.location",
      { azure: { ...azure, location: "northeurope" } },
      "spec.location from westeurope to northeurope",
    ],
    [
      "azure.subscriptionId",
      { azure: { ...azure, subscriptionId: "99999999-2222-4333-8444-555555555555" } },
      "spec.subscriptionID from 11111111-2222-4333-8444-555555555555 to 99999999-2222-4333-8444-555555555555",
    ],
  ])("of %s", (_, change, line) => {
    expect(refused(change)).toEqual([`cluster-azure cannot be updated:\n  ${line}: ${immutable}`]);
  });

  it("of azure.resourceGroup, in which the VNET is, too", () => {
    expect(refused({ azure: { ...azure, resourceGroup: "other" } })).toEqual([
      [
        "cluster-azure cannot be updated:",
        `  spec.resourceGroup from test to other: ${immutable}`,
        `  spec.networkSpec.vnet.resourceGroup from test to other: ${immutable}`,
      ].join("\n"),
    ]);
  });

  it("of both ranges of the cluster", () => {
    const network = { ...before.network, podCidr: "10.200.0.0/16", serviceCidr: "10.201.0.0/16" };
    expect(refused({ network })).toEqual([
      [
        "cluster-cluster cannot be updated:",
        `  spec.clusterNetwork.pods.cidrBlocks from ["192.168.0.0/16"] to ["10.200.0.0/16"]: ${immutable}`,
        `  spec.clusterNetwork.services.cidrBlocks from ["10.96.0.0/12"] to ["10.201.0.0/16"]: ${immutable}`,
      ].join("\n"),
    ]);
  });

  it("of the VNET, whose default subnets move with it", () => {
    expect(refused({ network: { vnetCidr: "10.20.0.0/16" } })).toEqual([
      expect.stringMatching(
        /^cluster-azure cannot be updated:\n {2}spec\.networkSpec\.vnet\.cidrBlocks from \["10\.10\.0\.0\/16"\] to \["10\.20\.0\.0\/16"\]: /,
      ),
    ]);
  });

  it("of the range of a subnet of pools", () => {
    expect(refused({ network: { poolSubnets: { web: "10.10.65.0/24" } } })).toEqual([
      'cluster-azure cannot be updated:\n  spec.networkSpec.subnets[pools].cidrBlocks from ["web: 10.10.64.0/24"] to ["web: 10.10.65.0/24"]: Azure does not change the range of a subnet with machines: add a subnet under another name for a new pool, move the workload, and remove the old pool, and its subnet in a later `up`',
    ]);
  });

  it("to an older minor", () => {
    expect(refused({ kubernetesVersion: "v1.34.2" })).toEqual([
      "control-plane-kubeadm cannot be updated:\n  spec.version from v1.35.6 to v1.34.2: etcd and the API server cannot be downgraded: restore the previous kubernetesVersion",
    ]);
  });

  it("to a key that is first at once", () => {
    const keys = ["key2", "key1"];
    expect(refused({ controlPlane: { ...before.controlPlane, encryption: { keys } } })).toEqual([
      expect.stringMatching(/^control-plane-kubeadm cannot be updated:\n {2}controlPlane\.encryption from /),
    ]);
  });

  it("is none where another cluster is asked for, or the state has none", () => {
    const other = { azure: { ...azure, location: "northeurope" } };
    expect(refused({ ...other, clusterName: "other" })).toEqual([]);
    expect(refusalsOf(settingsWith({ ...before, ...other }), [])).toEqual([]);
  });

  it("is none for what can be changed", () => {
    const network = { poolSubnets: { web: "10.10.64.0/24", api: "10.10.65.0/24" } };
    const controlPlane = { replicas: 5, encryption: { keys: ["key1"] } };
    expect(refused({ kubernetesVersion: "v1.36.0", network, controlPlane, tags: { team: "a" } })).toEqual([]);
  });
});
