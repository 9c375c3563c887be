import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
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
import { exchange } from "capz-windows-kit/io/exchange";
import { listBudget } from "capz-windows-kit/io/pages";
import { drip, endlessBody, Hostile, json } from "capz-windows-test-kit/hostileServer";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** No server can fill the memory, keep a command waiting, get a token that is not its own, or pass for a healthy one. */

const project = join(__dirname, "../..");
const folder = temporaryFolder();

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

const arm = () =>
  new Arm({
    endpoint: url,
    token: () => Promise.resolve("secret-token"),
    sleep: () => Promise.resolve(),
    timeoutMs,
  });

const registry = () => {
  process.env.CAPZ_WINDOWS_LOCAL_REGISTRIES = new URL(url).host;
  return askDigest(`${new URL(url).host}/app:1`);
};
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
