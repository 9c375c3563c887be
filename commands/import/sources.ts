import { YamlError, yamlValues } from "../../tools/boundedYaml";
import { at, isRecord, list } from "../../tools/untyped";
import { draftOfApimodel, isApimodel } from "../../older/import/apimodel";
import { draftOf } from "./capz/draft";
import { normalObject } from "./capz/normal";
import { rolesOf, type ClusterObjects } from "./capz/roles";
import { Refused, SourceError, type Draft } from "./findings";
import { substitute, type Variables } from "./variables";
import { messageOf } from "../../tools/messageOf";

/** Text with its name, such as a file's. */
export interface Text {
  readonly name: string;
  readonly text: string;
  /** Objects of an API server, which have no variables in them. */
  readonly isLive?: boolean;
}

/** A source, and the stack file that it becomes. */
export type Source =
  | { readonly kind: "apimodel"; readonly draft: Draft }
  | {
      readonly kind: "Cluster API objects";
      /** The objects with which a plan is compared. */
      readonly objects: ClusterObjects;
      /** @param made - what a plan of the draft makes that is made without it */
      readonly draft: (made?: ClusterObjects) => Draft;
    };

/** Whether a text has variables. In objects from an API server (with a resourceVersion), `${` belongs to scripts. */
const isTemplate = (text: string): boolean => text.includes("${") && !/^\s*"?resourceVersion"?:/m.test(text);

/** All objects of a large management cluster have fewer. */
const limits = { bytes: 50_000_000, values: 2_000_000 };

/** The documents of a YAML or JSON text, with the variables of a template replaced. @throws SourceError */
function documentsIn({ name, text, isLive = false }: Text, variables: Variables): unknown[] {
  try {
    const whole = !isLive && isTemplate(text) ? substitute(text, variables) : text;
    return yamlValues(whole, limits);
  } catch (error) {
    const what = error instanceof YamlError && error.isSyntax ? "this is neither YAML nor JSON: " : "";
    throw new SourceError(`${name}: ${what}${messageOf(error).replace(/:$/, "")}`);
  }
}

const flat = (value: unknown): unknown[] =>
  isRecord(value) && Array.isArray(value.items) && String(value.kind).endsWith("List")
    ? value.items.flatMap(flat)
    : [value];

const isObject = (value: unknown): value is Record<string, unknown> =>
  isRecord(value) &&
  typeof value.kind === "string" &&
  typeof value.apiVersion === "string" &&
  isRecord(value.metadata);

/** Files of aks-engine and Azure that describe no whole cluster: what only they have, and why they are refused. */
const partsOfClusters: readonly (readonly [is: (one: Record<string, unknown>) => boolean, why: string])[] = [
  [
    (one) => "agentPoolType" in one || "osType" in one || Array.isArray(one.agentPoolProfiles),
    "This describes node pools of AKS, whose control plane is Azure's: they are not imported. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool.",
  ],
  [
    (one) => Array.isArray(at(one, "properties", "agentPoolProfiles")),
    "This apimodel has agent pools only, without masterProfile and orchestratorProfile: its control plane is hosted by Azure, and the file does not describe it. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool.",
  ],
  [
    ({ name, count, vmSize }) =>
      typeof name === "string" && typeof count === "number" && vmSize !== undefined,
    "This is one agent pool, as aks-engine addpool takes it, and not a cluster. Import the apimodel.json of its cluster, which has the pool in agentPoolProfiles.",
  ],
  [
    ({ $schema }) => /\/deploymentTemplate\.json#?$/.test(String($schema)),
    "This is a template of Azure Resource Manager, which makes resources of Azure and does not describe a cluster. Import the apimodel.json of the cluster; a VNET that the template makes is network.existing in the stack file.",
  ],
];

/**
 * Reads the objects of one cluster from any number of files, or one file of another tool.
 * @throws SourceError, Refused
 */
export function readSource(texts: readonly Text[], variables: Variables, cluster?: string): Source {
  const documents = texts.flatMap((text) =>
    documentsIn(text, variables).filter((one) => one !== null && one !== undefined),
  );
  const objects = documents.flatMap(flat).filter(isObject);
  if (objects.length > 0) {
    const roles = rolesOf(objects.map(normalObject), cluster);
    return { kind: "Cluster API objects", objects: roles, draft: (made) => draftOf(roles, variables, made) };
  }
  const [document, ...others] = documents;
  if (document === undefined || others.length > 0) {
    throw new SourceError(
      document === undefined
        ? `${texts.map(({ name }) => name).join(", ")}: nothing in it`
        : "Several files are read together only where they have the objects of one cluster.",
    );
  }
  if (isApimodel(document)) {
    return { kind: "apimodel", draft: draftOfApimodel(document) };
  }
  const [first] = isRecord(document) ? [document] : list(document);
  const [, why] = partsOfClusters.find(([is]) => isRecord(first) && is(first)) ?? [];
  throw new Refused(
    why ??
      "This is not a file that import reads. It reads a clusterctl template or objects of Cluster API in YAML, and an apimodel of acs-engine or aks-engine.",
  );
}
