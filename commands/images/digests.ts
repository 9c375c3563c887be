import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isMap, isNode, parse, parseDocument } from "yaml";
import { loadPinnedManifest, type LoadOptions } from "../../addons/pinnedManifest";
import { decodeConfig } from "../../config/parse";
import { imageDigests } from "../../config/schema/imageDigests";
import { projectConfig, readStackFile } from "../../config/stackFile";
import { byName } from "../../tools/byName";
import { decodedText } from "../../tools/decodedText";
import type { ImageDigests } from "../../platform/workloads/imageDigests";
import { parseReference } from "../../platform/workloads/imageReferences";
import { writeAtomically } from "../../io/atomic";
import { inParallel } from "../plan/cli/parallel";
import type { PlanOptions, planStack } from "../plan/cli/planStack";
import { imagesInObjects, materialsOf } from "../plan/model/materials";
import type { Plan } from "../plan/model/plan";

/** Digests of the container images that a stack deploys, for the key `imageDigests` of its file. */

export const key = "capz-windows:imageDigests";

export interface Digests {
  /** For the stack file: of images whose registry did not answer, what it has already. */
  readonly digests: ImageDigests;
  /** Those that the stack file does not have, or has with another digest. */
  readonly changed: readonly string[];
  /** Why there is no digest, by image. */
  readonly faults: Readonly<Record<string, string>>;
}

/**
 * A plan with the published manifests, which are downloaded and verified for it.
 * @throws ManifestError
 */
export async function wholePlan(
  planner: typeof planStack,
  options: PlanOptions,
  fetchBytes?: LoadOptions["fetchBytes"],
): Promise<Plan> {
  const plan = await planner(options);
  const manifests = materialsOf(plan).materials.filter(({ kind }) => kind === "manifest");
  if (manifests.length === 0) {
    return plan;
  }
  const temporary = mkdtempSync(join(tmpdir(), "capz-windows-manifests-"));
  try {
    for (const { name, version, source: url = "", sha256 = "" } of manifests) {
      // A manifest of the stack file has its digest as version.
      const pinned = { name, url, sha256, version: version === "" ? sha256.slice(0, 12) : version };
      const given = { cacheDir: options.manifestCache, offline: true };
      const { verified, text } = await loadPinnedManifest(pinned, given);
      const from = verified ? { fetchBytes: () => Promise.resolve(text) } : fetchBytes && { fetchBytes };
      await loadPinnedManifest(pinned, { cacheDir: temporary, offline: false, ...from });
    }
    return await planner({ ...options, manifestCache: temporary });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Those that a stack file has; what is no digest counts as none. */
export function knownDigests({ projectDir, stack, configFile }: PlanOptions): ImageDigests {
  const { config } = readStackFile(projectDir, stack, configFile);
  return imageDigests.safeParse(decodeConfig(projectConfig(config)).imageDigests).data ?? {};
}

/**
 * @param plan - without the key imageDigests
 * @param known - what the stack file has
 */
export async function digestsOf(
  plan: Pick<Plan, "objects">,
  known: ImageDigests,
  ask: (image: string) => Promise<string>,
): Promise<Digests> {
  // An image with a digest of its own needs no other one.
  const images = imagesInObjects(plan.objects).filter((image) => parseReference(image).digest === "");
  const digests: Record<string, string> = {};
  const faults: Record<string, string> = {};
  await inParallel(
    images.map((image) => async () => {
      const had = known[image];
      if (had !== undefined) {
        digests[image] = had;
      }
      try {
        if (parseReference(image).tag === "") {
          throw new Error("it has no tag");
        }
        digests[image] = await ask(image);
      } catch (error) {
        faults[image] = (error as Error).message;
      }
    }),
    8,
  );
  const sorted = Object.fromEntries(byName(digests));
  return {
    digests: sorted,
    faults: Object.fromEntries(byName(faults)),
    changed: Object.keys(sorted).filter((image) => known[image] !== sorted[image]),
  };
}

export const digestLines = (digests: ImageDigests, indent = ""): string[] =>
  Object.entries(digests).map(([image, digest]) => `${indent}${image}: ${digest}`);

/** The text of a stack file with other digests and, apart from comments between them, no other change. */
function withDigests(text: string, digests: ImageDigests): string {
  const document = parseDocument(text);
  const config = document.get("config", true);
  const node = document.getIn(["config", key], true);
  const columnOf = (offset: number): number => offset - (text.lastIndexOf("\n", offset - 1) + 1);
  const lineEnd = (offset: number): number => {
    const end = text.indexOf("\n", offset);
    return end < 0 ? text.length : end;
  };
  const [start, end] = (isNode(node) ? node.range : undefined) ?? [0, 0];
  const [top, bottom] = (isNode(config) ? config.range : undefined) ?? [0, 0];
  const indent = " ".repeat(columnOf(top));
  if (isMap(node) && node.flow !== true) {
    const column = columnOf(start);
    const last = lineEnd(text.slice(0, end).trimEnd().length);
    return (
      text.slice(0, start - column) + digestLines(digests, " ".repeat(column)).join("\n") + text.slice(last)
    );
  }
  const lines = digestLines(digests, `${indent}  `).join("\n");
  if (isNode(node)) {
    return `${text.slice(0, start).trimEnd()}\n${lines}${text.slice(lineEnd(end))}`;
  }
  const last = lineEnd(text.slice(0, bottom).trimEnd().length);
  return `${text.slice(0, last)}\n${indent}${key}:\n${lines}${text.slice(last)}`;
}

/** @returns whether they could be written: not where the config is in braces */
export function writeDigests(file: string, digests: ImageDigests): boolean {
  const text = decodedText(readFileSync(file));
  const changed = withDigests(text, digests);
  const before = parse(text) as { readonly config: object };
  const document = parseDocument(changed);
  const wanted = { ...before, config: { ...before.config, [key]: digests } };
  if (document.errors.length > 0 || !isDeepStrictEqual(document.toJS(), wanted)) {
    return false;
  }
  writeAtomically(file, changed);
  return true;
}
