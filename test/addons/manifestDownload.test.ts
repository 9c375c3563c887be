import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { join } from "node:path";
import { loadPinnedManifest, ManifestMismatchError, type PinnedManifest } from "../../addons/pinnedManifest";
import { download } from "capz-windows-kit/io/download";
import { proxyFor } from "capz-windows-kit/io/proxy";
import { requestOf } from "capz-windows-kit/io/proxiedRequest";
import { cached, fileName, folder, good, manifest, putIntoCache, sha256 } from "./manifestCache";

const verified = { text: good, verified: true };
const quickly = (url: string) => download(url, { backoffMs: 1 });

async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  return outcome as Error;
}

describe("online", () => {
  let server: Server;
  let requests: number;
  let answer: (response: ServerResponse) => void;
  let pinned: PinnedManifest;

  const load = (options: object = {}) => loadPinnedManifest(pinned, { offline: false, ...options });

  beforeEach(async () => {
    requests = 0;
    answer = (response) => response.end(good);
    server = createServer((_, response) => {
      requests += 1;
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    pinned = { ...manifest, url: `http://127.0.0.1:${port}/tigera-operator.yaml` };
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("downloads and verifies without a cache", async () => {
    expect(await load()).toEqual(verified);
    expect(requests).toBe(1);
  });

  it("caches what it downloaded, and downloads it only once", async () => {
    const cacheDir = join(folder, "not", "yet");
    expect(await load({ cacheDir })).toEqual(verified);
    expect(await load({ cacheDir })).toEqual(verified);
    expect(requests).toBe(1);
    expect(readdirSync(cacheDir)).toEqual([fileName]);
    expect(readFileSync(join(cacheDir, fileName), "utf8")).toBe(good);
  });

  it("replaces a cached file with another hash", async () => {
    putIntoCache(good.slice(0, 20));
    expect(await load({ cacheDir: folder })).toEqual(verified);
    expect(cached()).toBe(good);
    expect(readdirSync(folder)).toEqual([fileName]);
  });

  it("leaves a complete file in the cache when many runs write it at the same time", async () => {
    const loads = Array.from({ length: 8 }, () => load({ cacheDir: folder }));
    for (const loaded of await Promise.all(loads)) expect(loaded.verified).toBe(true);
    expect(cached()).toBe(good);
    expect(readdirSync(folder)).toEqual([fileName]);
  });

  it("stops at a download with another hash and caches nothing of it", async () => {
    answer = (response) => response.end("<html></html>");
    const error = await failure(load({ cacheDir: folder }));
    expect(error).toBeInstanceOf(ManifestMismatchError);
    expect(error.message).toContain(sha256("<html></html>"));
    expect(error.message).toContain(sha256(good));
    expect(requests).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves a wrong cached file alone when the download is wrong too", async () => {
    putIntoCache("old");
    answer = (response) => response.end("new");
    await failure(load({ cacheDir: folder }));
    expect(cached()).toBe("old");
  });

  it.each([500, 503, 429, 408])("tries again after HTTP %i", async (status) => {
    answer = (response) => (requests < 3 ? response.writeHead(status).end("busy") : response.end(good));
    expect(await load({ fetchBytes: quickly })).toEqual(verified);
    expect(requests).toBe(3);
  });

  it("tries again when the connection ends before or during the answer", async () => {
    answer = (response) => {
      if (requests === 1) response.destroy();
      else if (requests === 2) {
        response.writeHead(200, { "content-length": "1000" });
        response.write(good, () => response.destroy());
      } else response.end(good);
    };
    expect(await load({ fetchBytes: quickly })).toEqual(verified);
    expect(requests).toBe(3);
  });

  it("gives up after three tries and says how to do without the download", async () => {
    answer = (response) => response.writeHead(503).end();
    const error = await failure(load({ fetchBytes: quickly }));
    expect(error.message).toBe(
      [
        "Cannot download tigera-operator v3.31.7: HTTP 503 (3 tries)",
        `  url: ${pinned.url}`,
        "Without access to it from here: put the file, as tigera-operator-v3.31.7.yaml, into a folder and name that",
        "folder in the environment variable CAPZ_WINDOWS_MANIFEST_CACHE.",
      ].join("\n"),
    );
    expect(requests).toBe(3);
  });

  it("does not try again after HTTP 404", async () => {
    answer = (response) => response.writeHead(404).end();
    const error = await failure(load({ fetchBytes: quickly }));
    expect(error.message).toContain("HTTP 404\n");
    expect(requests).toBe(1);
  });

  it("does not wait for ever", async () => {
    answer = () => undefined;
    const error = await failure(download(pinned.url, { tries: 2, timeoutMs: 300, backoffMs: 1 }));
    expect(error.message).toMatch(/timeout.*\(2 tries\)/);
    expect(requests).toBe(2);
  });

  it("says why a connection cannot be made", async () => {
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(download(pinned.url, { backoffMs: 1 }));
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.message).toContain("(3 tries)");
    server = createServer().listen(0, "127.0.0.1");
  });

  it("hashes bytes as sha256sum does, and leaves a byte order mark out of the text", async () => {
    const bytes = Buffer.from(`\ufeff${good}`);
    answer = (response) => response.end(bytes);
    const own = { ...pinned, sha256: sha256(bytes) };
    expect(await loadPinnedManifest(own, { offline: false, cacheDir: folder })).toEqual(verified);
    expect(readFileSync(join(folder, fileName))).toEqual(bytes);
    expect(await loadPinnedManifest(own, { offline: true, cacheDir: folder })).toEqual(verified);
  });

  it("stops at 20 MB, and does not try again", async () => {
    const part = Buffer.alloc(2 ** 20);
    answer = (response) => {
      const more = () => {
        while (!response.destroyed && response.write(part));
      };
      response.on("drain", more);
      more();
    };
    expect((await failure(download(pinned.url))).message).toBe("the answer has more than 20 MB");
    expect(requests).toBe(1);
  });

  it("follows redirects, but not for ever", async () => {
    answer = (response) =>
      requests === 3 ? response.end(good) : response.writeHead(302, { location: "/elsewhere" }).end();
    expect(String(await download(pinned.url))).toBe(good);
    answer = (response) => response.writeHead(302, { location: "/elsewhere" }).end();
    expect((await failure(download(pinned.url))).message).toBe("more than 5 redirects");
  });

  describe("through a proxy", () => {
    const seen: unknown[] = [];
    // A server no longer counts a connection as its own after CONNECT.
    const sockets: Duplex[] = [];
    let status = 200;
    let proxy: Server;
    let env: Readonly<Record<string, string>>;

    beforeEach(async () => {
      seen.length = 0;
      status = 200;
      proxy = createServer((request, response) => {
        seen.push([request.method, request.url, request.headers["proxy-authorization"]]);
        response.end(good);
      }).on("connect", (request, socket: Duplex) => {
        seen.push([request.method, request.url, request.headers["proxy-authorization"]]);
        socket.write(`HTTP/1.1 ${status} Whatever\r\n\r\n`);
        sockets.push(socket);
        socket.once("data", (hello: Buffer) => {
          // A TLS handshake that names the server.
          seen.push([hello[0], hello.includes("files.example.com")]);
          socket.destroy();
        });
      });
      await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
      const { port } = proxy.address() as AddressInfo;
      env = { HTTPS_PROXY: `http://bob:s%40fe@127.0.0.1:${port}`, http_proxy: `127.0.0.1:${port}` };
    });
    afterEach(async () => {
      proxy.closeAllConnections();
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => proxy.close(resolve));
    });
    const once = { tries: 1, timeoutMs: 5_000 };

    it("asks for a tunnel to an https server, with the user of the proxy", async () => {
      await failure(download("https://files.example.com/a.yaml", { ...once, env }));
      expect(seen).toEqual([
        ["CONNECT", "files.example.com:443", `Basic ${Buffer.from("bob:s@fe").toString("base64")}`],
        [22, true],
      ]);
    });

    it("asks the server by its name alone, as without a proxy", async () => {
      const { signal } = new AbortController();
      const request = await requestOf(new URL("https://files.example.com/a.yaml"), env, { signal });
      request.on("error", () => undefined).destroy();
      expect(request.getHeader("host")).toBe("files.example.com");
    });

    it("says what the proxy answered, without its password", async () => {
      status = 407;
      const error = await failure(download("https://files.example.com/a.yaml", { ...once, env }));
      expect(error.message).toMatch(/^the proxy 127\.0\.0\.1:\d+ answered HTTP 407 \(1 tries\)$/);
    });

    it("asks it for an http URL, but not for this machine or for what NO_PROXY names", async () => {
      expect(String(await download("http://files.example.com/a.yaml", { ...once, env }))).toBe(good);
      expect(seen).toEqual([["GET", "http://files.example.com/a.yaml", undefined]]);
      expect(String(await download(pinned.url, { ...once, env }))).toBe(good);
      expect(seen).toHaveLength(1);
    });
  });

  it.each([
    ["https://a.example.com/", "", true],
    ["https://a.example.com/", "*", false],
    ["https://a.example.com/", "example.com", false],
    ["https://a.example.com/", "other.org, .example.com", false],
    ["https://a.example.com/", "*.example.com", false],
    ["https://notexample.com/", "example.com", true],
    ["https://example.com/", "example.com:443", false],
    ["https://example.com/", "example.com:8443", true],
    ["https://10.1.2.3/", "10.0.0.0/8", false],
    ["https://10.1.2.3/", "11.0.0.0/8", true],
    ["https://[fd00::1]/", "fd00::/8", false],
    ["https://[::1]/", "", false],
    ["https://localhost/", "", false],
  ])("%s with NO_PROXY=%s goes through the proxy: %s", (url, NO_PROXY, expected) => {
    const env = { HTTPS_PROXY: "http://proxy.example.org:3128", NO_PROXY };
    expect(proxyFor(new URL(url), env)?.host).toBe(expected ? "proxy.example.org:3128" : undefined);
    expect(proxyFor(new URL(url), { NO_PROXY })).toBeUndefined();
  });

  it("names the folder that cannot be read", async () => {
    writeFileSync(join(folder, "file"), "");
    const cacheDir = join(folder, "file");
    const error = await failure(load({ cacheDir }));
    expect(error.message).toContain(`Cannot read ${join(cacheDir, fileName)}`);
    expect(error.message).toContain("CAPZ_WINDOWS_MANIFEST_CACHE");
    expect(requests).toBe(0);
  });
});
