import { allPages, type ListBudget, listBudget } from "capz-windows-kit/io/pages";
import { weightOf } from "capz-windows-kit/io/json";
import { inParallel } from "capz-windows-kit/io/parallel";
import { at, isRecord, list, strings, textAt } from "capz-windows-kit/untyped";
import type { KubeObject } from "./objects";
import type { ClusterView, ReadProblem } from "./snapshot";
import { type Answer, type Get, notKubernetes, objectsOf, problemOfAnswer, problemOfError } from "./answers";
import { isNecessary, type Wanted } from "./kinds";
import { withoutSecrets } from "./saved";

/** Reads kinds of objects from a cluster. What cannot be read becomes a problem, never an exception. */

const pageSize = 500;
const metadataList = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/** Reduces an object to the part that is kept. */
type Keep = (object: KubeObject) => KubeObject;

/** What the lists of a command share. */
interface Reading {
  readonly keep: Keep;
  readonly budget: ListBudget;
}

/** Lists that are read at the same time, each with an answer of some MB in memory. */
const atOnce = 4;

interface Part {
  readonly objects: readonly KubeObject[];
  readonly problem?: ReadProblem;
}

const root = (group: string, version: string): string =>
  group === "" ? `/api/${version}` : `/apis/${group}/${version}`;

/** A page could not be read. What came before it is kept. */
class PageError extends Error {
  constructor(readonly problem: ReadProblem) {
    super(problem.message);
  }
}

/** What leads to the next page, or what is wrong with a page that is not one of this list or does not say what follows. */
function nextOf(answer: Answer, kind: string): string | ReadProblem {
  const listed = textAt(answer.body, "kind");
  const next = at(answer.body, "metadata", "continue") ?? "";
  const left = at(answer.body, "metadata", "remainingItemCount") ?? 0;
  const isOfKind = ["", `${kind}List`, "PartialObjectMetadataList"].includes(listed);
  const isWhole = typeof next === "string" && (next !== "" || left === 0);
  return isOfKind && isWhole ? next : notKubernetes(answer, kind);
}

/** All pages of one list. */
async function readList(
  get: Get,
  path: string,
  { kind, group, metadataOnly, query }: Wanted,
  version: string,
  { keep, budget }: Reading,
): Promise<Part> {
  const objects: KubeObject[] = [];
  try {
    await allPages(async (from) => {
      const parameters = [
        `limit=${pageSize}`,
        ...(query === undefined ? [] : [query]),
        ...(from === "" ? [] : [`continue=${encodeURIComponent(from)}`]),
      ];
      const answer = await get(`${path}?${parameters.join("&")}`, metadataOnly ? metadataList : undefined);
      const items = objectsOf(answer, kind, pageSize);
      if ("what" in items) {
        throw new PageError(items);
      }
      let values = 0;
      for (const item of items) {
        // The items of a list have no apiVersion and kind.
        const object = { ...item, apiVersion: group === "" ? version : `${group}/${version}`, kind };
        const kept = keep(object);
        values += weightOf(kept);
        objects.push(kept);
      }
      const next = nextOf(answer, kind);
      if (typeof next === "object") {
        throw new PageError(next);
      }
      return { items: [], count: items.length, next, bytes: answer.bytes, values };
    }, budget);
    return { objects };
  } catch (error) {
    return { objects, problem: error instanceof PageError ? error.problem : problemOfError(error, kind) };
  }
}

/** The API versions that a server serves, by group; "" is the core group. */
async function servedVersions(get: Get): Promise<ReadonlyMap<string, readonly string[]> | ReadProblem> {
  let answer: Answer;
  try {
    answer = await get("/apis");
  } catch (error) {
    return problemOfError(error, "cluster");
  }
  if (answer.status !== 200) {
    return problemOfAnswer(answer, "cluster");
  }
  if (!Array.isArray(at(answer.body, "groups"))) {
    return notKubernetes(answer, "cluster");
  }
  const groups = list(at(answer.body, "groups")).map(
    (group) =>
      [
        textAt(group, "name"),
        list(at(group, "versions")).map((version) => textAt(version, "version")),
      ] as const,
  );
  return new Map([["", ["v1"]], ...groups]);
}

async function readKind(
  get: Get,
  wanted: Wanted,
  served: ReadonlyMap<string, readonly string[]>,
  namespace: string,
  reading: Reading,
): Promise<Part> {
  const { kind, group, versions, plural, namespaces, optional } = wanted;
  const version = versions.find((each) => strings(served.get(group)).includes(each));
  const ofKind = (problem: ReadProblem): ReadProblem => (optional ? { ...problem, optional } : problem);
  if (version === undefined) {
    const message = `the server does not have ${group === "" ? plural : `${plural}.${group}`}`;
    return isNecessary(wanted)
      ? { objects: [], problem: ofKind({ what: "absent", asked: kind, message }) }
      : { objects: [] };
  }
  const paths =
    namespaces === undefined
      ? [`${root(group, version)}/${plural}`]
      : namespaces.map(
          (name) => `${root(group, version)}/namespaces/${name === "cluster" ? namespace : name}/${plural}`,
        );
  const parts = await Promise.all(paths.map((path) => readList(get, path, wanted, version, reading)));
  // A group is served as a whole: 404 says that it does not have this kind.
  const problem = parts
    .map((part) => part.problem)
    .find((each) => each !== undefined && (each.what !== "absent" || isNecessary(wanted)));
  return {
    objects: parts.flatMap(({ objects }) => objects),
    ...(problem === undefined ? {} : { problem: ofKind(problem) }),
  };
}

export async function readCluster(
  get: Get,
  kinds: readonly Wanted[],
  namespace: string,
  keep: Keep = withoutSecrets,
  budget = listBudget(),
): Promise<ClusterView> {
  const served = await servedVersions(get);
  if ("what" in served) {
    return { objects: [], problems: [served] };
  }
  const reading: Reading = { keep, budget };
  const parts = await inParallel(
    kinds.map((wanted) => () => readKind(get, wanted, served, namespace, reading)),
    atOnce,
  );
  return {
    objects: parts.flatMap(({ objects }) => objects),
    problems: parts.flatMap(({ problem }) => problem ?? []),
  };
}

/** The kubeconfig that Cluster API stores for a cluster, or why it is not known: "absent" only if there is none yet. */
export async function readKubeconfigSecret(
  get: Get,
  cluster: string,
  namespace: string,
): Promise<string | ReadProblem> {
  const asked = `Secret ${namespace}/${cluster}-kubeconfig`;
  try {
    const answer = await get(`/api/v1/namespaces/${namespace}/secrets/${cluster}-kubeconfig`);
    if (answer.status !== 200) {
      return problemOfAnswer(answer, asked);
    }
    const data = at(answer.body, "data");
    if (!isRecord(data)) {
      return notKubernetes(answer, asked);
    }
    const value = textAt(data, "value");
    return value === ""
      ? { what: "absent", asked, message: "it has no value" }
      : Buffer.from(value, "base64").toString("utf8");
  } catch (error) {
    return problemOfError(error, asked);
  }
}
