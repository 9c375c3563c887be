import { assertDefined } from "capz-windows-kit/assertDefined";
import type { KubernetesObject } from "capz-types";
import { addonLabels } from "capz-windows-platform/cluster/addonLabels";

import {
  largestManifest,
  manifestFault,
  manifestLabel,
  manifestRole,
  manifestSetName,
  objectIdentities,
  objectTitle,
  type ManifestStrategy,
} from "capz-windows-platform/manifests/userManifests";
import { ConfigError, type Problem } from "capz-windows-kit/problem";
import { readRegular, unreadable } from "capz-windows-kit/regularFile";
import { textAt } from "capz-windows-kit/untyped";
import { readObjects, toYamlStream, splitDocuments } from "capz-windows-platform/manifests/yamlStream";
import { type ClusterResourceSetArgs, packResources } from "./manifests";
import type { AddonCluster } from "../../addons/addon";
import { loadPinnedManifest, standsForManifest } from "../../addons/pinnedManifest";
import { present } from "capz-windows-kit/present";
import { oneLine } from "capz-windows-kit/visible";

/** A manifest of the user: exactly one of file, url and objects. */
export interface ExtraManifest {
  readonly file?: string | undefined;
  readonly url?: string | undefined;
  readonly sha256?: string | undefined;
  readonly objects?: readonly unknown[] | undefined;
  readonly strategy: ManifestStrategy;
}

export interface ExtraSetsArgs extends Pick<
  AddonCluster,
  "clusterName" | "manifestCache" | "namespace" | "offline" | "platform"
> {
  /** Folder to which the paths of files are relative. Default: the current one. */
  readonly rootDir?: string | undefined;
  readonly extraManifests?: Readonly<Record<string, ExtraManifest>> | undefined;
}

/** A set that the program delivers itself. */
interface DeliveredSet {
  readonly role: string;
  readonly entries: readonly { readonly yaml: string }[];
}

/** The set of a manifest. The role is its logical name. */
export interface ExtraSet extends ClusterResourceSetArgs {
  readonly role: `extra-${string}`;
}

const pathOf = (name: string): string => `extraManifests.${name}`;

interface Loaded {
  readonly text: string;
  readonly version?: string;
}

/** The text of a manifest, or why its file cannot be read. */
async function load(
  name: string,
  { file, url = "", sha256 = "", objects = [] }: ExtraManifest,
  { rootDir = ".", offline, manifestCache }: ExtraSetsArgs,
): Promise<Loaded | Problem> {
  if (file !== undefined) {
    try {
      return { text: await readRegular(rootDir, file, largestManifest) };
    } catch (error) {
      return {
        path: `${pathOf(name)}.file`,
        value: file,
        problem: unreadable(error),
        allowed: "the path of a file, from the folder of Pulumi.yaml on",
        write: "file: <path of your manifest>",
      };
    }
  }
  if (objects.length > 0) {
    return { text: toYamlStream(objects as readonly KubernetesObject[]) };
  }
  // The digest is the version, so a different file has a different name in the cache.
  const version = sha256.slice(0, 12);
  const { text } = await loadPinnedManifest(
    { name, version, url, sha256 },
    { cacheDir: manifestCache, offline },
  );
  return { text, version: `sha256 ${version}` };
}

const faultsOf = (name: string, { text }: Loaded): Problem[] => {
  const { objects, errors } = readObjects(text);
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const faults = [
    ...errors.slice(0, 1).map((error) => ({
      problem: `it cannot be read: ${oneLine(error.split("\n")[0] ?? "", 300)}${others}`,
      allowed: "a YAML stream without merge keys and tags",
    })),
    ...objects.flatMap((object, index) => manifestFault(object, index) ?? []),
    ...(objects.length === 0 && errors.length === 0 && !standsForManifest(text)
      ? [{ problem: "there is no Kubernetes object in it", allowed: "at least one object" }]
      : []),
  ];
  return faults.map((fault) => ({ ...fault, path: pathOf(name), write: `remove ${name}` }));
};

/** Objects that two owners would overwrite in turn. */
function duplicates(texts: Readonly<Record<string, string>>, own: readonly DeliveredSet[]): Problem[] {
  const objects = Object.entries(texts).map(([name, text]) => [name, readObjects(text).objects] as const);
  const names = new Set(
    objects.flatMap(([, all]) => all.map((object) => textAt(object, "metadata", "name"))),
  );
  const owners = new Map<string, string>(
    own.flatMap(({ role, entries }) =>
      entries
        .flatMap(({ yaml }) => splitDocuments(yaml))
        // Parsing every manifest of the program would take half as long as the whole plan; a duplicate has the same name.
        .filter((document) => [...document.matchAll(/[\w.:-]+/g)].some(([word]) => names.has(word)))
        .flatMap((document) => readObjects(document).objects)
        .map((object) => [objectIdentities(object)[0], `the program, with ${role}`] as const),
    ),
  );
  return objects.flatMap(([name, all]) => {
    const twice = all.flatMap((object) => {
      const [identity, bare] = objectIdentities(object);
      const owner = owners.get(identity) ?? owners.get(bare);
      owners.set(identity, owner ?? pathOf(name));
      return owner === undefined ? [] : [`${objectTitle(object)} (${owner})`];
    });
    return present(
      twice.length !== 0 && {
        path: pathOf(name),
        problem: `another add-on or set delivers the same object, and both would overwrite it in turn: ${twice.join(", ")}`,
        allowed: "objects that nothing else delivers, each once",
        write: `remove ${name}`,
      },
    );
  });
}

/**
 * The sets of the user's own manifests, in the order of their names.
 * @param own - what the program delivers itself
 * @throws ConfigError when a manifest cannot be read or delivered
 * @throws ManifestError when a download fails or has another digest
 */
export async function extraSets(args: ExtraSetsArgs, own: readonly DeliveredSet[]): Promise<ExtraSet[]> {
  const { clusterName, namespace, platform, extraManifests: manifests = {} } = args;
  const names = Object.keys(manifests).sort();
  if (names.length === 0) {
    return [];
  }
  const loaded = await Promise.all(
    names.map(async (name) => {
      const manifest = assertDefined(manifests[name], name);
      return { name, manifest, result: await load(name, manifest, args) };
    }),
  );
  const unread = loaded.flatMap(({ result }) => ("problem" in result ? [result] : []));
  const found = loaded.flatMap(({ name, manifest, result }) =>
    "problem" in result ? [] : [{ name, manifest, result }],
  );
  const faults = found.flatMap(({ name, result }) => faultsOf(name, result));
  const problems = [...unread, ...faults];
  if (problems.length === 0) {
    problems.push(
      ...duplicates(Object.fromEntries(found.map(({ name, result }) => [name, result.text])), own),
    );
  }
  const sets = found.map(({ name, manifest, result }): ExtraSet => ({
    role: manifestRole(name),
    name: manifestSetName(clusterName, name, manifest.strategy),
    namespace,
    labels: { [manifestLabel]: name },
    clusterSelector: addonLabels(clusterName, platform).cni,
    entries: [{ key: `${name}.yaml`, yaml: result.text }],
    ...(result.version === undefined ? {} : { version: result.version }),
    ...(manifest.strategy === "ApplyOnce" ? { applyOnce: true } : {}),
  }));
  if (problems.length === 0) {
    for (const [index, set] of sets.entries()) {
      try {
        packResources(set);
      } catch (error) {
        const name = names[index] ?? "";
        problems.push({
          path: pathOf(name),
          problem: (error as Error).message,
          allowed: "documents that fit into a ConfigMap",
          write: `remove ${name}`,
        });
      }
    }
  }
  if (problems.length > 0) {
    throw new ConfigError("Manifests of your own", problems);
  }
  return sets;
}
