import type { Finding } from "capz-windows-kit/finding";
import { findingText } from "./sarif";

/** Findings as commands in the log of GitHub Actions, each in one line, whatever the stack file has in its names. */

type Escapes = readonly (readonly [text: string, by: string])[];

const escaped = (text: string, escapes: Escapes): string =>
  escapes.reduce((done, [from, to]) => done.replaceAll(from, to), text);

/** github.com/actions/toolkit, packages/core/src/command.ts: escapeData and escapeProperty. */
const githubData: Escapes = [
  ["%", "%25"],
  ["\r", "%0D"],
  ["\n", "%0A"],
];
const githubProperty: Escapes = [...githubData, [":", "%3A"], [",", "%2C"]];

const githubWords = { error: "error", warning: "warning", note: "notice" } as const;

const githubLine = (finding: Finding): string => {
  const { id, title, file, line } = finding;
  const level = finding.accepted === undefined ? finding.level : "note";
  const properties = Object.entries({ file, line: String(line), title: `${title} (${id})` });
  const texts = properties.map(([key, value]) => `${key}=${escaped(value, githubProperty)}`);
  return `::${githubWords[level]} ${texts.join(",")}::${escaped(findingText(finding), githubData)}`;
};

const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join("");

export const githubAnnotations = (findings: readonly Finding[]): string => lines(findings.map(githubLine));
