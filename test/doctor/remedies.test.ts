import { diagnose } from "../../doctor/diagnose";
import type { Finding } from "../../doctor/model/diagnosis";
import { ninthReports } from "./blind/ninthReports";
import { patient } from "./patient";

/** What findings say of this cluster beside their cause: names and minutes that the condition has, each thing once. */

function findings(name: string): readonly Finding[] {
  const p = patient();
  ninthReports.find((fault) => fault.name === name)!.make(p);
  return diagnose(p.snapshot()).findings;
}

it("the budget that holds a drain is in the command that deletes it", () => {
  const [drain] = findings("a drain has waited for a budget for two weeks");
  expect(drain?.remedy).toContain(
    "kubectl --kubeconfig workload.kubeconfig delete pdb once-postgres-primary -n once-production   # or more replicas of what it protects",
  );
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
