import { diagnose } from "../../commands/doctor/diagnose";
import type { Finding } from "../../commands/doctor/diagnosis";
import { ofTheStack } from "./faults/ofTheStack";
import { patient } from "./patient";
import { sceneNamed } from "./scenes";

/** What findings say of this cluster beside their cause: names and minutes that the condition has, each thing once. */

function findings(name: string): readonly Finding[] {
  const p = patient();
  sceneNamed(name).make(p);
  return diagnose(p.snapshot()).findings;
}

it("the budget that holds a drain is not deleted: its Pods are looked at", () => {
  const [drain] = findings("a drain has waited for a budget for two weeks");
  expect(drain?.remedy[0]).toBe(
    "kubectl --kubeconfig workload.kubeconfig get pdb,pods -n once-production -o wide   # does a Pod that once-postgres-primary protects not run? Repair it, and the drain goes on",
  );
  expect(drain?.remedy.join()).not.toContain("delete");
});

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
    expect(texts).toContain("remediation-quorum");
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

it.each([
  [
    "the only one",
    0,
    "Do not delete the Machine: it is the only one of the control plane, and Cluster API would make an empty cluster in its place. If its virtual machine is gone for good, restore etcd from a snapshot into a new one.",
  ],
  ["one of three", 2, "kubectl delete machine sick-control-plane-942cq -n sick   # makes a new one"],
])("a machine of the control plane that is gone, %s", (_, others, remedy) => {
  const p = patient();
  const machine = p.get("Machine", "sick-control-plane");
  for (let each = 0; each < others; each += 1) {
    p.add("management", {
      ...structuredClone(machine),
      metadata: { ...machine.metadata, name: `other-${each}`, uid: `${each}` },
    });
  }
  p.event(p.get("AzureMachine"), "VMDeleted", 'VM with provider id "azure:///x" has been deleted');
  p.get("AzureMachine").status = {};
  expect(diagnose(p.snapshot()).findings[0]?.remedy[0]).toBe(remedy);
});

it("the key of a disk encryption set: the names of Azure's answer", () => {
  const p = patient();
  p.refused(
    p.get("AzureMachine"),
    "VMRunning",
    "RESPONSE 403: 403 Forbidden\nERROR CODE: KeyVaultAccessForbidden\nUnable to access key vault resource 'https://platform.vault.azure.net/keys/disks/5b65' to enable encryption at rest. Please grant get, wrap and unwrap key permissions to disk encryption set 'own'.",
  );
  expect(diagnose(p.snapshot()).findings[0]?.remedy).toEqual([
    "az disk-encryption-set list --query \"[?name=='own'].{id:id, identity:identity.principalId, key:activeKey.keyUrl}\" -o json",
    'az role assignment create --role "Key Vault Crypto Service Encryption User" --assignee-object-id PRINCIPAL-ID --assignee-principal-type ServicePrincipal --scope "$(az keyvault show --name platform --query id -o tsv)"',
  ]);
});

it("the Pod of Calico on the node is in the command that deletes it", () => {
  const p = patient();
  const pod = p.pod("workload", "shop", "web-0", {}, 60);
  Object.assign(pod.spec, { nodeName: p.node("win1").metadata.name });
  p.condition(pod, "Ready", { reason: "ContainersNotReady", ago: 30 });
  p.event(
    pod,
    "FailedCreatePodSandBox",
    "failed to setup network for sandbox: hcnCreateEndpoint failed in Win32: The network was not found. (0x803b0001)",
    { side: "workload" },
  );
  expect(diagnose(p.snapshot()).findings[0]?.remedy).toContain(
    "kubectl --kubeconfig workload.kubeconfig delete pod calico-node-windows-2 -n calico-system   # makes the HNS network of the node again",
  );
});

it("a role that the CSI driver lacks for a disk encryption set: role, client and scope of Azure's answer", () => {
  const p = patient();
  ofTheStack.find(({ name }) => name.includes("encryption set"))!.make(p);
  expect(diagnose(p.snapshot()).findings[0]?.remedy[0]).toBe(
    'az role assignment create --role "Reader" --assignee 0a1b --scope /subscriptions/s/resourceGroups/keys/providers/Microsoft.Compute/diskEncryptionSets/des',
  );
});

describe("more nodes for Pods", () => {
  const remedyWith = (max: string | undefined): readonly string[] => {
    const p = patient();
    const annotations =
      max === undefined ? {} : { "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": max };
    Object.assign(p.get("MachinePool", "win1").metadata, { annotations });
    ofTheStack.find(({ rule }) => rule === "ipam-blocks-windows")!.make(p);
    return diagnose(p.snapshot()).findings[0]?.remedy ?? [];
  };

  it("a pool without autoscale gets replicas", () => {
    expect(remedyWith(undefined)[0]).toBe("capz-windows:windowsPools: {win1: {replicas: MORE}}");
  });

  it("the autoscaler sets the replicas of its pools: it gets a higher limit", () => {
    expect(remedyWith("3")[0]).toBe("capz-windows:windowsPools: {win1: {autoscale: {max: MORE}}}");
  });
});
