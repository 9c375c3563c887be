import { diagnose } from "capz-windows-doctor/diagnose";
import type { Snapshot } from "capz-windows-doctor/cluster/snapshot";
import type { Diagnosis } from "capz-windows-doctor/diagnosis";
import { patient } from "./patient";
import type { Scene } from "./scenes";

interface Diagnosed {
  readonly snapshot: Snapshot;
  readonly diagnosis: Diagnosis;
  /** The names of the Machines that the cluster has. */
  readonly machines: readonly string[];
}

const diagnoses = new Map<Scene, Diagnosed>();

/** What the doctor says of a fault, once for all tests of a suite. */
export function diagnosed(scene: Scene): Diagnosed {
  const known = diagnoses.get(scene);
  if (known !== undefined) {
    return known;
  }
  const p = patient();
  scene.make(p);
  const machines = p.all("Machine").map(({ metadata }) => metadata.name);
  const snapshot = p.snapshot();
  const made = { snapshot, diagnosis: diagnose(snapshot), machines };
  diagnoses.set(scene, made);
  return made;
}
