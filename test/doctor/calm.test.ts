import { diagnose } from "../../doctor/diagnose";
import { withoutSecrets } from "../../doctor/read/clean";
import { furnishApplications } from "./calm/applications";
import { entrances } from "./calm/entrances";
import { inMotion } from "./calm/inMotion";
import { realNode } from "./calm/objects";
import { onDayTwo } from "./calm/onDayTwo";
import { passing } from "./calm/passing";
import { quiet } from "./calm/quiet";
import { restarts } from "./calm/restarts";
import { furnish, Patient, patient, recording } from "./patient";

/** Healthy clusters with objects like those of a real API server: the doctor has no findings, not even warnings. */

function withApplications(p: Patient): Patient {
  for (const { metadata } of p.all("Node", "workload")) {
    realNode(p, metadata.name);
  }
  furnishApplications(p);
  return p;
}

/** What the doctor says of what it would read: without environment, managed fields and the like. */
function said(p: Patient): string[] {
  const { management, workload, ...rest } = p.snapshot();
  const read = (view: typeof workload) => ({ ...view, objects: view.objects.map(withoutSecrets) });
  const snapshot = { ...rest, management: read(management), workload: read(workload) };
  expect(JSON.stringify(snapshot)).not.toMatch(/hunter2|managedFields/);
  return diagnose(snapshot).findings.map(
    ({ id, severity, scope, proofs }) =>
      `${severity} ${id} (${scope}): ${proofs[0]?.where ?? ""}: ${proofs[0]?.text ?? ""}`,
  );
}

it.each(
  [...inMotion, ...passing, ...quiet, ...restarts, ...onDayTwo, ...entrances].map(
    (state) => [state.name, state] as const,
  ),
)("no alarm: %s", (_, { make }) => {
  const p = withApplications(patient());
  make(p);
  expect(said(p)).toEqual([]);
});

it.each(["upgrade-control-plane", "upgrade-pools"])("no alarm: %s, with applications", (name) => {
  expect(said(withApplications(furnish(new Patient(recording(name)))))).toEqual([]);
});
