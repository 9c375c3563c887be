import "../stack/register";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { isScalar } from "yaml";
import { yamlDocument } from "capz-windows-kit/boundedYaml";
import { defineCommand, parseCommand, stackArgument } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir as ownDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack, inProject } from "capz-windows-kit/commandLine/stack";
import { settingsOfAnyStack } from "../stack/settings";
import { isManagementOnly } from "../../config/managementStack";
import { nodeImages } from "../../config/nodeImages";
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

const bumpsText = (bumps: ReturnType<typeof bumpsOf>, write: boolean): string[] =>
  block(
    write ? "written:" : "write these lines, or run it with --write:",
    bumps.map(({ key, value }) => writeLine(key, value)),
  );

/**
 * Changes these values in a stack file, and no other character of it, also in one with aliases. A key that the file does not
 * have is not added.
 */
function writeBumps(file: string, bumps: ReturnType<typeof bumpsOf>): void {
  const text = readBoundedText(file, mostBytes.stackFile);
  const document = yamlDocument(text);
  const changes = bumps.flatMap(({ key, value }) => {
    const [first = "", ...rest] = key.split(".");
    const node = document.getIn(["config", `capz-windows:${first}`, ...rest], true);
    const range = isScalar(node) ? node.range : undefined;
    return range ? [{ from: range[0], to: range[1], value: yamlValue(value) }] : [];
  });
  const changed = changes
    .sort((a, b) => b.from - a.from)
    .reduce((whole, { from, to, value }) => `${whole.slice(0, from)}${value}${whole.slice(to)}`, text);
  rewriteAtomically(file, changed);
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
    const report = none
      ? "no machines but those of the management cluster"
      : [...states.map(stateText), ...endsText(ends), ...bumpsText(bumps, write)].join("\n\n");
    process.stdout.write(
      json
        ? `${JSON.stringify({ version: 1, stack, day, images: states, ends, bumps }, undefined, 2)}\n`
        : `${report}\n`,
    );
    if (write && bumps.length > 0) {
      writeBumps(fileOf(projectDir, stack, configFile), bumps);
    }
    return states.every(({ newer }) => newer?.length === 0) ? 0 : 2;
  });

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
