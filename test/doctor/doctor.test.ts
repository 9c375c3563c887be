import { readdirSync } from "node:fs";
import { diagnose } from "../../commands/doctor/diagnose";
import type { Diagnosis } from "../../commands/doctor/diagnosis";
import { formatText } from "../../commands/doctor/report/text";
import { patient, recordedDir, recording, slowed } from "./patient";
import { sceneNamed } from "./scenes";

const names = readdirSync(recordedDir)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.replace(/\.json$/, ""));

/**
 * Whether a recording is of a run without a fault, which may have no findings. The others are named after their rule.
 */
const isCalm = (name: string): boolean => /^(healthy|bring-up|upgrade)/.test(name);
const ruleOf = (name: string): string => name.replace(/--.*$/, "");

const brief = ({ findings }: Diagnosis): string =>
  findings.map(({ id, scope, proofs }) => `${id} (${scope}): ${JSON.stringify(proofs[0])}`).join("\n");

function sick(scene: string): Diagnosis {
  const p = patient();
  sceneNamed(scene).make(p);
  return diagnose(p.snapshot());
}

const linuxQuota = "quota of the only Linux pool, and Typha complains";

describe("recordings of the real managers", () => {
  it.each(names.filter(isCalm))("no alarm: %s", (name) => {
    expect(brief(diagnose(recording(name)))).toBe("");
  });

  // A simulated machine boots in seconds, but one in Azure in minutes, so all waits for it take longer.
  it.each(
    names
      .filter((name) => name.startsWith("upgrade"))
      .flatMap((name) => [5, 15, 25].map((pace) => [name, pace] as const)),
  )("no alarm: %s, %d times as slow", (name, pace) => {
    expect(brief(diagnose(slowed(recording(name), pace)))).toBe("");
  });

  it.each(names.filter((name) => !isCalm(name)))("the right cause first: %s", (name) => {
    const diagnosis = diagnose(recording(name));
    expect(diagnosis.findings[0]?.id ?? brief(diagnosis)).toBe(ruleOf(name));
  });
});

it("a healthy cluster an hour later, with add-ons and providers: nothing is wrong, everything runs", () => {
  const diagnosis = diagnose(patient().snapshot());
  expect(brief(diagnosis)).toBe("");
  expect(diagnosis.steps.filter(({ state }) => state !== "done")).toEqual([]);
  expect(diagnosis.complete).toBe(true);
});

it("consequences of a cause are reported below it, not beside it", () => {
  const [quota, ...others] = sick(linuxQuota).findings;
  expect(others).toEqual([]);
  expect(quota?.consequences.map(({ id }) => id).sort()).toEqual(["node-network", "typha"]);
});

it.each([
  "a lock keeps the resource group of a cluster that is being deleted",
  "the subscription is disabled",
])("what the Azure Service Operator says and CAPZ repeats is one finding with two proofs: %s", (name) => {
  const { findings } = sick(name);
  expect(findings.map(({ id, proofs }) => [id, proofs.length])).toEqual([[findings[0]?.id, 2]]);
});

it("the report names cause, proof, remedy and consequences", () => {
  const text = formatText(sick(linuxQuota), { color: false, width: 100 });
  expect(text).toContain(
    "x 1. The quota of standardDSv5Family cores in westeurope is used up: 10 are approved, 8 in use, 4",
  );
  expect(text).toContain("   proof     AzureMachinePool linux1, condition");
  expect(text).toContain(
    "             capz-windows:linuxPools: {linux1: {replicas: FEWER, vmSize: A-SIZE-OF-ANOTHER-FAMILY}}",
  );
  expect(text).toContain("   then also TigeraStatus calico: ");
  // Azure's answer is told in a line, without the request and the JSON around it.
  expect(text).toContain("409 OperationNotAllowed: Operation could not be");
  expect(text).not.toContain("----");
  expect(text).toContain("\n   more      npm run doctor -- --explain quota-cores\n");
});
