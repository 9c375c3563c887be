import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Options, parseCommand, refuse, UsageError } from "../commandLine/arguments";
import { answer, endWith } from "../commandLine/main";
import { settingsOfStack, stackNamed } from "../commandLine/stack";
import { textAt } from "../domain/untyped";
import { ConfigError } from "../domain/problem";
import { windowsServers } from "../domain/machines/windowsReleases";
import { runtimeClassObject, windowsClasses } from "../domain/workloads/runtimeClasses";
import { writeAtomically } from "../io/atomic";
import { checkWorkload, imagesOf, isFine } from "./check";
import { imageFacts, readRecorded, type AskRegistry, type RecordedImages } from "./images";
import { poolsOf } from "./pools";
import {
  ManifestsError,
  readManifests,
  runtimeClassesOf,
  runtimeClassOf,
  workloadsOf,
  type Text,
} from "./read";
import { askRegistry } from "./registry";
import { formatResults, jsonResults } from "./report";

export const usage = `Says for each workload of Kubernetes manifests on which pools of a stack it runs, and why not on others.

  npm run workloads -- --stack NAME [OPTIONS] (FILE | FOLDER | -)...

  --stack NAME          the stack Pulumi.NAME.yaml
  --config-file FILE    another stack file; the stack is the NAME of Pulumi.NAME.yaml
  --windows-server POOL=YEAR
                        suppose that the pool has this release of Windows Server: what breaks when it is changed; repeatable
  --images FILE         what images can run on, as --record writes it: no registry is asked for these
  --offline             ask no registry: images that --images does not have are judged by their tags
  --record FILE         write what the registries answered, for --images
  --json                print JSON

A folder stands for all .yaml, .yml and .json files below it, - for the standard input: the output of helm template, of
kubectl kustomize, or of kubectl get deployments,daemonsets,statefulsets,cronjobs,services,runtimeclasses -A -o yaml.

Exit codes: 0 every workload runs wherever its pods may come to; 2 one does not; 1 the stack file or a manifest is wrong;
64 wrong arguments.
`;

/** What tests replace. */
export interface CommandOptions {
  readonly projectDir: string;
  readonly ask: AskRegistry;
  readonly stdin: () => string;
}

interface Arguments {
  readonly stack: string;
  readonly configFile: string | undefined;
  readonly assumed: Readonly<Record<string, string>>;
  readonly images: string | undefined;
  readonly offline: boolean;
  readonly record: string | undefined;
  readonly json: boolean;
  readonly paths: readonly string[];
}

function assumptions(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, pool, year = ""] = /^([^=]+)=(.+)$/.exec(text) ?? [];
      if (pool === undefined || !(windowsServers as readonly string[]).includes(year)) {
        throw new UsageError(
          `--windows-server ${text}: write POOL=YEAR, with one of ${windowsServers.join(", ")}.`,
        );
      }
      return [pool, year];
    }),
  );
}

const options = {
  stack: { type: "string" },
  "config-file": { type: "string" },
  "windows-server": { type: "string", multiple: true, default: [] },
  images: { type: "string" },
  offline: { type: "boolean", default: false },
  record: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} satisfies Options;

/** @returns `undefined` when help is wanted */
function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv): Arguments | undefined {
  const config = { options, allowPositionals: true };
  const { values, positionals } = parseCommand("workloads", config, argv, env);
  if (values.help) {
    return undefined;
  }
  const { images, offline, record, json, "config-file": configFile } = values;
  const stack = stackNamed(values.stack, configFile);
  refuse([
    [
      stack === undefined,
      "--stack NAME is missing (npm takes options for itself unless `--` stands before them).",
    ],
    [positionals.length === 0, "Name a file or a folder with manifests, or - for the standard input."],
  ]);
  return {
    ...{ stack: stack ?? "", configFile, images, offline, record, json, paths: positionals },
    assumed: assumptions(values["windows-server"]),
  };
}

const messageOf = (error: unknown): string => textAt(error, "message") || String(error);

const filesBelow = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesBelow(join(path, name)))
        .filter((file) => /\.(ya?ml|json)$/.test(file))
    : [path];

function textsIn(paths: readonly string[], stdin: () => string): Text[] {
  return paths.flatMap((path): Text[] => {
    if (path === "-") {
      return [{ name: "standard input", text: stdin() }];
    }
    try {
      return filesBelow(path).map((file) => ({ name: file, text: readFileSync(file, "utf8") }));
    } catch (error) {
      throw new ManifestsError(`${path} cannot be read: ${messageOf(error)}`);
    }
  });
}

function recordedIn(file: string | undefined): RecordedImages {
  try {
    return file === undefined ? {} : readRecorded(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ManifestsError(`${file ?? ""}: ${messageOf(error)}`);
  }
}

async function check(args: Arguments, { projectDir, ask, stdin }: CommandOptions): Promise<number> {
  const { stack } = args;
  const settings = settingsOfStack(projectDir, stack, args.configFile);
  const unknown = Object.keys(args.assumed).find((pool) => settings.windowsPools[pool] === undefined);
  if (unknown !== undefined) {
    throw new UsageError(
      `--windows-server ${unknown}: the stack has the Windows pools ${Object.keys(settings.windowsPools).join(", ") || "none"}.`,
    );
  }
  const pools = poolsOf(settings, args.assumed);
  const manifests = textsIn(args.paths, stdin).flatMap(readManifests);
  const workloads = workloadsOf(manifests);
  const recorded = recordedIn(args.images);
  const images = await imageFacts(
    workloads.flatMap(({ podSpec }) => imagesOf(podSpec)),
    recorded,
    args.offline ? undefined : ask,
  );
  if (args.record !== undefined) {
    const known = [...images].filter(([, { from }]) => from !== "tag").sort(([a], [b]) => (a < b ? -1 : 1));
    const platforms = Object.fromEntries(known.map(([reference, facts]) => [reference, facts.platforms]));
    writeAtomically(resolve(args.record), `${JSON.stringify(platforms, undefined, 2)}\n`);
  }
  const releases = pools.flatMap(({ windowsServer }) => windowsServer ?? []);
  const { runtimeClasses, hyperV, policy, hostProcessNamespaces } = settings.workloads;
  const delivered = runtimeClasses ? windowsClasses(releases, hyperV) : [];
  const cluster = {
    pools,
    classes: [...runtimeClassesOf(manifests), ...delivered.map(runtimeClassObject).map(runtimeClassOf)],
    ...{ denies: policy === "deny", hostProcessNamespaces },
  };
  const services = manifests.filter(({ kind }) => kind === "Service");
  const found = workloads.map((workload) => checkWorkload(workload, cluster, images, services));
  process.stdout.write(args.json ? jsonResults(stack, found) : `${formatResults(found)}\n`);
  return found.every(isFine) ? 0 : 2;
}

/** @returns the exit code, see usage */
export const run = (argv: readonly string[], given: Partial<CommandOptions> = {}): Promise<number> =>
  answer(usage, [ConfigError, ManifestsError], async () => {
    const args = readArguments(argv, process.env);
    if (args === undefined) {
      process.stdout.write(usage);
      return 0;
    }
    return check(args, {
      projectDir: resolve(__dirname, ".."),
      ask: askRegistry,
      stdin: () => readFileSync(0, "utf8"),
      ...given,
    });
  });

/** Exit codes: see usage. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
