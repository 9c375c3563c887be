/** Variables of clusterctl templates: `${NAME}`, with defaults and the text functions of its envsubst. */

import { credentialIn } from "capz-windows-kit/credentials";
import { formatCount } from "capz-windows-kit/problem";

/** Values by name; `undefined` for a variable that is not set. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Names of the variables that clusterctl and the templates of CAPZ document (their books, "Quick Start"). */
const documented =
  /^(?:(?:CLUSTER|CLUSTER_IDENTITY)_NAME|(?:TARGET_)?NAMESPACE|KUBERNETES_VERSION|(?:CONTROL_PLANE|WORKER|WINDOWS_WORKER)_MACHINE_COUNT|CI_\w+|EXP_\w+|CLUSTER_CLASS_NAME|(?:POD|SERVICE)_CIDR\w*|SERVICE_DOMAIN|WINDOWS_\w+|AZURE_\w+)$/;

/** KEY is the end of a name: of a public key, a template may know. */
const secret =
  /SECRET|PASSW(?:OR)?D|TOKEN|CREDENTIAL|CONNECTION_STRING|CERTIFICATE|PRIVATE|(?:^|_)(?:PASS|PWD|PAT|JWT|SAS|CREDS?|AUTH)(?:_|$)|(?<!PUBLIC_)KEY\d*$/;

/** As GitLab's CI_REPOSITORY_URL, which has the token of the job in it. */
const isCredential = (name: string, value = ""): boolean =>
  secret.test(name) || credentialIn(value) !== undefined;

/**
 * What a template may know of the environment: a stranger who wrote it could name any variable, and its value would stand in the
 * stack file. Others come from the file of --variables.
 */
export const variablesIn = (env: Variables): Variables =>
  Object.fromEntries(
    Object.entries(env).filter(([name, value]) => documented.test(name) && !isCredential(name, value)),
  );

/** The text that stands for a variable without a value until the user is asked for it. */
const mark = (name: string): string => `variable--${name.replaceAll("_", "--")}--`;

const marks = /variable--((?:[A-Za-z0-9]+(?:--[A-Za-z0-9]+)*))--/g;

/** The names of the variables without a value in a text. */
export const missingIn = (text: string): string[] =>
  [...new Set([...text.matchAll(marks)].map(([, name = ""]) => name.replaceAll("--", "_")))].sort();

/** The variable without a value that a value is, as a whole. */
export const variableIn = (value: unknown): string | undefined =>
  typeof value === "string" && value === mark(missingIn(value)[0] ?? "") ? missingIn(value)[0] : undefined;

/** A text in which variables without a value are shown as `<NAME>`. */
export const named = (text: string): string =>
  text.replace(marks, (_, name: string) => `<${name.replaceAll("--", "_")}>`);

/** A template has an expression that this program cannot evaluate; the message is written for the user. */
export class VariableError extends Error {
  override readonly name = "VariableError";
}

/** A template of a stranger must not take more time and memory than its length says. */
const most = { depth: 20, patternCharacters: 100, characters: 50_000_000 };

/**
 * How many characters at the beginning of a text a shell pattern matches: all lengths, the shortest first. Step by step, because
 * a regular expression with many stars never ends.
 */
function matchedLengths(glob: string, text: string): number[] {
  if (glob.length > most.patternCharacters) {
    throw new VariableError(`a pattern has more than ${most.patternCharacters} characters`);
  }
  let ends = [0];
  for (const char of glob.split("")) {
    if (char === "*") {
      const [first] = ends;
      ends = first === undefined ? [] : Array.from({ length: text.length + 1 - first }, (_, i) => first + i);
    } else {
      ends = ends
        .filter((end) => end < text.length && (char === "?" || text[end] === char))
        .map((end) => end + 1);
    }
  }
  return ends;
}

const reversed = (text: string): string => text.split("").reverse().join("");

/** Without the beginning that a pattern matches: the shortest one (index 0), or the longest (-1). */
const withoutStart = (index: 0 | -1) => (value: string, glob: string) =>
  value.slice(matchedLengths(glob, value).at(index) ?? 0);

const withoutEnd = (index: 0 | -1) => (value: string, glob: string) =>
  reversed(withoutStart(index)(reversed(value), reversed(glob)));

/** Replaces a text once or everywhere; nothing in `to` has a meaning. */
const replaced = (isEverywhere: boolean) => (value: string, rest: string) => {
  const [from = "", to = ""] = rest.split("/");
  const count = isEverywhere ? value.split(from).length + 1 : 1;
  refuseLong(value.length + count * to.length);
  return isEverywhere ? value.replaceAll(from, () => to) : value.replace(from, () => to);
};

function refuseLong(characters: number): void {
  if (characters > most.characters) {
    throw new VariableError(`the variables make more than ${formatCount(most.characters)} characters`);
  }
}

/** The text functions of envsubst, by the operator after the name of the variable; longer operators come first. */
const functions: readonly (readonly [string, (value: string, rest: string) => string])[] = [
  ["##", withoutStart(-1)],
  ["#", withoutStart(0)],
  ["%%", withoutEnd(-1)],
  ["%", withoutEnd(0)],
  ["^^", (value) => value.toUpperCase()],
  ["^", (value) => value.slice(0, 1).toUpperCase() + value.slice(1)],
  [",,", (value) => value.toLowerCase()],
  [",", (value) => value.slice(0, 1).toLowerCase() + value.slice(1)],
  ["//", replaced(true)],
  ["/", replaced(false)],
];

/** The index of the `}` that closes the expression at `start`. Expressions may be nested. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text.startsWith("${", index)) {
      depth += 1;
      if (depth > most.depth) {
        throw new VariableError(`more than ${most.depth} variables stand inside one another`);
      }
    } else if (text[index] === "}") {
      depth -= 1;
      if (depth === 0) {
        return index;
      }
    }
  }
  throw new VariableError(`a \${ is not closed: ${text.slice(start, start + 40)}`);
}

/** Counts the characters that all expressions have made. */
interface Made {
  characters: number;
}

function valueOf(expression: string, variables: Variables, made: Made): string {
  const [, name = "", rest = ""] = /^([A-Za-z_][A-Za-z0-9_]*)([^]*)$/.exec(expression) ?? [];
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const [, colon, word] = /^(:?)[-=]([^]*)$/.exec(rest) ?? [];
  if (word !== undefined) {
    const isSet = value !== undefined && (colon === "" || value !== "");
    return isSet ? value : substituted(word, variables, made);
  }
  if (name === "") {
    throw new VariableError(`\${${expression}}: only variables with a name are read`);
  }
  if (value === undefined || rest === "") {
    return value ?? mark(name);
  }
  const [, from, length] = /^:(\d+)(?::(\d+))?$/.exec(rest) ?? [];
  if (from !== undefined) {
    return value.slice(Number(from), length === undefined ? undefined : Number(from) + Number(length));
  }
  const [operator = "", apply] = functions.find(([begin]) => rest.startsWith(begin)) ?? [];
  if (apply === undefined) {
    throw new VariableError(`\${${expression}}: this function of envsubst is not known here`);
  }
  return apply(value, substituted(rest.slice(operator.length), variables, made));
}

/**
 * Replaces the variables of a template as clusterctl does; `$$` stands for a dollar sign. A variable that has neither a
 * value nor a default is replaced by a text that `missingIn` finds.
 * @throws VariableError when an expression is not closed, has a function that is not known, or makes too much of too little
 */
export const substitute = (text: string, variables: Variables): string =>
  substituted(text, variables, { characters: 0 });

function substituted(text: string, variables: Variables, made: Made): string {
  let done = "";
  for (let index = 0; index < text.length; index += 1) {
    if (text.startsWith("$$", index)) {
      done += "$";
      index += 1;
    } else if (text.startsWith("${", index)) {
      const end = endOf(text, index);
      const value = valueOf(text.slice(index + 2, end), variables, made);
      made.characters += value.length;
      refuseLong(made.characters);
      done += value;
      index = end;
    } else {
      done += text[index] ?? "";
    }
  }
  return done;
}
