import { readFileSync } from "node:fs";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { TestDeployment } from "./deployment";
import { missing } from "./pulumiCli";

/** What the real CLI does with changes that are easy, and with those that nobody can carry out. */

const { pulumi, kubeconfig, reason } = missing();

const up = ["up", "--yes", "--skip-preview"] as const;

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  const name = `chg${process.pid}`;
  let deployment: TestDeployment;

  const set = (...args: readonly string[]): Promise<string> =>
    deployment.cli.must(["config", "set", ...args]);
  const setSecret = (content: string): Promise<string> =>
    deployment.cli.must(["config", "set", "--secret", "capz-windows:secretFiles"], {
      input: `licence.key: ${content}\n`,
    });
  const secret = async (): Promise<[uid: string, content: string]> => {
    const found = await deployment.objectAt(`secrets/${name}-secret-files`);
    // Twice: once by the API, and once by the program, so that each byte stays as it is.
    const once = Buffer.from(textAt(found, "data", "licence.key"), "base64").toString();
    const content = Buffer.from(once, "base64").toString();
    return [textAt(found, "metadata", "uid"), content];
  };

  beforeAll(async () => {
    const files = [{ path: "C:/licence.key", contentFrom: { secretFile: "licence.key" } }];
    deployment = await TestDeployment.begin(pulumi, kubeconfig, name, {
      windowsPools: { win1: { files, subnet: "web" } },
      network: { poolSubnets: { web: "10.10.64.0/24" } },
      controlPlane: { replicas: 3, encryption: { keys: ["key1"] } },
    });
    await setSecret("AAAA");
    await deployment.cli.must(up);
  });
  afterAll(async () => {
    await deployment.cli.must(["destroy", "--yes", "--skip-preview"]);
    await deployment.end();
  });

  it("new content of secretFiles updates the Secret, which is never away", async () => {
    const [uid, before] = await secret();
    await setSecret("BBBB");
    expect(await deployment.cli.must(up)).toMatch(/ ~ 1 updated\n/);
    expect([before, await secret()]).toEqual(["AAAA", [uid, "BBBB"]]);
  });

  const other = "22222222-2222-4333-8444-555555555555";

  it.each([
    [
      "azure.location",
      ["--path", "capz-windows:azure.location", "westeurope"],
      "spec.location from northeurope to westeurope",
    ],
    [
      "azure.resourceGroup",
      ["--path", "capz-windows:azure.resourceGroup", "other"],
      `spec.resourceGroup from ${name} to other`,
    ],
    [
      "azure.subscriptionId",
      ["--path", "capz-windows:azure.subscriptionId", other],
      "spec.subscriptionID from 0",
    ],
    [
      "network.podCidr",
      ["--path", "capz-windows:network.podCidr", "10.200.0.0/16"],
      "spec.clusterNetwork.pods.cidrBlocks from",
    ],
    [
      "network.serviceCidr",
      ["--path", "capz-windows:network.serviceCidr", "10.201.0.0/16"],
      "spec.clusterNetwork.services.cidrBlocks from",
    ],
    [
      "network.vnetCidr",
      ["--path", "capz-windows:network.vnetCidr", "10.10.0.0/15"],
      "spec.networkSpec.subnets[node].cidrBlocks from",
    ],
    [
      "the range of a pool's subnet",
      ["--path", "capz-windows:network.poolSubnets.web", "10.10.65.0/24"],
      "spec.networkSpec.subnets[pools].cidrBlocks from",
    ],
    [
      "a key that is first at once",
      ["--path", "capz-windows:controlPlane.encryption.keys[0]", "key2"],
      "controlPlane.encryption from",
    ],
    ["an older minor", ["kubernetesVersion", "v1.34.2"], "spec.version from v1.36.5 to v1.34.2"],
  ])("%s is refused before anything is touched, without a preview too", async (_, args, line) => {
    const file = deployment.stackFile;
    const [kept, things] = [file.read(), await deployment.things()];
    const inputs = (): unknown[] => {
      // Pulumi encrypts all secrets anew whenever it writes the state.
      const state = readFileSync(deployment.stateFile, "utf8").replace(
        /"ciphertext":\s*"[^"]*"/g,
        '"ciphertext":""',
      );
      const resources = list(at(JSON.parse(state), "checkpoint", "latest", "resources"));
      return resources.map(({ urn, inputs: given }) => ({ urn, given }));
    };
    const recorded = inputs();
    await set(...args);
    const { code, output } = await deployment.up();
    file.write(kept);
    expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(line) as string });
    expect(output).toContain("Nothing was changed.");
    expect(output).not.toMatch(/ (creating|updating|replacing|deleting) /);
    expect(await deployment.things()).toEqual(things);
    expect(inputs()).toEqual(recorded);
  });

  const unchanged = async (): Promise<void> => {
    const { code, output } = await deployment.cli.run(["preview", "--expect-no-changes"]);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/\d+ unchanged/) as string });
  };

  it("with the old file, nothing is left to do", unchanged);

  it("a protected stack is not destroyed in part, without a preview too", async () => {
    await set("protect", "true");
    await deployment.cli.must(up);
    const [things, urns] = [await deployment.things(), deployment.urns()];
    const { code, output } = await deployment.cli.run(["destroy", "--yes", "--skip-preview"]);
    expect({ code, output }).toEqual({
      code: 1,
      output: expect.stringContaining("because it is protected") as string,
    });
    expect(output).not.toMatch(/ deleted \(/);
    expect(await deployment.things()).toEqual(things);
    // But for the engine's own provider of its built-in resources, which is nothing outside of the state.
    const own = (urn: string): boolean => !urn.includes("::pulumi:providers:pulumi::");
    expect(deployment.urns().filter(own)).toEqual(urns.filter(own));
    await set("protect", "false");
    await deployment.cli.must(up);
    await unchanged();
  });

  it("a wait for nodes that run already leaves nothing to do", async () => {
    await set("wait", "nodes");
    await deployment.cli.must(up);
    await unchanged();
  });
}
