import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoize } from "capz-windows-kit/memoize";
import { exampleServer } from "../support/certificates";

/** What the real tools say of the arguments of a command. None of them reaches a cloud. */

export interface Run {
  readonly where: string;
  readonly words: readonly string[];
}

/** A command that its tool refuses. */
export interface Refusal {
  readonly where: string;
  readonly command: string;
  readonly refusal: string;
}

export const refusal = ({ where, words }: Run, said: string): Refusal => ({
  where,
  command: words.join(" "),
  refusal: said.trim().split("\n")[0] ?? "",
});

/** The Python of an environment in which azure-cli is installed. */
export const azurePython = process.env.CAPZ_WINDOWS_AZ;
export const rig = process.env.CAPZ_WINDOWS_RIG;
export const kubeconfig = process.env.CAPZ_WINDOWS_KUBECONFIG;

/** A folder with the files that commands read, for as long as it is needed. */
function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "printed-"));
  try {
    for (const name of ["FILE", "NEW-CERTIFICATE.pem", "github-prod.json"]) {
      writeFileSync(join(folder, name), exampleServer);
    }
    const pod = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "printed" } };
    writeFileSync(join(folder, "manifest.yaml"), JSON.stringify(pod));
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `az network bastion` as it names the Bastion and the machine. */
const throughBastion = String.raw`--name \S+ --resource-group \S+(?: --subscription \S+)? --target-(?:resource-id|ip-address) \S+`;

/**
 * Commands of extensions, which are on no package registry: azure-cli-extensions, src/quota and src/bastion (_params.py; by
 * address, custom.py takes the ports 22 and 3389 alone).
 */
const extensions = [
  /^quota update --resource-name \S+ --scope \S+ --limit-object value=\S+$/,
  new RegExp(`^network bastion ssh ${throughBastion} --auth-type ssh-key --username \\S+ --ssh-key \\S+$`),
  new RegExp(`^network bastion tunnel ${throughBastion} --resource-port (?:22|3389) --port \\d+$`),
];

/** It asks before it acts, or needs a login, after it has read the arguments. */
const accepted = /^(?:Please run 'az login'|Operation cancelled)/;

const armId = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network";

/** In a source file an ARM ID is a value that is inserted; Azure CLI reads its parts, and the numbers of placeholders. */
function asValue(word: string, index: number, all: readonly string[]): string {
  const option = all[index - 1];
  if (option === "--lun" && word === "LUN") {
    return "0";
  }
  if (word !== "value" || (option !== "--ids" && option !== "--id")) {
    return word;
  }
  if (!all.includes("private-endpoint-connection")) {
    return `${armId}/virtualNetworks/v/subnets/n`;
  }
  return `${armId}/privateLinkServices/p${all.includes("list") ? "" : "/privateEndpointConnections/c"}`;
}

export function azureRefusals(runs: readonly Run[]): Refusal[] {
  const own = runs.filter(({ words }) => !extensions.some((each) => each.test(words.slice(1).join(" "))));
  const { stdout, stderr } = inFolder((cwd) =>
    spawnSync(azurePython ?? "", [join(__dirname, "az.py")], {
      input: JSON.stringify(own.map(({ words }) => words.slice(1).map(asValue))),
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
      cwd,
    }),
  );
  if (stdout === "") {
    throw new Error(stderr);
  }
  return (JSON.parse(stdout) as (string | null)[]).flatMap((said, index) =>
    said === null || accepted.test(said) ? [] : [refusal(own[index]!, said)],
  );
}

/** Without the kubeconfig, because the test has one. */
export const kubectlWords = (words: readonly string[]): string[] =>
  words.slice(1).filter((word, index, all) => word !== "--kubeconfig" && all[index - 1] !== "--kubeconfig");

export const verbOf = (words: readonly string[]): string =>
  kubectlWords(words).find((word, index, all) => !word.startsWith("-") && all[index - 1] !== "-n") ?? "";

const dryRun =
  /^(?:annotate|apply|cordon|create|delete|drain|expose|label|patch|run|scale|set|taint|uncordon)$/;

/** The named objects do not exist here, nor do metrics and the APIs that other API servers serve. */
const missing = new RegExp(
  String.raw`not ?found|no resources found|no matching|couldn't find|Metrics API not available|no objects passed to apply` +
    String.raw`|resource type "(?:resourcegroups|gmsacredentialspecs|ipamconfigurations)"|in group 'windows.k8s.io'`,
  "i",
);
const unknown = /unknown|no matches for kind/i;

const kubectl = (
  words: readonly string[],
  options: { readonly cwd?: string; readonly timeout?: number } = {},
) =>
  spawnSync(rig ?? "", ["kubectl", "--kubeconfig", kubeconfig ?? "", ...words], {
    ...{ encoding: "utf8", input: "", maxBuffer: 64 * 1024 * 1024 },
    // To collect garbage takes a process that ends at once a fifth of its time.
    env: { ...process.env, EDITOR: "true", GOGC: "off" },
    ...options,
  });

export const kubectlRefusals = (runs: readonly Run[]): Refusal[] =>
  inFolder((cwd) =>
    runs.flatMap((run) => {
      const verb = verbOf(run.words);
      const words = kubectlWords(run.words)
        // A dry run starts nothing to which one could attach.
        .filter((word) => verb !== "run" || !/^(?:-it|--rm)$/.test(word))
        .map((word, index, all) =>
          verb === "apply" && all[index - 1] === "-f" && word !== "-" ? "manifest.yaml" : word,
        );
      const isInteractive = words.some((word) => /^(?:-it|-w|--watch|edit)$/.test(word));
      const isWrite = dryRun.test(verb) && !words.some((word) => word.startsWith("--dry-run"));
      const end = words.includes("--") ? words.indexOf("--") : words.length;
      words.splice(end, 0, "--request-timeout=5s", ...(isWrite ? ["--dry-run=server"] : []));
      const { status, stderr, error } = kubectl(words, { cwd, timeout: isInteractive ? 5_000 : 60_000 });
      const said = stderr.replace(/^(?:Warning|[IWE]\d{4}).*\n/gm, "");
      return status === 0 ||
        (error !== undefined && isInteractive) ||
        (missing.test(said) && !unknown.test(said))
        ? []
        : [refusal(run, said === "" ? String(error ?? status) : said)];
    }),
  );

/** What kubectl prints of an object: `-o jsonpath=...`, `--output=custom-columns=...` and the like, each once. */
const templatesOf = (runs: readonly Run[]): Run[] => {
  const found = runs.flatMap(({ where, words }) =>
    kubectlWords(words)
      .map((word) => word.replace(/^(?:-o=?|--output=|--for=)/, ""))
      .filter((word) => /^(?:jsonpath|custom-columns|go-template)=/.test(word))
      // That of `kubectl wait` names a value, too.
      .map((word) => ({ where, words: [word.replace(/(?<=^jsonpath=\{[^{}]*\})=.*/, "")] })),
  );
  return [...new Map(found.map((run) => [run.words[0], run])).values()];
};

/**
 * Templates that kubectl cannot read. It reads one only when it has an object, and the objects of the commands do not exist
 * here: it prints a namespace.
 */
export const templateRefusals = (
  runs: readonly Run[],
): { readonly count: number; readonly refusals: Refusal[] } => {
  const templates = templatesOf(runs);
  const refusals = templates.flatMap((run) => {
    const { status, stderr } = kubectl(["get", "namespace", "default", "-o", run.words[0]!]);
    return status === 0 ? [] : [refusal(run, stderr)];
  });
  return { count: templates.length, refusals };
};

/** The fields that a merge patch writes, as `kubectl explain` names them. Keys of maps have no name there. */
export function patchedFields(value: unknown, path = ""): string[] {
  return typeof value !== "object" ||
    value === null ||
    Array.isArray(value) ||
    /metadata\.annotations$|\.hard$/.test(path)
    ? [path]
    : Object.entries(value).flatMap(([key, below]) => patchedFields(below, `${path}.${key}`));
}

/** Whether the API server knows a field, such as `cluster.spec.paused`. */
export function explained(field: string): string | undefined {
  const { status, stderr } = kubectl(["explain", field]);
  return status === 0 || missing.test(stderr) ? undefined : stderr.trim();
}

/**
 * Subcommands of pulumi with the flags that we print: pulumi/pulumi pkg/cmd/pulumi, 3.260. The CLI comes from a page of its
 * own and is not on a package registry.
 */
const pulumiFlags: Readonly<Record<string, readonly string[]>> = {
  cancel: ["--stack"],
  "config rm": ["--stack"],
  "config set": ["--stack", "--secret", "--path"],
  destroy: ["--stack"],
  login: [],
  new: ["--stack", "-c", "--config-path", "--yes", "--dir"],
  "package add": [],
  "plugin install": ["--file"],
  preview: ["--stack", "--diff", "--refresh", "--policy-pack"],
  refresh: ["--stack", "--clear-pending-creates"],
  stack: ["--stack", "--show-urns"],
  "stack export": ["--stack", "--file", "--show-secrets"],
  "stack init": ["--secrets-provider"],
  "stack output": ["--stack", "--show-secrets", "--json"],
  "state delete": ["--stack"],
  up: ["--stack", "--refresh", "--target", "--continue-on-error", "--policy-pack"],
};

export function pulumiRefusal(run: Run): Refusal[] {
  const words = run.words.slice(run.words.indexOf("pulumi") + 1);
  const name = Object.keys(pulumiFlags)
    .sort((a, b) => b.length - a.length)
    .find((each) => `${words.join(" ")} `.startsWith(`${each} `));
  const wrong = words.filter((word) => word.startsWith("-") && !pulumiFlags[name ?? ""]?.includes(word));
  return name === undefined
    ? [refusal(run, "unknown command")]
    : wrong.map((flag) => refusal(run, `unknown flag ${flag}`));
}

interface Judge {
  /** The arguments with which the tool only reads them. */
  readonly args: (words: readonly string[]) => readonly string[];
  /** What it says of wrong arguments. */
  readonly wrong: RegExp;
  /** The variable with its path; default: on the PATH. */
  readonly program?: string | undefined;
}

const judges: Readonly<Record<string, Judge>> = {
  ssh: { args: (words) => ["-G", ...words], wrong: /usage|bad|unknown|illegal|invalid/i },
  // A socket that does not exist keeps it from the network.
  curl: {
    args: (words) => ["--unix-socket", "none", ...words],
    wrong: /is unknown|requires parameter|try 'curl/i,
  },
  jq: { args: (words) => ["-n", ...words], wrong: /compile error|unknown arguments|usage/i },
  openssl: {
    args: (words) => words.map((word) => word.replace(/^[\w.-]+:(\d+)$/, "127.0.0.1:1")),
    wrong: /unknown option|invalid command|use -help|extra (?:arguments|option)/i,
  },
  clusterctl: {
    args: (words) => [...words, ...(kubeconfig === undefined ? [] : ["--kubeconfig", "none"])],
    wrong: /unknown (?:command|flag|shorthand)|accepts \d|required flag/i,
    program: process.env.CAPZ_WINDOWS_CLUSTERCTL,
  },
  helm: {
    args: (words) => [...words, "--kubeconfig", "none"],
    wrong: /unknown (?:command|flag|shorthand)|requires \d|expected/i,
    program: process.env.CAPZ_WINDOWS_HELM,
  },
};

const isOnPath = (name: string): boolean => spawnSync("/bin/sh", ["-c", `command -v ${name}`]).status === 0;

/** Tools that are not here, and so judge nothing. */
export const absent = memoize((): readonly string[] =>
  Object.entries(judges)
    .filter(([name, { program }]) => program === undefined && !isOnPath(name))
    .map(([name]) => name),
);

export const otherRefusals = (runs: readonly Run[]): Refusal[] =>
  inFolder((cwd) =>
    runs.flatMap((run) => {
      const [name = "", ...words] = run.words;
      const judge = judges[name];
      if (judge === undefined || absent().includes(name)) {
        return [];
      }
      const { stderr, stdout, error } = spawnSync(judge.program ?? name, judge.args(words), {
        ...{ cwd, encoding: "utf8", input: "", timeout: 10_000 },
        env: { PATH: process.env.PATH, HOME: cwd },
      });
      const said = `${stderr}${error === undefined ? "" : stdout}`;
      return judge.wrong.test(said) ? [refusal(run, said)] : [];
    }),
  );
