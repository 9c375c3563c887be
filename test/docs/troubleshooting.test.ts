import { diagnose } from "capz-windows-doctor/diagnose";
import { explained } from "capz-windows-doctor/report/explain";
import { formatJson } from "capz-windows-doctor/report/json";
import { formatText } from "capz-windows-doctor/report/text";
import { allRules, headingAnchor, pageOf, subjects } from "capz-windows-doctor/rules/allRules";
import { messagesOf } from "capz-windows-doctor/rules/knowledge";
import { readText } from "../architecture/sources";
import { sceneNamed } from "../../packages/doctor/test/scenes";
import { patient } from "../../packages/doctor/test/patient";

/** What a person finds who searches docs/troubleshooting.md for an error, or follows a report. */

/** The lines below each heading, by its link. */
const sections = new Map(
  readText("docs/troubleshooting.md")
    .split(/^## /m)
    .slice(1)
    .map((section) => section.split("\n"))
    .map(([heading = "", ...lines]) => [`docs/troubleshooting.md#${headingAnchor(heading)}`, lines]),
);

it("each fault that the doctor knows has one line, in the section to which its link leads", () => {
  const lines = [...sections].flatMap(([link, section]) =>
    section.flatMap((line) =>
      (/^- `([a-z0-9-]+)`: \S/.exec(line) ?? []).slice(1).map((id) => `${link} ${id}`),
    ),
  );
  expect(lines.sort()).toEqual(allRules.map(({ id }) => `${pageOf(id)} ${id}`).sort());
});

it("reports have the command that explains each finding, and its link", () => {
  const p = patient();
  sceneNamed("the subscription is disabled").make(p);
  const diagnosis = diagnose(p.snapshot());
  const text = formatText(diagnosis, { color: false, width: 100 });
  const [, asked = ""] = /more +npm run doctor -- --explain (\S+)/.exec(text) ?? [];
  expect(asked).toBe("subscription-disabled");
  expect(explained(asked, 100)).toContain("subscription-disabled (identity)");
  const { findings } = JSON.parse(formatJson(diagnosis)) as { findings: { page: string }[] };
  expect(findings.map(({ page }) => page)).toContain("docs/troubleshooting.md#identities-and-roles-in-azure");
});

it("a message stands in its explanation as its component writes it", () => {
  const inOneLine = (text: string): string => text.replace(/\s+/g, " ");
  const missing = subjects
    .flatMap(({ rules }) => rules)
    .flatMap((rule) => {
      const answer = inOneLine(explained(rule.id, 100) ?? "");
      return messagesOf(rule).filter((message) => !answer.includes(inOneLine(message)));
    });
  expect(missing).toEqual([]);
});
