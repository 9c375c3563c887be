import { readdirSync } from "node:fs";
import { join } from "node:path";
import { withoutSecrets } from "capz-windows-doctor/cluster/saved";
import { diagnose } from "capz-windows-doctor/diagnose";
import type { DoctorFinding } from "capz-windows-doctor/diagnosis";
import { patient, type Patient } from "./patient";
import { paragraphsOf } from "./scenes";

/**
 * States at the edges of rules, as paragraphs of edges/ with the steps of scenes.ts, and `scene NAME` for those of a scene. After
 * `=` are all findings in their order, `nothing` for none, or `RULE from MINUTES` and `RULE until MINUTES`, where M stands
 * for the minutes in the steps. After `>` are the consequences of a finding, `-` for none. After `"` is a whole
 * sentence or command of the first finding, after `~` a part of one, after `!` a pattern of what none may say.
 */

const edges = readdirSync(join(__dirname, "edges")).flatMap((file) =>
  paragraphsOf(`edges/${file}`).map(({ name, lines, make }) => {
    const after = (mark: string): string[] =>
      lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(2));
    const [expected = ""] = after("= ");
    return { name, make, expected, whole: after('" '), parts: after("~ "), not: after("! ") };
  }),
);

function findingsOf(make: (p: Patient) => unknown): readonly DoctorFinding[] {
  const p = patient();
  make(p);
  const snapshot = p.snapshot();
  const workload = { ...snapshot.workload, objects: snapshot.workload.objects.map(withoutSecrets) };
  return diagnose({ ...snapshot, workload }).findings;
}

it.each(edges)("$name", ({ make, expected, whole, parts, not }) => {
  const [, rule = "", way, limit] = /^(\S+) (from|until) (\d+)$/.exec(expected) ?? [];
  if (limit !== undefined) {
    const [inside, outside] = [Number(limit), Number(limit) + (way === "from" ? -1 : 1)];
    expect(
      findingsOf((p) => {
        make(p, inside);
      }).map(({ id }) => id),
    ).toContain(rule);
    expect(
      findingsOf((p) => {
        make(p, outside);
      }).map(({ id }) => id),
    ).not.toContain(rule);
    return;
  }
  const findings = findingsOf(make);
  const wanted = expected === "nothing" ? [] : expected.split("; ");
  const found = findings.map(({ id, consequences }, index) => {
    const effects = consequences.map((one) => one.id).join(", ");
    return wanted[index]?.includes(" > ") ? `${id} > ${effects === "" ? "-" : effects}` : id;
  });
  expect(found).toEqual(wanted);
  const [first] = findings;
  const said = [first?.cause ?? "", ...(first?.remedy ?? [])];
  expect(said).toEqual(expect.arrayContaining(whole));
  expect(parts.filter((part) => !said.some((text) => text.includes(part)))).toEqual([]);
  expect(said.filter((text) => not.some((pattern) => new RegExp(pattern).test(text)))).toEqual([]);
});
