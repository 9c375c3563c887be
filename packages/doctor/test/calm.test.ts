import { diagnose } from "capz-windows-doctor/diagnose";
import { exitCode } from "capz-windows-doctor/exitCode";
import type { Diagnosis } from "capz-windows-doctor/diagnosis";
import { verdict } from "capz-windows-doctor/report/text";
import { withoutSecrets } from "capz-windows-doctor/cluster/saved";
import { furnishApplications } from "./calm/applications";
import { realNode } from "./calm/objects";
import { furnish, Patient, patient, recording } from "./patient";
import { paragraphsOf } from "./scenes";

/** Healthy clusters with objects like those of a real API server: the doctor has no findings, not even warnings. */

function withApplications(p: Patient): Patient {
  for (const { metadata } of p.all("Node", "workload")) {
    realNode(p, metadata.name);
  }
  furnishApplications(p);
  return p;
}

/** What the doctor makes of what it would read: without environment, managed fields and the like. */
function diagnosed(p: Patient): Diagnosis {
  const { management, workload, ...rest } = p.snapshot();
  const read = (view: typeof workload) => ({ ...view, objects: view.objects.map(withoutSecrets) });
  const snapshot = { ...rest, management: read(management), workload: read(workload) };
  expect(JSON.stringify(snapshot)).not.toMatch(/hunter2|managedFields/);
  return diagnose(snapshot);
}

const saidOf = ({ findings }: Diagnosis): string[] =>
  findings.map(
    ({ id, severity, scope, proofs }) =>
      `${severity} ${id} (${scope}): ${proofs[0]?.where ?? ""}: ${proofs[0]?.text ?? ""}`,
  );

const said = (p: Patient): string[] => saidOf(diagnosed(p));

it.each(["passing", "quiet"].flatMap((name) => paragraphsOf(`calm/${name}.txt`)))(
  "no alarm: $name",
  ({ make }) => {
    const p = withApplications(patient());
    make(p);
    expect(said(p)).toEqual([]);
  },
);

it.each(paragraphsOf("calm/motion.txt"))("no alarm, and not finished: $name", ({ make }) => {
  const p = withApplications(patient());
  make(p);
  const diagnosis = diagnosed(p);
  expect(saidOf(diagnosis)).toEqual([]);
  expect(exitCode(diagnosis)).toBe(2);
  const [begin, end] =
    diagnosis.notRunning.length > 0
      ? ["No rule finds a cause", " Not all Pods run: "]
      : ["Nothing is wrong", ""];
  const checked =
    "in the states of machines, nodes, add-ons and Pods; what their programs do was not checked";
  expect(verdict(diagnosis)).toMatch(new RegExp(`^${begin} ${checked}\\. Not finished: .*${end}`));
});

it.each(["upgrade-control-plane", "upgrade-pools"])("not everything runs: %s", (name) => {
  expect(diagnose(recording(name)).complete).toBe(false);
});

it.each(["upgrade-control-plane", "upgrade-pools"])("no alarm: %s, with applications", (name) => {
  expect(said(withApplications(furnish(new Patient(recording(name)))))).toEqual([]);
});

describe("a webhook that failed", () => {
  const failed = (first: number, last: number, count: number) => (p: Patient) => {
    const plane = p.get("KubeadmControlPlane");
    const message =
      'failed calling webhook "x.azuremachine.io": tls: x509: certificate signed by unknown authority';
    p.event(plane, "FailedScaleUp", message, { ago: last, count });
    Object.assign(p.get("Event", `${plane.metadata.name}.FailedScaleUp`), { firstTimestamp: p.ago(first) });
  };

  const after = (make: (p: Patient) => void): string[] => {
    const p = patient();
    make(p);
    return said(p);
  };

  it.each([
    ["once, a minute ago", 1, 1, 1],
    ["for five minutes, until ten minutes ago, so that the next attempt may still come", 15, 10, 12],
  ])("%s, is reported", (_, first, last, count) => {
    expect(after(failed(first, last, count))).toEqual([expect.stringMatching(/^error webhook-certificate /)]);
  });

  it.each([
    ["once, three minutes ago", 3, 3, 1],
    ["for five minutes, until thirteen minutes ago", 18, 13, 12],
  ])("%s, works again", (_, first, last, count) => {
    expect(after(failed(first, last, count))).toEqual([]);
  });
});
