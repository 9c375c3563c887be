/** Variables of clusterctl templates: `${NAME}`, with defaults and the text functions of its envsubst. */

import { credentialIn } from "capz-windows-kit/credentials";
import { formatCount } from "capz-windows-kit/problem";

/** Values by name; `undefined` for a variable that is not set. */
export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * What clusterctl and the templates of CAPZ document (their books, "Quick Start") and what is no secret: names, sizes, counts,
 * versions, locations, addresses, IDs, and the public key. A list of forbidden words would lack the next one.
 */
const documented: ReadonlySet<string> = new Set(
  `CLUSTER_NAME NAMESPACE TARGET_NAMESPACE CLUSTER_CLASS_NAME CLUSTER_IDENTITY_NAME CLUSTER_IDENTITY_TYPE KUBERNETES_VERSION CI_VERSION CI_RG
  CONTROL_PLANE_MACHINE_COUNT WORKER_MACHINE_COUNT WINDOWS_WORKER_MACHINE_COUNT WINDOWS_SERVER_VERSION
  POD_CIDR SERVICE_CIDR SERVICE_DOMAIN
  AZURE_ENVIRONMENT AZURE_LOCATION AZURE_LOCATION_GPU AZURE_LOCATION_EDGEZONE AZURE_EXTENDEDLOCATION_NAME
  AZURE_EXTENDEDLOCATION_TYPE AZURE_RESOURCE_GROUP AZURE_SUBSCRIPTION_ID AZURE_TENANT_ID AZURE_CLIENT_ID
  AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY AZURE_SERVER_APP_ID AZURE_SSH_PUBLIC_KEY AZURE_SSH_PUBLIC_KEY_B64
  AZURE_CONTROL_PLANE_MACHINE_TYPE AZURE_NODE_MACHINE_TYPE AZURE_AKS_NODE_MACHINE_TYPE AZURE_GPU_NODE_MACHINE_TYPE
  AZURE_GPU_NODE_STORAGE_TYPE AZURE_EDGEZONE_CONTROL_PLANE_MACHINE_TYPE AZURE_EDGEZONE_NODE_MACHINE_TYPE
  AZURE_VNET_NAME AZURE_VNET_CIDR AZURE_PRIVATE_VNET_CIDR AZURE_CUSTOM_VNET_NAME AZURE_CUSTOM_VNET_RESOURCE_GROUP
  AZURE_CP_SUBNET_CIDR AZURE_NODE_SUBNET_CIDR AZURE_BASTION_SUBNET_CIDR AZURE_INTERNAL_LB_IP
  AZURE_INTERNAL_LB_PRIVATE_IP AZURE_STORAGE_ACCOUNT AZURE_BLOB_CONTAINER_NAME`.split(/\s+/),
);

/** The value of a documented variable, too, may be another than its name says. */
const isTaken = (name: string, env: Variables): boolean =>
  documented.has(name) && credentialIn(env[name] ?? "") === undefined;

/**
 * What a template may know of the environment: a stranger who wrote it could name any variable, and its value would stand in the
 * stack file. Others come from the file of --variables.
 */
export const variablesIn = (env: Variables): Variables =>
  Object.fromEntries(Object.entries(env).filter(([name]) => isTaken(name, env)));

/** The names of variables in a template that the environment has, and that are not taken from there. */
export const notTakenIn = (text: string, env: Variables): string[] =>
  [...new Set([...text.matchAll(/(?<!\$)\$\{([A-Za-z_]\w*)/g)].map(([, name = ""]) => name))]
    .filter((name) => Object.hasOwn(env, name) && !isTaken(name, env))
    .sort();

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
const most = { depth: 20, characters: 50_000_000 };

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

/** `${VERSION%.*}` is the version without its last part. */
function withoutEnd(value: string, end: string): string {
  const start = end.endsWith("*") ? value.lastIndexOf(end.slice(0, -1)) : value.length - end.length;
  return start >= 0 && (end.endsWith("*") || value.endsWith(end)) ? value.slice(0, start) : value;
}

/** What templates of CAPZ do with a value, by the operator after the name of the variable; longer operators come first. */
const functions: readonly (readonly [string, (value: string, rest: string) => string])[] = [
  ["//", replaced(true)],
  ["/", replaced(false)],
  ["#", (value, start) => (value.startsWith(start) ? value.slice(start.length) : value)],
  ["%", withoutEnd],
];

/** Shell patterns, but for the `*` at the end of what is cut off, and the longest match (`##`) are not known. */
const hasPattern = (operator: string, rest: string): boolean =>
  /[#%]/.test(operator) && /[*?[\\#%]/.test(operator === "%" ? rest.replace(/\*$/, "") : rest);

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
  const [operator = "", apply] = functions.find(([begin]) => rest.startsWith(begin)) ?? [];
  if (apply === undefined || hasPattern(operator, rest.slice(operator.length))) {
    throw new VariableError(
      `\${${expression}}: this function of envsubst is not known here; write its result into the template, or import what \`clusterctl generate yaml\` makes of it`,
    );
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
