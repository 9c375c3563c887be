import { grouped } from "capz-windows-kit/grouped";
import { credentialTexts, hideCredentials, nameOf } from "capz-windows-kit/credentials";
import { isRecord } from "capz-windows-kit/untyped";
import { withoutReferences } from "../../config/rules/credentials";
import { secretKeys } from "../../config/schema/stack";
import type { Plan } from "./plan";
import type { PlanDocument } from "capz-windows-contract";
import { configValue } from "./planDocument";

/**
 * Plans without the credentials that their stack file has in clear text: nothing that is made from a hidden plan can show them.
 * What the program makes of such a text, in a command, a file, user data or a manifest, is hidden as well.
 */

/** A text of the stack file, and the same text without its credentials. */
type Replacement = readonly [text: string, hidden: string];

/** Shorter ones are ordinary words, and are hidden with the text around them only. */
const shortest = 6;

/** Values of these keys are secrets already, or public. */
const elsewhere: ReadonlySet<string> = new Set(["access", "trustedCertificates", ...secretKeys]);

const entriesOf = (value: object): [key: string | number, inner: unknown][] =>
  Array.isArray(value) ? [...value.entries()] : Object.entries(value);

/** Each text of a value, with the name that it has there. */
function* textsIn(
  value: unknown,
  name?: string,
): Generator<{ readonly text: string; readonly name?: string }> {
  if (typeof value === "string") {
    yield { text: value, ...(name === undefined ? {} : { name }) };
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of entriesOf(value)) {
      yield* textsIn(inner, nameOf(value, key));
    }
  }
}

/** Each key of the mappings in a value: a URL with a password may be one. */
function* keysIn(value: unknown): Generator<string> {
  if (typeof value === "object" && value !== null) {
    for (const [key, inner] of entriesOf(value)) {
      if (typeof key === "string") {
        yield key;
      }
      yield* keysIn(inner);
    }
  }
}

function mapTexts(
  value: unknown,
  change: (text: string) => string,
  changeKey: (key: string) => string,
): unknown {
  if (typeof value === "string") {
    return change(value);
  }
  if (Array.isArray(value)) {
    return value.map((inner) => mapTexts(inner, change, changeKey));
  }
  return isRecord(value)
    ? Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [changeKey(key), mapTexts(inner, change, changeKey)]),
      )
    : value;
}

/** As the text stands inside of JSON, of YAML and of a script. */
const formsOf = ([text, hidden]: Replacement): Replacement[] => [
  [text, hidden],
  [JSON.stringify(text).slice(1, -1), hidden],
  [text.replaceAll("'", "''"), hidden],
];

/** A line of a private key, which stands with another indentation in the text of a manifest. */
const keyLine = /^[A-Za-z0-9+/=]{24,}$/;

function replacementsOf(text: string, hidden: string): Replacement[] {
  const [lines, shown] = [text.split("\n"), hidden.split("\n")];
  if (lines.length !== shown.length) {
    const gone = lines
      .map((line) => line.trim())
      .filter((line) => keyLine.test(line) && !hidden.includes(line));
    return [[text, hidden], ...gone.map((line): Replacement => [line, hideCredentials(line, "password")])];
  }
  const changed = lines.flatMap((line, index): Replacement[] =>
    line === shown[index] ? [] : [[line.trim(), (shown[index] ?? "").trim()]],
  );
  return [[text, hidden], ...changed];
}

/** The credentials of a text whose name makes it one are the text itself. */
const secretsIn = (text: string, hidden: string): string[] => {
  const found = credentialTexts(text);
  const whole = found.length > 0 && !hidden.startsWith("(not shown: ") ? found : [...found, text];
  return whole.flatMap((secret) => [secret, secret.split(/[\s"';,]/)[0] ?? ""]);
};

/** Texts of at least `shortest` characters: however many there are, one walk finds them. */
interface Wanted {
  /** By their first characters. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Which pairs of characters begin one: at most other places the walk goes on at once. */
  readonly pairs: Uint8Array;
}

const pairAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) & 0xfff;

function wantedOf(all: Iterable<string>): Wanted {
  const texts = grouped([...all], (text) => text.slice(0, shortest));
  const pairs = new Uint8Array(0x1000);
  for (const first of texts.keys()) {
    pairs[pairAt(first, 0)] = 1;
  }
  return { texts, pairs };
}

/** Those that a text has in it. */
function foundIn(text: string, { texts, pairs }: Wanted): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + shortest <= text.length; at += 1) {
    const begun = pairs[pairAt(text, at)] === 1 ? texts.get(text.slice(at, at + shortest)) : undefined;
    for (const one of begun ?? []) {
      if (text.startsWith(one, at)) {
        found.add(one);
      }
    }
  }
  return found;
}

/** What is hidden in everything that comes from some stack files. */
interface Hidden {
  /** Whole texts of a stack file. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whole keys of its mappings. */
  readonly keys: ReadonlyMap<string, string>;
  /** What is hidden inside of other texts. */
  readonly parts: ReadonlyMap<string, string>;
  readonly wanted: Wanted;
  /** What became of each text: a plan has most of them several times. */
  readonly seen: Map<string, string>;
}

type Keys = Readonly<Record<string, unknown>>;

/** @param stacks - keys of stack files with their values, or settings */
function hiddenIn(stacks: readonly Keys[]): Hidden {
  const found: Replacement[] = [];
  const others: string[] = [];
  const keys = new Map<string, string>();
  for (const [key, value] of stacks.flatMap((stack) => Object.entries(stack))) {
    for (const { text, name } of elsewhere.has(key) ? [] : textsIn(value, key)) {
      const hidden = hideCredentials(text, name);
      others.push(hidden);
      if (hidden !== text) {
        found.push([text, hidden]);
      }
    }
  }
  for (const key of stacks.flatMap((stack) => [...keysIn(stack)])) {
    const hidden = hideCredentials(key);
    if (hidden !== key) {
      keys.set(key, hidden);
    }
  }
  found.push(...keys);
  // A password that is also the name of something cannot be hidden everywhere.
  const secrets = new Set(
    found.flatMap(([text, hidden]) => secretsIn(text, hidden)).filter((secret) => secret.length >= shortest),
  );
  const named = foundIn(others.join("\n"), wantedOf(secrets));
  const parts = [
    ...found.flatMap(([text, hidden]) => replacementsOf(text, hidden)),
    ...[...secrets]
      .filter((secret) => !named.has(secret))
      .map((secret): Replacement => [secret, hideCredentials(secret, "password")]),
  ]
    .filter(([text]) => text.length >= shortest)
    .flatMap(formsOf);
  // The first one of a text counts.
  const hiddenBy = new Map(parts.reverse());
  return { texts: new Map(found), keys, parts: hiddenBy, wanted: wantedOf(hiddenBy.keys()), seen: new Map() };
}

/** The longest first: another one may be a part of it. */
const inParts = (text: string, { parts, wanted }: Hidden): string =>
  [...foundIn(text, wanted)]
    .sort((a, b) => b.length - a.length)
    .reduce((clean, secret) => clean.replaceAll(secret, () => parts.get(secret) ?? ""), text);

/** A longer one overflows the stack of V8; a comparison hides such a text as a whole. */
const base64 =
  /(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{4}){3,250000}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?(?![A-Za-z0-9+/=])/g;

/** A file of bootstrap data may have its text in base64. */
const inBase64 = (text: string, hidden: Hidden): string =>
  text.replace(base64, (encoded) => {
    const decoded = Buffer.from(encoded, "base64").toString("utf8");
    const clean = hidden.texts.get(decoded) ?? inParts(decoded, hidden);
    return clean === decoded ? encoded : Buffer.from(clean).toString("base64");
  });

const hide = <T>(value: T, hidden: Hidden): T =>
  mapTexts(
    value,
    (text) => {
      const clean =
        hidden.seen.get(text) ?? hidden.texts.get(text) ?? inBase64(inParts(text, hidden), hidden);
      hidden.seen.set(text, clean);
      return clean;
    },
    (key) => hidden.keys.get(key) ?? key,
  ) as T;

/** The config of a plan: each value as it is in the stack file, and those that are not text as JSON. */
const configOf = (config: PlanDocument["config"] = {}): Keys =>
  Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key.slice(key.indexOf(":") + 1), configValue(value)]),
  );

function hiddenConfig(
  config: NonNullable<PlanDocument["config"]>,
  hidden: Hidden,
): NonNullable<PlanDocument["config"]> {
  const written = (text: string): string => {
    const value = configValue(text);
    return typeof value === "string" ? hide(text, hidden) : JSON.stringify(hide(value, hidden));
  };
  return Object.fromEntries(Object.entries(config).map(([key, text]) => [key, written(text)]));
}

/** What the manifests of a stack file bring along, also those in files of their own; without words that are no credentials. */
const ownObjects = ({ objects: { workload }, settings }: Plan): readonly unknown[] =>
  workload
    .filter(({ configMap }) => configMap.startsWith(`${settings.clusterName}-extra-`))
    .flatMap(({ objects }) => objects.map((object) => withoutReferences(object)));

/** A plan that was just made. */
export function hiddenPlan(plan: Plan): Plan {
  const hidden = hiddenIn([
    configOf(plan.config),
    plan.settings as unknown as Keys,
    { objects: ownObjects(plan) },
    plan.state?.projectFile ?? {},
  ]);
  const { config, resources, outputs, objects, cluster, nodes, warnings, state } = plan;
  return hidden.texts.size === 0
    ? plan
    : {
        ...plan,
        ...hide({ resources, outputs, objects, cluster, nodes, warnings }, hidden),
        ...(state === undefined ? {} : { state: hide(state, hidden) }),
        config: hiddenConfig(config, hidden),
      };
}

/** Two sides of a comparison, of which each may show what the other one hides. */
export function hiddenDocuments(sides: readonly (PlanDocument | undefined)[]): (PlanDocument | undefined)[] {
  const hidden = hiddenIn(sides.flatMap((side) => [configOf(side?.config), side?.state?.projectFile ?? {}]));
  return hidden.texts.size === 0
    ? [...sides]
    : sides.map((side) => {
        if (side === undefined) {
          return undefined;
        }
        const { config, ...rest } = side;
        return {
          ...hide(rest, hidden),
          ...(config === undefined ? {} : { config: hiddenConfig(config, hidden) }),
        };
      });
}
