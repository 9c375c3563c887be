import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withCosts } from "../../../plan/cli/costs";
import { fetchPrices } from "../../../plan/cost/fetchPrices";
import { pricesFile } from "../../../plan/cost/prices";
import type { ClusterModel } from "../../../plan/model/cluster/types";
import type { StackReport } from "../../../plan/reports/stackReport";
import type { Plan } from "../../../plan/model/plan";
import { d4, disk, gateway, machine, type Row, windows } from "./rows";

let server: http.Server;
let origin: string;
/** What the server answers to a filter or a page. */
let answer: (url: URL, response: http.ServerResponse) => void;
const asked: string[] = [];
const folder = mkdtempSync(join(tmpdir(), "capz-windows-prices-"));

beforeAll(async () => {
  server = http.createServer((request, response) => {
    const url = new URL(request.url ?? "", origin);
    asked.push(url.searchParams.get("$filter") ?? url.search);
    answer(url, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => {
  asked.length = 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const items = (response: http.ServerResponse, rows: readonly Row[], NextPageLink: string | null = null) =>
  response.end(JSON.stringify({ BillingCurrency: "USD", Items: rows, NextPageLink, Count: rows.length }));

const day = "2026-11-23";
const options = () => ({ endpoint: `${origin}/api/retail/prices`, day, backoffMs: 1, timeoutMs: 200 });

/** What is kept of the list below, without disks. */
const prices = {
  ...{ version: 1, region: "westeurope", currency: "USD", date: day },
  source: "https://prices.azure.com/api/retail/prices",
  perHour: { [`${d4} Linux`]: 0.2, [`${d4} Windows`]: 0.4 },
};

/** The list of a region with one size. */
const goodList = (url: URL, response: http.ServerResponse): void => {
  const filter = url.searchParams.get("$filter") ?? "";
  items(response, filter.includes("'Virtual Machines'") ? [machine(), machine(windows)] : [disk()]);
};

it("asks for the sizes of the stack and for everything else that a stack has, page by page", async () => {
  answer = (url, response) => {
    const page = Number(url.searchParams.get("$skip") ?? 0);
    items(response, [page === 0 ? machine() : machine(windows)], page === 0 ? `${origin}/api?$skip=1` : null);
  };
  expect(await fetchPrices("westeurope", [d4], options())).toEqual({ ...prices, perMonth: {} });
  const at = (service: string, region = "westeurope") =>
    `serviceName eq '${service}' and armRegionName eq '${region}' and priceType eq 'Consumption'`;
  const disks = (kind: string) => at(`Storage' and productName eq '${kind} Managed Disks`);
  expect(asked.filter((filter) => !filter.startsWith("?"))).toEqual([
    at("Azure Bastion"),
    at("Virtual Network' and productName eq 'IP Addresses"),
    at("NAT Gateway"),
    at("NAT Gateway", "Global"),
    ...["Premium SSD", "Standard SSD", "Standard HDD"].map(disks),
    at(`Virtual Machines' and armSkuName eq '${d4}`),
  ]);
});

it("asks again after 429 and 503", async () => {
  const statuses = [429, 503];
  answer = (url, response) => {
    const status = statuses.shift();
    if (status === undefined) {
      goodList(url, response);
    } else {
      response.writeHead(status).end("busy");
    }
  };
  expect((await fetchPrices("westeurope", [d4], options())).perHour).toEqual(prices.perHour);
});

const clusterOf = (change: Partial<ClusterModel> = {}): ClusterModel =>
  ({
    location: "westeurope",
    bill: [{ owner: "pool p", role: "machines", count: { min: 2, max: 2 }, price: `${d4} Windows` }],
    ...change,
  }) as ClusterModel;

/** The costs of a stack, and what a person reads while they are fetched. */
async function costs(fetch: boolean, endpoint = options().endpoint, cluster = clusterOf()) {
  const failures: string[] = [];
  const [report] = await withCosts<StackReport>([{ stack: "dev", plan: { cluster } as Plan }], {
    ...{ projectDir: folder, fetch, fetching: { ...options(), endpoint } },
    onProgress: () => undefined,
    onFailure: (text) => failures.push(text),
  });
  return { cost: report?.cost, failures };
}

it.each<[string, typeof answer | undefined, string]>([
  ["400", (_, response) => response.writeHead(400).end("bad filter"), "HOST: HTTP 400"],
  [
    "HTML",
    (_, response) => response.end("<html>Log in to the proxy</html>"),
    "HOST: the answer is not a price list",
  ],
  ["JSON of another kind", (_, response) => response.end("[]"), "HOST: the answer is not a price list"],
  [
    "another host's page",
    (_, response) => items(response, [], "https://x.example/"),
    "HOST: the next page of its list is on another host",
  ],
  [
    "pages for ever",
    (url, response) => items(response, [], url.href),
    "HOST: a page of the list leads to itself",
  ],
  [
    "a region that it does not have",
    (_, response) => items(response, [gateway()]),
    "Azure's price list has no region westeurope",
  ],
  ["no network", undefined, "127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1 (3 tries)"],
])("says in one line that nothing was fetched, and goes on: %s", async (_, answers, message) => {
  answer = answers ?? goodList;
  const { cost, failures } = await costs(true, answers === undefined ? "http://127.0.0.1:1/" : undefined);
  const host = new URL(origin).host;
  const failure = `Prices of westeurope: ${message.replace("HOST", host)}.`;
  expect(failures).toEqual([failure]);
  expect(cost).toBeUndefined();
});

it("sends no request unless it is told to, and says not a word", async () => {
  expect(await costs(false)).toEqual({ cost: undefined, failures: [] });
  expect(asked).toEqual([]);
});

it("keeps a file, uses it without a network, and fetches the sizes of other stacks again", async () => {
  const file = join(folder, "prices/westeurope.json");
  answer = goodList;
  expect((await costs(true)).cost).toMatchObject({ lines: [{ after: { month: { min: 584, max: 584 } } }] });
  const kept = { ...prices, perMonth: { "Premium_LRS P10": 20 } };
  expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(kept, null, 2)}\n`);
  asked.length = 0;
  expect((await costs(false)).cost).toMatchObject({ lines: [{ after: { month: { min: 584, max: 584 } } }] });
  expect(asked).toEqual([]);
  await costs(true, undefined, clusterOf({ bill: [] }));
  expect(asked.at(-1)).toContain(d4);
  expect(await costs(true, "http://127.0.0.1:1/")).toMatchObject({
    cost: { lines: [{ after: { month: { min: 584, max: 584 } } }] },
    failures: ["Prices of westeurope: 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1 (3 tries)."],
  });
});

it.each(["{", '{"version":2}'])("says what is wrong with a damaged file: %s", async (content) => {
  mkdirSync(join(folder, "prices"), { recursive: true });
  writeFileSync(join(folder, "prices/westeurope.json"), content);
  const failure = "Prices of westeurope: prices/westeurope.json is not a price list: delete it.";
  expect(await costs(false)).toEqual({ cost: undefined, failures: [failure] });
});

it("never leaves its folder, whatever region a foreign plan names", () => {
  expect(pricesFile("../../etc/x")).toBe("prices/etcx.json");
});
