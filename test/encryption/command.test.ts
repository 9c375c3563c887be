import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { encryptionFileName, encryptionPath } from "capz-windows-platform/encryption/keys";
import type { Send } from "capz-windows-doctor/cluster/connect";
import { run } from "capz-windows-doctor/encryption/cli";
import { kubeconfigOf } from "capz-windows-test-kit/kubeconfig";
import { said } from "capz-windows-test-kit/said";
import { inCi } from "capz-windows-test-kit/sample";
import { HttpStandIn } from "capz-windows-test-kit/standIn";
import { exampleFile, projectDir } from "../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** npm run encryption against a management cluster and a workload cluster that one server plays. */

interface Given {
  /** Keys in the KubeadmControlPlane; none: no encryption. */
  readonly keys?: readonly string[];
  /** What the API server does with a PUT of a Secret, by its name. */
  readonly puts?: Readonly<Record<string, "rewrites" | "keeps" | "empty" | "denied" | number>>;
  readonly upToDate?: number;
  readonly controlPlanes?: number;
}

class Clusters extends HttpStandIn {
  readonly written: unknown[] = [];

  constructor(private readonly given: Given) {
    super();
  }

  protected respond(request: IncomingMessage, response: ServerResponse, text: string): void {
    const url = new URL(request.url ?? "/", "http://127.0.0.1");
    const [status, body] = this.answer(request.method ?? "", url, text);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  private answer(method: string, url: URL, text: string): readonly [number, unknown] {
    const { keys, puts = {}, upToDate = 3, controlPlanes = 1 } = this.given;
    if (url.pathname.endsWith("/kubeadmcontrolplanes")) {
      expect(url.searchParams.get("labelSelector")).toBe("cluster.x-k8s.io/cluster-name=dev");
      const key = encryptionFileName({ resources: ["secrets"], keys: keys ?? [] });
      const file = { path: encryptionPath, contentFrom: { secret: { name: "x", key } } };
      const item = {
        metadata: { generation: 4, name: "dev-control-plane" },
        spec: { replicas: 3, kubeadmConfigSpec: { files: keys === undefined ? [] : [file] } },
        status: { observedGeneration: 4, replicas: 3, upToDateReplicas: upToDate },
      };
      return [200, { items: Array.from({ length: controlPlanes }, () => item) }];
    }
    const names = Object.keys(puts);
    const [, one = ""] = /\/namespaces\/apps\/secrets\/(\w+)$/.exec(url.pathname) ?? [];
    if (method === "GET" && one !== "") {
      // 404: it is gone. 409: somebody has written it meanwhile. "denied": a webhook only says so.
      return puts[one] === 404
        ? [404, { kind: "Status", details: { name: one } }]
        : [
            200,
            { metadata: { name: one, namespace: "apps", resourceVersion: puts[one] === 409 ? "8" : "7" } },
          ];
    }
    if (method === "GET") {
      const from = Number(url.searchParams.get("continue") ?? 0);
      const items = names.slice(from, from + 2).map((name) => ({
        metadata: { name, namespace: "apps", resourceVersion: "7" },
        data: { password: "cGxhbnRlZA==" },
      }));
      return [200, { metadata: from + 2 < names.length ? { continue: String(from + 2) } : {}, items }];
    }
    const object = JSON.parse(text) as { readonly metadata: { readonly name: string } };
    const does = puts[object.metadata.name];
    this.written.push(object);
    if (does === "empty") {
      return [200, {}];
    }
    if (does === "denied") {
      return [409, { kind: "Status", message: "webhook says no" }];
    }
    return typeof does === "number"
      ? [does, { message: does === 409 ? "the object has been modified" : "webhook says no" }]
      : [200, { metadata: { ...object.metadata, resourceVersion: does === "keeps" ? "7" : "8" } }];
  }
}

const folder = temporaryFolder();
const servers: Clusters[] = [];

afterAll(() => {
  servers.forEach((server) => {
    server.close();
  });
});

/** Jest cannot load the package by which the command connects. */
const sendTo =
  (url: string): Send =>
  async (path, { method, body, contentType = "application/json" }) => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": contentType } };
    const answer = await fetch(`${url}${path}`, { method, ...init });
    const text = await answer.text();
    return { status: answer.status, body: JSON.parse(text) as unknown, text };
  };

async function encryption(given: Given, inFile: readonly string[] | undefined, ...args: readonly string[]) {
  const server = new Clusters(given);
  servers.push(server);
  const kubeconfig = join(folder, `kubeconfig-${servers.length}`);
  const url = await server.listen();
  writeFileSync(kubeconfig, kubeconfigOf(url));
  const stack = parseDocument(readFileSync(join(projectDir, exampleFile("dev")), "utf8"));
  stack.deleteIn(["config", "capz-windows:controlPlane", "encryption"]);
  if (inFile !== undefined) {
    stack.setIn(["config", "capz-windows:controlPlane", "encryption"], { keys: inFile });
  }
  const file = join(folder, `Pulumi.dev${servers.length}.yaml`);
  writeFileSync(file, stack.toString());
  const clusters = ["--kubeconfig", kubeconfig, "--workload-kubeconfig", kubeconfig];
  const all = ["--stack", "dev", "--config-file", file, ...clusters, ...args];
  const {
    code,
    out: stdout,
    err: stderr,
  } = await said(() => run(all, { connect: () => Promise.resolve(sendTo(url)) }));
  return { code, stdout, stderr, written: server.written, all };
}

/** The same command in a process of its own, which reads the kubeconfigs. */
const asProcess = (all: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(projectDir, "scripts/encryption.js"), ...all]);

const head = (now: string, machines: string, wanted: string): string =>
  `Encrypted in etcd  ${now}\nMachines with it   ${machines} of 3\nIn the stack file  ${wanted}\n`;
const rewriteCommand = "`npm run encryption -- dev --rewrite`";

it.each([
  {
    ...{ what: "nothing encrypted", keys: undefined, inFile: undefined, upToDate: 3 },
    says: `${head("nothing", "3", "nothing")}Next               To encrypt: \`encryption: {keys: [identity, key1]}\` in controlPlane, and \`pulumi up\`.\n`,
  },
  {
    ...{ what: "one key", keys: ["key1"], inFile: ["key1"], upToDate: 3 },
    says: `${head("secrets: key1", "3", "secrets: key1")}Next               Nothing, when everything is written with key1: ${rewriteCommand} tells, and may run at any time.\n`,
  },
  {
    ...{ what: "clear text written", keys: ["identity", "key1"], inFile: ["identity", "key1"], upToDate: 3 },
    says: `${head("secrets: identity, key1", "3", "secrets: identity, key1")}Next               To encrypt: \`encryption: {keys: [key1]}\` and \`pulumi up\`.
                   To end encryption: ${rewriteCommand}, then remove encryption and \`pulumi up\`.\n`,
  },
  {
    ...{ what: "two keys", keys: ["key2", "key1"], inFile: ["key2", "key1"], upToDate: 3 },
    says: `${head("secrets: key2, key1", "3", "secrets: key2, key1")}Next               If key2 is the new key: ${rewriteCommand}, then \`encryption: {keys: [key2]}\` and \`pulumi up\`.
                   If key1 is the new key: \`encryption: {keys: [key1, key2]}\` and \`pulumi up\`.\n`,
  },
  {
    ...{ what: "a control plane that rolls", keys: ["key1"], inFile: ["key1"], upToDate: 1 },
    says: `${head("secrets: key1", "1", "secrets: key1")}Next               Wait until every machine of the control plane is replaced.\n`,
  },
  {
    ...{ what: "a step that is not deployed", keys: ["key1"], inFile: ["key1", "key2"], upToDate: 3 },
    says: `${head("secrets: key1", "3", "secrets: key1, key2")}Next               \`pulumi up\`. Encryption at rest, first stage: the API servers learn to read with key2, and write secrets with the key key1 as before.\n`,
  },
  {
    ...{ what: "a step that is refused", keys: ["key1"], inFile: ["key2"], upToDate: 3 },
    says: `${head("secrets: key1", "3", "secrets: key2")}Next               The stack file cannot be deployed: secrets in etcd are encrypted with the key key1, and no API server would have it any more. First deploy encryption: {keys: [key1, key2]}, and go on as docs/operations.md says ("Encryption at rest").\n`,
  },
])("says the stage and what comes next: $what", async ({ keys, inFile, upToDate, says }) => {
  const { code, stdout, stderr, written } = await encryption({ ...(keys && { keys }), upToDate }, inFile);
  expect({ code, stdout, stderr, written }).toEqual({ code: 0, stdout: says, stderr: "", written: [] });
});

it("writes every Secret once more, and counts what another key had written", async () => {
  const puts = { a: "rewrites", b: "keeps", c: 409, d: 404, e: "rewrites" } as const;
  const { code, stdout, written, all } = await encryption(
    { keys: ["key2", "key1"], puts },
    ["key2", "key1"],
    "--rewrite",
  );
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `5 secrets: 2 written again, 1 were with key2 already, 2 changed by others meanwhile, 0 refused
All secrets in etcd are with key2 now.
`,
  });
  expect((await asProcess(all)).stdout).toBe(stdout);
  expect(written).toHaveLength(10);
  expect(written.slice(0, 5)).toEqual(written.slice(5));
  expect(written[0]).toEqual({
    ...{ apiVersion: "v1", kind: "Secret", data: { password: "cGxhbnRlZA==" } },
    metadata: { name: "a", namespace: "apps", resourceVersion: "7" },
  });
});

it.each([
  ["empty", "the answer is not the object"],
  ["denied", "HTTP 409"],
] as const)("an answer that shows no written object is none: %s", async (does, message) => {
  const { code, stdout } = await encryption(
    { keys: ["key1"], puts: { a: "keeps", b: does } },
    ["key1"],
    "--rewrite",
  );
  expect(code).toBe(2);
  expect(stdout).toContain(`apps/b: ${message}`);
  expect(stdout).not.toContain("All secrets");
});

it("names what is refused, without its content", async () => {
  const { code, stdout } = await encryption(
    { keys: ["key1"], puts: { a: "keeps", b: 422 } },
    ["key1"],
    "--rewrite",
  );
  expect({ code, stdout }).toEqual({
    code: 2,
    stdout: `2 secrets: 0 written again, 1 were with key1 already, 0 changed by others meanwhile, 1 refused
  apps/b: HTTP 422
Not all secrets are with key1. Remove what refuses the change, such as an admission webhook that does not answer, and run this again.
`,
  });
  const json = await encryption({ keys: ["key1"], puts: { a: "keeps" } }, ["key1"], "--rewrite", "--json");
  expect(JSON.parse(json.stdout)).toEqual({
    ...{ cluster: { resources: ["secrets"], keys: ["key1"] }, machines: 3, upToDate: 3 },
    name: "dev-control-plane",
    results: [{ resource: "secrets", rewritten: 0, current: 1, changed: 0, failed: [] }],
  });
});

it("writes nothing while machines with the former keys run", async () => {
  const { code, stdout, written } = await encryption(
    { keys: ["key1"], puts: { a: "rewrites" }, upToDate: 2 },
    ["key1"],
    "--rewrite",
  );
  expect({ code, written }).toEqual({ code: 2, written: [] });
  expect(stdout).toContain("Wait until every machine of the control plane is replaced.");
});

const absent = { code: 1, stderr: "The management cluster has no control plane of dev in dev.\n" };

it("says so where there is no control plane", async () => {
  expect(await encryption({ controlPlanes: 0 }, undefined)).toMatchObject(absent);
});

inCi("says so in a process of its own, too", async () => {
  const { all } = await encryption({ controlPlanes: 0 }, undefined);
  await expect(asProcess(all)).rejects.toMatchObject(absent);
});
