import { distance } from "fastest-levenshtein";
import type { Problem } from "../tools/problem";
import { isRecord } from "../tools/untyped";
import { configSchema } from "./jsonSchema";

/** Keys of a stack file that no reader of its config ever sees. */

/** Keys in which Pulumi keeps things other than config. */
const ownKeys = ["config", "secretsprovider", "encryptedkey", "encryptionsalt", "environment"];

/** The namespace of the keys in the documents of this project; that of a fork is the name of its project. */
const documented = "capz-windows";

/** Number of letters by which a namespace may differ; with more, it belongs to another package. */
const mayDiffer = 4;

const isOption = (name: string): boolean => name in (configSchema().properties ?? {});

/** The correct key for one that stands outside of `config:`, or in a namespace that resembles the project's. */
const meant = (project: string, name: string): string => `${project}:${name.split(":").at(-1) ?? ""}`;

/** A key that stands beside `config:`. */
function outside(project: string, key: string): Problem[] {
  if (ownKeys.includes(key) || !isOption(key.split(":").at(-1) ?? "")) {
    return [];
  }
  return [
    {
      path: key,
      problem: "this key is not below config:, so Pulumi does not read it",
      allowed: `keys of the stack below config:, indented, each as ${project}:KEY`,
      write: `move ${key} to config."${meant(project, key)}"`,
    },
  ];
}

/** A key in a namespace that is nearly that of the project. */
function inOtherNamespace(project: string, key: string): Problem[] {
  const [namespace = "", name] = key.split(":");
  const isClose = [project, documented].some((own) => distance(namespace, own) <= mayDiffer);
  if (name === undefined || namespace === project || !isClose || !isOption(name)) {
    return [];
  }
  return [
    {
      path: key,
      problem: `this key is not in the namespace of the project, ${project}, so the program does not read it`,
      allowed: `${project}:KEY`,
      write: `rename ${key} to ${meant(project, key)}`,
    },
  ];
}

/** Problems of a stack file's structure: keys in places where its config is not read. */
export function misplacedConfig(project: string, content: Readonly<Record<string, unknown>>): Problem[] {
  const { config } = content;
  const beside = Object.keys(content).flatMap((key) => outside(project, key));
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
        write: `${project}:KEY: VALUE # below config:, indented`,
      },
    ];
  }
  return [...beside, ...Object.keys(config).flatMap((key) => inOtherNamespace(project, key))];
}
