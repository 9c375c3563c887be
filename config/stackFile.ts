import { bash, verbatim } from "capz-windows-kit/shell";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { unknownSecret } from "./parse";
import { ConfigError, formatCount, type Problem } from "capz-windows-kit/problem";
import type { StatePlace } from "capz-windows-contract";
import { FileError, mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { isRecord, textAt } from "capz-windows-kit/untyped";
import { nodeAt, typesOf } from "./jsonSchema";
import { problemsBeside } from "./load";
import { configNamespace, keyIn, misplacedConfig, misplacedKeys } from "./misplacedConfig";
import { secretKeys } from "./schema/stack";
import { stacksOf } from "capz-windows-kit/stackNames";
import { unusableNames } from "./unusableNames";
import { readYaml } from "./yamlErrors";

/** The config of a stack as `pulumi` passes it to the program: keys with their namespace, and values as text. */
export interface StackFile {
  readonly project: string;
  readonly stack: string;
  readonly file: string;
  readonly config: Readonly<Record<string, string>>;
  /** Keys whose values are encrypted in the file (`secure:`). Their value in `config` is `unknownSecret`. */
  readonly secretKeys: readonly string[];
  /** What stands for each of them in a plan: it changes with the ciphertext, of which it says nothing. */
  readonly secretMarks: Readonly<Record<string, string>>;
  /** About how many bytes the decrypted value of each of them has. */
  readonly secretBytes: Readonly<Record<string, number>>;
  /** `main` of Pulumi.yaml: the file with the program. */
  readonly main?: string;
  /** `runtime.options.tsconfig` of Pulumi.yaml. */
  readonly tsconfig?: string;
  readonly state?: StatePlace;
}

type Mapping = Record<string, unknown>;

function fail(file: string, problem: string, allowed: string, write: string): never {
  throw new ConfigError(file, [{ path: file, problem, allowed, write }]);
}

/** Whether a word is right as the text at a path of a stack file, by the schema. */
function isText([section, name = "", ...rest]: readonly PropertyKey[], source: string): boolean {
  const [namespace, key = ""] = String(name).split(":");
  const node = section === "config" && namespace === configNamespace ? nodeAt([key, ...rest]) : undefined;
  return (
    node !== undefined && typesOf(node).join() === "string" && new RegExp(node.pattern ?? "").test(source)
  );
}

/** @throws ConfigError where it is too large, or no file */
function textOf(dir: string, file: string): string {
  try {
    return readBoundedText(resolve(dir, file), mostBytes.stackFile);
  } catch (error) {
    if (!(error instanceof FileError)) {
      throw error;
    }
    return fail(
      file,
      error.message.replace(/^it/, "the file"),
      `a regular file of at most ${formatCount(mostBytes.stackFile)} bytes; Pulumi passes at most 120,000 of them to the program`,
      "<another file, or shorter values>",
    );
  }
}

function readMapping(dir: string, file: string): Mapping {
  const read = readYaml(textOf(dir, file), isText);
  if ("problems" in read) {
    throw new ConfigError(file, read.problems);
  }
  const unusable = unusableNames(read.value, []);
  if (unusable.length > 0) {
    throw new ConfigError(file, unusable);
  }
  return isRecord(read.value) ? read.value : {};
}

/** Only a text is a cipher: a pool may have the name, too. */
const isCipher = (key: string, value: unknown): boolean => key === "secure" && typeof value === "string";

const hasSecure = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasSecure)
    : isRecord(value) &&
      Object.entries(value).some(([key, inner]) => isCipher(key, inner) || hasSecure(inner));

const isSecure = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value).length === 1 && isCipher("secure", value.secure);

/** A value without its nested secrets, for the problems of its other keys: a message shows no secret. */
function withoutSecure(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((element) => !isSecure(element)).map(withoutSecure);
  }
  if (!isRecord(value)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !isCipher(key, inner) && !isSecure(inner))
      .map(([key, inner]) => [key, withoutSecure(inner)]),
  );
}

/** Pulumi's ciphers are AES-256-GCM, in base64 after a version and a nonce: as long as the text, and 16 bytes more. */
const decryptedBytes = (value: unknown): number => {
  const cipher = textAt(value, "secure").split(":").at(-1) ?? "";
  return Math.max(0, Math.floor((cipher.length * 3) / 4) - 16);
};

const digitsOf = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 8);

/** "[secret, ciphertext 1a2b3c4d]": a ciphertext changes whenever its secret does, and sometimes without it. */
const markOf = (value: unknown): string => `[secret, ciphertext ${digitsOf(textAt(value, "secure"))}]`;

/** Whether a text in a single line is the path of a file, of which the file was meant. */
const isPath = (value: unknown): value is string =>
  typeof value === "string" &&
  /^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]?[\w.\/-]*(?:\/[\w.-]+|\.(?:ya?ml|conf(?:ig)?))$/.test(value) &&
  value.length < 120;

/** A config value as Pulumi passes it to a program: values other than text are JSON. */
export const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function missing(dir: string, file: string): never {
  const notFound = (allowed: string, write: string): never => fail(file, "file not found", allowed, write);
  const others = stacksOf(dir);
  const example = `examples/${file}`;
  if (file !== basename(file)) {
    return notFound("the path of a stack file", "--config-file with the path of one");
  }
  if (existsSync(join(dir, example))) {
    return notFound(
      `a stack file beside Pulumi.yaml${others.length === 0 ? "" : ` (${others.join(", ")})`}, or the example`,
      `--config-file ${example} # or: cp ${example} ${file}`,
    );
  }
  if (others.length === 0) {
    return notFound("a stack file beside Pulumi.yaml", `cp examples/Pulumi.dev.yaml ${file}`);
  }
  return notFound(`one of the stacks: ${others.join(", ")}`, `--stack with one of these, or create ${file}`);
}

/** A secret that the file does not have encrypted. */
function plainSecret(key: string, fullKey: string, value: unknown, stack: string): Problem {
  const what = isPath(value)
    ? {
        problem: "this is the path of a file, which Pulumi does not read",
        allowed: "the content of the file, encrypted by Pulumi (secure: ...)",
      }
    : {
        problem: "this secret is stored in plain text; consider it compromised",
        allowed: "a value encrypted by Pulumi (secure: ...)",
      };
  return {
    path: key,
    ...what,
    write: bash`npx pulumi config set --stack ${stack} --secret ${fullKey} < ${isPath(value) ? value : "FILE"}`,
  };
}

const isSecretKey = (fullKey: string): boolean =>
  secretKeys.some((secret) => fullKey === `${configNamespace}:${secret}`);

/**
 * Pulumi.yaml, with its config as a stack file without these keys has it.
 * @param file - the stack file that a command names
 * @throws ConfigError where Pulumi would read other files than this program
 */
function readProject(dir: string, stack: string, file: string | undefined) {
  const content = readMapping(dir, "Pulumi.yaml");
  const name = String(content.name);
  const problems: Problem[] = elsewhere(dir, stack, file, content);
  const config: Record<string, string> = {};
  const declarations = isRecord(content.config) ? content.config : {};
  problems.push(...misplacedKeys(name, declarations));
  for (const [key, declared] of Object.entries(declarations)) {
    const full = keyIn(name, key);
    const value = isRecord(declared) ? (declared.value ?? declared.default) : declared;
    if (hasSecure(declared)) {
      problems.push({
        path: key,
        problem: "Pulumi encrypts with the key of one stack, so that Pulumi.yaml can have no secret",
        allowed: "secrets in stack files",
        write: bash`npx pulumi config set --stack ${stack} --secret ${full} < FILE`,
      });
    } else if (value !== undefined && value !== null && isSecretKey(full)) {
      problems.push(plainSecret(key, full, value, stack));
    } else if (value !== undefined) {
      config[full] = asText(value);
    }
  }
  if (problems.length > 0) {
    throw new ConfigError("Pulumi.yaml", problems);
  }
  return { content, name, config };
}

/** Where Pulumi reads other files than this program does. */
function elsewhere(dir: string, stack: string, file: string | undefined, { config, ...project }: Mapping) {
  const problems: Problem[] = [];
  if (existsSync(join(dir, "Pulumi.json"))) {
    problems.push({
      path: "Pulumi.json",
      problem: "where this file stands beside Pulumi.yaml, Pulumi reads it instead, and Pulumi.STACK.json",
      allowed: "Pulumi.yaml alone",
      write: "rm Pulumi.json # what it has belongs into Pulumi.yaml",
    });
  }
  const path = typeof config === "string" ? "config" : "stackConfigDir";
  const folder = path === "config" ? config : project.stackConfigDir;
  if (file === undefined && typeof folder === "string" && folder !== "") {
    const there = join(folder, `Pulumi.${stack}.yaml`);
    problems.push({
      path,
      problem: "Pulumi reads the stack files of this folder, and this program those beside Pulumi.yaml",
      allowed: "stack files beside Pulumi.yaml, or the path of one",
      write: bash`--config-file ${there} # or remove ${verbatim(path)} from Pulumi.yaml`,
    });
  }
  return problems;
}

/**
 * Reads `Pulumi.yaml` (for the config defaults that it may hold) and a stack file. Secrets stay encrypted.
 * @param dir the project folder
 * @param named path of the stack file, relative to the project folder or absolute; default: `Pulumi.<stack>.yaml`
 * @throws ConfigError if a file is missing or is not YAML, or if a secret is nested or not encrypted
 */
export function readStackFile(dir: string, stack: string, named?: string): StackFile {
  const file = named ?? `Pulumi.${stack}.yaml`;
  if (!existsSync(join(dir, "Pulumi.yaml"))) {
    return fail(
      "Pulumi.yaml",
      "file not found",
      "a Pulumi project folder",
      "run this in the folder that contains Pulumi.yaml; npx capz-windows init my-clusters writes a new one",
    );
  }
  const project = readProject(dir, stack, named);
  if (!existsSync(resolve(dir, file))) {
    return missing(dir, file);
  }
  const fullKey = (key: string) => keyIn(project.name, key);
  const config: Record<string, string> = { ...project.config };
  const secretBytes: Record<string, number> = {};
  const secretMarks: Record<string, string> = {};
  const content = readMapping(dir, file);
  const problems = misplacedConfig(project.name, content);
  const stackConfig = content.config;
  for (const [key, value] of Object.entries(isRecord(stackConfig) ? stackConfig : {})) {
    if (isSecure(value)) {
      config[fullKey(key)] = unknownSecret;
      secretBytes[fullKey(key)] = decryptedBytes(value);
      secretMarks[fullKey(key)] = markOf(value);
    } else if (hasSecure(value)) {
      problems.push({
        path: key,
        problem: "a nested secret makes the whole value secret and hides its diff",
        allowed: "secrets as top-level keys",
        write: `npx pulumi config set --secret ${configNamespace}:KEY, where KEY is one of: ${secretKeys.join(", ")}`,
      });
      config[fullKey(key)] = asText(withoutSecure(value));
    } else if (value !== null && isSecretKey(fullKey(key))) {
      problems.push(plainSecret(key, fullKey(key), value, stack));
      config[fullKey(key)] = unknownSecret;
    } else if (value !== undefined) {
      // Pulumi passes a key without a value as an empty text.
      config[fullKey(key)] = value === null ? "" : asText(value);
    }
  }
  if (problems.length > 0) {
    throw new ConfigError(file, [
      ...problems,
      ...(isRecord(stackConfig) ? otherProblems(projectConfig(config), problems) : []),
    ]);
  }
  const { main, runtime } = project.content;
  const options = isRecord(runtime) && isRecord(runtime.options) ? runtime.options : {};
  return {
    project: project.name,
    stack,
    file,
    config,
    secretKeys: Object.keys(secretBytes),
    secretBytes,
    secretMarks,
    ...(typeof main === "string" ? { main } : {}),
    ...(typeof options.tsconfig === "string" ? { tsconfig: options.tsconfig } : {}),
    ...statePlace(project.content, content),
  };
}

/** Keys of Pulumi.yaml that a plan has elsewhere, or that do nothing. */
const knownKeys = ["name", "description", "config", "backend"];

/** What else Pulumi.yaml says: plug-ins and options of Node.js among it run what a branch brings along. */
const otherKeys = (project: Mapping): Mapping =>
  Object.fromEntries(Object.entries(project).filter(([key]) => !knownKeys.includes(key)));

function statePlace(project: Mapping, content: Mapping): { state: StatePlace } {
  const backend = textAt(project, "backend", "url");
  const salt = textAt(content, "encryptionsalt");
  const secretsProvider = textAt(content, "secretsprovider") || (salt === "" ? "" : "passphrase");
  const key = textAt(content, "encryptedkey") + salt;
  const environments = Array.isArray(content.environment) ? content.environment.map(String) : [];
  const state = {
    projectFile: otherKeys(project),
    ...(backend === "" ? {} : { backend }),
    ...(secretsProvider === "" ? {} : { secretsProvider }),
    ...(key === "" ? {} : { secretsKey: digitsOf(key) }),
    ...(environments.length === 0 ? {} : { environments }),
  };
  return { state };
}

/** What is wrong with the rest of a config, beside the problems of its structure. */
const otherProblems = (
  config: Readonly<Record<string, string>>,
  known: readonly Problem[],
): readonly Problem[] =>
  // A key that stands in another place is not missing.
  problemsBeside(config).filter(({ path }) => !known.some((one) => one.path.split(":").at(-1) === path));

/** The config values of the program, by key without its namespace. */
export const projectConfig = (config: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(`${configNamespace}:`))
      .map(([key, value]) => [key.slice(configNamespace.length + 1), value]),
  );
