import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { savedSnapshot, withoutSecrets } from "capz-windows-doctor/cluster/saved";
import type { Snapshot } from "capz-windows-doctor/cluster/snapshot";
import { diagnose } from "capz-windows-doctor/diagnose";
import type { Diagnosis, DoctorFinding } from "capz-windows-doctor/diagnosis";
import { explained } from "capz-windows-doctor/report/explain";
import { subjects } from "capz-windows-doctor/rules/allRules";
import { inCi } from "capz-windows-test-kit/sample";
import { diagnosed } from "./diagnosed";
import { examples } from "./examples";
import { recordedDir, recording } from "./patient";
import type { Scene } from "./scenes";
// In one suite, because each fault is diagnosed once.
import "./destructive.part";

/** Each fault in a healthy cluster: the doctor names its cause first, with a remedy, and nearly always alone. */

const findingsOf = (scene: Scene): readonly DoctorFinding[] => diagnosed(scene).diagnosis.findings;

const print = ({ id, scope, cause, remedy, proofs }: DoctorFinding): string =>
  `${id} (${scope}): ${cause}\n    ${remedy.join("\n    ")}\n    ${JSON.stringify(proofs[0])}`;

const isRight = ({ rule, scope, cause = /(?:)/, remedy = /(?:)/ }: Scene, first: DoctorFinding): boolean =>
  first.id === (rule ?? first.id) &&
  first.scope === (scope ?? first.scope) &&
  cause.test(first.cause) &&
  first.remedy.some((line) => remedy.test(line));

const withRule = new Set<Scene>(examples.filter(({ rule }) => rule !== undefined));
let together = 0;

it.each(examples.map((scene) => [scene.name, scene] as const))("%s", (_, scene) => {
  const [first, ...others] = findingsOf(scene);
  if (first === undefined || !isRight(scene, first)) {
    const { rule = "", scope = "", cause = "", remedy = "" } = scene;
    throw new Error(
      `expected ${rule} ${scope} ${String(cause)}, remedy ${String(remedy)}; the doctor says:\n  ${[first, ...others].map((each) => each && print(each)).join("\n  ") || "nothing"}`,
    );
  }
  const texts = [first.cause, ...first.remedy, ...first.proofs.map(({ where, text }) => `${where} ${text}`)];
  expect(texts.filter((text) => /undefined|\[object/.test(text))).toEqual([]);
  expect([first.cause, ...first.remedy].filter((text) => /(?<!%)\{\w+\}|\(not named\)/.test(text))).toEqual(
    [],
  );
  expect(first.proofs[0]?.text).not.toBe("");
  if (withRule.has(scene) && others.some(({ severity }) => severity === "error")) {
    together += 1;
  }
});

it("nine of ten faults have no second cause beside them", () => {
  expect(together / withRule.size).toBeLessThanOrEqual(0.1);
});

/** Found while a cluster is read, which no scene does: test/io/hostileServers and test/doctor/hostileKubeconfig of the program. */
const whileReading: readonly string[] = [
  "management-not-answered",
  "workload-not-answered",
  "workload-kubeconfig-refused",
];

it("what an entry says is a part of a message by which it was found", () => {
  const heard = examples
    .flatMap(findingsOf)
    .flatMap(({ id, consequences, proofs }) => [
      ...proofs.map(({ text }) => `${id}: ${text}`),
      ...consequences.map((one) => `${one.id}: ${one.proof.text}`),
    ]);
  const unheard = subjects
    .flatMap(({ rules }) => rules)
    .filter(({ id }) => !whileReading.includes(id))
    .flatMap(({ id, says = [] }) => says.map((part) => [`${id}: `, part] as const))
    .filter(([id, part]) => !heard.some((text) => text.startsWith(id) && text.includes(part)));
  expect(unheard).toEqual([]);
});

inCi("four of five messages, pasted into --explain, give their cause among others", () => {
  // Other entries are found by the state of objects, which is no message.
  const ofMessages = new Set(
    subjects
      .flatMap(({ rules }) => rules)
      .filter(({ text, says = [] }) => text !== undefined || says.length > 0)
      .map(({ id }) => id),
  );
  const firsts = examples.flatMap((scene) => findingsOf(scene).slice(0, 1));
  const messages = firsts.filter(({ id }) => ofMessages.has(id));
  const found = messages.filter(({ id, proofs }) => {
    const said = `\n${explained(proofs[0]?.text ?? "", 100) ?? ""}`;
    // One of several is a line; one alone is printed whole.
    return said.includes(`\n${id}: `) || said.includes(`\n${id} (`);
  });
  expect(messages.length).toBeGreaterThan(350);
  expect(found.length / messages.length).toBeGreaterThan(0.8);
});

/** What was read from a cluster and kept in a file. */
function readAndSaved(one: Snapshot): Snapshot {
  const read = ({ objects, problems }: Snapshot["management"]): Snapshot["management"] => ({
    objects: objects.map(withoutSecrets),
    problems,
  });
  const live = { ...one, management: read(one.management), workload: read(one.workload) };
  return JSON.parse(JSON.stringify(savedSnapshot(live))) as Snapshot;
}

inCi("the diagnosis of what was read and saved of every scene is that of the cluster", () => {
  const lines = (one: Diagnosis) => JSON.stringify(one, null, 1).split("\n");
  const other = examples.flatMap((scene) => {
    const { diagnosis, snapshot } = diagnosed(scene);
    const [before, after] = [lines(diagnosis), lines(diagnose(readAndSaved(snapshot)))];
    const at = before.findIndex((line, index) => line !== after[index]);
    return at < 0 ? [] : [{ name: scene.name, before: before[at], after: after[at] }];
  });
  expect(other).toEqual([]);
});

/** Rules whose examples are in suites of their own, because they need more than a change of a healthy cluster. */
const elsewhere: Readonly<Record<string, string>> = {
  "drain-slow": "edges/day-two.txt",
  "node-pods": "edges/node-pods.txt",
  "azure-timeout": "edges/one-cause.txt",
  "former-template-missing": "rolling.test.ts",
  "scale-set-without-instances": "rolling.test.ts",
  "pod-not-started": "edges/one-cause.txt",
};

/** Rules that say only that something is not right: a finding with the cause stands before them. */
const behind: readonly string[] = [...["provider-unavailable", "pool-incomplete", "node-not-ready"]];

it("every rule with a detector is the first one that is reported for a fault", () => {
  const all = [
    ...examples.map(findingsOf),
    ...readdirSync(recordedDir).map((file) => diagnose(recording(file.replace(/\.json$/, ""))).findings),
  ];
  const first = new Set(all.map(([finding]) => finding?.id));
  const reported = new Set(
    all.flatMap((findings) =>
      findings.flatMap(({ id, consequences }) => [id, ...consequences.map((one) => one.id)]),
    ),
  );
  // knowledge.test.ts proves the same of the rules with a text, by their examples.
  const without = subjects
    .flatMap(({ rules }) => rules)
    .filter((rule) => rule.in === undefined && !first.has(rule.id) && !(rule.id in elsewhere))
    .map(({ id }) => id);
  expect(without.sort()).toEqual([...behind, ...whileReading].sort());
  for (const [id, suite] of Object.entries(elsewhere)) {
    expect(readFileSync(join(__dirname, suite), "utf8")).toContain(id);
  }
  expect(behind.filter((id) => !reported.has(id))).toEqual([]);
});
