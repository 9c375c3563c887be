import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import { Arm, type ArmError } from "../../commands/azure/arm";
import type { Get } from "capz-windows-doctor/cluster/answers";
import { managementKinds, workloadKinds } from "capz-windows-doctor/cluster/kinds";
import { readCluster, readKubeconfigSecret } from "capz-windows-doctor/cluster/readCluster";
import { diagnose } from "capz-windows-doctor/diagnose";
import { verdict } from "capz-windows-doctor/report/text";
import { rewrite } from "capz-windows-doctor/encryption/rewrite";
import { liveText } from "../../commands/import/live";
import { fetchPrices } from "../../plan/cost/fetchPrices";
import { askDigest } from "windows-workloads/registry";
import { exchange, followed } from "capz-windows-kit/io/exchange";
import { apiServerAt } from "capz-windows-kit/io/apiServer";
import { allPages, listBudget } from "capz-windows-kit/io/pages";
import { proxyFetch } from "capz-windows-kit/io/proxyFetch";
import { HttpStandIn } from "../support/standIn";
import { temporaryFolder } from "../support/temporaryFolder";

/** No server can fill the memory, keep a command waiting, get a token that is not its own, or pass for a healthy one. */

const project = join(__dirname, "../..");
const folder = temporaryFolder();

class Hostile extends HttpStandIn {
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();
  readonly asked: string[] = [];

  protected respond(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(`${request.url ?? ""} ${JSON.stringify(request.headers)}`);
    this.answer(request, response);
  }
}

const server = new Hostile();
const other = new Hostile();
let url = "";
let otherUrl = "";

beforeAll(async () => {
  url = await server.listen();
  otherUrl = await other.listen();
});

beforeEach(() => {
  server.asked.length = 0;
  other.asked.length = 0;
});

afterAll(() => {
  server.close();
  other.close();
});

const endlessBody: Hostile["answer"] = (request, response) => {
  const more = (): void => {
    while (!request.socket.destroyed && response.write(Buffer.alloc(1 << 18, 32)));
  };
  response.on("drain", more);
  more();
};

const drip: Hostile["answer"] = (request, response) => {
  const timer = setInterval(() => response.write(" "), 20);
  request.socket.on("close", () => {
    clearInterval(timer);
  });
};

const json =
  (body: unknown, status = 200): Hostile["answer"] =>
  (_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };

/** The time is for a machine with much else to do; where it is what ends an exchange, it is short. */
const limits = { maxBytes: 100_000, totalMs: 60_000 };
const short = { totalMs: 300 };
let timeoutMs = 60_000;

/** As connect.ts, without the package that reads kubeconfigs. */
const get: Get = async (path) => {
  const { status, body } = await exchange(new URL(`${url}${path}`), { ...limits, totalMs: timeoutMs });
  const text = body.toString();
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = { message: text.slice(0, 200) };
  }
  return { status, body: parsed, bytes: text.length };
};

describe("one exchange", () => {
  it("ends at the limit of bytes", async () => {
    server.answer = endlessBody;
    await expect(exchange(new URL(url), limits)).rejects.toThrow("the answer has more than 100000 bytes");
  });

  it("ends at the limit of bytes after gzip", async () => {
    server.answer = (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1 << 24)));
    const headers = { "accept-encoding": "gzip" };
    await expect(exchange(new URL(url), { ...limits, headers })).rejects.toThrow(
      "the answer has more than 100000 bytes",
    );
    await expect(exchange(new URL(url), limits)).rejects.toThrow(
      "the answer is in gzip, for which nobody has asked",
    );
  });

  it("ends at the limit of time, however often a byte comes", async () => {
    server.answer = drip;
    await expect(exchange(new URL(url), { ...short, idleMs: 200 })).rejects.toThrow(
      "no complete answer within 0.3 s",
    );
  });

  it("ends where nothing comes", async () => {
    server.answer = () => undefined;
    await expect(exchange(new URL(url), { idleMs: 100 })).rejects.toThrow("no answer within 0.1 s");
  });

  it("ends where the server changes to another protocol", async () => {
    server.answer = ({ socket }) =>
      socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n");
    await expect(exchange(new URL(url), limits)).rejects.toThrow("the connection ended without an answer");
  });

  it("ends with the signal of its caller, and with its reason", async () => {
    server.answer = drip;
    const signal = AbortSignal.timeout(50);
    await expect(proxyFetch(url, { signal })).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("follows no redirect without end, and none to another protocol", async () => {
    server.answer = (_, response) => response.writeHead(302, { location: "/again" }).end();
    await expect(followed(new URL(url))).rejects.toThrow("more than 5 redirects");
    server.answer = (_, response) => response.writeHead(302, { location: "file:///etc/passwd" }).end();
    await expect(followed(new URL(url))).rejects.toThrow("redirect to file:");
  });

  it("gives no login to another host, whatever its header is called", async () => {
    server.answer = (_, response) => response.writeHead(302, { location: otherUrl }).end();
    other.answer = json({});
    const headers = { authorization: "Bearer t", "private-token": "t", cookie: "t", accept: "a/b" };
    await followed(new URL(url), { headers });
    expect(other.asked).toHaveLength(1);
    expect(other.asked.join()).toContain("a/b");
    expect(other.asked.join()).not.toMatch(/authorization|private-token|cookie/);
  });
});

describe("pages", () => {
  it("end after a number of them, at a circle, and where they are too large together", async () => {
    let count = 0;
    const endless = allPages(() => Promise.resolve({ items: [1], next: String((count += 1)) }));
    await expect(endless).rejects.toThrow("the list does not end within 1000 pages");
    expect(count).toBe(1000);
    const circle = allPages(() => Promise.resolve({ items: [1], next: "x" }));
    await expect(circle).rejects.toThrow("a page of the list leads to itself");
    const large = allPages((next) => Promise.resolve({ items: [], next: `${next}x`, bytes: 2 ** 30 }));
    await expect(large).rejects.toThrow("the lists have more than 2 GB");
    const many = allPages((next) => Promise.resolve({ items: [], count: 250_001, next: `${next}x` }));
    await expect(many).rejects.toThrow("the lists have more than 500,000 items");
    const nested = allPages((next) => Promise.resolve({ items: [], values: 1e6, next: `${next}x` }));
    await expect(nested).rejects.toThrow("the lists have more than 6,000,000 values");
    const spent = { ...listBudget(), values: -1 };
    const later = allPages(() => Promise.reject(new Error("read all the same")), spent);
    await expect(later).rejects.toThrow("the lists have more than 6,000,000 values");
    const late = allPages(() => Promise.resolve({ items: [], next: "" }), {
      ...{ bytes: 1, items: 1, values: 1, until: 0 },
    });
    await expect(late).rejects.toThrow("the lists did not end within 5 minutes");
  });
});

const arm = () =>
  new Arm({
    endpoint: url,
    token: () => Promise.resolve("secret-token"),
    sleep: () => Promise.resolve(),
    timeoutMs,
  });

const apiServer = () =>
  apiServerAt({ applyToHTTPSOptions: () => Promise.resolve() } as unknown as KubeConfig, url);

const registry = () => askDigest(`${new URL(url).host}/app:1`);
const prices = () =>
  fetchPrices("westeurope", [], { endpoint: url, day: "2026-11-23", tries: 1, timeoutMs, backoffMs: 1 });

describe.each<[string, Hostile["answer"], RegExp, RegExp, RegExp]>([
  [
    "an endless body",
    endlessBody,
    /^no connection: the answer has more than 20 MB$|^no answer within/,
    /^the registry \S+ does not answer with a manifest: the answer has more than 4 MB$|cannot be reached$/,
    /: the answer has more than 20 MB$|: timeout after/,
  ],
  [
    "a byte now and then",
    drip,
    /^no answer within 0\.3 s$/,
    /^the registry \S+ cannot be reached$/,
    /: timeout after 0\.3 s \(1 tries\)$/,
  ],
  [
    "a login page",
    (_, response) => response.end("<html>login</html>"),
    /^the answer is not that of Azure: HTTP 200 without what was asked for$/,
    /^the registry \S+ answered with something else than JSON$/,
    /: the answer is not a price list$/,
  ],
  [
    "pages without end",
    (request, response) => {
      const next = `${url}/${Number(/\d+/.exec(request.url ?? "")?.[0] ?? 0) + 1}`;
      json({ value: [], nextLink: next, Items: [], NextPageLink: next })(request, response);
    },
    /^the list does not end within 1000 pages$/,
    /^the registry answered with something else than a manifest$/,
    /: the list does not end within 1000 pages$/,
  ],
  [
    "a next page on another host",
    (request, response) => {
      json({ value: [], nextLink: otherUrl, Items: [], NextPageLink: otherUrl })(request, response);
    },
    /^an answer leads to another host$/,
    /^the registry answered with something else than a manifest$/,
    /: the next page of its list is on another host$/,
  ],
])("%s", (_name, answer, ofArm, ofRegistry, ofPrices) => {
  beforeEach(() => {
    server.answer = answer;
    timeoutMs = answer === drip ? short.totalMs : 60_000;
  });

  afterEach(() => {
    timeoutMs = 60_000;
  });

  it("ends in words for Azure, and only its host gets the token", async () => {
    await expect(arm().list("/x", "2023-03-01")).rejects.toThrow(ofArm);
    const id = `@${new URL(otherUrl).host}/x`;
    await expect(arm().get(id, "1")).rejects.toThrow(/^an answer leads to another host$/);
    expect(other.asked).toEqual([]);
  });

  it("ends in words for a registry", async () => {
    // 127.0.0.1 is a name of a registry without TLS, and the time limit is that of the command.
    await expect(registry()).rejects.toThrow(ofRegistry);
  });

  it("ends in words for the price list", async () => {
    await expect(prices()).rejects.toThrow(ofPrices);
    expect(other.asked).toEqual([]);
  });
});

describe("an API server", () => {
  it.each([
    ["commas", `[${"1,".repeat(1_000_001)}1]`],
    ["lists in lists", "[".repeat(1_000_001) + "]".repeat(1_000_001)],
    ["mappings in mappings", `${'{"":'.repeat(1_000_001)}1${"}".repeat(1_000_001)}`],
  ])("fills no memory with an answer of very many small values: %s", async (_, body) => {
    server.answer = (__, response) => response.end(body);
    await expect(apiServer()("/api/v1/pods", { method: "GET" })).rejects.toThrow(
      "the answer has more than 1,000,000 values",
    );
  });

  it("may have as many commas as it wants in its texts", async () => {
    const data = { a: String.raw`{"\\"[,`.repeat(500_000) };
    server.answer = json({ data });
    const { body } = await apiServer()("/api/v1/configmaps", { method: "GET" });
    expect(body).toEqual({ data });
  });

  const groups = [...managementKinds, ...workloadKinds].map(({ group, versions }) => ({
    name: group,
    versions: versions.map((version) => ({ version })),
  }));

  /** What the doctor says of it when it is both clusters. */
  async function said() {
    const view = await readCluster(get, managementKinds, "dev");
    const workload = await readCluster(get, workloadKinds, "dev");
    return diagnose({
      ...{ takenAt: "2026-11-23T00:00:00Z", cluster: { name: "dev", namespace: "dev" } },
      ...{ management: view, workload },
    });
  }

  const lists =
    (answer: Hostile["answer"]): Hostile["answer"] =>
    (request, response) => {
      if (request.url === "/apis") {
        json({ kind: "APIGroupList", groups })(request, response);
      } else {
        answer(request, response);
      }
    };

  const strange: [string, Hostile["answer"], RegExp][] = [
    ...[301, 302, 304, 400, 404, 408, 418, 429, 500, 502, 503, 504, 999].map(
      (status): [string, Hostile["answer"], RegExp] => [
        `status ${status}`,
        (_, response) => response.writeHead(status, { location: "http://127.0.0.1:1/" }).end("<html>"),
        new RegExp(`^(?:HTTP ${status}|<html>)`),
      ],
    ),
    [
      "a login page",
      (_, response) => response.end("<html>login</html>"),
      /^the answer is not that of an API server: HTTP 200: <html>login/,
    ],
    ["null", json(null), /^the answer is not that of an API server: HTTP 200/],
    ["a list", json([]), /^the answer is not that of an API server: HTTP 200/],
    ["a text", json("ok"), /^the answer is not that of an API server: HTTP 200/],
    [
      "a Status of success",
      json({ kind: "Status", status: "Success" }),
      /^the answer is not that of an API server: HTTP 200/,
    ],
    ["nothing", (_, response) => response.end(), /^the answer is not that of an API server: HTTP 200/],
    ["an endless body", endlessBody, /^the answer has more than 100000 bytes$|^no complete answer within/],
  ];

  it.each(strange)(
    "that answers everything with %s is reported, and not called well",
    async (_, answer, message) => {
      server.answer = answer;
      const diagnosis = await said();
      expect(diagnosis.findings.map(({ id }) => id)).toContain("management-not-answered");
      expect(diagnosis.findings[0]?.proofs[0]?.text).toMatch(message);
      expect(verdict(diagnosis)).not.toContain("Nothing is wrong");
    },
  );

  it.each(strange)("whose lists are %s is reported, and not called well", async (_, answer, message) => {
    server.answer = lists(answer);
    const diagnosis = await said();
    expect(diagnosis.findings.map(({ id }) => id)).toContain("management-not-answered");
    expect(diagnosis.findings[0]?.proofs[0]?.text).toMatch(message);
    expect(verdict(diagnosis)).not.toContain("Nothing is wrong");
  });

  it("that answers slowly for ever is left", async () => {
    server.answer = drip;
    timeoutMs = short.totalMs;
    const { problems } = await readCluster(get, managementKinds, "dev");
    expect(problems).toEqual([
      { what: "timeout", asked: "cluster", message: "no complete answer within 0.3 s" },
    ]);
  });

  afterEach(() => {
    timeoutMs = 60_000;
  });

  it("whose items are no objects is reported", async () => {
    server.answer = lists(json({ items: [null, 5, "x"] }));
    const diagnosis = await said();
    expect(diagnosis.findings.map(({ id }) => id)).toContain("management-not-answered");
  });

  it("without https is named as such, and gets no login", () => {
    const file = join(folder, "kubeconfig");
    const config = {
      ...{ apiVersion: "v1", kind: "Config", "current-context": "c" },
      clusters: [{ name: "c", cluster: { server: url } }],
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      users: [{ name: "u", user: { token: "secret-token" } }],
    };
    writeFileSync(file, JSON.stringify(config));
    const args = ["scripts/doctor.js", "--kubeconfig", file, "--cluster", "dev"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", cwd: project });
    expect(stderr).toContain(
      `${file}: the server of its current context has no https address, so that everybody on the way would read the login.\n`,
    );
    expect(status).toBe(1);
  });

  it("whose page has far more objects than were asked for is left, by each command", async () => {
    server.answer = lists(json({ items: Array(5_001).fill({ metadata: { name: "a" } }) }));
    const [wanted] = managementKinds;
    const large = { ...limits, maxBytes: 1_000_000 };
    const all: Get = async (path) => {
      const { status, body } = await exchange(new URL(`${url}${path}`), large);
      return { status, body: JSON.parse(body.toString()) };
    };
    const message = (limit: number): string =>
      `the server answered with 5001 objects, though ${limit} were asked for`;
    const { objects, problems } = await readCluster(all, [wanted!], "dev");
    expect(objects).toEqual([]);
    expect(problems).toEqual([{ what: "other", asked: "Cluster", message: message(500) }]);
    await expect(liveText(all, undefined)).rejects.toThrow(message(200));
    await expect(rewrite(async (path) => ({ ...(await all(path)), text: "" }), "secrets")).rejects.toThrow(
      `secrets cannot be listed: ${message(100)}`,
    );
  });

  it("takes one budget for all lists of a command", async () => {
    const budget = { ...listBudget(), items: 10 };
    server.answer = lists(json({ items: Array(6).fill({ metadata: { name: "a" } }) }));
    const [wanted] = managementKinds;
    const first = await readCluster(get, [wanted!], "dev", (object) => object, budget);
    const second = await readCluster(get, [wanted!], "dev", (object) => object, budget);
    expect(first.problems).toEqual([]);
    expect(second.problems[0]?.message).toBe("the lists have more than 500,000 items");
  });

  const endlessList = lists((request, response) => {
    json({ items: [], metadata: { continue: `x${server.asked.length}` } })(request, response);
  });

  it("whose lists have no end is left, by each command", async () => {
    server.answer = endlessList;
    const [wanted] = managementKinds;
    const { problems } = await readCluster(get, [wanted!], "dev");
    expect(problems[0]?.message).toBe("the list does not end within 1000 pages");
    await expect(liveText(get, undefined)).rejects.toThrow("the list does not end within 1000 pages");
    await expect(rewrite(async (path) => ({ ...(await get(path)), text: "" }), "secrets")).rejects.toThrow(
      "secrets cannot be listed: the list does not end within 1000 pages",
    );
  });

  it("that has a page in place of the Secret has not said that there is none", async () => {
    server.answer = (_, response) => response.end("<html>login</html>");
    expect(await readKubeconfigSecret(get, "dev", "dev")).toEqual({
      what: "other",
      asked: "Secret dev/dev-kubeconfig",
      message: "the answer is not that of an API server: HTTP 200: <html>login</html>",
    });
  });
});

it("Azure's errors keep their codes", async () => {
  server.answer = json({ error: { code: "AuthorizationFailed", message: "no" } }, 403);
  const failed = (await arm()
    .get("/x", "1")
    .catch((error: unknown) => error)) as ArmError;
  expect([failed.status, failed.code, failed.message]).toEqual([403, "AuthorizationFailed", "no"]);
});
