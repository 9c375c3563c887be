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

/** "cluster-azure: spec.location" for each change that is refused; refusedChanges.test.ts has the words. */
const fieldsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => {
    const [head = "", ...lines] = text.split("\n");
    return lines.map(
      (line) => `${head.replace(" cannot be updated:", "")}: ${line.trim().split(" from ")[0]}`,
    );
  });

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
    ["azure.location", { azure: { ...azure, location: "northeurope" } }, ["cluster-azure: spec.location"]],
    [
      "azure.subscriptionId",
      { azure: { ...azure, subscriptionId: "99999999-2222-4333-8444-555555555555" } },
      ["cluster-azure: spec.subscriptionID"],
    ],
    [
      "azure.resourceGroup, in which the VNET is, too",
      { azure: { ...azure, resourceGroup: "other" } },
      ["cluster-azure: spec.resourceGroup", "cluster-azure: spec.networkSpec.vnet.resourceGroup"],
    ],
    [
      "both ranges of the cluster",
      { network: { ...before.network, podCidr: "10.200.0.0/16", serviceCidr: "10.201.0.0/16" } },
      ["pods", "services"].map((part) => `cluster-cluster: spec.clusterNetwork.${part}.cidrBlocks`),
    ],
    [
      "the VNET, whose default subnets move with it",
      { network: { vnetCidr: "10.20.0.0/16" } },
      ["vnet", "subnets[control-plane]", "subnets[node]"].map(
        (part) => `cluster-azure: spec.networkSpec.${part}.cidrBlocks`,
      ),
    ],
    [
      "the range of a subnet of pools",
      { network: { poolSubnets: { web: "10.10.65.0/24" } } },
      ["cluster-azure: spec.networkSpec.subnets[pools].cidrBlocks"],
    ],
    ["an older minor", { kubernetesVersion: "v1.34.2" }, ["control-plane-kubeadm: spec.version"]],
    [
      "a key that is first at once",
      { controlPlane: { ...before.controlPlane, encryption: { keys: ["key2", "key1"] } } },
      ["control-plane-kubeadm: controlPlane.encryption"],
    ],
    ["the blocks of Calico", { addons: { calicoBlockSize: 27 } }, ["calico-part-1: addons.calicoBlockSize"]],
    [
      "a scale set that gets spot machines",
      { windowsPools: { win1: { zones: ["1", "2"], spot: {} } } },
      ["pool-win1-azure: spec.template.spotVMOptions"],
    ],
    [
      "the zones of a scale set",
      { windowsPools: { win1: { zones: ["1"] } } },
      ["pool-win1-pool: spec.failureDomains"],
    ],
    [
      "an older Cluster API",
      { clusterApi: { coreVersion: "v1.13.6", azureVersion: "v1.26.0" } },
      ["core", "bootstrap", "control-plane", "infrastructure"].map(
        (role) => `cluster-api-providers-${role}: spec.version`,
      ),
    ],
  ])("of %s", (_, change, fields) => {
    expect(fieldsOf(refused(change))).toEqual(fields);
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
