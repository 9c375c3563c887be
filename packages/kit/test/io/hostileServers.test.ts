import { gzipSync } from "node:zlib";
import type { KubeConfig } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import { apiServerAt } from "capz-windows-kit/io/apiServer";
import { exchange, followed } from "capz-windows-kit/io/exchange";
import { allPages, listBudget } from "capz-windows-kit/io/pages";
import { proxyFetch } from "capz-windows-kit/io/proxyFetch";
import { drip, endlessBody, Hostile, json } from "capz-windows-test-kit/hostileServer";

/** No server can fill the memory, keep a request waiting, or get a token that is not its own. */

const server = new Hostile();
const other = new Hostile();
let url = "";
let otherUrl = "";

beforeAll(async () => {
  url = await server.listen();
  otherUrl = await other.listen();
});

afterAll(() => {
  server.close();
  other.close();
});

const limits = { maxBytes: 100_000, totalMs: 60_000 };
const short = { totalMs: 300 };

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

const apiServer = () =>
  apiServerAt({ applyToHTTPSOptions: () => Promise.resolve() } as unknown as KubeConfig, url);

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
});
