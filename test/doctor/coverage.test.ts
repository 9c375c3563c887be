import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "../../commands/doctor/diagnose";
import { allRules } from "../../commands/doctor/rules/allRules";
import { patient, recordedDir, recording, type Patient } from "./patient";

/** Each rule has an example, a message or an object as its component writes it, that is reported by this rule first. */

interface Example {
  readonly make: (patient: Patient) => unknown;
}

const isExample = (value: unknown): value is Example =>
  typeof value === "object" && value !== null && "make" in value && typeof value.make === "function";

const examples = ["blind", "catalogue", "faults"].flatMap((folder) =>
  readdirSync(join(__dirname, folder)).flatMap((file) =>
    Object.values(jest.requireActual<Record<string, unknown>>(join(__dirname, folder, file))).flatMap(
      (list) => (Array.isArray(list) ? list.filter(isExample) : []),
    ),
  ),
);

/** Rules whose examples are in suites of their own, because they need more than a change of a healthy cluster. */
const elsewhere: Readonly<Record<string, string>> = {
  "drain-slow": "dayTwo.test.ts",
  "azure-timeout": "doctor.test.ts",
  "former-template-missing": "rolling.test.ts",
  "scale-set-without-instances": "rolling.test.ts",
  "pod-not-started": "unexplained.test.ts",
};

/** Rules that say only that something is not right: a finding with the cause stands before them. */
const behind: readonly string[] = [
  ...["provider-unavailable", "control-plane-unhealthy", "cni-nowhere", "operator-crashes"],
  "kube-proxy-crashes",
  ...["pool-incomplete", "cluster-unavailable", "node-not-ready", "namespace-api", "pod-node-away"],
];

it("every rule is the first one that is reported for an example", () => {
  const snapshots = [
    ...examples.map(({ make }) => {
      const p = patient();
      make(p);
      return p.snapshot();
    }),
    ...readdirSync(recordedDir).map((file) => recording(file.replace(/\.json$/, ""))),
  ];
  const diagnoses = snapshots.map((snapshot) => diagnose(snapshot).findings);
  const first = new Set(diagnoses.map(([finding]) => finding?.id));
  const reported = new Set(
    diagnoses.flatMap((findings) =>
      findings.flatMap(({ id, consequences }) => [id, ...consequences.map((one) => one.id)]),
    ),
  );
  expect(examples.length).toBeGreaterThan(allRules.length);
  const without = allRules.filter(({ id }) => !first.has(id) && !(id in elsewhere)).map(({ id }) => id);
  expect(without.sort()).toEqual([...behind].sort());
  for (const [id, suite] of Object.entries(elsewhere)) {
    expect(readFileSync(join(__dirname, suite), "utf8")).toContain(`"${id}"`);
  }
  expect(behind.filter((id) => !reported.has(id))).toEqual([]);
});
