import { YamlError, yamlValues } from "capz-windows-kit/boundedYaml";
import { at, isRecord, list } from "capz-windows-kit/untyped";
import { draftOf } from "./capz/draft";
import { normalObject } from "./capz/normal";
import { rolesOf, type ClusterObjects } from "./capz/roles";
import { Refused, SourceError, type Draft } from "./findings";
import { olderSource } from "./olderSource";
import { substitute, type Variables } from "./variables";
import { messageOf } from "capz-windows-kit/messageOf";

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
export const isTemplate = ({ text, isLive = false }: Text): boolean =>
  !isLive && text.includes("${") && !/^\s*"?resourceVersion"?:/m.test(text);

/** All objects of a large management cluster have fewer. */
const limits = { bytes: 50_000_000, values: 2_000_000 };

/** The documents of a YAML or JSON text, with the variables of a template replaced. @throws SourceError */
function documentsIn(source: Text, variables: Variables): unknown[] {
  const { name, text } = source;
  try {
    const whole = isTemplate(source) ? substitute(text, variables) : text;
    return yamlValues(whole, limits, { merge: true });
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

/** Node pools of AKS, and agent pools of aks-engine. */
const isPartOfCluster = (one: unknown): boolean =>
  isRecord(one) &&
  (["agentPoolType", "osType", "agentPoolProfiles"].some((key) => key in one) ||
    at(one, "properties", "agentPoolProfiles") !== undefined ||
    (one.count !== undefined && one.vmSize !== undefined));

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
  const { isApimodel, draftOfApimodel } = olderSource.read();
  if (isApimodel(document)) {
    return { kind: "apimodel", draft: draftOfApimodel(document) };
  }
  throw new Refused(
    isPartOfCluster(isRecord(document) ? document : list(document)[0])
      ? "This describes a cluster of AKS, or pools of a cluster, and no cluster whose control plane is machines. docs/migrating-from-aks-engine.md#from-node-pools-of-aks says which key replaces which field of a pool of AKS; of aks-engine, import the apimodel.json of the cluster."
      : "This is not a file that import reads. It reads a clusterctl template or objects of Cluster API in YAML, and an apimodel of acs-engine or aks-engine.",
  );
}
