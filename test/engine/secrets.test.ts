import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { leaks, marker, markersOf, plantedKubeconfig } from "capz-windows-test-kit/secrets";
import { TestDeployment } from "./deployment";
import { missing } from "./pulumiCli";

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
  const said: [string, string][] = [];
  let deployment: TestDeployment;

  const pulumi = async (args: readonly string[], input = ""): Promise<void> => {
    said.push([args.join(" "), await deployment.cli.must(args, { input })]);
  };

  beforeAll(async () => {
    deployment = await TestDeployment.begin(cli, kubeconfig, name, {}, passphrase);
  });
  afterAll(() => deployment.end());

  it("no secret is printed or stored in plain text, from the first preview to the destroy", async () => {
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
    const kept = filesBelow(deployment.stateFolder);
    expect(kept.length).toBeGreaterThan(3);
    expect(leaks([...said, ...kept, ["stack file", deployment.stackFile.read()]], marks)).toEqual([]);
  }, 600_000);
}
