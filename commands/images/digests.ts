import { isDeepStrictEqual } from "node:util";
import { isMap, isNode } from "yaml";
import { publishedDigest } from "../../addons/clusterApiArtifacts";
import { loadPinnedManifest, type LoadOptions } from "../../addons/pinnedManifest";
import { decodeConfig } from "../../config/parse";
import { imageDigests } from "../../config/schema/imageDigests";
import { projectConfig, readStackFile } from "../../config/stackFile";
import { configLimits, yamlDocument, yamlValue } from "capz-windows-kit/boundedYaml";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { byName } from "capz-windows-kit/byName";
import { isRecord } from "capz-windows-kit/untyped";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import type { ImageDigests } from "capz-windows-platform/workloads/imageDigests";
import { parseReference } from "capz-windows-platform/workloads/imageReferences";
import { type Artifact, artifactsOf, type Installation } from "capz-windows-platform/cluster/artifacts";
import { rewriteAtomically } from "capz-windows-kit/io/atomic";
import { download } from "capz-windows-kit/io/download";
import { inParallel } from "capz-windows-kit/io/parallel";
import { inTemporaryFolder } from "capz-windows-kit/commandLine/temporaryFolder";
import type { StackPlanOptions, planStack } from "../../plan/cli/planStack";
import { imagesInObjects, pinnedManifests } from "../../plan/model/images";
import type { Plan } from "../../plan/model/plan";

/** Digests of what a stack deploys, for the keys `imageDigests` and `clusterApi.digests` of its file. */

type Names = Readonly<Record<string, string>>;

export const key = "capz-windows:imageDigests";

export interface Digests {
  /** For the stack file: of what could not be asked, what it has already. */
  readonly digests: Names;
  /** Those that the stack file does not have, or has with another digest. */
  readonly changed: readonly string[];
  /** Why there is no digest, by image or by part of Cluster API. */
  readonly faults: Names;
}

/** @param known - what the stack file has */
async function digestsByName(
  names: readonly string[],
  known: Readonly<Record<string, string | undefined>>,
  ask: (name: string) => Promise<string>,
): Promise<Digests> {
  const digests: Record<string, string> = {};
  const faults: Record<string, string> = {};
  await inParallel(
    names.map((name) => async () => {
      const had = known[name];
      if (had !== undefined) {
        digests[name] = had;
      }
      try {
        digests[name] = await ask(name);
      } catch (error) {
        faults[name] = (error as Error).message;
      }
    }),
    8,
  );
  const sorted = Object.fromEntries(byName(digests));
  return {
    digests: sorted,
    faults: Object.fromEntries(byName(faults)),
    changed: Object.keys(sorted).filter((name) => known[name] !== sorted[name]),
  };
}

/** Of the charts and manifests with which a stack installs Cluster API, by their keys in clusterApi.digests. */
export function artifactDigestsOf(
  clusterApi: Installation,
  fetchBytes: NonNullable<LoadOptions["fetchBytes"]> = download,
): Promise<Digests> {
  const byPart = new Map<string, Artifact>(artifactsOf(clusterApi).map((one) => [one.part, one]));
  return digestsByName([...byPart.keys()], clusterApi.digests ?? {}, async (part) => {
    const artifact = assertDefined(byPart.get(part), part);
    const { url, listed, sha256: found, isExpected } = await publishedDigest(artifact, fetchBytes);
    if (listed !== undefined && listed !== found) {
      throw new Error(`${url} has sha256 ${found}, but ${artifact.url} lists ${listed}`);
    }
    if (!isExpected) {
      const wanted = artifact.isChart ? "an archive" : "a manifest of this provider";
      throw new Error(
        `${url} answers HTTP 200 with something else than ${wanted}; a proxy may have answered`,
      );
    }
    return `sha256:${found}`;
  });
}

/**
 * A plan with the published manifests, which are downloaded and verified for it.
 * @throws ManifestError
 */
export async function wholePlan(
  planner: typeof planStack,
  options: StackPlanOptions,
  fetchBytes?: LoadOptions["fetchBytes"],
): Promise<Plan> {
  const plan = await planner(options);
  const manifests = pinnedManifests(plan);
  if (manifests.length === 0) {
    return plan;
  }
  return inTemporaryFolder("manifests", async (temporary) => {
    for (const pinned of manifests) {
      const given = { cacheDir: options.manifestCache, offline: true };
      const { verified, text } = await loadPinnedManifest(pinned, given);
      const from = verified ? { fetchBytes: () => Promise.resolve(text) } : fetchBytes && { fetchBytes };
      await loadPinnedManifest(pinned, { cacheDir: temporary, offline: false, ...from });
    }
    return planner({ ...options, manifestCache: temporary });
  });
}

/** Those that a stack file has; what is no digest counts as none. */
export function knownDigests({ projectDir, stack, configFile }: StackPlanOptions): ImageDigests {
  const { config } = readStackFile(projectDir, stack, configFile);
  return imageDigests.safeParse(decodeConfig(projectConfig(config)).imageDigests).data ?? {};
}

/**
 * @param plan - without the key imageDigests
 * @param known - what the stack file has
 */
export function digestsOf(
  plan: Pick<Plan, "objects">,
  known: ImageDigests,
  ask: (image: string) => Promise<string>,
): Promise<Digests> {
  // An image that names its digest needs no other one.
  const images = imagesInObjects(plan.objects).filter((image) => parseReference(image).digest === "");
  return digestsByName(images, known, (image) => {
    if (parseReference(image).tag === "") {
      throw new Error("it has no tag");
    }
    return ask(image);
  });
}

/** As lines of YAML below keys. */
export const digestLines = (digests: Names, ...keys: readonly string[]): string[] =>
  keys.reduceRight(
    (lines, key) => [`${key}:`, ...lines.map((line) => `  ${line}`)],
    Object.entries(digests).map(([name, digest]) => `${name}: ${digest}`),
  );

/** The text of a stack file with other lines below a key and, apart from comments between them, no other change. */
function withLines(text: string, parents: readonly string[], key: string, lines: readonly string[]): string {
  const document = yamlDocument(text);
  const parent = document.getIn(parents, true);
  const node = document.getIn([...parents, key], true);
  const columnOf = (offset: number): number => offset - (text.lastIndexOf("\n", offset - 1) + 1);
  const lineEnd = (offset: number): number => {
    const end = text.indexOf("\n", offset);
    return end < 0 ? text.length : end;
  };
  const [start, end] = (isNode(node) ? node.range : undefined) ?? [0, 0];
  const [top, bottom] = (isNode(parent) ? parent.range : undefined) ?? [0, 0];
  const below = (column: number): string => lines.map((line) => `${" ".repeat(column)}${line}`).join("\n");
  if (isMap(node) && node.flow !== true) {
    const column = columnOf(start);
    const last = lineEnd(text.slice(0, end).trimEnd().length);
    return text.slice(0, start - column) + below(column) + text.slice(last);
  }
  const column = columnOf(top);
  if (isNode(node)) {
    return `${text.slice(0, start).trimEnd()}\n${below(column + 2)}${text.slice(lineEnd(end))}`;
  }
  const last = lineEnd(text.slice(0, bottom).trimEnd().length);
  return `${text.slice(0, last)}\n${" ".repeat(column)}${key}:\n${below(column + 2)}${text.slice(last)}`;
}

/**
 * @param inner - key below that of the stack file
 * @returns whether they could be written: not where the config, or the key, is in braces
 */
export function writeDigests(file: string, digests: Names, key: string, inner?: string): boolean {
  const text = readBoundedText(file, mostBytes.stackFile);
  const before = yamlValue(text, { bytes: mostBytes.stackFile, values: configLimits.values }) as {
    readonly config: Readonly<Record<string, unknown>>;
  };
  const whole = `capz-windows:${key}`;
  const value = before.config[whole];
  const above = inner === undefined ? [] : [inner];
  const changed =
    inner !== undefined && isRecord(value)
      ? withLines(text, ["config", whole], inner, digestLines(digests))
      : withLines(text, ["config"], whole, digestLines(digests, ...above));
  const document = yamlDocument(changed);
  const wanted = inner === undefined ? digests : { ...(value as object | undefined), [inner]: digests };
  const rest = { ...before, config: { ...before.config, [whole]: wanted } };
  if (document.errors.length > 0 || !isDeepStrictEqual(document.toJS(), rest)) {
    return false;
  }
  rewriteAtomically(file, changed);
  return true;
}
