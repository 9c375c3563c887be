import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { purchasePlan } from "capz-windows-platform/machines/purchasePlan";
import { finderOf, type Pattern, type MessagePlace } from "./places";
import type { Detectors, Rule, DoctorStage, KnowledgeSubject } from "./rule";

/**
 * Reads the files of knowledge/: what the doctor knows, by subject. An entry with `in` and `text` is a rule by itself; the
 * others have a detector in TypeScript with the same ID. test/knowledge.test.ts checks every entry, so that a start of the
 * doctor need not.
 */

const dir = join(__dirname, "../knowledge");

/** A text that a component writes. The other fields say what its place needs beside it. */
export interface Example {
  readonly text: string;
  readonly kind?: string | undefined;
  readonly node?: string | undefined;
  /** The type or the reason, where the pattern does not say it. */
  readonly condition?: string | undefined;
  readonly event?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
}

/** An entry with a text to look for. Its example is a text that this rule alone reports. */
export interface Known extends Rule, Pattern {
  readonly in?: MessagePlace | undefined;
  readonly example?: string | Example | undefined;
  /** Parts of messages that people paste, without names: for those that the symptom and the example do not have. */
  readonly says?: readonly string[] | undefined;
}

/** What components write of it. */
export const messagesOf = ({ example, says = [] }: Known): readonly string[] => [
  ...(example === undefined ? [] : [typeof example === "string" ? example : example.text]),
  ...says,
];

export interface KnownSubject extends KnowledgeSubject {
  readonly rules: readonly Known[];
}

/** An entry as a file has it: `a, b` for a list, and /PATTERN/FLAGS for a pattern. */
export type Entry = Record<string, unknown> & Pick<Known, "id" | "in">;

interface KnowledgeFile {
  readonly title: string;
  readonly intro: string;
  readonly family?: string;
  /** The other keys are those of each entry without its own; that of a place concerns entries with an example. */
  readonly stage: DoctorStage;
  readonly source?: string;
  readonly in?: MessagePlace;
  readonly follows?: string;
  readonly rules: readonly Entry[];
}

const lists = new Set(["follows", "over", "kinds", "status", "what"]);
const patterns = new Set(["text", "reason", "pods", "type"]);

function valueOf(key: string, value: unknown): unknown {
  if (typeof value !== "string") {
    return value;
  }
  if (lists.has(key)) {
    return value.split(", ");
  }
  if (key === "remedy") {
    return [value];
  }
  const [, source, flags] = patterns.has(key) ? (/^\/([^]+)\/([a-z]*)$/.exec(value) ?? []) : [];
  return source === undefined ? value : new RegExp(source, flags);
}

/** Facts that other tools know, too, by the names that the files have for them. */
const facts: Readonly<Record<string, string>> = {
  "{plan.why}": purchasePlan.why.replace(/^m/, "M"),
  "{plan.instead}": purchasePlan.instead,
};

/** One file of knowledge/, with the detectors of those entries that have no pattern. */
export function subjectFrom(name: string, yaml: string, detectors: Detectors): KnownSubject {
  const {
    title,
    intro,
    family = name,
    rules,
    in: place,
    ...common
  } = parse(yaml.replace(/\{plan\.\w+\}/g, (name) => facts[name] ?? name)) as KnowledgeFile;
  return {
    ...{ name, family, title, intro },
    rules: rules.map((written): Known => {
      const all = { ...common, ...(written.example === undefined ? {} : { in: place }), ...written };
      const one = Object.fromEntries(
        Object.entries(all).map(([key, value]) => [key, valueOf(key, value)]),
      ) as unknown as Known;
      const find = one.in === undefined ? detectors[one.id] : finderOf(one.in, one);
      return { ...one, find: find ?? (() => []) };
    }),
  };
}

/** The files of knowledge/ with these names. */
export const readSubjects = (order: readonly string[], detectors: Detectors) =>
  order.map((name) => subjectFrom(name, readFileSync(join(dir, `${name}.yaml`), "utf8"), detectors));
