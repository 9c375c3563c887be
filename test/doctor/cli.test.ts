import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UsageError } from "capz-windows-kit/commandLine/arguments";
import { readArguments } from "capz-windows-doctor/cli/arguments";
import { watch } from "capz-windows-doctor/cli/watch";
import { diagnose } from "capz-windows-doctor/diagnose";
import type { Diagnosis } from "capz-windows-doctor/diagnosis";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { managementKubeconfig, type RunCommand } from "capz-windows-doctor/cluster/stack";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { formatText } from "capz-windows-doctor/report/text";
import { existingManagement, minimal, projectDir, settingsWith, stackText } from "../support/stacks";
import { KubeconfigError } from "capz-windows-doctor/cluster/connect";
import { testProject } from "../support/project";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { patient, recordedDir, recording } from "./patient";
import { kubeconfigOf, StandIn } from "./standIn";

const dir = temporaryFolder();
const servers: StandIn[] = [];

afterAll(() => {
  servers.forEach((server) => {
    server.close();
  });
});

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const doctor = (...args: readonly string[]): Promise<Ended> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(projectDir, "scripts/doctor.js"), ...args],
      { maxBuffer: 1 << 26 },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
      },
    );
  });

async function standIn(...args: ConstructorParameters<typeof StandIn>): Promise<[StandIn, string]> {
  const server = new StandIn(...args);
  servers.push(server);
  const file = join(dir, `kubeconfig-${servers.length}`);
  writeFileSync(file, kubeconfigOf(await server.listen()));
  return [server, file];
}

const sick = ["--cluster", "sick", "--namespace", "sick"] as const;

describe("the command against API servers", () => {
  const healthy = patient().snapshot();

  it("reads both clusters page by page, asks for metadata of Secrets only, and finds nothing wrong", async () => {
    const [management, managementFile] = await standIn(healthy.management.objects);
    const [workload, workloadFile] = await standIn(healthy.workload.objects);
    const saved = join(dir, "saved.json");
    const { code, stdout, stderr } = await doctor(
      ...sick,
      ...["--kubeconfig", managementFile, "--workload-kubeconfig", workloadFile, "--save", saved],
    );
    expect([stderr, code]).toEqual(["", 0]);
    expect(stdout.replace(/\s+/g, " ")).toContain(
      "Nothing is wrong in the states of machines, nodes, add-ons and Pods; what their programs do was not checked. All machines and nodes run, and all Pods that are older than 2 minutes.",
    );
    expect([...management.asked, ...workload.asked].filter((asked) => !asked.startsWith("GET "))).toEqual([]);
    const secrets = [...management.asked, ...workload.asked].filter((asked) => asked.includes("secrets"));
    expect(secrets.length).toBeGreaterThan(0);
    expect(secrets.filter((asked) => !/kubeconfig|PartialObjectMetadataList/.test(asked))).toEqual([]);
    expect(readRecorded(saved).management.objects.length).toBeGreaterThan(30);
  });

  it("reports what it has no permission to read, and reads the rest", async () => {
    const [, managementFile] = await standIn(healthy.management.objects, (path) =>
      path.endsWith("/azuremachines") ? { status: 403, message: "azuremachines is forbidden" } : undefined,
    );
    const [, workloadFile] = await standIn([], () => ({ status: 401, message: "Unauthorized" }));
    const { code, stdout } = await doctor(
      ...sick,
      ...["--kubeconfig", managementFile, "--workload-kubeconfig", workloadFile, "--json"],
    );
    const { findings } = JSON.parse(stdout) as Diagnosis;
    expect(findings.map(({ id }) => id)).toEqual(["management-forbidden", "workload-unauthorized"]);
    expect(code).toBe(2);
  });

  it.each([
    ["unauthorized", 401, "Unauthorized", "management-unauthorized"],
    ["not Kubernetes", 200, "", "no-crds"],
  ])("the management cluster is %s", async (_, status, message, rule) => {
    const [, file] = await standIn([], () => (status === 200 ? undefined : { status, message }));
    const { code, stdout } = await doctor(...sick, "--kubeconfig", file, "--json");
    expect((JSON.parse(stdout) as Diagnosis).findings[0]?.id).toBe(rule);
    expect(code).toBe(3);
  });

  it("reports an address on which nothing listens", async () => {
    const file = join(dir, "dead");
    writeFileSync(file, kubeconfigOf("http://127.0.0.1:1"));
    const { code, stdout } = await doctor(...sick, "--kubeconfig", file);
    expect(stdout).toContain("x 1. The API server of the management cluster cannot be reached from here");
    expect(stdout).toContain("ECONNREFUSED");
    expect(code).toBe(3);
  });

  it("reports that the login command of the kubeconfig is missing", async () => {
    const file = join(dir, "exec");
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "no-such-login",
      interactiveMode: "Never",
    };
    writeFileSync(file, kubeconfigOf("http://127.0.0.1:1", { exec }));
    const { code, stdout } = await doctor(...sick, "--kubeconfig", file, "--json");
    expect((JSON.parse(stdout) as Diagnosis).findings[0]?.id).toBe("login-failed");
    expect(code).toBe(3);
  });

  it("reports a missing kubeconfig without a stack trace", async () => {
    const { code, stderr } = await doctor(...sick, "--kubeconfig", join(dir, "none"));
    expect(stderr).toMatch(/^\S+none cannot be read: ENOENT: [^\n]+\n$/);
    expect(code).toBe(1);
  });
});

describe("recorded objects", () => {
  it("can be a file of --save, with the exit code of its findings", async () => {
    const { code, stdout } = await doctor("--from", join(recordedDir, "quota-cores--pool.json"));
    expect(stdout).toContain("1. The quota of standardDSv5Family cores in westeurope is used up");
    expect(code).toBe(3);
  });

  it("can be files of kubectl, JSON lists and YAML, with those of the workload cluster in a directory", () => {
    const { management, workload } = recording("role-missing");
    const folder = join(dir, "kubectl");
    mkdirSync(join(folder, "workload"), { recursive: true });
    writeFileSync(
      join(folder, "all.json"),
      JSON.stringify({ apiVersion: "v1", kind: "List", items: management.objects }),
    );
    writeFileSync(
      join(folder, "workload/nodes.json"),
      JSON.stringify({
        kind: "NodeList",
        apiVersion: "v1",
        items: workload.objects.filter(({ kind }) => kind === "Node"),
      }),
    );
    expect(diagnose(readRecorded(folder)).findings[0]?.id).toBe("role-missing");
  });

  it.each([
    ["no file", "/no/such/file", /^--from \/no\/such\/file: there is no such file or folder\.$/],
    ["no objects", "empty", /has no objects: put files of kubectl get \.\.\. -o json there/],
    ["no Cluster", "nodes", /has no Cluster: add --cluster NAME --namespace NAMESPACE/],
    ["no JSON", "broken", /broken.json is neither JSON nor YAML\.$/],
  ])("%s", (_, name, message) => {
    const folder = name.startsWith("/") ? name : join(dir, name);
    if (folder !== name) {
      mkdirSync(folder);
      const node = JSON.stringify({ kind: "Node", apiVersion: "v1", metadata: { name: "n" } });
      writeFileSync(
        join(folder, name === "empty" ? "x.txt" : `${name}.json`),
        name === "broken" ? "{" : node,
      );
    }
    expect(() => readRecorded(folder)).toThrow(message);
  });

  it("have a time", () => {
    const file = join(dir, "never.json");
    const part = { objects: [], problems: [] };
    const cluster = { name: "dev", namespace: "dev" };
    writeFileSync(file, JSON.stringify({ takenAt: "never", cluster, management: part, workload: part }));
    expect(() => readRecorded(file)).toThrow(`${file}: takenAt is no time, such as 2026-01-31T12:00:00Z.`);
  });

  it.each([
    ["cluster", { cluster: undefined }, "Invalid input: expected object, received undefined"],
    [
      "cluster.name",
      { cluster: { name: 5, namespace: "dev" } },
      "Invalid input: expected string, received number",
    ],
    ["management.objects.0", { management: { objects: [5], problems: [] } }, "expected object"],
    ["workload.objects", { workload: { objects: "no" } }, "Invalid input: expected array, received string"],
  ])("without a right %s are refused in one line", (path, wrong, message) => {
    const file = join(dir, "strange.json");
    writeFileSync(file, JSON.stringify({ ...patient().snapshot(), ...wrong }));
    expect(() => readRecorded(file)).toThrow(
      new Error(`${file} is not as --save writes it: ${path}: ${message}.`),
    );
  });

  it("are saved without secrets", () => {
    const secret = (kind: string, spec: unknown, data?: unknown): KubeObject =>
      ({
        apiVersion: "v1",
        kind,
        metadata: { name: "s", namespace: "s" },
        spec,
        data,
      }) as unknown as KubeObject;
    const folder = join(dir, "secrets");
    mkdirSync(folder);
    const items = [
      { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { name: "s", namespace: "s" } },
      secret("Secret", undefined, { value: "aHVudGVyMg==" }),
      secret("ConfigMap", undefined, { value: "hunter2" }),
      secret("KubeadmConfig", {
        files: [{ content: "hunter2" }],
        joinConfiguration: { discovery: { bootstrapToken: { token: "abcdef.hunter2hunter2" } } },
      }),
      secret("KubeadmControlPlane", { kubeadmConfigSpec: { files: [{ content: "hunter2" }] } }),
      secret("Pod", { containers: [{ name: "c", image: "i", env: [{ name: "P", value: "hunter2" }] }] }),
      secret("Deployment", { template: { spec: { containers: [{ env: [{ value: "hunter2" }] }] } } }),
    ];
    writeFileSync(join(folder, "all.json"), JSON.stringify({ kind: "List", items }));
    const read = JSON.stringify(readRecorded(folder));
    expect(read).not.toMatch(/hunter2|aHVudGVyMg/);
    expect(read).toContain("abcdef.");
  });

  it("of the tests contain no secret", () => {
    const text = readFileSync(join(recordedDir, "healthy.json"), "utf8");
    expect(text).not.toMatch(/PRIVATE KEY|client-key-data|kubeadmConfigSpec|"data":/);
  });
});

describe("the kubeconfig of a stack's management cluster", () => {
  const aks = settingsWith({});
  const project = testProject(["Pulumi.yaml"]);
  afterAll(project.remove);
  beforeEach(() => {
    project.write("Pulumi.yaml", "name: my-clusters\nruntime: nodejs\n");
    project.write("Pulumi.dev.yaml", stackText(minimal()));
  });
  const place = { projectDir: project.dir, stack: "dev" };
  const answers = (by: Readonly<Record<string, string>>): RunCommand & { asked: string[] } => {
    const asked: string[] = [];
    const run: RunCommand = (command, args) => {
      const line = [command, ...args].join(" ");
      asked.push(line);
      const [, output = ""] = Object.entries(by).find(([start]) => line.startsWith(start)) ?? [];
      return Promise.resolve({
        ok: output !== "",
        output,
        error: output === "" ? `warning\nerror: ${command} says no\n` : "",
      });
    };
    return Object.assign(run, { asked });
  };

  it("is the stack's output", async () => {
    const run = answers({ "pulumi stack output": "clusters: []" });
    expect(await managementKubeconfig(place, aks, run)).toBe("clusters: []");
    expect(run.asked).toEqual(["pulumi stack output managementKubeconfig --show-secrets --stack dev"]);
  });

  it("comes from az if the first deployment failed before there were outputs", async () => {
    const run = answers({ "az aks get-credentials": "clusters: [az]" });
    expect(await managementKubeconfig(place, aks, run)).toBe("clusters: [az]");
    expect(run.asked[1]).toBe(
      "az aks get-credentials --resource-group test-management --name test-management --file -",
    );
  });

  /** A kubeconfig that logs in by a program. */
  const withExec = kubeconfigOf("https://m.example", { exec: { command: "evil" } });
  const refusal = (words: string) =>
    new KubeconfigError(
      `${words} prints what files of the project decide: the kubeconfig is refused: it has clusters[0].cluster.insecure-skip-tls-verify. A kubeconfig from a cluster may have one cluster with server and certificate-authority-data, and one user with client-certificate-data, client-key-data or token. If it is yours, write it to a file, and add --kubeconfig FILE.`,
    );

  it("is the secret of the stack file that the command names for an existing cluster", async () => {
    const run = answers({ "pulumi config get": withExec });
    const encrypted = { ...existingManagement, managementKubeconfig: { secure: "v1:a:b" } };
    project.write("own.yaml", stackText({ ...minimal(), ...encrypted }));
    const configFile = join(project.dir, "own.yaml");
    const existing = settingsWith(existingManagement);
    expect(await managementKubeconfig({ ...place, configFile }, existing, run)).toBe(withExec);
    expect(run.asked[1]).toBe(
      `pulumi config get capz-windows:managementKubeconfig --stack dev --config-file ${configFile}`,
    );
  });

  it("runs no program where the stack file does not have it encrypted", async () => {
    const run = answers({ "pulumi config get": withExec });
    await expect(managementKubeconfig(place, settingsWith(existingManagement), run)).rejects.toEqual(
      refusal("pulumi config get capz-windows:managementKubeconfig"),
    );
    expect(run.asked[1]).toBe("pulumi config get capz-windows:managementKubeconfig --stack dev");
  });

  it("runs no program where Pulumi.yaml names the backend, unless the environment does", async () => {
    const run = answers({ "pulumi stack output": withExec });
    project.write("Pulumi.yaml", "name: my-clusters\nruntime: nodejs\nbackend: {url: 'file://./state'}\n");
    await expect(managementKubeconfig(place, aks, run)).rejects.toEqual(
      refusal("pulumi stack output managementKubeconfig"),
    );
    process.env.PULUMI_BACKEND_URL = "azblob://ours";
    expect(await managementKubeconfig(place, aks, run)).toBe(withExec);
    delete process.env.PULUMI_BACKEND_URL;
  });

  it.each([
    ["no stack named 'dev' found", "noKubeconfig"],
    ["current stack does not have output property 'managementKubeconfig'", "noKubeconfig"],
    ["pulumi says no", "notAsked"],
    ["PULUMI_ACCESS_TOKEN must be set for login during non-interactive CLI sessions", "notAsked"],
  ])("is missing only where a program says so: %s", async (message, what) => {
    const run = answers({});
    const asked: RunCommand = async (command, args, cwd) =>
      command === "pulumi" ? { ok: false, output: "", error: `error: ${message}` } : run(command, args, cwd);
    expect(await managementKubeconfig(place, aks, asked)).toEqual({
      what,
      asked: "cluster",
      message: `pulumi stack output managementKubeconfig: error: ${message}; az aks get-credentials --resource-group: error: az says no`,
    });
  });
});

describe("arguments", () => {
  it.each([
    [[], "Name a stack: the folder has no Pulumi.NAME.yaml."],
    [
      ["--kubeconfig", "f"],
      "--kubeconfig without a stack: add --cluster NAME; kubectl get cluster -A lists them.",
    ],
    [["--from", "f", "--namespace", "n"], "--namespace: add --cluster NAME."],
    [["--from", "f", "--watch"], "error: option '--from <PATH>' cannot be used with option '--watch'"],
    [
      ["--from", "f", "--kubeconfig", "k"],
      "error: option '--from <PATH>' cannot be used with option '--kubeconfig <FILE>'",
    ],
    [["--stuck", "dev"], "error: unknown option '--stuck' (Did you mean --stack?)"],
  ])("%j", (argv, message) => {
    expect(() => readArguments(argv, {}, __dirname)).toThrow(new UsageError(message));
  });

  it("name a stack, recorded objects, or a Cluster", () => {
    expect(readArguments(["dev"])).toMatchObject({ stack: "dev" });
    expect(readArguments(["--from", "f"], {}, __dirname).stack).toBeUndefined();
    expect(readArguments(["--kubeconfig", "f", "--cluster", "c"], {}, __dirname).stack).toBeUndefined();
    expect(readArguments(["dev", "--kubeconfig", "f", "--namespace", "n"]).stack).toBe("dev");
  });

  it("options that npm has consumed are explained", () => {
    expect(() => readArguments(["dev"], { npm_config_stack: "true" })).toThrow(
      "npm takes options for itself unless `--` stands before them: npm run doctor -- --stack dev",
    );
  });
});

describe("--watch", () => {
  it("prints steps when they change, causes when they appear and disappear, and ends when everything runs", async () => {
    const snapshots = ["bring-up-1", "quota-cores--control-plane", "bring-up-5", "healthy"].map(recording);
    const read = [...snapshots, snapshots.at(-1)!];
    const written: string[] = [];
    const last = await watch({
      read: () => Promise.resolve(read.shift()!),
      until: Number.POSITIVE_INFINITY,
      everyMs: 1,
      write: (text) => written.push(text),
      progress: { show: () => undefined, end: () => undefined },
      report: (diagnosis) => formatText({ ...diagnosis, steps: [] }, { color: false, width: 100 }),
      sleep: () => Promise.resolve(),
    });
    const text = written.join("");
    expect(last.complete).toBe(true);
    expect(text).toMatch(/… .*network of the cluster|✓ .*network of the cluster/);
    expect(text).toContain("x 1. The quota of standardDSv5Family cores");
    expect(text).toContain("The problems are gone.");
    expect(text).toMatch(/✓ .*pool win1: 1 of 1 nodes ready/);
  });

  it("ends after its time limit with the current findings", async () => {
    let time = 0;
    const last = await watch({
      read: () => Promise.resolve(recording("bring-up-1")),
      until: 100,
      everyMs: 50,
      write: () => undefined,
      progress: { show: () => undefined, end: () => undefined },
      report: () => "",
      sleep: (ms) => {
        time += ms;
        return Promise.resolve();
      },
      now: () => time,
    });
    expect([last.complete, time]).toEqual([false, 100]);
  });
});
