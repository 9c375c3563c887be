import { distance } from "fastest-levenshtein";
import { present } from "capz-windows-kit/present";
import type { Problem } from "capz-windows-kit/problem";
import { isRecord } from "capz-windows-kit/untyped";
import { configSchema } from "./jsonSchema";

/** Keys of a stack file that no reader of its config ever sees. */

/** Keys in which Pulumi keeps things other than config. */
const ownKeys = ["config", "secretsprovider", "encryptedkey", "encryptionsalt", "environment"];

/**
 * The namespace of the keys, whatever the Pulumi project is called: a project that installs this program has a name of its
 * own, and the schema, the documents and all messages name the same keys everywhere.
 */
export const configNamespace = "capz-windows";

/** Number of letters by which a namespace may differ; with more, it belongs to another package. */
const mayDiffer = 4;

/** A key as Pulumi reads it, which takes NAMESPACE:config:KEY for NAMESPACE:KEY. */
export function keyIn(project: string, written: string): string {
  const parts = written.split(":");
  return `${parts.length === 1 ? project : (parts[0] ?? "")}:${parts.at(-1) ?? ""}`;
}

/** Keys that Pulumi reads as one, of which it takes the value of any, another one at each run. */
function inTwoSpellings(project: string, keys: readonly string[]): Problem[] {
  const first = new Map<string, string>();
  return keys.flatMap((key) => {
    const full = keyIn(project, key);
    const other = first.get(full);
    if (other === undefined) {
      first.set(full, key);
      return [];
    }
    return [
      {
        path: key,
        problem: `Pulumi reads ${other} and ${key} as one key, and takes the value of either by chance at each run`,
        allowed: "each key once, with its namespace",
      },
    ];
  });
}

/**
 * A key in the spelling NS:config:NAME, which Pulumi reads as NS:NAME, though nobody else does. With other words it refuses it.
 */
const inOldSpelling = (key: string): Problem[] =>
  present(
    key.split(":").length > 2 && {
      path: key,
      problem:
        "a key has one colon; in the old spelling NAMESPACE:config:KEY Pulumi reads another key than is written",
      allowed: "NAMESPACE:KEY",
    },
  );

const isOption = (name: string): boolean => name in (configSchema().properties ?? {});

/** Keys that stand beside `config:`. */
function outside(content: Readonly<Record<string, unknown>>): Problem[] {
  const [key, ...others] = Object.keys(content).filter(
    (one) => !ownKeys.includes(one) && isOption(one.split(":").at(-1) ?? ""),
  );
  return present(
    key !== undefined && {
      path: key,
      problem: `this key is not below config:, so Pulumi does not read it${others.length === 0 ? "" : `, nor ${others.join(", ")}`}`,
      allowed: `keys of the stack below config:, indented, each as ${configNamespace}:KEY`,
    },
  );
}

/**
 * A key in a namespace that is nearly that of the program, or in that of the project: `pulumi config set KEY` writes it
 * there.
 */
function inOtherNamespace(project: string, key: string): Problem[] {
  const [first = "", second, ...more] = key.split(":");
  const [namespace, name] = second === undefined ? [project, first] : [first, second];
  const isClose = namespace === project || distance(namespace, configNamespace) <= mayDiffer;
  return present(
    more.length === 0 &&
      namespace !== configNamespace &&
      isClose &&
      isOption(name) && {
        path: key,
        problem: `this key is not in the namespace ${configNamespace}, so the program does not read it`,
        allowed: `${configNamespace}:KEY`,
      },
  );
}

/** An environment of Pulumi ESC that stands in the file: Pulumi takes all for one that is no list of texts. */
function inlineEnvironment({ environment }: Readonly<Record<string, unknown>>): Problem[] {
  const isList = Array.isArray(environment) && environment.every((name) => typeof name === "string");
  return present(
    environment !== undefined &&
      environment !== null &&
      !isList && {
        path: "environment",
        problem: "an environment in the stack file sets config that no plan and no policy sees",
        allowed:
          "a list of names of environments, of which a plan knows only the names; its keys below config:",
      },
  );
}

const defaultProviders = "pulumi:disable-default-providers";

/** A stack file that takes back what Pulumi.yaml says: a resource without a provider would use the login of the machine. */
function allowsDefaultProviders(config: Readonly<Record<string, unknown>>): Problem[] {
  const value = config[defaultProviders];
  return present(
    value !== undefined &&
      JSON.stringify(value) !== '["*"]' && {
        path: defaultProviders,
        problem: "a resource without a provider would use whatever login the machine has",
        allowed: 'only ["*"], as in Pulumi.yaml',
      },
  );
}

/** Problems of the keys below `config:`, in a stack file or in Pulumi.yaml. */
export const misplacedKeys = (project: string, config: Readonly<Record<string, unknown>>): Problem[] => [
  ...Object.keys(config).flatMap((key) => [...inOldSpelling(key), ...inOtherNamespace(project, key)]),
  ...inTwoSpellings(project, Object.keys(config)),
];

/** Problems of a stack file's structure: keys in places where its config is not read. */
export function misplacedConfig(project: string, content: Readonly<Record<string, unknown>>): Problem[] {
  const { config } = content;
  const beside = [...outside(content), ...inlineEnvironment(content)];
  if (config === undefined || config === null) {
    return beside;
  }
  if (!isRecord(config)) {
    return [
      ...beside,
      {
        path: "config",
        problem: `expected a mapping, found ${Array.isArray(config) ? "a list" : "text"}`,
        allowed: `a line for each key, with a space after the colon and without a hyphen before it`,
      },
    ];
  }
  return [...beside, ...misplacedKeys(project, config), ...allowsDefaultProviders(config)];
}
