import { existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { z } from "zod";
import { measureJson } from "capz-windows-kit/io/json";
import { YamlError, yamlValues } from "capz-windows-kit/boundedYaml";
import { FileError, mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { formatCount } from "capz-windows-kit/problem";
import { present } from "capz-windows-kit/present";
import { at, isRecord, list, numberAt, textAt } from "capz-windows-kit/untyped";
import { oneLine } from "capz-windows-kit/visible";
import { problemOfAnswer } from "./answers";
import { hasMetadata, isTime, isUp, type KubeObject } from "./objects";
import { type ClusterView, type ReadProblem, readProblems, type Side, type Snapshot } from "./snapshot";
import { withoutSecrets } from "./saved";
import { withoutUndefined } from "capz-windows-kit/without";

/**
 * Reads recorded objects instead of clusters: a file that `--save` wrote, or files of `kubectl get -o json` or `-o
 * yaml`. Objects in a folder or file whose name begins with "workload" belong to the workload cluster.
 */

/** The recorded objects cannot be used; the message says what to do. */
export class RecordedError extends Error {
  override readonly name = "RecordedError";
}

const strangeMetadata = "The recorded objects have metadata that no API server writes.";

const isObject = (value: unknown): boolean =>
  textAt(value, "kind") !== "" && textAt(value, "metadata", "name") !== "";

function objectsIn(value: unknown): KubeObject[] {
  if (isRecord(value) && Array.isArray(value.items)) {
    const kind = textAt(value, "kind").replace(/List$/, "");
    const apiVersion = textAt(value, "apiVersion");
    return list(value.items)
      .map((item) => ({ kind, apiVersion, ...item }))
      .flatMap(objectsIn);
  }
  if (!isObject(value)) {
    return [];
  }
  if (!hasMetadata(value)) {
    throw new RecordedError(strangeMetadata);
  }
  return [withoutSecrets(value as KubeObject)];
}

/** What a file itself says of what it lacks: a page is not its list, and the words of a server are no objects. */
function problemsIn(value: unknown, name: string): ReadProblem[] {
  if (textAt(value, "kind") === "Status" && textAt(value, "status") === "Failure") {
    // The API server does not have the kind, such as one of an add-on.
    return numberAt(value, "code") === 404
      ? []
      : [problemOfAnswer({ status: numberAt(value, "code") ?? 0, body: value }, name)];
  }
  const isPage =
    textAt(value, "metadata", "continue") !== "" ||
    (numberAt(value, "metadata", "remainingItemCount") ?? 0) > 0;
  return isRecord(value) && Array.isArray(value.items) && isPage
    ? [{ what: "unread", asked: name, message: "it has only a page of its list" }]
    : [];
}

/** What a cluster has for sure, or another object names, in the view of each side: nothing is known of what was not recorded. */
const expected: Readonly<Record<Side, (all: readonly KubeObject[], isWhole: boolean) => readonly string[]>> =
  {
    management: (all, isWhole) => [
      ...(isWhole ? ["AzureCluster", "Machine"] : []),
      ...present(
        all.some(({ kind, spec }) => kind === "AzureCluster" && at(spec, "identityRef") !== undefined) &&
          "AzureClusterIdentity",
      ),
    ],
    workload: (_all, isWhole) => (isWhole ? ["Node", "Pod"] : []),
  };

const missingFrom = (objects: readonly KubeObject[], side: Side, isWhole: boolean): ReadProblem[] =>
  expected[side](objects, isWhole)
    .filter((kind) => !objects.some((object) => object.kind === kind))
    .map((kind) => ({ what: "unread", asked: kind, message: "the recording has none" }));

/** The kind of what is at a path; `undefined` for a link that leads nowhere. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (/^(?:ENOENT|ELOOP)$/.test(textAt(error, "code"))) {
      return undefined;
    }
    throw error;
  }
}

const isRead = (name: string): boolean => /\.(?:json|ya?ml)$/.test(name);

/** @param known - the real paths of the folders that have been read: links may lead back to them */
function filesIn(folder: string, isWanted: (name: string) => boolean, known: Set<string>): string[] {
  const real = realpathSync(folder);
  if (known.has(real)) {
    return [];
  }
  known.add(real);
  return readdirSync(folder)
    .filter(isWanted)
    .sort()
    .flatMap((name): string[] => {
      const path = join(folder, name);
      const stat = statOf(path);
      if (stat?.isDirectory() === true) {
        return filesIn(path, isWanted, known);
      }
      if (stat?.isFile() === true) {
        return [path];
      }
      // A pipe would be waited for without end.
      if (isRead(name)) {
        throw new RecordedError(`${oneLine(path)} is neither a file nor a folder.`);
      }
      return [];
    });
}

/**
 * A file, or all files of a folder whose names, and those of their folders, are wanted.
 * @throws RecordedError for a pipe, a socket, a device or a link to nothing that has the name of a file with objects
 */
export const filesBelow = (path: string, isWanted: (name: string) => boolean = () => true): string[] =>
  statSync(path).isDirectory() ? filesIn(path, isWanted, new Set()) : [path];

/** What `kubectl get` prints of a large cluster has less. */
const limits = { bytes: mostBytes.recording, values: 10_000_000 };

const tooMuch = `with the files before it, it has more than ${formatCount(limits.bytes)} characters or ${formatCount(limits.values)} values`;

/** @throws RecordedError where it is too large */
function textOf(file: string): string {
  try {
    return readBoundedText(file, limits.bytes);
  } catch (error) {
    throw error instanceof FileError
      ? new RecordedError(`${oneLine(file)} cannot be read: ${error.message}.`)
      : error;
  }
}

/** What the files of a folder may take together. */
interface Room {
  bytes: number;
  values: number;
}

/** @throws RecordedError */
function contents(file: string, room: Room): unknown[] {
  const text = textOf(file);
  const isJson = file.endsWith(".json");
  room.bytes -= text.length;
  const { values, isDeep } = isJson ? measureJson(text) : { values: 0, isDeep: false };
  room.values -= values;
  if (room.bytes < 0 || room.values < 0) {
    throw new RecordedError(`${oneLine(file)} cannot be read: ${tooMuch}.`);
  }
  if (isDeep) {
    throw new RecordedError(`${oneLine(file)} cannot be read: it is nested more than 1,000 deep.`);
  }
  try {
    return isJson ? [JSON.parse(text)] : yamlValues(text, limits, { otherBreaks: true });
  } catch (error) {
    if (error instanceof YamlError && !error.isSyntax) {
      throw new RecordedError(`${oneLine(file)} cannot be read: ${error.message}.`);
    }
    // Words about JSON quote it, and a link in the folder of a stranger may lead to any file.
    const reason = error instanceof YamlError ? `: ${error.message}` : ".";
    throw new RecordedError(`${oneLine(file)} is neither JSON nor YAML${reason}`);
  }
}

const isSaved = (value: unknown): boolean => isRecord(value) && typeof value.takenAt === "string";

const view = z.object({
  objects: z.array(z.custom<KubeObject>(isRecord, { error: "expected object" })),
  problems: z.array(
    z.object({
      ...{ what: z.enum(readProblems), asked: z.string(), message: z.string() },
      optional: z.literal(true).optional(),
    }),
  ),
});

/** What `--save` writes. */
const saved = z.object({
  takenAt: z.string(),
  cluster: z.object({ name: z.string(), namespace: z.string() }),
  stack: z.string().optional(),
  management: view,
  workload: view,
});

/** @throws RecordedError with the first thing that is wrong */
function snapshotIn(value: unknown, path: string): Snapshot {
  const read = saved.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new RecordedError(
      `${path} is not as --save writes it: ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}.`,
    );
  }
  const { takenAt, management, workload } = read.data;
  if (!isTime(takenAt)) {
    throw new RecordedError(`${path}: takenAt is no time, such as 2026-01-31T12:00:00Z.`);
  }
  if (![...management.objects, ...workload.objects].every(hasMetadata)) {
    throw new RecordedError(strangeMetadata);
  }
  return withoutUndefined(read.data) as Snapshot;
}

/** The only Cluster among the objects. @throws RecordedError when there is none or more than one */
function clusterOf(objects: readonly KubeObject[], path: string): Snapshot["cluster"] {
  const clusters = objects.filter(
    (object) => object.kind === "Cluster" && textAt(object, "apiVersion").startsWith("cluster.x-k8s.io"),
  );
  const [only] = clusters;
  if (clusters.length !== 1 || only === undefined) {
    const names = clusters.map(({ metadata }) => metadata.name).join(", ");
    throw new RecordedError(
      clusters.length === 0
        ? `${path} has no Cluster: add --cluster NAME --namespace NAMESPACE, or record it: kubectl get cluster -A -o json`
        : `${path} has several Clusters (${names}): add --cluster with one of them.`,
    );
  }
  return { name: only.metadata.name, namespace: only.metadata.namespace ?? "default" };
}

/** The time of a recording: the newest time in its objects, because files of kubectl do not have one. */
function newestTime(objects: readonly KubeObject[]): string {
  const times = JSON.stringify(objects).match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/g) ?? [];
  const now = new Date().toISOString();
  // Times in the future are left out, such as the expiration of certificates.
  const past = times.filter((time) => `${time}Z` <= now).sort();
  return `${past.at(-1) ?? now.slice(0, 19)}Z`;
}

/**
 * Reads a file or a folder.
 * @param path - a file of `--save`, or files with objects
 * @throws RecordedError
 */
export function readRecorded(
  path: string,
  { cluster, stack, takenAt }: { cluster?: Snapshot["cluster"]; stack?: string; takenAt?: string } = {},
): Snapshot {
  if (!existsSync(path)) {
    throw new RecordedError(`--from ${path}: there is no such file or folder.`);
  }
  const room = { ...limits };
  const read = filesBelow(path)
    .filter(isRead)
    .map((file) => ({
      side: (/(^|\/)workload/.test(relative(path, file) || file) ? "workload" : "management") satisfies Side,
      name: oneLine(relative(path, file) || basename(file)),
      values: contents(file, room),
    }));
  const whole = read.flatMap(({ values }) => values).find(isSaved);
  if (whole !== undefined) {
    return {
      ...snapshotIn(whole, path),
      ...withoutUndefined({ cluster, stack }),
    };
  }
  const viewOf = (side: Side): ClusterView => {
    const files = read.filter((file) => file.side === side);
    const objects = files.flatMap(({ values }) => values.flatMap(objectsIn));
    const said = files.flatMap(({ name, values }) => values.flatMap((value) => problemsIn(value, name)));
    return { objects, problems: said };
  };
  const [management, workload] = [viewOf("management"), viewOf("workload")];
  if (management.objects.length + workload.objects.length === 0) {
    throw new RecordedError(
      `${path} has no objects: put files of kubectl get ... -o json there, those of the workload cluster into a folder workload.`,
    );
  }
  const asked = cluster ?? clusterOf(management.objects, path);
  const object = management.objects.find(
    ({ kind, metadata }) => kind === "Cluster" && metadata.name === asked.name,
  );
  // Where nothing says that it is made or deleted, the cluster is up.
  const isWhole = object === undefined || isUp(object);
  const complete = ({ objects, problems }: ClusterView, side: Side): ClusterView => ({
    objects,
    problems: [...problems, ...missingFrom(objects, side, isWhole)],
  });
  return {
    takenAt: takenAt ?? newestTime([...management.objects, ...workload.objects]),
    cluster: asked,
    ...(stack === undefined ? {} : { stack }),
    management: complete(management, "management"),
    workload: complete(workload, "workload"),
  };
}
