import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlanOptions, Recording, RegisteredResource } from "pulumi-plan-engine";
import { plan, Secret, Unknown, redact } from "pulumi-plan-engine";
import { clouds } from "../../../plan/simulation";
import { projectDir } from "../../support/stacks";

const dir = mkdtempSync(join(tmpdir(), "capz-windows-engine-"));
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
});

const header = `
const pulumi = require("@pulumi/pulumi");
const network = require("@pulumi/azure-native/network");
const containerservice = require("@pulumi/azure-native/containerservice");
const { Provider } = require("@pulumi/azure-native/provider");
const core = require("@pulumi/kubernetes/core/v1");
`;

/** These programs are JavaScript. test/plan/cli/cli.part.ts runs the real one, in TypeScript. */
const env = { PULUMI_NODEJS_TYPESCRIPT: "false" };

let programs = 0;

/** Runs a small program in its own directory. */
function run(body: string, options: Partial<PlanOptions> = {}): Promise<Recording> {
  const folder = join(dir, `program-${programs++}`);
  mkdirSync(folder);
  symlinkSync(join(projectDir, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(join(folder, "index.js"), header + body);
  return plan({
    projectDir: folder,
    project: "test",
    stack: "dev",
    simulate: clouds,
    ...options,
    env: { ...env, ...options.env },
  });
}

const named = ({ resources }: Recording, name: string): RegisteredResource =>
  resources.find((resource) => resource.name === name)!;

const errors = ({ diagnostics }: Recording): string =>
  diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message)
    .join("\n");

const withCloud = `
const azure = new Provider("azure", { subscriptionId: "sub", tenantId: "tenant" });
const address = new network.PublicIPAddress("address",
  { resourceGroupName: "rg", publicIpAddressName: "pip" }, { provider: azure });
const aks = new containerservice.ManagedCluster("aks",
  { resourceGroupName: "rg", resourceName: "aks", oidcIssuerProfile: { enabled: true } }, { provider: azure });
exports.id = address.id;
exports.issuer = aks.oidcIssuerProfile.apply((profile) => profile.issuerURL ?? "ABSENT");
`;

describe("the offline engine", () => {
  it("simulates IDs and computed values in an update, the same in every run", async () => {
    const program = `${withCloud} exports.address = address.ipAddress;`;
    const [first, second] = await Promise.all([run(program), run(program)]);
    expect(first.exitCode).toBe(0);
    expect(first.outputs.id).toBe(
      "/subscriptions/sub/resourceGroups/rg/providers/Microsoft.Network/publicIPAddresses/pip",
    );
    expect(first.outputs.address).toMatch(/^0\.\d+\.\d+\.\d+$/);
    expect(first.outputs.issuer).toMatch(/^https:\/\/.*\/tenant\//);
    expect(second.outputs).toEqual(first.outputs);
  });

  it("knows no computed value in a preview, nested or not, so that no apply on one runs", async () => {
    const preview = await run(
      `${withCloud}
      exports.address = address.ipAddress.apply((text) => { throw new Error("ran with " + text); });`,
      { mode: "preview" },
    );
    expect(preview.exitCode).toBe(0);
    expect(preview.outputs.address).toBeInstanceOf(Unknown);
    // Unknown, not absent.
    expect(preview.outputs.issuer).toBeInstanceOf(Unknown);
  });

  describe("of one program", () => {
    let recording: Recording;
    const planted = [
      "ARM_CLIENT_SECRET",
      "AZURE_CONFIG_DIR",
      "KUBECONFIG",
      "PULUMI_CONFIG_PASSPHRASE",
      "AWS_PROFILE",
    ];

    beforeAll(async () => {
      planted.forEach((name) => (process.env[name] = "planted"));
      recording = await run(
        `const token = new pulumi.Config().requireSecret("token");
        const map = new core.ConfigMap("map", { metadata: { name: "m" }, data: { plain: "x", token } });
        exports.token = token;
        exports.nested = { deep: [pulumi.interpolate\`\${token}!\`] };
        exports.names = Object.keys(process.env).sort();
        class Thing extends pulumi.ComponentResource {
          constructor(name, opts) {
            super("test:index:Thing", name, {}, opts);
            this.a = new core.Namespace(name + "-a", { metadata: { name: "a" } }, { parent: this, protect: true });
            this.b = new core.Namespace(name + "-b", { metadata: { name: "b" } },
              { parent: this, dependsOn: [this.a], ignoreChanges: ["metadata"], customTimeouts: { delete: "1h" } });
            this.registerOutputs({ done: true });
          }
        }
        const { Provider: Kubernetes } = require("@pulumi/kubernetes/provider");
        const cluster = new Kubernetes("cluster", { kubeconfig: pulumi.secret("{}") });
        new Thing("thing", { provider: cluster });`,
        { config: { "test:token": "hunter2" }, secretKeys: ["test:token"], env: { GIVEN: "yes" } },
      );
    });

    afterAll(() => {
      planted.forEach((name) => Reflect.deleteProperty(process.env, name));
    });

    it("keeps secrets apart in inputs, nested values and outputs, and redacts them", () => {
      expect(recording.outputs.token).toBeInstanceOf(Secret);
      expect(redact(recording.outputs)).toEqual({
        token: "[secret]",
        nested: { deep: ["[secret]"] },
        names: recording.outputs.names,
      });
      expect(redact(named(recording, "map").inputs)).toMatchObject({
        data: { plain: "x", token: "[secret]" },
      });
      expect(JSON.stringify(recording.diagnostics)).not.toContain("hunter2");
    });

    it("records parents, options, providers, dependencies and the line of the program", () => {
      const [component, a, b] = ["thing", "thing-a", "thing-b"].map((name) => named(recording, name));
      expect(component).toMatchObject({ custom: false, registeredOutputs: { done: true } });
      expect(component!.id).toBeUndefined();
      expect(a!.urn).toBe("urn:pulumi:dev::test::test:index:Thing$kubernetes:core/v1:Namespace::thing-a");
      const { version } = a!.options;
      expect(version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(a!.options).toEqual({ protect: true, version });
      expect(b!.options).toEqual({ ignoreChanges: ["metadata"], customTimeouts: { delete: "1h" }, version });
      expect(b!.dependencies).toEqual([a!.urn]);
      expect(b!.parent).toBe(component!.urn);
      expect(b!.provider?.urn).toBe("urn:pulumi:dev::test::pulumi:providers:kubernetes::cluster");
      expect(b!.source).toMatch(/^index\.js:\d+$/);
    });

    it("records no provider for a resource that uses the default one, with the credentials of the machine", () => {
      expect(named(recording, "map").provider).toBeUndefined();
    });

    it("hides the machine's cloud credentials, kubeconfig and Pulumi settings from the program", () => {
      const names = recording.outputs.names as string[];
      expect(names).toContain("GIVEN");
      expect(names).toContain("PATH");
      expect(planted.filter((name) => names.includes(name))).toEqual([]);
    });
  });

  it("refuses two resources with the same name, and names the lines of both", async () => {
    const recording = await run(`
      new core.Namespace("n", { metadata: { name: "a" } });
      new core.Namespace("n", { metadata: { name: "b" } });`);
    expect(recording.exitCode).not.toBe(0);
    expect(errors(recording)).toMatch(
      /^Duplicate resource URN .*::n': made at index\.js:\d+ and again at index\.js:\d+/,
    );
  });

  it("fails for a function or a read whose answer it does not know", async () => {
    const invoke = await run(`
      const azure = new Provider("azure", {});
      exports.x = require("@pulumi/azure-native/authorization").getClientTokenOutput({ provider: azure });`);
    expect(errors(invoke)).toBe(
      "The offline engine has no answer for the function azure-native:authorization:getClientToken; add one by the option simulate.",
    );
    const read = await run(`core.ConfigMap.get("n", "known");`);
    expect(errors(read)).toBe(
      "The offline engine knows nothing to read of type kubernetes:core/v1:ConfigMap with the id known.",
    );
    expect([invoke.exitCode, read.exitCode]).not.toContain(0);
  });

  // One that throws or rejects: test/plan/engine/inProcess.test.ts.
  it("reports a program that blames a resource", async () => {
    const recording = await run(`throw new pulumi.ResourceError("planted failure", undefined);`);
    expect(recording.exitCode).not.toBe(0);
    expect(errors(recording) + recording.stderr).toContain("planted failure");
  });

  it("prints no stack trace for an error that is meant for users", async () => {
    const recording = await run(`throw new pulumi.RunError("planted failure");`);
    expect(recording.exitCode).not.toBe(0);
    expect(errors(recording).trim()).toBe("planted failure");
  });

  it("stops a program that hangs", async () => {
    const recording = await run(`setInterval(() => {}, 1000);`, { timeoutMs: 1000 });
    expect(recording.exitCode).not.toBe(0);
    expect(errors(recording)).toBe("The program did not come to its end in 1 s and was stopped.");
  });
});
