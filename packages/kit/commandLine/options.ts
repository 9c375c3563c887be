import { InvalidArgumentError, type Option } from "commander";

/**
 * Every option of every command, each once: the same words wherever it is the same option. Where two commands mean different
 * things by one name, the name has two entries.
 */

interface OptionEntry<Value> {
  /** As commander reads them: https://github.com/tj/commander.js/blob/v14.0.3/Readme.md#options */
  readonly flags: string;
  readonly about: string;
  /** The value where the option is not given. */
  readonly absent: Value;
  /** Adds choices, conflicts and checks. */
  readonly refine: (option: Option) => Option;
}

type Refine = OptionEntry<unknown>["refine"];

const asItIs: Refine = (option) => option;

const flag = (flags: string, about: string, refine = asItIs): OptionEntry<boolean> => ({
  ...{ flags, about, refine },
  absent: false,
});

/** Where an option follows an option that needs a value, the value was forgotten. */
function refuseOption(value: string): string {
  if (value.startsWith("--")) {
    throw new InvalidArgumentError("It is another option: the value is missing.");
  }
  return value;
}

const text = (flags: string, about: string, refine = asItIs): OptionEntry<string | undefined> => ({
  ...{ flags, about },
  absent: undefined,
  refine: (option) => refine(option.argParser(refuseOption)),
});

const texts = (flags: string, about: string, check = refuseOption): OptionEntry<readonly string[]> => ({
  ...{ flags, about },
  absent: [],
  refine: (option) =>
    option.argParser((value, before: readonly string[] | undefined) => [...(before ?? []), check(value)]),
});

const choice = <const Choice extends string>(
  flags: string,
  about: string,
  choices: readonly Choice[],
): OptionEntry<Choice | undefined> => ({
  ...{ flags, about },
  absent: undefined,
  refine: (option) => option.choices(choices),
});

const formats = <const Format extends string>(choices: readonly Format[]) =>
  choice("--format <FORMAT>", "what to print (default: text)", choices);

/** Files of reports, whose extensions say their formats. */
function reports(extensions: readonly string[]): OptionEntry<readonly string[]> {
  const all = extensions.map((extension) => `.${extension}`).join(", ");
  const about = `also write a file, in the format of its extension: ${all}; repeatable`;
  return texts("--report <FILE>", about, (file) => {
    if (!extensions.some((extension) => file.endsWith(`.${extension}`))) {
      throw new InvalidArgumentError(`Allowed extensions are ${all}.`);
    }
    return file;
  });
}

/** Longer than any run, and short enough for a timer. */
const mostMinutes = 10_080;

function parseMinutes(value: string): number {
  const minutes = Number(value);
  if (!(minutes > 0 && minutes <= mostMinutes)) {
    throw new InvalidArgumentError(`Allowed are minutes up to ${mostMinutes}.`);
  }
  return minutes;
}

export const optionTable = {
  // A stack, and its clusters.
  stack: text("-s, --stack <NAME>", "the stack of Pulumi.NAME.yaml"),
  configFile: text("--config-file <FILE>", "this stack file instead of the one beside Pulumi.yaml"),
  kubeconfig: text(
    "--kubeconfig <FILE>",
    'kubeconfig of the management cluster ("default": the one of kubectl)',
  ),
  workloadKubeconfig: text(
    "--workload-kubeconfig <FILE>",
    "kubeconfig of the workload cluster (default: the one that Cluster API keeps)",
  ),
  cluster: text("--cluster <NAME>", "name of the Cluster (default: of the stack)"),
  namespace: text(
    "--namespace <NAME>",
    "its namespace (default: of the stack, else the name of the Cluster)",
  ),
  from: text(
    "--from <PATH>",
    "recorded objects instead of clusters: a file of --save, or files of `kubectl get ... -o json`, where a folder workload has those of the workload cluster",
    (option) => option.conflicts(["kubeconfig", "workloadKubeconfig", "watch"]),
  ),

  // What is printed.
  json: flag("--json", "print JSON", (option) => option.conflicts("format")),
  planFormat: formats(["text", "markdown", "json", "html", "images", "sarif", "github"]),
  planReports: reports(["txt", "md", "json", "html", "sarif"]),
  probeFormat: formats(["text", "markdown", "json"]),
  probeReports: reports(["txt", "md", "json"]),
  verbose: flag(
    "--verbose",
    "show everything: of a plan each machine and command, of a comparison each property, the user data, the outputs and the sources",
  ),

  // Plans.
  all: flag("--all", "every stack that has a file here, or in the base of --against", (option) =>
    option.conflicts(["stack", "configFile"]),
  ),
  against: text(
    "--against <REF>",
    "compare with a git ref, with a plan.json, or with a folder of plans. This runs the program of a git ref: read a stranger's first",
  ),
  failOn: choice(
    "--fail-on <GATE>",
    "destructive: changes that destroy nothing give exit code 0; any (default): every change gives 2 or 3",
    ["destructive", "any"],
  ),
  allowPolicyErrors: flag(
    "--allow-policy-errors",
    "errors of policies are shown, and give no exit code of their own (docs/policies.md)",
  ),
  fix: flag(
    "--fix",
    "first write the corrections into the stack file that are certain: misspelled keys, numbers as text and the like; only their lines change. On a terminal it asks for another value where one is wrong; the rest is reported",
    (option) => option.conflicts("against"),
  ),
  out: text(
    "--out <DIR>",
    "where to write the files of the plan (default: rendered/NAME; with --all a folder of DIR for each)",
  ),
  prices: flag(
    "--prices",
    "fetch the prices of the region from Azure's public price list into prices/REGION.json, without a login; plans show the cost a month where that file exists",
  ),
  // No user needs it, and the plan is the same.
  engine: choice("--engine <HOST>", "", ["in-process", "language-host"]),

  // Machines.
  pool: text("--pool <NAME>", "only the nodes of this pool"),
  node: text("--node <NAME>", "only this node, or this machine of the control plane"),
  jump: text(
    "--jump <HOST>",
    "through the machine [USER@]HOST[:PORT] instead of network.bastion of the stack file or the control plane",
    (option) => option.conflicts("bastion"),
  ),
  bastion: text(
    "--bastion <NAME>",
    "through the Azure Bastion [GROUP/]NAME, in the cluster's resource group unless GROUP is given (default: network.bastion of the stack file, else the one that the AzureCluster has)",
  ),

  // Clusters that run.
  save: text("--save <FILE>", "also write what was read, without secrets, for --from or for those who help"),
  watch: flag("--watch", "stay and show each step until everything runs"),
  explain: text(
    "--explain <TEXT>",
    "what the doctor knows of an ID in its report, or of a part of an error message; reads no cluster",
  ),
  timeout: {
    ...{ flags: "--timeout <MIN>", about: "longest time, in minutes (default: 90)", absent: 90 },
    refine: (option) => option.argParser(parseMinutes),
  } satisfies OptionEntry<number> as OptionEntry<number>,
  reboot: text("--reboot <NODE>", "cordon this node with Windows, restart it, and measure everything again"),
  rewrite: flag(
    "--rewrite",
    "write each object of the encrypted kinds once more as it is, and count those that another key had written; the KubeadmControlPlane keeps a note of the time",
  ),

  // Images and applications.
  digests: flag(
    "--digests",
    "instead: digests of the container images that the stack deploys, from their registries, without a login, and of the charts and manifests with which it installs Cluster API",
  ),
  offlineAzure: flag(
    "--offline",
    "do not ask Azure: what the program knows, and the commands that list versions",
    (option) => option.conflicts(["digests", "write"]),
  ),
  writeVersions: flag(
    "--write",
    "put the newest versions that Azure has into the stack file, or the digests, as imageDigests and clusterApi.digests",
  ),
  liveKubeconfig: text(
    "--kubeconfig <FILE>",
    'the workloads of this cluster ("default": of kubectl\'s), on the nodes that it has; with --stack on the pools of the stack. No file is needed then',
  ),
  liveNamespaces: texts(
    "--namespace <NAME>",
    "of the cluster only this namespace, repeatable (default: all but those of its add-ons)",
  ),
  release: text(
    "--release <YEAR>",
    "without a stack and a cluster: on Windows nodes of this release of Windows Server, of which nothing else is known",
    (option) => option.conflicts(["stack", "configFile", "kubeconfig"]),
  ),
  offlineRegistries: flag("--offline", "ask no registry: images are judged by their tags"),

  // Import.
  outStack: text(
    "--out <FILE>",
    "write the stack file there instead of to the standard output: Pulumi.NAME.yaml for the stack NAME; large manifests go to manifests/ beside it",
    (option) => option.conflicts("json"),
  ),
  force: flag("--force", "overwrite it"),
  variables: text(
    "--variables <FILE>",
    "values for the variables of a template, as lines NAME=VALUE; default: from the environment those that clusterctl and CAPZ know, such as AZURE_LOCATION, but no secret",
  ),
  readNamespace: text("--namespace <NAME>", "with --kubeconfig: only the objects of this namespace"),
  readCluster: text("--cluster <NAME>", "the cluster of several"),

  // Init.
  subscription: text("--subscription <ID>", "Azure subscription"),
  tenant: text("--tenant <ID>", "its Entra tenant"),
  location: text("--location <REGION>", "Azure region, for instance westeurope"),
  sshKey: text("--ssh-key <KEY>", "public key for the machines: a file, or its text"),
  clusterName: text("--cluster-name <NAME>", "name of the workload cluster"),
  windows: text(
    "--windows <RELEASES>",
    "releases of Windows Server, each a pool of nodes: 2022 or 2019,2022,2025",
  ),
  workflows: choice(
    "--workflows <SERVICE>",
    "workflows for pull requests, deployment and drift; docs/pipelines.md has examples for other services",
    ["github"],
  ),
  yes: flag(
    "-y, --yes",
    "ask nothing: what no option says stays as in the example, with placeholders for IDs and the key",
  ),

  // Pipelines.
  outPreview: text("--out <FILE>", "where to write the preview"),
  refresh: flag("--refresh", "compare with what runs, not with the state"),
  expectNoChanges: flag(
    "--expect-no-changes",
    "every change is drift, except for patch versions that AKS chose",
  ),
  approved: text(
    "--approved <FILE>",
    "the preview that was approved: this one must have the same operations",
  ),
  run: text("--run <URL>", "the page of the run, which the text links to"),
  home: text("--home <FOLDER>", "a new folder, which becomes PULUMI_HOME of the following steps", (option) =>
    option.conflicts("write"),
  ),
  writePlugins: flag("--write", "download what has no digest yet, and write its digest into pulumi.sha256"),
  arch: choice("--arch <ARCH>", "the processor of the runners, for --write (default: x64)", ["x64", "arm64"]),
  mirror: text("--from <URL>", "a mirror of https://get.pulumi.com/releases"),
  // For tests.
  pulumi: text("--pulumi <PROGRAM>", ""),
} satisfies Readonly<Record<string, OptionEntry<unknown>>>;

export type OptionName = keyof typeof optionTable;

export type OptionValues<Name extends OptionName> = {
  readonly [One in Name]: (typeof optionTable)[One] extends OptionEntry<infer Value> ? Value : never;
};
