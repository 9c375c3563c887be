import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { scriptContent } from "../../bootstrap/files";
import { HttpStandIn } from "../support/standIn";
import { temporaryFolder } from "../support/temporaryFolder";

/** wait-for-key.sh with the real curl, and a server that plays the metadata service, the vault and a proxy. */

const root = temporaryFolder();
const token = "PLANTED-token";
const forbidden = '{"error":{"code":"Forbidden","innererror":{"code":"ForbiddenByRbac"}}}';
let base = "";
/** What the vault answers, one after another; the last one stays. */
let answers: (readonly [status: number, body: string])[];
let metadata: readonly [status: number, body: string];
let asked: { url: string; authorization?: string | undefined; body: string }[];

class Answers extends HttpStandIn {
  protected respond({ url = "", headers }: IncomingMessage, response: ServerResponse, body: string): void {
    asked.push({ url, authorization: headers.authorization, body });
    const isMetadata = url.startsWith("/metadata/");
    const [status, text] = isMetadata
      ? headers.metadata === "true"
        ? metadata
        : [400, "no header"]
      : (answers.length > 1 ? answers.shift() : answers[0])!;
    response.writeHead(status).end(text);
  }
}

const server = new Answers();

beforeAll(async () => {
  writeFileSync(
    join(root, "azure.json"),
    '{\n  "tenantId": "t",\n  "userAssignedIdentityID": "client-1"\n}\n',
  );
  writeFileSync(join(root, "sleep"), `#!/bin/sh\necho "sleep $*" >> "${root}/slept"\n`, { mode: 0o755 });
  base = await server.listen();
});

beforeEach(() => {
  asked = [];
  metadata = [200, `{"access_token":"${token}","expires_in":"86399"}`];
});

afterAll(() => {
  server.close();
});

async function run(key: string, limit: number, env: Readonly<Record<string, string>> = {}) {
  const text = scriptContent("wait-for-key.sh")
    .replaceAll("/etc/kubernetes", root)
    .replaceAll("http://169.254.169.254", base);
  const child = spawn("bash", ["-s", key, String(limit)], {
    env: { PATH: `${root}:${process.env.PATH ?? ""}`, ...env },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => (out += String(chunk)));
  }
  child.stdin.end(text);
  const code = await new Promise((ended) => child.once("close", ended));
  expect(out).not.toContain(token);
  return { code, out: out.replaceAll(base, "SERVER") };
}

it("waits while the vault refuses the identity, says so once, and ends when it encrypts", async () => {
  answers = [
    [403, forbidden],
    [403, forbidden],
    [200, '{"value":"x"}'],
  ];
  expect(await run(`${base}/keys/etcd/v1`, 900)).toEqual({
    code: 0,
    out: `capz-windows: waiting for SERVER/keys/etcd/v1: ${forbidden} HTTP 403\ncapz-windows: SERVER/keys/etcd/v1 encrypts\n`,
  });
  const round = [
    {
      ...{ authorization: undefined, body: "" },
      url: "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https%3A%2F%2Fvault.azure.net&client_id=client-1",
    },
    {
      ...{ authorization: `Bearer ${token}`, body: '{"alg":"RSA-OAEP-256","value":"AA"}' },
      url: "/keys/etcd/v1/encrypt?api-version=7.4",
    },
  ];
  expect(asked).toEqual([...round, ...round, ...round]);
});

it.each<[string, () => void, string]>([
  ["the vault refuses for too long", () => (answers = [[403, forbidden]]), `${forbidden} HTTP 403`],
  [
    "there is no such identity on the machine",
    () => (metadata = [400, '{"error":"invalid_request"}']),
    'no token for the identity client-1: {"error":"invalid_request"}',
  ],
])("fails where %s, and says why", async (_, arrange, why) => {
  answers = [[200, ""]];
  arrange();
  expect(await run(`${base}/keys/etcd/v1`, 0)).toEqual({
    code: 1,
    out: `capz-windows: waiting for SERVER/keys/etcd/v1: ${why}\ncapz-windows: SERVER/keys/etcd/v1 cannot be used after 0 seconds, so kubeadm does not start\n`,
  });
});

it("asks the vault through a proxy, and the metadata service without it", async () => {
  answers = [[200, ""]];
  const { code } = await run("http://own.vault.example/keys/etcd/v1", 0, { http_proxy: base });
  expect(code).toBe(0);
  expect(asked.map(({ url }) => url.replace(/\?.*/, ""))).toEqual([
    "/metadata/identity/oauth2/token",
    "http://own.vault.example/keys/etcd/v1/encrypt",
  ]);
});
