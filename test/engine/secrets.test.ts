import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { testProject } from "../support/project";
import { leaks, marker, markersOf, plantedKubeconfig } from "capz-windows-test-kit/secrets";
import { exampleFile, projectDir } from "../support/stacks";
import { FakeControllers } from "./controllers";
import { startFakeAzure, type FakeAzure } from "./fakeAzure";
import { missing, PulumiCli } from "./pulumiCli";

/**
 * The real Pulumi CLI with planted secrets, a real API server and a fake Azure: no secret is in the CLI's output, nor in
 * plain text in its state.
 */

const { pulumi: cli, kubeconfig, reason } = missing();

interface Kubeconfig {
  readonly users: readonly object[];
}

/** The kubeconfig of the test API server with an additional user, whose credentials are planted. */
function withPlanted(path: string): string {
  const real = parse(readFileSync(path, "utf8")) as Kubeconfig;
  const { users } = parse(plantedKubeconfig("management")) as Kubeconfig;
  return `# ${marker("management comment")}\n${stringify({ ...real, users: [...real.users, ...users] })}`;
}

const filesBelow = (dir: string): [string, string][] =>
  readdirSync(dir, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  const name = `sec${process.pid}`;
  const passphrase = marker("passphrase");
  const marks = [...markersOf("management"), ...markersOf("workload"), passphrase];
  const home = mkdtempSync(join(tmpdir(), "capz-windows-pulumi-"));
  const state = join(home, "state");
  const project = testProject();
  const controllers = new FakeControllers(kubeconfig, name);
  const said: [string, string][] = [];
  let azure: FakeAzure;

  let stack: PulumiCli;

  const pulumi = async (args: readonly string[], input = ""): Promise<void> => {
    said.push([args.join(" "), await stack.must(args, { input })]);
  };

  beforeAll(async () => {
    mkdirSync(state);
    azure = await startFakeAzure();
    stack = new PulumiCli(cli, {
      cwd: project.dir,
      home,
      stack: "secrets",
      passphrase,
      providers: azure.providers,
    });
    const existing = parse(readFileSync(join(projectDir, exampleFile("existing")), "utf8")) as {
      config: Record<string, unknown>;
    };
    const own = { "capz-windows:clusterName": name, "capz-windows:protect": false };
    const config = { ...existing.config, ...own, "capz-windows:managementKubeconfig": undefined };
    project.write("Pulumi.secrets.yaml", stringify({ config }));
  });
  afterAll(async () => {
    await controllers.stop();
    azure.stop();
    project.remove();
    rmSync(home, { recursive: true, force: true });
  });

  it("no secret is printed or stored in plain text, from the first preview to the destroy", async () => {
    await pulumi(["stack", "init"]);
    await pulumi(["config", "set", "--secret", "managementKubeconfig"], withPlanted(kubeconfig));
    try {
      await pulumi(["preview", "--diff"]);
      await pulumi(["up", "--yes", "--skip-preview"]);
      await pulumi(["stack"]);
      await pulumi(["stack", "output", "--json"]);
      await pulumi(["config"]);
      await pulumi(["preview", "--json"]);
      await pulumi(["stack", "export"]);
      // The secrets are there, and the scan finds them in an output that has them.
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
