import { spawnSync } from "node:child_process";
import { printableStack } from "../../../program/errorStacks";
import { planStack } from "../../../plan/cli/planStack";
import { plan } from "pulumi-plan-engine";
import { testProject } from "../../support/project";
import { exampleFile } from "../../support/stacks";

/** A project with a program that fails, instead of ours. */
const project = testProject(["index.ts"]);
afterAll(project.remove);

const failing = async (body: string): Promise<string> => {
  project.write(
    "index.ts",
    `import * as pulumi from "@pulumi/pulumi";
import { Provider } from "@pulumi/azure-native/provider";
import { PublicIPAddress } from "@pulumi/azure-native/network";
import { ConfigError } from "capz-windows-kit/problem";
import { stackProgram } from "./program/stackProgram";
export = stackProgram(async (settings) => { ${body} });
`,
  );
  const error: unknown = await planStack({
    projectDir: project.dir,
    stack: "dev",
    configFile: exampleFile("dev"),
  }).catch((caught: unknown) => caught);
  return (error as Error).message;
};

describe("a program that fails in the plan", () => {
  it("because of the user's input says so without a stack trace", async () => {
    const message = await failing(
      `throw new ConfigError("somewhere", [{ path: "a.b", problem: "planted", allowed: "nothing", write: "nothing" }]);`,
    );
    expect(message).toBe(
      [
        "The program failed in the first preview:",
        "  somewhere: 1 problem",
        "  ",
        "    a.b",
        "      problem  planted",
        "      allowed  nothing",
        "      write    nothing",
      ].join("\n"),
    );
  });

  it("because of a defect says where, and does not hang", async () => {
    expect(await failing(`await Promise.resolve(); throw new TypeError("planted");`)).toMatch(
      /TypeError: planted\n +at .*index\.ts/,
    );
  });

  const isLinux = process.platform === "linux";

  (isLinux ? it : it.skip)("with more config than the system can pass says so", async () => {
    project.write("index.ts", "");
    const { stderr, exitCode } = await plan({
      ...{ projectDir: project.dir, project: "p", stack: "s", mode: "preview" },
      ...{ host: "language-host", config: { "other:text": "a".repeat(140_000) } },
    });
    expect({ stderr, exitCode }).toEqual({
      stderr:
        "The operating system does not start a process with this config: it is one environment variable, which is too long (E2BIG). On this machine, `pulumi up` fails for the same reason.",
      exitCode: 1,
    });
  });

  it("inside an apply says so, and does not hang", async () => {
    const message = await failing(`
      const azure = new Provider("azure", { subscriptionId: "s", tenantId: "t" });
      const pip = new PublicIPAddress("pip", { resourceGroupName: "rg", publicIpAddressName: "p" }, { provider: azure });
      return { x: pip.ipAddress.apply(() => { throw new Error("planted"); }) };`);
    expect(message).toMatch(/The program failed in the update:\n[^]*Error: planted/);
  });
});

it("Node can print every stack trace, also one with a file directly below an npm scope", () => {
  const stack = [
    "Error: planted",
    "    at a (/p/node_modules/@pulumi/resource.ts:1:2)",
    "    at b (/p/node_modules/@pulumi/runtime/stack.ts:3:4)",
    "    at c (C:\\p\\node_modules\\@pulumi\\output.ts:5:6)",
  ].join("\n");
  const script = `
    const error = new Error("x");
    error.stack = ${JSON.stringify(printableStack(stack))};
    process.stdout.write(require("node:util").inspect(error, { colors: true }));`;
  const { status, stdout } = spawnSync(process.execPath, ["-e", script], {
    encoding: "utf8",
    timeout: 20_000,
  });
  expect(status).toBe(0);
  expect(stdout).toContain("resource.ts:1:2");
  expect(stdout).toContain("stack.ts:3:4");
});
