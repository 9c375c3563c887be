import { spawnSync } from "node:child_process";
import { allRules } from "capz-windows-doctor/rules/allRules";
import { isWideWrite } from "capz-windows-test-kit/wideWrites";
import { printed } from "./collect";
import { expanded, type Expanded } from "./shell";
import {
  absent,
  azurePython,
  azureRefusals,
  explained,
  kubeconfig,
  kubectlRefusals,
  kubectlWords,
  otherRefusals,
  patchedFields,
  pulumiRefusal,
  rig,
  templateRefusals,
  verbOf,
  type Run,
} from "./tools";

/** Every command that we print is read by a real shell, and its words by the real tool. */

let texts: readonly Expanded[] = [];
let runs: readonly Run[] = [];

beforeAll(async () => {
  texts = expanded(await printed());
  const all = texts.flatMap((text) => text.runs.map((words) => ({ where: text.where, words })));
  runs = [...new Map(all.map((run) => [run.words.join(" "), run])).values()];
});

const of = (...programs: readonly string[]): readonly Run[] =>
  runs.filter(({ words: [name = ""] }) => programs.includes(name));

it("finds commands in remedies, documents, messages, outputs and in what access prints", () => {
  const places = new Set(texts.map(({ where }) => where.replace(/[,:/ ].*$/, "")));
  expect([...places]).toEqual(
    expect.arrayContaining(["doctor", "docs", "README.md", "config", "preflight", "outputs", "access"]),
  );
  expect(runs.length).toBeGreaterThan(allRules.length);
});

it("the shell reads each of them, and starts programs that we know", () => {
  expect(
    texts
      .filter(({ errors }) => errors.replace(/.*ginkgo: No such file.*\n/, "") !== "")
      .map(({ where, errors }) => `${where}: ${errors}`),
  ).toEqual([]);
  const known = [
    ...[
      "az",
      "kubectl",
      "clusterctl",
      "helm",
      "npx",
      "pulumi",
      "npm",
      "ssh",
      "scp",
      "ssh-keygen",
      "curl",
      "jq",
    ],
    ...[
      "openssl",
      "uuidgen",
      "calicoctl",
      "gh",
      "git",
      "make",
      "kubelogin",
      "sudo",
      "export",
      "cd",
      "cp",
      "cat",
      "cp",
      "grep",
      "sort",
    ],
    ...["tail", "sed", "base64", "date", "xargs", "./ginkgo"],
  ];
  expect(runs.filter(({ words: [name = ""] }) => !known.includes(name))).toEqual([]);
});

/** They belong to all objects of a kind, and lose nothing. */
const meantForAll = [
  // Nodes of a cluster for tests: the Linux ones get no pods while Windows is tested.
  /^kubectl taint nodes -l kubernetes\.io\/os=linux,!node-role\.kubernetes\.io\/control-plane node-under-test/,
  // So that an operator takes over an installation, which is in the CRDs as a whole.
  /^kubectl label customresourcedefinitions --selector=app\.kubernetes\.io\/name=azure-service-operator /,
  // Instances of one scale set get the licence of its model, without a restart.
  /^az vmss update-instances --resource-group \S+ --name \S+ --instance-ids \*$/,
];

it("a command that deletes, restarts or overwrites names single objects", () => {
  const wide = runs.map(({ where, words }) => ({ where, command: words.join(" ") }));
  const found = wide.filter(({ command }) => isWideWrite(command));
  expect(found.filter(({ command }) => !meantForAll.some((each) => each.test(command)))).toEqual([]);
  expect(meantForAll.filter((each) => !found.some(({ command }) => each.test(command)))).toEqual([]);
});

it("npx pulumi", () => {
  // test/package runs the commands of the installed package.
  const runs = of("npx", "pulumi").filter(({ words }) => words[1] !== "capz-windows");
  expect(runs.flatMap(pulumiRefusal)).toEqual([]);
});

it("ssh, curl, jq, openssl, clusterctl and helm, as far as they are here", () => {
  const without = absent();
  expect(otherRefusals(of("ssh", "curl", "jq", "openssl", "clusterctl", "helm"))).toEqual([]);
  if (without.length > 0) {
    process.stderr.write(`not judged, because they are not here: ${without.join(", ")}\n`);
  }
});

const withAzure = azurePython === undefined ? describe.skip : describe;
withAzure("with CAPZ_WINDOWS_AZ, the Python of Azure CLI", () => {
  it("az", () => {
    expect(azureRefusals(of("az"))).toEqual([]);
  }, 300_000);

  it("refuses what is wrong", () => {
    const wrong = [
      ["vm", "lst"],
      ["vm", "show", "--nam", "x"],
      ["network", "lb", "list", "--query", "[?"],
    ];
    expect(azureRefusals(wrong.map((words) => ({ where: "", words: ["az", ...words] }))).length).toBe(3);
  });
});

const withServer = kubeconfig === undefined || rig === undefined ? describe.skip : describe;
withServer("with CAPZ_WINDOWS_KUBECONFIG and CAPZ_WINDOWS_RIG", () => {
  it("kubectl", () => {
    expect(kubectlRefusals(of("kubectl"))).toEqual([]);
  }, 600_000);

  it("refuses what is wrong", () => {
    const wrong = [
      ["get", "pod", "x", "-A"],
      ["logs", "-A"],
      ["delete", "machin", "x"],
    ];
    expect(kubectlRefusals(wrong.map((words) => ({ where: "", words: ["kubectl", ...words] }))).length).toBe(
      3,
    );
  });

  it("kubectl reads each template of what is printed", () => {
    const { count, refusals } = templateRefusals(of("kubectl"));
    expect(count).toBeGreaterThan(20);
    expect(refusals).toEqual([]);
    const wrong = ["jsonpath={.data.value", "custom-columns=NAME:.metadata.name,TAINTS"].map((template) => ({
      where: "",
      words: ["kubectl", "get", "pods", "-o", template],
    }));
    expect(templateRefusals(wrong).refusals.map((one) => one.refusal)).toEqual([
      "error: error parsing jsonpath {.data.value, unclosed action",
      "error: unexpected custom-columns spec: TAINTS, expected <header>:<json-path-expr>",
    ]);
  }, 120_000);

  it("patches write fields that exist", () => {
    const patches = of("kubectl").filter(({ words }) => verbOf(words) === "patch");
    const fields = patches.flatMap(({ words }) => {
      const own = kubectlWords(words);
      const patch = JSON.parse(own[own.indexOf("-p") + 1] ?? "") as unknown;
      const kind = own[own.indexOf("patch") + 1] ?? "";
      return Array.isArray(patch)
        ? (patch as { path: string }[]).map(
            ({ path }) => `${kind}${path.replace(/\/-$/, "").replaceAll("/", ".")}`,
          )
        : patchedFields(patch, kind);
    });
    expect(fields.length).toBeGreaterThan(4);
    const wrong = [...new Set(fields)].flatMap((field) => explained(field) ?? []);
    expect(wrong).toEqual([]);
    expect(explained("cluster.spec.pausd")).toContain("does not exist");
  });
});

const logQuery = process.env.CAPZ_WINDOWS_LOG_QUERY;

/** What kubelet's own code says of questions for a node's logs. `.ci/log-query` builds it. */
const verdicts = (paths: readonly string[]): string[] =>
  spawnSync(logQuery ?? "", { input: `${paths.join("\n")}\n`, encoding: "utf8" })
    .stdout.trimEnd()
    .split("\n");

const judged = logQuery === undefined ? describe.skip : describe;
judged("with CAPZ_WINDOWS_LOG_QUERY, kubelet's reader of log queries", () => {
  it("takes each that remedies, documents and access print", () => {
    const paths = runs.flatMap(({ words }) => words.filter((word) => word.includes("/proxy/logs/")));
    expect(paths.length).toBeGreaterThan(5);
    const found = new Set(verdicts(paths));
    expect([...found].sort()).toEqual([
      "file kubelet/kubelet.log",
      "services [containerd]",
      "services [kubelet]",
    ]);
  });

  it.each([
    ["?query=a%20b", 'query: Invalid value: "a b": input contains unsupported characters'],
    [
      "?query=kubelet&tailLines=x",
      'tailLines: Invalid value: "x": strconv.Atoi: parsing "x": invalid syntax',
    ],
    ["?tailLines=5", "query: Required value: cannot be empty with options"],
    ["kubelet?query=kubelet", "path not allowed in query mode"],
  ])("refuses %s", (path, problem) => {
    expect(verdicts([`/api/v1/nodes/win1000000/proxy/logs/${path}`])).toEqual([`refused: ${problem}`]);
  });
});

if (logQuery === undefined) {
  it.skip("skipped: kubelet reads no printed log queries, which needs CAPZ_WINDOWS_LOG_QUERY", () =>
    undefined);
}
