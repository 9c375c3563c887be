import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diagnose } from "capz-windows-doctor/diagnose";
import { allRules, detectors, subjects, inOrder } from "capz-windows-doctor/rules/allRules";
import { World } from "capz-windows-doctor/cluster/snapshot";
import { isThorough } from "capz-windows-test-kit/sample";
import { writeExample } from "./exampleOf";
import { problemsOf } from "./knowledgeFile";
import { patient } from "./patient";

const entries = subjects.flatMap(({ rules }) => rules);
const withExample = entries.filter(({ example }) => example !== undefined);

it.each(withExample.map((rule) => [rule.id, rule] as const))(
  "the example of %s is reported by this rule and by no other",
  (id, rule) => {
    const p = patient();
    writeExample(p, rule);
    expect(diagnose(p.snapshot()).findings.map((finding) => finding.id)).toEqual([id]);
  },
);

it("what Azure refuses to make is no cause of a deletion that fails, also where it answers so", () => {
  const making = withExample.filter((entry) => entry.in === "provisioning");
  expect(making.length).toBeGreaterThan(10);
  const explained = making.flatMap((rule) => {
    const p = patient();
    writeExample(p, rule);
    const { conditions } = p.get("AzureMachinePool", "win1").status;
    for (const condition of conditions as Record<string, string>[]) {
      condition.message = `error deleting AzureMachinePool: ${condition.message ?? ""}`;
    }
    return rule.find(new World(p.snapshot())).map(() => rule.id);
  });
  expect(explained).toEqual([]);
});

it("the order of files and entries decides nothing: of two rules that match a text, one is over the other", () => {
  const orders = [inOrder(entries), inOrder([...entries].reverse())];
  const some = withExample.filter((_, index) => isThorough || index % 12 === 0);
  const wrong = some.flatMap((rule) => {
    const p = patient();
    writeExample(p, rule);
    const world = new World(p.snapshot());
    const matching = new Set(
      entries.filter(({ generic, find }) => generic !== true && find(world).length > 0),
    );
    const firsts = orders.map((order) => order.find((one) => matching.has(one))?.id);
    return firsts.every((id) => id === firsts[0]) ? [] : [firsts.join(" or ")];
  });
  expect(wrong).toEqual([]);
});

it("every rule that an entry is over exists, and none is over itself through others", () => {
  const ids = new Set(entries.map(({ id }) => id));
  expect(entries.flatMap(({ over = [] }) => over).filter((id) => !ids.has(id))).toEqual([]);
  const position = new Map(allRules.map(({ id }, index) => [id, index]));
  const wrong = entries.flatMap(({ id, over = [] }) =>
    over
      .filter((other) => (position.get(id) ?? 0) > (position.get(other) ?? 0))
      .map((other) => `${id} ${other}`),
  );
  expect(wrong).toEqual([]);
});

it("a program that a machine of an administrator may lack is printed with where it comes from", () => {
  const lines = entries.flatMap(({ id, remedy }) => remedy.map((line) => `${id}: ${line}`));
  const calicoctl = lines.filter((line) => line.includes("calicoctl"));
  expect(calicoctl.length).toBeGreaterThan(1);
  const from = "https://github.com/projectcalico/calico/releases, of the version of Calico";
  expect(
    calicoctl.filter((line) => !line.includes("KUBECONFIG=workload.kubeconfig") || !line.includes(from)),
  ).toEqual([]);
});

it("every detector has an entry", () => {
  const ids = new Set(entries.map(({ id }) => id));
  expect(Object.keys(detectors).filter((id) => !ids.has(id))).toEqual([]);
});

it.each(subjects.map(({ name }) => name))("knowledge/%s.yaml has no wrong entry", (name) => {
  const yaml = readFileSync(join(__dirname, `../knowledge/${name}.yaml`), "utf8");
  expect(problemsOf(yaml, detectors)).toEqual([]);
});

it("wrong entries of a file are named with what is wrong", () => {
  const yaml = (entries: string) =>
    `title: Wrong entries\nintro: Each has a fault.\nstage: pods\nsource: a test\nrules:\n${entries}`;
  const wrong = yaml(`
  - {id: no-cause, symptom: seen, in: pod, text: /x/, remedy: look, example: x}
  - {id: typing, symptom: seen, cause: A cause., in: pods, text: /x/, remedy: look, example: x}
  - {id: pattern, symptom: seen, cause: A cause., in: pod, text: /(/, remedy: look, example: x}
  - {id: no-example, symptom: seen, cause: A cause., in: pod, text: /x/, remedy: look}
  - {id: no-text, symptom: seen, cause: A cause., in: pod, remedy: look, example: x}
  - {id: unknown-key, symptom: seen, cause: A cause., in: pod, text: /x/, txt: /x/, remedy: look, example: x}
`);
  expect(
    problemsOf(wrong, {}).map((line) => line.replace(/expected one of .*/, "expected one of ...")),
  ).toEqual([
    "no-cause.cause: Invalid input: expected string, received undefined",
    "typing.in: Invalid option: expected one of ...",
    "pattern.text: must be a pattern, /.../ with flags: /(/",
    "no-example: an entry with `in` has an example, and no other has one",
    "no-text: an entry with `in` has a text",
    'unknown-key: Unrecognized key: "txt"',
  ]);
  const alone = yaml("  - {id: alone, symptom: seen, cause: A cause., remedy: look}");
  expect(problemsOf(alone, {})).toEqual(["alone: needs either an example with `in`, or a detector"]);
  expect(problemsOf(alone, { alone: () => [] })).toEqual([]);
});
