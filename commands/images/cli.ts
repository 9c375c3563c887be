import "../stack/register";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isScalar } from "yaml";
import { yamlDocument } from "capz-windows-kit/boundedYaml";
import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir as ownDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack, inProject } from "capz-windows-kit/commandLine/stack";
import { settingsOfAnyStack } from "../stack/settings";
import { isManagementOnly } from "../../config/managementStack";
import { nodeImages } from "../../config/nodeImages";
import { takeSteps, valueAt } from "../../config/steps";
import { factsOf } from "../../config/policy/facts";
import { policies } from "../../config/policy/policies";
import type { Settings } from "../../config/settings";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { present } from "capz-windows-kit/present";
import { ConfigError } from "capz-windows-kit/problem";
import { oneLine } from "capz-windows-kit/visible";
import { writeLine, yamlValue } from "capz-windows-kit/writeLine";
import { rewriteAtomically } from "capz-windows-kit/io/atomic";
import { Arm, type ArmOptions } from "../azure/arm";
import { azureToken, LoginError } from "../azure/credential";
import { ManifestError, type LoadOptions } from "../../addons/pinnedManifest";
import { PlanError } from "../../plan/model/planError";
import type { planStack } from "../../plan/cli/planStack";
import type * as planModule from "../../plan/cli/planStack";
import type { askDigest } from "windows-workloads/registry";
import type * as registryModule from "windows-workloads/registry";
import type { Digests } from "./digests";
import type * as digestsModule from "./digests";
import { bumpsOf, imageState, type ImageState } from "./newer";

const definition = defineCommand({
  call: "npm run images --",
  about:
    "Says how old the images of a stack are, which newer versions there are, and what ends within 180 days. Reads only, but for --write.",
  args: stackArgument,
  options: ["stack", "configFile", "digests", "offlineAzure", "writeVersions", "json"],
  notes:
    "It logs in as @azure/identity does: environment variables, workload or managed identity, `az login`. Without a login it goes on as with --offline.",
  examples: {
    "npm run images -- prod": "Which images are old",
    "npm run images -- prod --write": "Write the newest into the stack file",
    "npm run images -- prod --digests --write": "Pin container images, charts and manifests by their digests",
  },
  exitCodes: {
    0: "nothing newer, or all digests are in the stack file",
    1: "the stack file is wrong",
    2: "there is something newer, or Azure or a registry did not answer",
  },
});

const load = createRequire(__filename);

/** What tests replace. */
export interface ImagesOptions {
  readonly projectDir: string;
  readonly arm: Partial<ArmOptions>;
  /** Today's date, such as 2026-11-22. */
  readonly today: string;
  readonly planner: typeof planStack;
  readonly askDigest: typeof askDigest;
  readonly fetchBytes: LoadOptions["fetchBytes"];
}

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}, dir = ownDir) {
  const { values, args } = parseCommand(definition, argv, env);
  const { offlineAzure: offline, writeVersions: write, ...rest } = values;
  return { ...rest, offline, write, stack: chosenStack(values, args, dir) };
}

const fileOf = (projectDir: string, stack: string, configFile: string | undefined): string =>
  configFile === undefined ? resolve(projectDir, `Pulumi.${stack}.yaml`) : resolve(configFile);

/**
 * Why there is no login to Azure; `undefined` if there is one. Without a login, the command reports what is known
 * without Azure.
 */
async function loggedIn(arm: Arm, subscriptionId: string): Promise<string | undefined> {
  try {
    await arm.get(`/subscriptions/${subscriptionId}`, "2022-12-01");
    return undefined;
  } catch (error) {
    return error instanceof LoginError ? error.message : undefined;
  }
}

function newerText({ newer, note }: ImageState): string {
  if (newer === undefined) {
    return note ?? "Azure was not asked for newer versions";
  }
  return newer.length === 0
    ? "nothing newer"
    : `newer: ${newer.slice(0, 5).join(", ")}${newer.length > 5 ? " and older ones" : ""}`;
}

function stateText(state: ImageState): string {
  const { path, image, patches, command } = state;
  return present(`${path}: ${image}`, patches, newerText(state), command)
    .map((line) => oneLine(line))
    .join("\n  ");
}

/** What ends soon, or has ended, and what to write instead. */
function endsOf(settings: Settings, day: string): { readonly path: string; readonly message: string }[] {
  const facts = factsOf(settings);
  return [...policies["ends-soon"].find(facts, day), ...policies["image-end-of-life"].find(facts, day)].map(
    ({ path, message }) => ({ path, message }),
  );
}

/** A title with its lines; nothing without any. */
const block = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[title, ...lines].join("\n  ")];

const endsText = (ends: ReturnType<typeof endsOf>): string[] =>
  block(
    "ends:",
    ends.map(({ path, message }) => `${path}: ${message}`),
  );

type Bumps = ReturnType<typeof bumpsOf>;

const linesOf = (bumps: Bumps): string[] => bumps.map(({ key, value }) => writeLine(key, value));

/** @param written - if the file was to be changed: what has been written */
function bumpsText(bumps: Bumps, written: Bumps | undefined): string[] {
  if (written === undefined) {
    return block("write these lines, or run it with --write:", linesOf(bumps));
  }
  const left = bumps.filter((bump) => !written.includes(bump));
  return [
    ...block("written:", linesOf(written)),
    ...block(
      "not written, because of an alias or a key that the file does not have, so write:",
      linesOf(left),
    ),
  ];
}

/**
 * Changes these values in a stack file, and no other character or value of it.
 * @returns those that it has written: no alias, nothing that a merge brings along, no key that the file does not have
 */
function writeBumps(file: string, bumps: Bumps): Bumps {
  const text = readBoundedText(file, mostBytes.stackFile);
  const document = yamlDocument(text);
  const steps = bumps.map(({ key, value }) => {
    const [first = "", ...rest] = key.split(".");
    return { set: ["config", `capz-windows:${first}`, ...rest], value };
  });
  const found = steps.flatMap((step) => {
    const node = document.getIn(step.set, true);
    return isScalar(node) && node.range ? [{ ...step, range: node.range }] : [];
  });
  // From the end, so that the places of the others stay. The range of a text of several lines has its last line end.
  const changed = [...found]
    .sort((a, b) => b.range[0] - a.range[0])
    .reduce((whole, { value, range: [from, to] }) => {
      const end = from + whole.slice(from, to).trimEnd().length;
      return whole.slice(0, from) + yamlValue(value) + whole.slice(end);
    }, text);
  const after = yamlDocument(changed);
  const values = after.toJS() as unknown;
  const wanted = document.toJS() as unknown;
  takeSteps(wanted, found);
  if (found.length === 0 || after.errors.length > 0 || !isDeepStrictEqual(values, wanted)) {
    return [];
  }
  rewriteAtomically(file, changed);
  return bumps.filter((_, index) => valueAt(values, steps[index]?.set ?? []) === steps[index]?.value);
}

async function digests(
  { stack, configFile, write, json }: ReturnType<typeof readArguments>,
  projectDir: string,
  given: Partial<ImagesOptions>,
): Promise<number> {
  // Loaded on demand, because a plan needs much more than the versions of images.
  const { artifactDigestsOf, digestLines, digestsOf, key, knownDigests, wholePlan, writeDigests } = load(
    "./digests",
  ) as typeof digestsModule;
  const { planner = (load("../../plan/cli/planStack") as typeof planModule).planStack } = given;
  const { askDigest: ask = (load("windows-workloads/registry") as typeof registryModule).askDigest } = given;
  const manifestCache = process.env.CAPZ_WINDOWS_MANIFEST_CACHE;
  // The digests that the stack file lacks are a problem of it.
  const options = { projectDir, stack, configFile: inProject(projectDir, configFile), without: key };
  const plan = await wholePlan(planner, { ...options, manifestCache }, given.fetchBytes);
  const found = await digestsOf(plan, knownDigests(options), ask);
  const clusterApi = await artifactDigestsOf(plan.settings.clusterApi, given.fetchBytes);
  const path = fileOf(projectDir, stack, configFile);
  const textOf = ({ digests: all, changed }: Digests, key: string, inner?: string): string[] => {
    if (changed.length === 0) {
      return [];
    }
    const keys = inner === undefined ? [key] : [key, inner];
    const under = (head: string): string[] => [[head, ...digestLines(all, ...keys)].join("\n  ")];
    if (!write) {
      return under("write these lines, or run it with --write:");
    }
    return writeDigests(path, all, key, inner)
      ? under(`written into ${path}:`)
      : under(
          `${path} has its config${inner === undefined ? "" : ` or ${key}`} in braces: write these lines into it:`,
        );
  };
  const texts = [
    ...Object.entries(found.faults).map(([image, fault]) => oneLine(`no digest of ${image}: ${fault}`)),
    ...Object.entries(clusterApi.faults).map(([part, fault]) =>
      oneLine(`no clusterApi.digests.${part}: ${fault}`),
    ),
    ...textOf(found, "imageDigests"),
    ...textOf(clusterApi, "clusterApi", "digests"),
  ];
  process.stdout.write(
    json
      ? `${JSON.stringify({ version: 1, stack, ...found, clusterApi }, undefined, 2)}\n`
      : `${texts.join("\n") || "nothing new"}\n`,
  );
  return texts.length === 0 ? 0 : 2;
}

/** @returns the exit code, see its definition */
export const run = (argv: readonly string[], given: Partial<ImagesOptions> = {}): Promise<number> =>
  answer(definition, argv, [ConfigError, PlanError, ManifestError], async () => {
    const projectDir = given.projectDir ?? ownDir;
    const args = readArguments(argv, process.env, projectDir);
    const { stack, configFile, offline, write, json } = args;
    if (args.digests) {
      return digests(args, projectDir, given);
    }
    const settings = settingsOfAnyStack(projectDir, stack, configFile);
    const { subscriptionId, tenantId, location } = settings.azure;
    const arm = offline ? undefined : new Arm({ token: azureToken(tenantId), ...given.arm });
    const loginFault = arm === undefined ? undefined : await loggedIn(arm, subscriptionId);
    const day = given.today ?? new Date().toISOString().slice(0, 10);
    // Not refused, because pipelines ask about every stack.
    const none = isManagementOnly(settings);
    const nodes = none ? [] : nodeImages(settings);
    const states: ImageState[] = [];
    // One after the other, because there are only a few requests.
    for (const node of nodes) {
      states.push(
        await imageState(node, { subscriptionId, location }, day, loginFault === undefined ? arm : undefined),
      );
    }
    const ends = none ? [] : endsOf(settings, day);
    const bumps = bumpsOf(states, nodes, settings.kubernetesVersion);
    if (loginFault !== undefined) {
      process.stderr.write(`${loginFault}\n`);
    }
    const written = write ? writeBumps(fileOf(projectDir, stack, configFile), bumps) : undefined;
    const report = none
      ? "no machines but those of the management cluster"
      : [...states.map(stateText), ...endsText(ends), ...bumpsText(bumps, written)].join("\n\n");
    process.stdout.write(
      json
        ? `${JSON.stringify({ version: 1, stack, day, images: states, ends, bumps, written }, undefined, 2)}\n`
        : `${report}\n`,
    );
    return states.every(({ newer }) => newer?.length === 0) ? 0 : 2;
  });

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
