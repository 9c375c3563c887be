import { declaredObjects, refusalsOf } from "../../program/refuseAtOnce";
import { refusedKinds } from "capz-windows-platform/cluster/refusedChanges";
import { textAt } from "capz-windows-kit/untyped";
import type { RecordedObject } from "../../program/recordedState";
import type { Plan } from "../../plan/model/plan";
import { exampleStacks, planOf } from "../support/plans";
import { updateInline } from "../support/inlinePlans";
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

it("declares every kind of which a change is refused", async () => {
  const plan = await planOf("dev");
  const kinds = declaredObjects(plan.settings, recordedBy(plan)).map((object) => textAt(object, "kind"));
  expect([...new Set(kinds)].sort()).toEqual([...refusedKinds].sort());
});

const immutable =
  "this is immutable for the lifetime of a cluster: create a new cluster and move the workloads there";

describe("a change of a stack that exists", () => {
  const azure = minimal().azure as Readonly<Record<string, string>>;
  const before = {
    ...minimal(),
    network: { poolSubnets: { web: "10.10.64.0/24" } },
    windowsPools: { win1: { zones: ["1", "2"] } },
    controlPlane: { replicas: 3, encryption: { keys: ["identity", "key1"] } },
  };
  let recorded: RecordedObject[];
  beforeAll(async () => {
    recorded = recordedBy(await updateInline(before));
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

  const ownPool = "add a pool with it under another name, move the workload, and remove this one";

  it.each([
    [
      "the blocks of Calico",
      { addons: { calicoBlockSize: 27 } },
      [
        "calico-part-1 cannot be updated:",
        "  addons.calicoBlockSize from 25 to 27: Calico does not change the blocks of a cluster that exists (calico v3.32.1 libcalico-go/lib/clientv3/ippool.go), and its operator would change no range of addresses any more: set addons.calicoBlockSize to the former value",
      ],
    ],
    [
      "a scale set that gets spot machines",
      { windowsPools: { win1: { zones: ["1", "2"], spot: {} } } },
      [
        "pool-win1-azure cannot be updated:",
        `  spec.template.spotVMOptions from nothing to {"evictionPolicy":"Delete"}: Azure takes this for a scale set when it is created, and refuses every later update that has it: ${ownPool}`,
      ],
    ],
    [
      "the zones of a scale set",
      { windowsPools: { win1: { zones: ["1"] } } },
      [
        "pool-win1-pool cannot be updated:",
        '  spec.failureDomains from ["1","2"] to ["1"]: Azure can add zones to a scale set, but not remove them: add a pool with the zones that you want, move the workload, and remove this one',
      ],
    ],
    [
      "an older Cluster API",
      { clusterApi: { coreVersion: "v1.13.6", azureVersion: "v1.26.0" } },
      ["core", "bootstrap", "control-plane", "infrastructure"].map(
        (role) => expect.stringContaining(`cluster-api-providers-${role} cannot be updated:`) as string,
      ),
    ],
  ])("of %s", (_, change, lines) => {
    const found = refused(change);
    expect(lines.length > 2 ? found : found.flatMap((text) => text.split("\n"))).toEqual(lines);
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
