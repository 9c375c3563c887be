import { diagnose } from "capz-windows-doctor/diagnose";
import { patient } from "./patient";
import { deletedMachine, drained, lost } from "./states";

/** What a diagnosis says of states of the second day beside its findings: proofs, and when a drain ends. */

it("every node that is cut off is a proof", () => {
  const p = patient();
  p.nodeCondition("linux1", "Ready", { ...lost, ago: 30 }).nodeCondition("win1", "Ready", {
    ...{ ...lost, ago: 30 },
  });
  const [first] = diagnose(p.snapshot()).findings;
  expect(first?.proofs.map(({ where }) => where.replace(/,.*/, ""))).toEqual([
    "Node linux1000000",
    "Node win1000000",
  ]);
});

it.each([
  ["6 of 30 minutes", 6, 1800, []],
  ["28 of 30 minutes, so that the deletion takes more than 20", 28, 1800, []],
  ["35 of 30 minutes: Cluster API should have gone on", 35, 1800, ["drain"]],
  ["6 minutes of a day", 6, 86_400, ["drain"]],
  ["6 minutes without a limit", 6, undefined, ["drain"]],
])("a drain that a budget holds, after %s", (_, minutes, nodeDrainTimeoutSeconds, expected) => {
  const p = patient();
  const machine = deletedMachine(
    p,
    drained(
      "cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently",
    ),
    minutes,
  );
  Object.assign(machine.spec, { deletion: { nodeDrainTimeoutSeconds } });
  Object.assign(machine.status, { deletion: { nodeDrainStartTime: p.ago(minutes) } });
  const { findings, steps } = diagnose(p.snapshot());
  expect(findings.map(({ id }) => id)).toEqual(expected);
  const told = steps.map(({ detail }) => detail).filter((detail) => detail.includes("ends by"));
  expect(told.map((detail) => detail.split("; ").at(-1))).toEqual(
    expected.length === 0 ? [`the drain of ${machine.metadata.name} ends by ${p.ago(minutes - 30)}`] : [],
  );
});

it("three machines of the control plane whose certificates end are one finding", () => {
  const p = patient();
  const first = p.get("Machine", "sick-control-plane");
  first.status.certificatesExpiryDate = p.ago(-20 * 24 * 60);
  for (const name of ["sick-control-plane-b", "sick-control-plane-c"]) {
    const machine = p.add("management", { ...structuredClone(first), metadata: { ...first.metadata, name } });
    machine.status.certificatesExpiryDate = p.ago(-21 * 24 * 60);
  }
  const found = diagnose(p.snapshot()).findings.filter(({ id }) => id === "control-plane-certificates-end");
  expect(found.map(({ proofs }) => proofs.length)).toEqual([3]);
  expect(found[0]?.cause).toContain("in 20 days");
});
