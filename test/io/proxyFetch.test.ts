import http from "node:http";
import type { AddressInfo } from "node:net";
import { Arm } from "../../commands/azure/arm";
import { proxyFetch } from "capz-windows-kit/io/proxyFetch";
import { askRegistry } from "windows-workloads/registry";

/** Requests of commands through a proxy that answers for every host. */

const seen: string[] = [];
const saved = { ...process.env };
let proxy: http.Server;

beforeAll(async () => {
  proxy = http.createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      seen.push([request.method, request.url, request.headers.authorization ?? "-", body].join(" "));
      if (request.url === "http://a.example.com/silent") {
        return;
      }
      const moved = request.url?.startsWith("http://a.example.com/moved") === true;
      response
        .writeHead(moved ? 307 : 200, moved ? { location: "http://b.example.com/" } : { "x-by": "proxy" })
        .end(JSON.stringify({ value: "answer" }));
    });
  });
  proxy.on("connect", (request: http.IncomingMessage, socket: { end: (text: string) => void }) => {
    seen.push(`CONNECT ${request.url ?? ""}`);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  Object.assign(process.env, { http_proxy: address, https_proxy: address, no_proxy: "" });
});

beforeEach(() => {
  seen.length = 0;
});

afterAll(() => {
  process.env = saved;
  proxy.closeAllConnections();
  proxy.close();
});

it("Azure Resource Manager is asked through the proxy, with the login", async () => {
  const arm = new Arm({ endpoint: "http://arm.example.com", token: () => Promise.resolve("t") });
  expect(await arm.get("/x", "2023-03-01")).toEqual({ value: "answer" });
  expect(seen).toEqual(["GET http://arm.example.com/x?api-version=2023-03-01 Bearer t "]);
});

it("a proxy that refuses is named as the cause", async () => {
  const arm = new Arm({ token: () => Promise.resolve("t") });
  await expect(arm.get("/x", "2023-03-01")).rejects.toThrow(
    /^no connection: the proxy 127\.0\.0\.1:\d+ answered HTTP 403$/,
  );
  expect(seen).toEqual(["CONNECT management.azure.com:443"]);
});

it("registries are asked through the proxy", async () => {
  await expect(askRegistry("registry.example.com/app:1")).rejects.toThrow(
    "the registry registry.example.com cannot be reached",
  );
  expect(seen).toEqual(["CONNECT registry.example.com:443"]);
});

it("a redirect to another host does not get the login", async () => {
  const answer = await proxyFetch("http://a.example.com/moved", { headers: { authorization: "Bearer t" } });
  expect([answer.status, answer.headers.get("x-by"), await answer.json()]).toEqual([
    ...[200, "proxy", { value: "answer" }],
  ]);
  expect(seen).toEqual(["GET http://a.example.com/moved Bearer t ", "GET http://b.example.com/ - "]);
});

it("what another host says is not what Azure says", async () => {
  const arm = new Arm({ endpoint: "http://a.example.com", token: () => Promise.resolve("t") });
  await expect(arm.get("/moved", "1")).rejects.toThrow("the answer is not that of Azure: HTTP 307");
  expect(seen).toEqual(["GET http://a.example.com/moved?api-version=1 Bearer t "]);
});

it("a time limit ends a request as it ends fetch", async () => {
  const late = proxyFetch("http://a.example.com/silent", { signal: AbortSignal.timeout(10) });
  await expect(late).rejects.toMatchObject({ name: "TimeoutError" });
});
