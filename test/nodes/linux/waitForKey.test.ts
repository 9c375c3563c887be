import type { IncomingMessage, ServerResponse } from "node:http";
import { HttpStandIn } from "capz-windows-test-kit/standIn";
import { runOnLinux } from "../bash";

/** wait-for-key.sh with the real curl, and a server that plays the metadata service, the vault and a proxy. */

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
  base = await server.listen();
});

beforeEach(() => {
  asked = [];
  metadata = [200, `{"access_token":"${token}","expires_in":"86399"}`];
});

afterAll(() => {
  server.close();
});

const azureJson = '{\n  "tenantId": "t",\n  "userAssignedIdentityID": "client-1"\n}\n';

/** A pause takes no time. Bash begins to count at the SECONDS of its environment. */
async function run(key: string, limit: number, env: Readonly<Record<string, string>> = {}) {
  const { calls, out, err, code } = await runOnLinux("wait-for-key.sh", {
    args: [key, String(limit)],
    env,
    files: { "/azure.json": azureJson },
    moved: { "/etc/kubernetes/azure.json": "$ROOT/azure.json", "http://169.254.169.254": base },
    programs: { sleep: "" },
  });
  expect(out + err).not.toContain(token);
  expect(err).toBe("");
  return { code, calls, out: out.replaceAll(base, "SERVER") };
}

it("waits while the vault refuses the identity, says so once, and ends when it encrypts", async () => {
  answers = [
    [403, forbidden],
    [403, forbidden],
    [200, '{"value":"x"}'],
  ];
  expect(await run(`${base}/keys/etcd/v1`, 900)).toEqual({
    code: 0,
    calls: ["sleep 10", "sleep 10"],
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

it("waits up to its limit, and not beyond", async () => {
  answers = [
    [403, forbidden],
    [200, '{"value":"x"}'],
  ];
  expect(await run(`${base}/keys/etcd/v1`, 900, { SECONDS: "800" })).toMatchObject({
    code: 0,
    calls: ["sleep 10"],
  });
  answers = [[403, forbidden]];
  const { code, calls, out } = await run(`${base}/keys/etcd/v1`, 900, { SECONDS: "900" });
  expect([code, calls]).toEqual([1, []]);
  expect(out).toContain("cannot be used after 900 seconds, so kubeadm does not start");
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
    calls: [],
    out: `capz-windows: waiting for SERVER/keys/etcd/v1: ${why}\ncapz-windows: SERVER/keys/etcd/v1 cannot be used after 0 seconds, so kubeadm does not start\n`,
  });
});

it("does not ask the vault without a token", async () => {
  metadata = [400, "no"];
  answers = [[200, ""]];
  await run(`${base}/keys/etcd/v1`, 0);
  expect(asked.map(({ url }) => url.replace(/\?.*/, ""))).toEqual(["/metadata/identity/oauth2/token"]);
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
