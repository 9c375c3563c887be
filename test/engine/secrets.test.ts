import { execFile, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { parse, stringify } from "yaml";
import { ApiServer } from "../apiserver/client";
import { testProject } from "../support/project";
import { base64, leaks, marker, markersOf, plantedKubeconfig } from "../support/secrets";
import { exampleFile, projectDir } from "../support/stacks";
import { startFakeAzure, type FakeAzure } from "./fakeAzure";

/**
 * The real Pulumi CLI with planted secrets, a real API server and a fake Azure: none is in what the CLI prints or keeps
 * in its state in clear.
 */

const kubeconfig = process.env.CAPZ_WINDOWS_KUBECONFIG;

/** The first CLI of PATH that works: npm puts its own before all others, which downloads the real one when it can. */
const cli =
  kubeconfig === undefined
    ? undefined
    : (process.env.PATH ?? "")
        .split(delimiter)
        .map((folder) => join(folder, "pulumi"))
        .find((path) => spawnSync(path, ["version"]).status === 0);

interface Kubeconfig {
  readonly users: readonly object[];
}

/** The kubeconfig of the test API server with a user more, whose credentials are planted. */
function withPlanted(path: string): string {
  const real = parse(readFileSync(path, "utf8")) as Kubeconfig;
  const { users } = parse(plantedKubeconfig("management")) as Kubeconfig;
  return `# ${marker("management comment")}\n${stringify({ ...real, users: [...real.users, ...users] })}`;
}

const filesBelow = (dir: string): [string, string][] =>
  readdirSync(dir, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);

if (kubeconfig === undefined || cli === undefined) {
  const missing =
    kubeconfig === undefined
      ? "CAPZ_WINDOWS_KUBECONFIG names no kubeconfig of a test API server"
      : "no pulumi on PATH works";
  it.skip(`skipped: ${missing}`, () => undefined);
} else {
  const name = `sec${process.pid}`;
  const passphrase = marker("passphrase");
  const marks = [...markersOf("management"), ...markersOf("workload"), passphrase];
  const home = mkdtempSync(join(tmpdir(), "capz-windows-pulumi-"));
  const state = join(home, "state");
  const project = testProject();
  const server = new ApiServer(kubeconfig);
  const said: [string, string][] = [];
  let azure: FakeAzure;

  const pulumi = (args: readonly string[], input = ""): Promise<void> =>
    new Promise((resolve, reject) => {
      const child = execFile(
        cli,
        [...args, "--non-interactive", "--stack", "secrets"],
        {
          cwd: project.dir,
          maxBuffer: 256 * 1024 * 1024,
          env: {
            ...process.env,
            // Language host and plugins stand beside the CLI.
            PATH: `${dirname(cli)}${delimiter}${process.env.PATH ?? ""}`,
            HOME: home,
            PULUMI_HOME: join(home, ".pulumi"),
            PULUMI_BACKEND_URL: `file://${state}`,
            PULUMI_CONFIG_PASSPHRASE: passphrase,
            PULUMI_SKIP_UPDATE_CHECK: "true",
            PULUMI_DEBUG_PROVIDERS: `azure-native:${azure.port}`,
          },
        },
        (error, stdout, stderr) => {
          said.push([args.join(" "), `${stdout}\n${stderr}`]);
          if (error) {
            reject(new Error(`pulumi ${args.join(" ")}\n${stdout}\n${stderr}`));
          } else {
            resolve();
          }
        },
      );
      child.stdin?.end(input);
    });

  /** What Cluster API would do: the kubeconfig of the cluster, and then its word that the control plane answers. */
  async function controller(done: () => boolean): Promise<void> {
    const metadata = { name, namespace: name };
    const initialization = { infrastructureProvisioned: true, controlPlaneInitialized: true };
    for (let [secret, cluster] = [false, false]; !done() && !(secret && cluster);) {
      secret ||=
        (
          await server.apply(
            {
              apiVersion: "v1",
              kind: "Secret",
              metadata: { name: `${name}-kubeconfig`, namespace: name },
              data: { value: base64(plantedKubeconfig("workload")) },
            },
            { dryRun: false },
          )
        ).status < 300;
      const answer = secret
        ? await server.applyStatus({
            apiVersion: "cluster.x-k8s.io/v1beta2",
            kind: "Cluster",
            metadata,
            status: { initialization },
          })
        : undefined;
      cluster = (answer?.status ?? 500) < 300;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }

  beforeAll(async () => {
    mkdirSync(state);
    azure = await startFakeAzure();
    const existing = parse(readFileSync(join(projectDir, exampleFile("existing")), "utf8")) as {
      config: Record<string, unknown>;
    };
    const own = { "capz-windows:clusterName": name, "capz-windows:protect": false };
    const config = { ...existing.config, ...own, "capz-windows:managementKubeconfig": undefined };
    project.write("Pulumi.secrets.yaml", stringify({ config }));
  });
  afterAll(() => {
    azure.stop();
    server.close();
    project.remove();
    rmSync(home, { recursive: true, force: true });
  });

  it("prints and keeps no secret in clear, from the first preview to the end", async () => {
    await pulumi(["stack", "init"]);
    await pulumi(["config", "set", "--secret", "managementKubeconfig"], withPlanted(kubeconfig));
    try {
      await pulumi(["preview", "--diff"]);
      let ended = false;
      const up = pulumi(["up", "--yes", "--skip-preview"]).finally(() => (ended = true));
      await Promise.all([up, controller(() => ended)]);
      await pulumi(["stack"]);
      await pulumi(["stack", "output", "--json"]);
      await pulumi(["config"]);
      await pulumi(["preview", "--json"]);
      await pulumi(["stack", "export"]);
      // They are there, and the scan finds them where they are asked for.
      await pulumi(["stack", "export", "--show-secrets"]);
      const asked = [said.pop()!];
      for (const seed of ["management", "workload"]) {
        expect(leaks(asked, markersOf(seed))).not.toEqual([]);
      }
    } finally {
      await pulumi(["destroy", "--yes", "--skip-preview"]);
    }
    const stackFile = readFileSync(join(project.dir, "Pulumi.secrets.yaml"), "utf8");
    const kept = filesBelow(state);
    expect(kept.length).toBeGreaterThan(3);
    expect(leaks([...said, ...kept, ["stack file", stackFile]], marks)).toEqual([]);
  }, 600_000);
}
