import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnosis } from "capz-windows-doctor/diagnosis";
import { KubeconfigError } from "capz-windows-doctor/cluster/connect";
import { readRecorded } from "capz-windows-doctor/cluster/recorded";
import { managementKubeconfig, type RunCommand } from "capz-windows-doctor/cluster/stack";
import { kubeconfigOf } from "capz-windows-test-kit/kubeconfig";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { patient, recordedDir } from "../../packages/doctor/test/patient";
import { StandIn } from "../../packages/doctor/test/standIn";
import { testProject } from "../support/project";
import { existingManagement, minimal, projectDir, settingsWith, stackText } from "../support/stacks";

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

it("recorded objects can be a file of --save, with the exit code of its findings", async () => {
  const { code, stdout } = await doctor("--from", join(recordedDir, "quota-cores--pool.json"));
  expect(stdout).toContain("1. The quota of standardDSv5Family cores in westeurope is used up");
  expect(code).toBe(3);
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
