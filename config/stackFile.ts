import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { parseDocument } from "yaml";
import { unknownSecret } from "./parse";
import type { Problem } from "../domain/problem";
import { ConfigError } from "../domain/problem";
import { secretKeys } from "./schema/stack";

/** The config of one stack as `pulumi` would hand it to the program: full keys, values as text. */
export interface StackFile {
  readonly project: string;
  readonly stack: string;
  readonly file: string;
  readonly config: Readonly<Record<string, string>>;
  /** Keys whose values are `secure:` in the file; their value is `unknownSecret`. */
  readonly secretKeys: readonly string[];
  /** `runtime.options.tsconfig` of Pulumi.yaml. */
  readonly tsconfig?: string;
}

type Mapping = Record<string, unknown>;

const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function fail(file: string, problem: string, allowed: string, write: string): never {
  throw new ConfigError(file, [{ path: file, problem, allowed, write }]);
}

function readYaml(dir: string, file: string): Mapping {
  const document = parseDocument(readFileSync(resolve(dir, file), "utf8"));
  const [error] = document.errors;
  if (error) {
    // Only the place: the line itself may hold a secret.
    const line = error.linePos?.[0].line ?? 0;
    return fail(file, `line ${line} is not YAML (${error.code})`, "YAML", "correct the line");
  }
  const content: unknown = document.toJS();
  return isMapping(content) ? content : {};
}

const hasSecure = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasSecure)
    : isMapping(value) && ("secure" in value || Object.values(value).some(hasSecure));

const isSecure = (value: unknown): boolean => isMapping(value) && Object.keys(value).join() === "secure";

/** A value as Pulumi hands it to a program: what is no text, as JSON. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function missing(dir: string, file: string): never {
  const others = stacksOf(dir);
  const [allowed, write] =
    file !== basename(file)
      ? ["the path of a stack file", "--config-file with the path of one"]
      : others.length === 0
        ? ["a stack file beside Pulumi.yaml", `cp examples/Pulumi.dev.yaml ${file}`]
        : [`a stack of: ${others.join(", ")}`, `--stack with one of these, or a new ${file}`];
  return fail(file, "there is no such file", allowed, write);
}

/** The stack that a file is named after: `prod` for `examples/Pulumi.prod.yaml`. */
export const stackOfFile = (file: string): string | undefined =>
  /^Pulumi\.(.+)\.ya?ml$/.exec(basename(file))?.[1];

/** Names of the stacks that have a file in a project folder. */
export const stacksOf = (dir: string): string[] =>
  readdirSync(dir)
    .map(stackOfFile)
    .filter((name) => name !== undefined)
    .sort();

/**
 * Which stacks a project folder has: all that have a file beside Pulumi.yaml or, where a file is named, those that are
 * asked for when it exists.
 */
export const stacksIn = (dir: string, wanted: readonly string[], file?: string): readonly string[] =>
  file === undefined ? stacksOf(dir) : existsSync(resolve(dir, file)) ? wanted : [];

/**
 * Reads `Pulumi.yaml` (for the config defaults that it may hold) and a stack file. Secrets stay encrypted.
 * @param dir the project folder
 * @param file path of the stack file, relative to the project folder or absolute; default: `Pulumi.<stack>.yaml`
 * @throws ConfigError when a file is missing, is not YAML or hides a secret inside a structured value
 */
export function readStackFile(dir: string, stack: string, file = `Pulumi.${stack}.yaml`): StackFile {
  if (!existsSync(join(dir, "Pulumi.yaml"))) {
    return fail(
      "Pulumi.yaml",
      "there is no such file",
      "a Pulumi project folder",
      `run this where Pulumi.yaml is`,
    );
  }
  if (!existsSync(resolve(dir, file))) {
    return missing(dir, file);
  }
  const project = readYaml(dir, "Pulumi.yaml");
  const projectName = String(project.name);
  const fullKey = (key: string) => (key.includes(":") ? key : `${projectName}:${key}`);
  const config: Record<string, string> = {};
  const encrypted: string[] = [];
  const problems: Problem[] = [];
  for (const [key, declared] of Object.entries(isMapping(project.config) ? project.config : {})) {
    const value = isMapping(declared) ? (declared.value ?? declared.default) : declared;
    if (value !== undefined) {
      config[fullKey(key)] = asText(value);
    }
  }
  const own = readYaml(dir, file).config;
  for (const [key, value] of Object.entries(isMapping(own) ? own : {})) {
    if (isSecure(value)) {
      config[fullKey(key)] = unknownSecret;
      encrypted.push(fullKey(key));
    } else if (hasSecure(value)) {
      problems.push({
        path: key,
        problem: "it has a secret inside, which would make the whole value secret and its diff unreadable",
        allowed: "secrets as top-level keys of their own",
        write: `pulumi config set --secret KEY, with one of: ${secretKeys.join(", ")}`,
      });
    } else if (secretKeys.some((secret) => fullKey(key) === `${projectName}:${secret}`)) {
      problems.push({
        path: key,
        problem: "this secret stands in the file in clear; treat it as known to others",
        allowed: "a value that Pulumi encrypted (secure: ...)",
        write: `pulumi config set --stack ${stack} --secret ${fullKey(key).slice(projectName.length + 1)} < FILE`,
      });
    } else if (value !== null && value !== undefined) {
      config[fullKey(key)] = asText(value);
    }
  }
  if (problems.length > 0) {
    throw new ConfigError(file, problems);
  }
  const runtime = project.runtime;
  const options = isMapping(runtime) && isMapping(runtime.options) ? runtime.options : {};
  return {
    project: projectName,
    stack,
    file,
    config,
    secretKeys: encrypted,
    ...(typeof options.tsconfig === "string" ? { tsconfig: options.tsconfig } : {}),
  };
}

/** The keys of this program's namespace, without the prefix. */
export const ownConfig = (
  project: string,
  config: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(`${project}:`))
      .map(([key, value]) => [key.slice(project.length + 1), value]),
  );
