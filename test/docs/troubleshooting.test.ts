import { diagnose } from "../../commands/doctor/diagnose";
import { explained } from "../../commands/doctor/report/explain";
import { formatJson } from "../../commands/doctor/report/json";
import { formatText } from "../../commands/doctor/report/text";
import { allRules, pageOf, subjects } from "../../commands/doctor/rules/allRules";
import { messagesOf } from "../../commands/doctor/rules/knowledge";
import { filesBelow, readText } from "../architecture/sources";
import { sceneNamed } from "../doctor/scenes";
import { patient } from "../doctor/patient";

/** docs/troubleshooting/: what a person finds who searches for an error, or follows the link of a report. */

const pages = filesBelow("docs/troubleshooting");

/** The text below each heading, by its link. */
const places = pages.flatMap((path) =>
  readText(path)
    .split(/^## /m)
    .slice(1)
    .map((section) => [`${path}#${section.split("\n")[0] ?? ""}`, section] as const),
);
const sections = new Map<string, string>(places);

const linkIn = (text: string): string | undefined => /docs\/troubleshooting\/\S+#[a-z0-9-]+/.exec(text)?.[0];

it("each thing that the doctor knows has one place, to which its link leads", () => {
  const links = allRules.map(({ id }) => [id, linkIn(explained(id, 100) ?? "")]);
  expect(places.map(([link]) => [link.split("#")[1], link]).sort()).toEqual(links.sort());
});

it("reports have the link of each finding", () => {
  const p = patient();
  sceneNamed("the subscription is disabled").make(p);
  const diagnosis = diagnose(p.snapshot());
  const link = "docs/troubleshooting/identity.md#subscription-disabled";
  expect(sections.has(link)).toBe(true);
  expect(linkIn(formatText(diagnosis, { color: false, width: 100 }))).toBe(link);
  const { findings } = JSON.parse(formatJson(diagnosis)) as { findings: { page: string }[] };
  expect(findings.map(({ page }) => page)).toContain(link);
});

it("the index names each page", () => {
  const linked = [...readText("docs/troubleshooting.md").matchAll(/\((troubleshooting\/[^)]+)\)/g)];
  expect([...new Set(linked.map(([, page]) => `docs/${page ?? ""}`))].sort()).toEqual(pages.sort());
});

it("a page is short enough to read on a telephone", () => {
  expect(pages.filter((path) => readText(path).length > 25_000)).toEqual([]);
});

it("a message stands on its page as its component writes it", () => {
  const missing = subjects
    .flatMap(({ rules }) => rules)
    .flatMap((rule) =>
      messagesOf(rule).filter((message) => !(sections.get(pageOf(rule.id)) ?? "").includes(message)),
    );
  expect(missing).toEqual([]);
});
