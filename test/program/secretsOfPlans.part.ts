import { inspect } from "node:util";
import { offlineOrganization } from "capz-windows-kit/offline";
import { secretKeys } from "../../config/schema/stack";
import { loadSettings } from "../../config/load";
import { decodeConfig } from "../../config/parse";
import { findingsOf } from "../../config/policy/findings";
import { projectConfig } from "../../config/stackFile";
import { plan, reveal } from "pulumi-plan-engine";
import { clouds } from "../../plan/simulation";
import type { Recording, Simulation } from "pulumi-plan-engine";
import { planFiles } from "../../plan/render/render";
import type { Plan } from "../../plan/model/plan";
import { formatReport, formats } from "../../plan/reports/formats";
import { formatPlan } from "../../plan/reports/planText";
import { planInline } from "../support/inlinePlans";
import { encryptedStacks } from "../support/plans";
import { testProject } from "../support/project";
import { inCi, isThorough } from "capz-windows-test-kit/sample";
import { base64, leaks, marker, markersOf, plantedKubeconfig } from "capz-windows-test-kit/secrets";
import { readExample } from "../support/stacks";

/**
 * Plants values in every secret of the program, as `pulumi up` has them: in secret config, in Azure's answers to
 * requests for credentials, and in the Secret that Cluster API writes. None of them may appear in a plan.
 */

const credentials = () => ({
  kubeconfigs: [{ name: "clusterUser", value: base64(plantedKubeconfig("aks")) }],
});

/** A cluster's kubeconfig has no password: the program refuses one. */
const plantedWorkload = plantedKubeconfig("workload").replace(/^ *password:.*\n/m, "");

const simulate: Simulation = {
  outputs: {
    // Not marked as secret, because the program must do that.
    "random:index/randomBytes:RandomBytes": () => ({
      base64: base64(keyOfEtcd),
      hex: Buffer.from(keyOfEtcd).toString("hex"),
    }),
  },
  invokes: {
    "azure-native:containerservice:listManagedClusterUserCredentials": credentials,
    "azure-native:containerservice:listManagedClusterAdminCredentials": credentials,
  },
  reads: {
    // Not marked as secret, because the program must do that.
    "kubernetes:core/v1:Secret": (id) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: id },
      data: { value: base64(plantedWorkload) },
    }),
  },
};

/** The bytes of a key of etcd, as the provider of random bytes makes them. */
const keyOfEtcd = marker("key of etcd");

const all = [keyOfEtcd, ...secretKeys.flatMap(markersOf), ...markersOf("aks"), ...markersOf("workload")];

/** Config of an example stack with its secrets decrypted, as Pulumi passes them to the program. */
function decrypted(stack: string) {
  const file = readExample(stack);
  const secrets = Object.fromEntries(
    file.secretKeys.map((key) => {
      const name = key.slice(file.project.length + 1);
      const planted = plantedKubeconfig(name);
      return [key, name === "secretFiles" ? JSON.stringify({ "licence.key": planted }) : planted];
    }),
  );
  return { ...file, config: { ...file.config, ...secrets } };
}

/** Output of a run, and its recording as printed or written by code that does not redact it. */
const placesOf = (recording: Recording): [string, string][] => [
  [`${recording.mode}: stdout`, recording.stdout],
  [`${recording.mode}: stderr`, recording.stderr],
  [`${recording.mode}: diagnostics`, recording.diagnostics.map(({ message }) => message).join("\n")],
  [`${recording.mode}: JSON`, JSON.stringify(recording)],
  [`${recording.mode}: inspect`, inspect(recording, { depth: null })],
];

/** Every report of a plan but the text, with what is found in the stack file. */
function reportsOf(plan: Plan, config: Readonly<Record<string, string>>): [string, string][] {
  const raw = projectConfig(config);
  const findings = findingsOf(loadSettings(raw, "test"), decodeConfig(raw), "2026-11-25").map((found) => ({
    ...{ ...found, file: "Pulumi.test.yaml", line: 1 },
  }));
  return formats.flatMap((format): [string, string][] =>
    format === "text" ? [] : [[format, formatReport([{ stack: plan.stack, plan, findings }], format)]],
  );
}

/** Those that have every secret; in CI also those with another stack, another subscription, and of older systems. */
const planted = isThorough
  ? (["dev", "existing", "everything", "team-a", "hub-spoke", "dockershim"] as const)
  : (["dev", "existing", "everything"] as const);

it("every secret of the schema is set in an example stack, so that this test looks for it", () => {
  expect(secretKeys.length).toBeGreaterThan(0);
  const used = planted.flatMap((stack) => Object.keys(projectConfig(decrypted(stack).config)));
  expect(used).toEqual(expect.arrayContaining([...secretKeys]));
});

describe.each(planted)("the program with planted secrets and the stack %s", (stack) => {
  const { config } = decrypted(stack);

  it("has the secrets, and shows none in the terminal, files or recordings", async () => {
    const plan = await planInline(projectConfig(config), stack, simulate);
    const revealed = (name: string) => leaks([[name, String(reveal(plan.update.outputs[name]))]], all);
    expect(revealed("managementKubeconfig")).not.toEqual([]);
    expect(revealed("workloadKubeconfig")).not.toEqual([]);
    const delivered = plan.update.resources.filter(({ name }) => name === "control-plane-encryption-secret");
    const texts = delivered.map(({ inputs }) => JSON.stringify(reveal(inputs.stringData)));
    expect(texts.filter((text) => !text.includes(base64(keyOfEtcd)))).toEqual([]);
    expect(texts).toHaveLength(encryptedStacks.includes(stack) ? 1 : 0);
    const files = planFiles(plan);
    const places: [string, string][] = [
      ...files,
      [
        "terminal",
        formatPlan(
          plan,
          { out: "out", files: [...files.keys()] },
          { color: false, width: 100, verbose: true },
        ),
      ],
      ...reportsOf(plan, config),
      ...placesOf(plan.preview),
      ...placesOf(plan.update),
    ];
    expect(leaks(places, all)).toEqual([]);
  });
});

describe("a program that prints a secret", () => {
  const project = testProject(["index.ts"]);
  const events: string[] = [];
  afterAll(project.remove);

  const failing = (body: string): Promise<Recording> => {
    project.write(
      "index.ts",
      `import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { ConfigMap } from "@pulumi/kubernetes/core/v1";
import { Provider } from "@pulumi/kubernetes/provider";
import { stackProgram } from "./program/stackProgram";

export = stackProgram(async ({ managementKubeconfig: text = "" }) => {
  const token = /token: (.*)/.exec(text)?.[1] ?? "";
  const bytes = Buffer.from(text);
  const said = [text, token, JSON.stringify({ text }), JSON.stringify({ inner: JSON.stringify({ token }) }),
    inspect({ text }), text.split("\\n").join(" | "), encodeURIComponent(text), bytes.toString("base64"),
    bytes.toString("base64url"), bytes.toString("hex"), "https://u:" + token + "@x", "x".repeat(5000) + text];
  ${body}
});
`,
    );
    const { project: name, config, secretKeys: secret, tsconfig = "", main = "" } = decrypted("existing");
    return plan({
      simulate: clouds,
      ...{
        projectDir: project.dir,
        project: name,
        stack: "existing",
        config,
        secretKeys: secret,
        tsconfig,
        main,
      },
      mode: "update",
      organization: offlineOrganization,
      onProgress: (event) => events.push(JSON.stringify(event)),
    });
  };

  inCi("in its messages has it redacted by the engine, in any encoding", async () => {
    const recording = await failing(`
      for (const one of said) {
        console.log(one);
        console.error(one);
        for (const log of [pulumi.log.debug, pulumi.log.info, pulumi.log.warn, pulumi.log.error]) {
          await log(one);
        }
      }
      throw new Error(said.join("\\n"), { cause: new Error(text) });`);
    expect(recording.exitCode).not.toBe(0);
    expect(recording.diagnostics.length).toBeGreaterThan(30);
    expect(recording.stdout).toContain("[secret]");
    expect(leaks(placesOf(recording), all)).toEqual([]);
  });

  inCi("before it is killed has it redacted, also if the output is truncated within the secret", async () => {
    // The last 2000 characters begin inside of the secret.
    const recording = await failing(
      `process.stderr.write(token + "x".repeat(1980), () => process.kill(process.pid, "SIGKILL"));
      await new Promise(() => undefined);`,
    );
    expect(recording.diagnostics.map(({ message }) => message).join()).toContain("ended by SIGKILL");
    expect(leaks(placesOf(recording), all)).toEqual([]);
  });

  inCi("as a plain output or argument is found by the scan of these tests", async () => {
    const recording = await failing(`
      const provider = new Provider("p", { kubeconfig: text });
      new ConfigMap("leak", { data: { value: text } }, { provider });
      return { token };`);
    expect({ code: recording.exitCode, resources: events.length > 0 }).toEqual({ code: 0, resources: true });
    const found = leaks(placesOf(recording), all);
    expect(found).toEqual(
      expect.arrayContaining(["update: JSON: beginning in clear", "update: inspect: end in clear"]),
    );
  });
});

describe("the scan", () => {
  const mark = marker("scan");
  const pem = base64(`-----BEGIN PRIVATE KEY-----\n${mark}\n`);

  it.each([
    ["in clear", `a ${mark} b`],
    ["cut off", mark.slice(0, 24)],
    ["without its beginning", mark.slice(14)],
    ["in JSON", JSON.stringify({ text: `"${mark}\n"` })],
    ["in base64", base64(`x${mark}y`)],
    ["in base64 elsewhere", base64(`xy${mark}`)],
    ["in base64url", Buffer.from(`>>>${mark}???`).toString("base64url")],
    ["in a key in a Secret", base64(`client-key-data: ${pem}`)],
    ["in hexadecimal digits", Buffer.from(mark).toString("hex")],
    ["in a URL", encodeURIComponent(`<${mark}>`)],
    ["in capitals", mark.toUpperCase()],
  ])("finds a secret %s", (_, text) => {
    expect(leaks([["here", text]], [mark])).not.toEqual([]);
    expect(leaks([["here", text]], [marker("another")])).toEqual([]);
  });
});
