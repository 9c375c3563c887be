import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { diagnose } from "capz-windows-doctor/diagnose";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { patient } from "./patient";

/** Rules rely on the types of metadata, which an API server checks and the author of a file does not. */

const file = join(temporaryFolder(), "recorded.json");
const words = "The recorded objects have metadata that no API server writes.";
const fields = [
  ...["name", "namespace", "uid", "creationTimestamp", "deletionTimestamp", "labels", "annotations"],
  ...["finalizers", "ownerReferences"],
];

it("a recording with any other type of a field is refused, or diagnosed", () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(
      fc.constantFrom(...fields),
      fc.constantFrom({ a: 1 }, [{ a: 1 }], 5, true, [null], { a: { b: 1 } }, "x"),
      fc.nat(),
      (field, value, at) => {
        const snapshot = patient().snapshot();
        const { objects } = at % 2 === 0 ? snapshot.management : snapshot.workload;
        const object = objects[at % objects.length]!;
        Object.assign(object.metadata, { [field]: value });
        writeFileSync(file, JSON.stringify(snapshot));
        try {
          diagnose(readRecorded(file));
          outcomes.add("diagnosed");
        } catch (error) {
          expect((error as Error).message).toBe(words);
          outcomes.add("refused");
        }
      },
    ),
    { numRuns: 60 },
  );
  expect(outcomes).toContain("refused");
});
