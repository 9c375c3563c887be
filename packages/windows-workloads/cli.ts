import { refuse } from "capz-windows-kit/commandLine/arguments";
import { defineCommand, parseCommand } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { chosenStack, namedStack } from "capz-windows-kit/commandLine/stack";
import { stacksOf } from "capz-windows-kit/stackNames";
import { stackReader } from "capz-windows-kit/commandLine/stackReader";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { textAt } from "capz-windows-kit/untyped";
import { ConfigError } from "capz-windows-kit/problem";
import { windowsServers } from "capz-windows-platform/machines/windowsReleases";
import { runtimeClassObject, windowsClasses } from "capz-windows-platform/workloads/runtimeClasses";
import { connect } from "capz-windows-doctor/cluster/connect";
import { filesBelow } from "capz-windows-doctor/cluster/recorded";
import { UnreadError } from "capz-windows-doctor/unread";
import type { StackFacts } from "capz-windows-contract";
import { checkWorkload, type WorkloadFacts, answerOf } from "./check";
import { imagesOf } from "./imageFaults";
import { networkFacts } from "./network";
import { imageFacts, type AskRegistry } from "./images";
import { type Connect, readLive } from "./live";
import { poolsOfNodes } from "./nodes";
import { poolOfRelease, poolsOf } from "./pools";
import { classesOf, stackClasses } from "./storage";
import {
  manifestsByName,
  ManifestsError,
  othersOf,
  readManifests,
  runtimeClassesOf,
  runtimeClassOf,
  workloadsOf,
  type ManifestText,
} from "./read";
import { askRegistry } from "./registry";
import { formatResults, jsonResults } from "./report";

const definition = defineCommand({
  call: "npm run workloads --",
  about:
    "Says for each workload of Kubernetes manifests on which pools of a stack it runs, and why not on others.",
  args: {
    "[paths...]":
      "files with manifests, folders for all .yaml, .yml and .json files below them, or - for the standard input: the output of helm template, of kubectl kustomize, or of kubectl get deployments,daemonsets,statefulsets,cronjobs,services,runtimeclasses -A -o yaml",
  },
  options: [
    "stack",
    "configFile",
    "liveKubeconfig",
    "liveNamespaces",
    "release",
    "offlineRegistries",
    "json",
  ],
  notes:
    "Without --stack, --config-file, --kubeconfig and --release it is about the only stack of the folder.",
  examples: {
    "npm run workloads -- --stack prod manifests/": "The applications of a folder",
    "helm template CHART | npm run --silent workloads -- --stack prod -": "A chart, before it is installed",
    "npm run workloads -- --kubeconfig FILE": "What runs in a cluster, on the nodes that it has",
    "npm run workloads -- --release 2025 manifests/":
      "On Windows nodes of any cluster: what a newer release of Windows Server breaks",
  },
  exitCodes: {
    0: "no workload was found that does not run; the report names what was not checked",
    1: "the stack file or a manifest is wrong",
    2: "a workload does not run",
  },
});

/** What tests replace. */
export interface WorkloadsOptions {
  readonly projectDir: string;
  readonly ask: AskRegistry;
  readonly stdin: () => string;
  readonly connect: Connect;
}

const isRelease = (year: string): boolean => (windowsServers as readonly string[]).includes(year);

/** @throws UsageError */
export function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv = {}, dir = projectDir) {
  const { values, args: paths } = parseCommand(definition, argv, env);
  const { liveKubeconfig: kubeconfig, liveNamespaces: namespaces, ...others } = values;
  const { offlineRegistries: offline, release, ...rest } = others;
  const isKnown = kubeconfig !== undefined || release !== undefined;
  refuse([
    [
      paths.length === 0 && kubeconfig === undefined,
      "Name a file or a folder with manifests, or - for the standard input.",
    ],
    [namespaces.length > 0 && kubeconfig === undefined, "--namespace: add --kubeconfig FILE."],
    [
      release !== undefined && !isRelease(release),
      `--release ${release ?? ""}: write one of ${windowsServers.join(", ")}.`,
    ],
  ]);
  const named = namedStack(values, []);
  refuse([
    [
      !isKnown && named === undefined && values.configFile === undefined && stacksOf(dir).length === 0,
      "Name the nodes: --release YEAR for any of that release of Windows Server, --kubeconfig FILE for those of a cluster, or --stack NAME.",
    ],
  ]);
  const stack = isKnown ? named : chosenStack(values, [], dir);
  return { ...rest, offline, release, kubeconfig, namespaces, paths, stack };
}

type Arguments = ReturnType<typeof readArguments>;

const messageOf = (error: unknown): string => textAt(error, "message") || String(error);

/** Packages have manifests, too, but not the user's. */
const isOwn = (name: string): boolean => name !== "node_modules" && !name.startsWith(".");

function textsBelow(path: string): ManifestText[] {
  try {
    return filesBelow(path, isOwn)
      .filter((file) => file === path || /\.(ya?ml|json)$/.test(file))
      .map((file) => ({ name: file, text: readBoundedText(file, mostBytes.manifests) }));
  } catch (error) {
    throw new ManifestsError(`${path} cannot be read: ${messageOf(error)}`);
  }
}

/** @throws ManifestsError also where there is no text at all: the program that should have written it has failed */
const textsIn = (paths: readonly string[], stdin: () => string): ManifestText[] =>
  paths.flatMap((path): ManifestText[] => {
    const name = path === "-" ? "standard input" : path;
    const texts = path === "-" ? [{ name, text: stdin() }] : textsBelow(path);
    if (texts.every(({ text }) => text.trim() === "")) {
      throw new ManifestsError(
        texts.length === 0 ? `${name}: no .yaml, .yml or .json file in it` : `${name}: nothing in it`,
      );
    }
    return texts;
  });

type FactsOfCluster = Omit<WorkloadFacts, "manifests" | "network">;

/** The pools, classes and policies of the cluster that a stack describes. */
function factsFrom(stack: StackFacts): FactsOfCluster {
  const pools = poolsOf(stack);
  const releases = pools.flatMap(({ windowsServer }) => windowsServer ?? []);
  const { runtimeClasses, hyperV, denies, hostProcessNamespaces } = stack.workloads;
  const delivered = runtimeClasses ? windowsClasses(releases, hyperV) : [];
  return {
    pools,
    classes: delivered.map(runtimeClassObject).map(runtimeClassOf),
    denies,
    hostProcessNamespaces,
    storageClasses: stackClasses(stack),
    gmsa: stack.addons.gmsa,
    knowsObjects: true,
  };
}

const nothing = { pools: [], classes: [], denies: false, hostProcessNamespaces: [], storageClasses: [] };

/** What is known before a cluster and the manifests are read. */
function factsBefore({ stack, release, configFile }: Arguments, projectDir: string): FactsOfCluster {
  if (stack !== undefined) {
    return factsFrom(stackReader.read().factsOfStack(projectDir, stack, configFile));
  }
  return release === undefined
    ? { ...nothing, gmsa: false, knowsObjects: true }
    : { ...nothing, pools: [poolOfRelease(release)], gmsa: undefined, knowsObjects: false };
}

async function check(
  args: Arguments,
  { projectDir, ask, stdin, connect: open }: WorkloadsOptions,
): Promise<number> {
  const { stack, kubeconfig } = args;
  const facts = factsBefore(args, projectDir);
  const live = kubeconfig === undefined ? undefined : await readLive(kubeconfig, args.namespaces, open);
  const texts = textsIn(args.paths, stdin).map(readManifests);
  const unread = texts.flatMap((text) => text.unread);
  const manifests = [...texts.flatMap((text) => text.manifests), ...(live?.manifests ?? [])];
  if (manifests.length === 0 && unread.length > 0) {
    throw new ManifestsError(unread.join("\n"));
  }
  const workloads = workloadsOf(manifests);
  const makers = new Set(workloads.map(({ object }) => object));
  const rest = manifests.filter(({ object }) => !makers.has(object));
  const byName = manifestsByName(manifests);
  const images = await imageFacts(
    workloads.flatMap(({ podSpec }) => imagesOf(podSpec)),
    args.offline ? undefined : ask,
  );
  const knowsObjects = facts.knowsObjects && unread.length === 0;
  const cluster: WorkloadFacts = {
    ...facts,
    knowsObjects,
    gmsa: facts.gmsa === true || knowsObjects ? facts.gmsa : undefined,
    manifests: byName,
    network: networkFacts(byName),
    // The nodes of the live cluster are used only if no stack is named.
    pools: live === undefined || stack !== undefined ? facts.pools : poolsOfNodes(live.nodes),
    classes: [...runtimeClassesOf(manifests), ...facts.classes],
    storageClasses: [...classesOf(manifests), ...facts.storageClasses],
  };
  const others = othersOf(rest);
  const found = workloads.map((workload) => checkWorkload(workload, cluster, images));
  process.stdout.write(
    args.json
      ? jsonResults({ found, others, unread }, { stack, release: args.release })
      : `${formatResults({ found, others, unread })}\n`,
  );
  return found.some((result) => answerOf(result) === "no") ? 2 : 0;
}

/** @returns the exit code, see its definition */
export const run = (argv: readonly string[], given: Partial<WorkloadsOptions> = {}): Promise<number> =>
  answer(definition, argv, [ConfigError, ManifestsError, UnreadError], () =>
    check(readArguments(argv, process.env, given.projectDir), {
      projectDir,
      ask: askRegistry,
      stdin: () => readBoundedText(0, mostBytes.manifests),
      connect,
      ...given,
    }),
  );

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
