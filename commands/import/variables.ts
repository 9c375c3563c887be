/** Variables of clusterctl templates: `${NAME}`, with defaults and the text functions of its envsubst. */

/** Values by name; `undefined` for a variable that is not set. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Names of the variables that clusterctl and the templates of CAPZ document (their books, "Quick Start"). */
const documented =
  /^(?:(?:CLUSTER|CLUSTER_IDENTITY)_NAME|(?:TARGET_)?NAMESPACE|KUBERNETES_VERSION|(?:CONTROL_PLANE|WORKER|WINDOWS_WORKER)_MACHINE_COUNT|CI_\w+|EXP_\w+|CLUSTER_CLASS_NAME|(?:POD|SERVICE)_CIDR\w*|SERVICE_DOMAIN|WINDOWS_\w+|AZURE_\w+)$/;

const secret =
  /SECRET|PASSWORD|PASSWD|TOKEN|CREDENTIAL|CONNECTION_STRING|CERTIFICATE|PRIVATE|ACCESS_KEY|ACCOUNT_KEY/;

/**
 * What a template may know of the environment: a stranger who wrote it could name any variable, and its value would stand in the
 * stack file. Others come from the file of --variables.
 */
export const variablesIn = (env: Variables): Variables =>
  Object.fromEntries(Object.entries(env).filter(([name]) => documented.test(name) && !secret.test(name)));

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

const escaped = (text: string): string => text.replace(/[.+^${}()|[\]\\]/g, "\\$&");

/** A shell pattern as a regular expression; `lazy` matches as little as possible. */
const pattern = (glob: string, lazy: boolean): string =>
  escaped(glob)
    .replace(/\*/g, lazy ? ".*?" : ".*")
    .replace(/\?/g, ".");

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const lowerFirst = (text: string): string => text.slice(0, 1).toLowerCase() + text.slice(1);

/** The text functions of envsubst, by the operator after the name of the variable; longer operators come first. */
const functions: readonly (readonly [string, (value: string, rest: string) => string])[] = [
  ["##", (value, glob) => value.replace(new RegExp(`^${pattern(glob, false)}`), "")],
  ["#", (value, glob) => value.replace(new RegExp(`^${pattern(glob, true)}`), "")],
  ["%%", (value, glob) => value.replace(new RegExp(`${pattern(glob, false)}$`), "")],
  ["%", (value, glob) => value.replace(new RegExp(`(.*)${pattern(glob, true)}$`), "$1")],
  ["^^", (value) => value.toUpperCase()],
  ["^", (value) => upperFirst(value)],
  [",,", (value) => value.toLowerCase()],
  [",", (value) => lowerFirst(value)],
  [
    "//",
    (value, rest) => {
      const [from = "", to = ""] = rest.split("/");
      return value.replaceAll(from, to);
    },
  ],
  [
    "/",
    (value, rest) => {
      const [from = "", to = ""] = rest.split("/");
      return value.replace(from, to);
    },
  ],
];

/** The index of the `}` that closes the expression at `start`, or -1. Expressions may be nested. */
function endOf(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    if (text.startsWith("${", index)) {
      depth += 1;
    } else if (text[index] === "}") {
      depth -= 1;
      if (depth === 0) {
        return index;
      }
    }
  }
  return -1;
}

function valueOf(expression: string, variables: Variables): string {
  const [, name = "", rest = ""] = /^([A-Za-z_][A-Za-z0-9_]*)([^]*)$/.exec(expression) ?? [];
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  const [, colon, word] = /^(:?)[-=]([^]*)$/.exec(rest) ?? [];
  if (word !== undefined) {
    const isSet = colon === ":" ? value !== undefined && value !== "" : value !== undefined;
    return isSet ? (value ?? "") : substitute(word, variables);
  }
  if (name === "") {
    throw new VariableError(`\${${expression}}: only variables with a name are read`);
  }
  if (value === undefined) {
    return mark(name);
  }
  const [, from, length] = /^:(\d+)(?::(\d+))?$/.exec(rest) ?? [];
  if (from !== undefined) {
    const start = Number(from);
    return value.slice(start, length === undefined ? undefined : start + Number(length));
  }
  const found = functions.find(([begin]) => rest.startsWith(begin));
  if (rest !== "" && found === undefined) {
    throw new VariableError(`\${${expression}}: this function of envsubst is not known here`);
  }
  return found === undefined ? value : found[1](value, substitute(rest.slice(found[0].length), variables));
}

/**
 * Replaces the variables of a template as clusterctl does; `$$` stands for a dollar sign. A variable that has neither a
 * value nor a default is replaced by a text that `missingIn` finds.
 * @throws VariableError when an expression is not closed, or has a function that is not known
 */
export function substitute(text: string, variables: Variables): string {
  let done = "";
  for (let index = 0; index < text.length; index += 1) {
    if (text.startsWith("$$", index)) {
      done += "$";
      index += 1;
    } else if (text.startsWith("${", index)) {
      const end = endOf(text, index);
      if (end < 0) {
        throw new VariableError(`a \${ is not closed: ${text.slice(index, index + 40)}`);
      }
      done += valueOf(text.slice(index + 2, end), variables);
      index = end;
    } else {
      done += text[index] ?? "";
    }
  }
  return done;
}
