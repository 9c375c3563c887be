import { World } from "capz-windows-doctor/cluster/snapshot";
import { remedyOf } from "capz-windows-doctor/remedies";
import { diagnose } from "capz-windows-doctor/diagnose";
import type { DoctorFinding } from "capz-windows-doctor/diagnosis";
import { patient } from "./patient";
import { sceneNamed } from "./scenes";

/** What findings say of this cluster beside their cause: names and minutes that the condition has, each thing once. */

function findings(name: string): readonly DoctorFinding[] {
  const p = patient();
  sceneNamed(name).make(p);
  return diagnose(p.snapshot()).findings;
}

it("a lock of the resource group is one finding, with what is locked", () => {
  const locked = findings("a lock keeps the resource group of a deleted cluster");
  expect(locked.map(({ id, proofs }) => [id, proofs.length])).toEqual([["deletion-locked", 2]]);
  expect(locked[0]?.cause).toContain("A lock in Azure on resourceGroups/sick prevents the deletion");
});

describe("a control plane of three machines, of which two are not healthy", () => {
  const found = findings("a broken machine of the control plane may not be replaced because of etcd");

  it("says for how long etcd does not answer", () => {
    expect(found[0]?.cause).toMatch(/^Cluster API has not reached the member of etcd of \S+ for 60 minutes/);
  });

  it("does not advise the number of machines that it has", () => {
    const texts = found.flatMap(({ remedy, consequences }) => [
      ...remedy,
      ...consequences.map(({ id }) => id),
    ]);
    expect(texts.filter((text) => text.includes("replicas"))).toEqual([]);
    expect(texts).toContain("remediation-blocked");
  });
});

it("a command for one instance of a scale set has the number of the one that did not join", () => {
  const p = patient();
  const joined = p.get("AzureMachinePoolMachine", "win1");
  const { metadata, spec } = joined;
  p.add("management", {
    ...structuredClone(joined),
    metadata: { ...metadata, name: "win1-3", uid: "win1-3", creationTimestamp: p.ago(50) },
    spec: { ...spec, instanceID: "3", providerID: String(spec.providerID).replace(/\d+$/, "3") },
    status: { provisioningState: "Succeeded", ready: false },
  });
  const [found] = diagnose(p.snapshot()).findings;
  expect([found?.id, found?.remedy[1]]).toEqual([
    "node-not-joined",
    expect.stringContaining("--name win1 --instance-id 3 --command-id RunPowerShellScript"),
  ]);
});

it("a machine without labels of its pool has the commands of the machine that owns it", () => {
  const p = patient();
  sceneNamed("the VM of a machine was deleted").make(p);
  const machine = p.get("AzureMachine", "linux2");
  const owner = p.get("Machine", "linux2").metadata;
  Object.assign(owner, { labels: { "cluster.x-k8s.io/deployment-name": "linux2" } });
  Object.assign(machine.metadata, {
    labels: { "cluster.x-k8s.io/cluster-name": "sick" },
    ownerReferences: [{ kind: "Machine", name: owner.name }],
  });
  p.refused(machine, "Ready", "OSProvisioningTimedOut: it did not finish in the allotted time.", { ago: 20 });
  const found = diagnose(p.snapshot()).findings.find(({ id }) => id === "os-provisioning");
  expect([found?.scope, found?.remedy.filter((line) => line.startsWith("az "))]).toEqual([
    "pool linux2",
    [
      expect.stringContaining("az vm run-command invoke --resource-group sick --name linux2-8kq2p-x7m4v"),
      "az vm boot-diagnostics get-boot-log --resource-group sick --name linux2-8kq2p-x7m4v",
    ],
  ]);
});

it("an expired token: only the instances that wait are in the command that deletes", () => {
  const p = patient();
  const instance = p.get("AzureMachinePoolMachine", "win1");
  const waiting = (name: string, ago: number) =>
    p.add("management", {
      ...structuredClone(instance),
      metadata: {
        ...structuredClone(instance.metadata),
        ...{
          name,
          creationTimestamp: p.ago(ago),
          ownerReferences: [{ kind: "AzureMachinePool", name: "win1" }],
        },
      },
      status: { provisioningState: "Succeeded", ready: true },
    });
  waiting("win1-7", 24);
  waiting("win1-8", 22);
  waiting("win1-9", 19);
  p.add("workload", { kind: "Secret", metadata: { name: "azure-cloud-provider", namespace: "kube-system" } });
  p.remove("workload", ({ metadata }) => metadata.name.startsWith("bootstrap-token-"));
  const config = p.get("KubeadmConfig", "win1");
  Object.assign(config.spec, {
    joinConfiguration: { discovery: { bootstrapToken: { token: "abcdef.REDACTED" } } },
  });
  const found = diagnose(p.snapshot()).findings.find(({ id }) => id === "token-expired");
  expect(found?.proofs[0]?.text).toBe(
    "the token abcdef of 2 waiting instance(s) is not in kube-system any more",
  );
  expect(found?.remedy[0]).toBe(
    "kubectl delete machine win1-7 win1-8 -n sick   # the instances without a node: new ones get a new token",
  );
});

it("a pool whose name means something in YAML is a word to fill in", () => {
  const written = (pool: string): string[] =>
    remedyOf(
      ["capz-windows:windowsPools: {{pool}: {vmSize: SIZE}}"],
      {},
      `pool ${pool}`,
      new World(patient().snapshot()),
      { proof: { where: "", text: "" } },
    );
  expect(written("linux1")).toEqual(["capz-windows:linuxPools: {linux1: {vmSize: SIZE}}"]);
  for (const name of [
    "x: {}}\ncapz-windows:protect: false #",
    "a, b",
    "{pool}",
    "*all",
    "&a",
    '"',
    "- x",
    "\u202e",
  ]) {
    expect(written(name)).toEqual(["capz-windows:linuxPools: {POOL: {vmSize: SIZE}}"]);
  }
});
