import "../stack/register";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { refuse, UsageError } from "capz-windows-kit/commandLine/arguments";
import { defineCommand, parseCommand } from "capz-windows-kit/commandLine/command";
import { answer, endWith } from "capz-windows-kit/commandLine/main";
import { projectDir } from "capz-windows-kit/commandLine/projectDir";
import { connect, KubeconfigError } from "capz-windows-doctor/cluster/connect";
import { sourceOf } from "capz-windows-doctor/cluster/source";
import { mostBytes, readBoundedText } from "capz-windows-kit/readBounded";
import { ConfigError } from "capz-windows-kit/problem";
import { textAt } from "capz-windows-kit/untyped";
import { writeAtomically } from "capz-windows-kit/io/atomic";
import { PlanError } from "../../plan/model/planError";
import { Refused, SourceError } from "./findings";
import { importSource, type Imported, type Planner } from "./importSource";
import { planned } from "./plan";
import { liveText } from "./live";
import { formatImport, jsonImport } from "./report";
import { isTemplate, type Text } from "./sources";
import { notTakenIn, VariableError, variablesIn, type Variables } from "./variables";
import { stackFileText, withManifestFiles } from "./write";

const definition = defineCommand({
  call: "npm run import --",
  about:
    "Makes a stack file from the description of a cluster by another tool, and reports what it could not carry over.",
  args: {
    "[files...]":
      "a clusterctl template with its variables, or its output; objects of a cluster; an apimodel of acs-engine or aks-engine; - is the standard input",
  },
  options: ["outStack", "force", "variables", "kubeconfig", "readNamespace", "readCluster", "json"],
  notes:
    "With --kubeconfig it reads the objects of a running cluster. Objects of the kind Secret are not read, and texts that look like credentials are not copied; check the files and commands that are. The cluster itself does not change: the stack creates another one.",
  examples: {
    "npm run import -- template.yaml --variables FILE --out Pulumi.mine.yaml": "A template of clusterctl",
    "npm run import -- --kubeconfig FILE --namespace NAME": "A cluster that runs",
    "kubectl get clusters,azureclusters,azureclusteridentities,kubeadmcontrolplanes,machinepools,machinedeployments,azuremachinepools,azuremachinetemplates,kubeadmconfigs,kubeadmconfigtemplates,machinehealthchecks -n NAMESPACE -o yaml | npm run --silent import -- -":
      "The same objects, by kubectl",
  },
  exitCodes: {
    0: "the stack file is complete",
    1: "a file cannot be read",
    2: "it lacks values that only you know",
    3: "no stack can be made of the source as it is",
  },
});

/** What tests replace. */
export interface ImportOptions {
  readonly planner: Planner;
  readonly stdin: () => string;
  readonly env: NodeJS.ProcessEnv;
  readonly connect: typeof connect;
}

function readArguments(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const { values, args: files } = parseCommand(definition, argv, env);
  const { kubeconfig, outStack: out, readNamespace: namespace, readCluster: cluster, ...rest } = values;
  refuse([
    [
      files.length === 0 && kubeconfig === undefined,
      "Name the files of one cluster, or - for the standard input.",
    ],
    [
      files.length > 0 && kubeconfig !== undefined,
      "--kubeconfig reads a management cluster: leave out the files.",
    ],
    [
      namespace !== undefined && kubeconfig === undefined,
      "--namespace is one of the cluster that --kubeconfig names.",
    ],
  ]);
  return { ...rest, kubeconfig, out, namespace, cluster, files };
}

function textOf(file: string, stdin: () => string): Text {
  if (file === "-") {
    return { name: "standard input", text: stdin() };
  }
  try {
    return { name: file, text: readBoundedText(file, mostBytes.manifests) };
  } catch (error) {
    throw new SourceError(`${file} cannot be read: ${textAt(error, "message") || String(error)}`);
  }
}

const refuseExisting = (path: string, force: boolean): void => {
  if (!force && existsSync(resolve(path))) {
    throw new UsageError(`${path} exists; --force overwrites it.`);
  }
};

/** The stack file, and beside it its large manifests. */
function writeStack(
  out: string,
  whole: Imported["config"],
  comments: readonly string[],
  force: boolean,
): void {
  const { config, files } = withManifestFiles(whole);
  const paths = Object.entries(files).map(([file, text]) => [join(dirname(out), file), text] as const);
  paths.forEach(([path]) => {
    refuseExisting(path, force);
  });
  for (const [path, text] of [...paths, [out, stackFileText(config, comments)] as const]) {
    writeAtomically(resolve(path), text);
  }
  if (paths.length > 0) {
    process.stderr.write(
      `Large manifests are in separate files, which belong into the folder of Pulumi.yaml: ${paths.map(([path]) => path).join(", ")}\n`,
    );
  }
}

/** The value of such a variable is not read: the template may be a stranger's. */
function tellNotTaken(texts: readonly Text[], env: Variables): void {
  const names = new Set(texts.filter(isTemplate).flatMap(({ text }) => notTakenIn(text, env)));
  if (names.size > 0) {
    process.stderr.write(
      `Not taken from the environment, of which a template gets only documented variables: ${[...names].sort().join(", ")}. To give them, write all variables of the template into a file: --variables FILE.\n`,
    );
  }
}

/** Errors whose messages are written for the user. */
const known = [ConfigError, PlanError, SourceError, VariableError, KubeconfigError];

async function importAndReport(
  args: ReturnType<typeof readArguments>,
  { env, stdin, connect: open, planner }: ImportOptions,
): Promise<number> {
  const { out, force, cluster, json, kubeconfig, variables: file } = args;
  if (out !== undefined) {
    refuseExisting(out, force);
  }
  const texts =
    kubeconfig === undefined
      ? args.files.map((one) => textOf(one, stdin))
      : [await liveText(await open(sourceOf(kubeconfig)), args.namespace)];
  if (file === undefined) {
    tellNotTaken(texts, env);
  }
  const variables = file === undefined ? variablesIn(env) : parseEnv(textOf(file, stdin).text);
  const imported = await importSource(texts, variables, planner, cluster);
  const names = texts.length > 3 ? `${texts.length} files` : texts.map(({ name }) => name).join(", ");
  const comments = [`From ${names}, by npm run import.`];
  if (json) {
    process.stdout.write(jsonImport(imported));
  } else if (out === undefined) {
    process.stdout.write(stackFileText(imported.config, comments));
  } else {
    writeStack(out, imported.config, comments, force);
  }
  if (!json) {
    process.stderr.write(`${formatImport(imported, out ?? "the stack file")}\n`);
  }
  return imported.open.length === 0 ? 0 : 2;
}

/** @returns the exit code, see its definition */
export const run = (argv: readonly string[], given: Partial<ImportOptions> = {}): Promise<number> =>
  answer(definition, argv, known, async () => {
    const { env = process.env } = given;
    const options: ImportOptions = {
      stdin: () => readBoundedText(0, mostBytes.manifests),
      planner: (config) => planned(config, projectDir),
      ...{ connect, env, ...given },
    };
    try {
      return await importAndReport(readArguments(argv, env), options);
    } catch (error) {
      if (error instanceof Refused) {
        process.stderr.write(`${error.message}\n`);
        return 3;
      }
      throw error;
    }
  });

/** Exit codes: see its definition. */
export const main = (argv: readonly string[]): void => {
  endWith(run(argv));
};
