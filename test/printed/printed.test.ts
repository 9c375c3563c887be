import { powershell, python } from "../bootstrap/readers";
import { allRules } from "../../doctor/rules/allRules";
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
  otherRefusal,
  patchedFields,
  pulumiRefusal,
  rig,
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
      "calicoctl",
      "gh",
      "git",
      "make",
      "kubelogin",
      "sudo",
      "export",
      "cd",
      "cat",
      "grep",
      "sort",
    ],
    ...["tail", "base64", "date", "xargs", "./ginkgo"],
  ];
  expect(runs.filter(({ words: [name = ""] }) => !known.includes(name))).toEqual([]);
});

const writes = /^(?:annotate|delete|drain|patch|rollout|scale|set)$/;

it("a command that deletes, restarts or overwrites names single objects", () => {
  const wide = of("kubectl", "xargs").filter(({ words }) => {
    const command = words[0] === "xargs" ? words.slice(words.indexOf("kubectl")) : words;
    const [verb, own] = [verbOf(command), kubectlWords(command)];
    const isAll = own.some((word) =>
      /^(?:-A|--all-namespaces|--all|-l|--selector|--field-selector)(?:=|$)|\*/.test(word),
    );
    const names = own.filter((word) => !word.startsWith("-"));
    const isBare =
      verb === "rollout" &&
      own.includes("restart") &&
      !own.some((word) => word.includes("/")) &&
      names.length < 5;
    return writes.test(verb) && (isAll || isBare || words[0] === "xargs");
  });
  const azure = of("az").filter(
    ({ words }) =>
      words.some((word) => /^(?:delete|deallocate|restart|reimage|stop|redeploy)$/.test(word)) &&
      words.includes("*"),
  );
  expect([...wide, ...azure].map(({ where, words }) => `${where}: ${words.join(" ")}`)).toEqual([]);
});

it("what is passed to a node is a script of its shell", () => {
  const scripts = of("az").flatMap(({ where, words }) =>
    words[words.indexOf("--command-id") + 1] === "RunPowerShellScript"
      ? [{ where, script: words[words.indexOf("--scripts") + 1] ?? "" }]
      : [],
  );
  expect(scripts.length).toBeGreaterThan(3);
  if (python === undefined) {
    return;
  }
  const errors = powershell(scripts.map(({ script }) => `${script}\n`));
  expect(scripts.filter((_, index) => errors[index]?.length !== 0)).toEqual([]);
});

it("npx pulumi", () => {
  expect(of("npx", "pulumi").flatMap(pulumiRefusal)).toEqual([]);
});

it("ssh, curl, jq, openssl, clusterctl and helm, as far as they are here", () => {
  const without = absent();
  expect(of("ssh", "curl", "jq", "openssl", "clusterctl", "helm").flatMap(otherRefusal)).toEqual([]);
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
    expect(fields.length).toBeGreaterThan(10);
    const wrong = [...new Set(fields)].flatMap((field) => explained(field) ?? []);
    expect(wrong).toEqual([]);
    expect(explained("cluster.spec.pausd")).toContain("does not exist");
  });
});
