import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb";
import {
  AnalyzeStackRequest,
  AnalyzerResource,
  AnalyzerResourceOptions,
  ConfigureAnalyzerRequest,
  EnforcementLevel,
  PolicyConfig,
  type AnalyzeResponse,
  type AnalyzerInfo,
} from "@pulumi/pulumi/proto/analyzer_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { policySdk } from "../../config/policy/document";
import { policies } from "../../config/policy/policies";
import { policyIds } from "../../config/policy/policyIds";
import { encodeStruct } from "../../packages/plan-engine";
import { planOf } from "../support/plans";
import { projectDir } from "../support/stacks";
import { temporaryFolder } from "../support/temporaryFolder";
import { policyResource, violations } from "./packSupport";

/**
 * The pack as `pulumi up --policy-pack policy` starts it: by the SDK's own loader, in the folder of the pack, with the config
 * of the stack in the environment; asked by gRPC, as the engine asks it.
 */

const { CAPZ_WINDOWS_POLICY_SDK: sdk } = process.env;
const withSdk = sdk === undefined ? describe.skip : describe;

type Answer<T> = (error: Error | null, answer: T) => void;
const answerOf = <T>(ask: (answer: Answer<T>) => unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    ask((error, answer) => {
      if (error === null) {
        resolve(answer);
      } else {
        reject(error);
      }
    });
  });

/** Starts a pack; its first line is the port. */
function start(folder: string, env: NodeJS.ProcessEnv) {
  const loader = join(projectDir, "node_modules/@pulumi/pulumi/cmd/run-policy-pack");
  const child = spawn(process.execPath, [loader, "127.0.0.1:1", folder], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let errors = "";
  const port = new Promise<number>((resolve, reject) => {
    child.stdout.on("data", (text: Buffer) => {
      printed += text.toString();
      if (printed.endsWith("\n")) {
        resolve(Number(printed));
      }
    });
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    child.on("exit", () => {
      reject(new Error(errors));
    });
  });
  return { child, port };
}

async function requestOf(stack: string): Promise<AnalyzeStackRequest> {
  const { update } = await planOf(stack);
  const request = new AnalyzeStackRequest();
  request.setResourcesList(
    update.resources.map(({ urn, type, name, outputs, options, parent }) => {
      const resource = new AnalyzerResource();
      resource.setUrn(urn);
      resource.setType(type);
      resource.setName(name);
      resource.setParent(parent ?? "");
      resource.setProperties(encodeStruct(outputs));
      const opts = new AnalyzerResourceOptions();
      opts.setProtect(options.protect === true);
      resource.setOptions(opts);
      return resource;
    }),
  );
  return request;
}

withSdk("the policy analyzer", () => {
  let child: ChildProcess;
  let client: AnalyzerClient;

  beforeAll(async () => {
    const started = start(join(projectDir, "policy"), { NODE_PATH: sdk, PULUMI_STACK: "dev" });
    child = started.child;
    client = new AnalyzerClient(`127.0.0.1:${await started.port}`, credentials.createInsecure());
  });
  afterAll(() => {
    client.close();
    child.kill();
  });

  const analyze = async (stack: string): Promise<AnalyzeResponse> => {
    const request = await requestOf(stack);
    return answerOf((answer: Answer<AnalyzeResponse>) => client.analyzeStack(request, answer));
  };

  it("says which policies it has, and how each is enforced", async () => {
    const info = await answerOf((answer: Answer<AnalyzerInfo>) =>
      client.getAnalyzerInfo(new Empty(), answer),
    );
    expect(info.getName()).toBe("capz-windows");
    expect(info.getSupportsconfig()).toBe(true);
    expect(info.getPoliciesList().map((policy) => [policy.getName(), policy.getEnforcementlevel()])).toEqual(
      policyIds.map((id) => [
        id,
        policies[id].level === "error" ? EnforcementLevel.MANDATORY : EnforcementLevel.ADVISORY,
      ]),
    );
  });

  it.each(["dev", "dockershim", "locked-down"])(
    "finds in %s what the functions of the pack find",
    async (stack) => {
      const { update } = await planOf(stack);
      const found = (await analyze(stack))
        .getDiagnosticsList()
        .map((one) => `${one.getPolicyname()} ${one.getMessage()} ${one.getUrn().split("::").at(-1) ?? ""}`);
      const expected = violations(update.resources.map((one) => policyResource(one))).map(
        ({ id, message, name }) => `${id} ${message} ${name}`,
      );
      // @pulumi/policy puts the description of the policy before the message.
      expect(found.map((text) => text.replace(/^(\S+) [^]*\n/, "$1 "))).toEqual(expected);
      expect(found.length === 0).toBe(stack === "locked-down");
    },
  );

  it("follows the config of an organisation", async () => {
    const before = (await analyze("dev")).getDiagnosticsList().map((one) => one.getPolicyname());
    expect(before).toContain("no-audit-log");
    const tomorrow = new Date(Date.now() + 24 * 3600 * 1000).toISOString().slice(0, 10);
    const config = new PolicyConfig();
    config.setEnforcementlevel(EnforcementLevel.MANDATORY);
    config.setProperties(
      Struct.fromJavaScript({ exceptions: [{ reason: "until the log has a disk", until: tomorrow }] }),
    );
    const request = new ConfigureAnalyzerRequest();
    request.getPolicyconfigMap().set("no-audit-log", config);
    await answerOf((answer: Answer<unknown>) => client.configure(request, answer));
    expect((await analyze("dev")).getDiagnosticsList().map((one) => one.getPolicyname())).toEqual(
      before.filter((id) => id !== "no-audit-log"),
    );
  });
});

it("the documents name the version with which the pack is tested", () => {
  const read = (file: string) => readFileSync(join(projectDir, file), "utf8");
  const manifest = JSON.parse(read("policy/package.json")) as { dependencies: Record<string, string> };
  expect(manifest.dependencies).toEqual({ "@pulumi/policy": policySdk });
});

describe("the pack without the SDK of policies", () => {
  // Outside of folders that may have it.
  const folder = temporaryFolder();

  it("says what to install", async () => {
    cpSync(join(projectDir, "policy"), folder, {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
    // As in the installed package, which has no TypeScript.
    cpSync(join(folder, "package.json"), join(folder, "pack.js"));
    expect(existsSync(join(folder, "index.js"))).toBe(true);
    await expect(start(folder, {}).port).rejects.toThrow(
      "Error: The policy pack needs the package @pulumi/policy, which plans and deployments do not need. Install it beside capz-windows: npm install --save-dev --save-exact @pulumi/policy@1.21.0\n",
    );
  });
});
