import http from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Has a proxy that answers for every host, for the tests of a file.
 * @returns what it was asked in the current test
 */
export function throughProxy(): readonly string[] {
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
  return seen;
}
