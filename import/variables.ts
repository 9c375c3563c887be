/** Variables of clusterctl templates: `${NAME}`, with defaults and the text functions of its envsubst. */

/** Values by name; `undefined` for a variable that nobody has set. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Stands for a variable without a value, until somebody is asked for it. */
const mark = (name: string): string => `variable--${name.replaceAll("_", "--")}--`;

const marks = /variable--((?:[A-Za-z0-9]+(?:--[A-Za-z0-9]+)*))--/g;

/** The variables without a value that a text has in it. */
export const missingIn = (text: string): string[] =>
  [...new Set([...text.matchAll(marks)].map(([, name = ""]) => name.replaceAll("--", "_")))].sort();

/** A text with the names of variables in angle brackets where their values are missing. */
export const named = (text: string): string =>
  text.replace(marks, (_, name: string) => `<${name.replaceAll("--", "_")}>`);

/** A function of envsubst that this program does not have. */
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

/** What stands behind the name, by how it begins; the longest first. */
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

/** The end of an expression that begins at `${`: expressions may be inside of one another. */
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
  const value = variables[name];
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
 * value nor a default is kept in a form that missingIn finds.
 * @throws VariableError
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
