import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  downloadText,
  loadPinnedManifest,
  ManifestMismatchError,
} from "../../../components/clusterResourceSet/pinnedManifest";
import { type PinnedManifest } from "../../../domain/addons/pinnedManifest";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const good = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: größe\n";
const fileName = "tigera-operator-v3.31.7.yaml";
const quickly = (url: string) => downloadText(url, { backoffMs: 1 });

async function failure(promise: Promise<unknown>): Promise<Error> {
  const outcome = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(Error);
  return outcome as Error;
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "manifests-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});
const cached = () => readFileSync(join(folder, fileName), "utf8");
const putIntoCache = (text: string) => {
  writeFileSync(join(folder, fileName), text);
};

describe("online", () => {
  let server: Server;
  let requests: number;
  let answer: (response: ServerResponse) => void;
  let pinned: PinnedManifest;

  beforeEach(async () => {
    requests = 0;
    answer = (response) => response.end(good);
    server = createServer((_, response) => {
      requests += 1;
      answer(response);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    pinned = {
      name: "tigera-operator",
      version: "v3.31.7",
      url: `http://127.0.0.1:${port}/tigera-operator.yaml`,
      sha256: sha256(good),
    };
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("downloads and verifies without a cache", async () => {
    expect(await loadPinnedManifest(pinned, { offline: false })).toEqual({ text: good, verified: true });
    expect(requests).toBe(1);
  });

  it("caches what it downloaded, and downloads it only once", async () => {
    const cacheDir = join(folder, "not", "yet");
    const first = await loadPinnedManifest(pinned, { offline: false, cacheDir });
    expect(first).toEqual({ text: good, verified: true });
    expect(await loadPinnedManifest(pinned, { offline: false, cacheDir })).toEqual(first);
    expect(requests).toBe(1);
    expect(readdirSync(cacheDir)).toEqual([fileName]);
    expect(readFileSync(join(cacheDir, fileName), "utf8")).toBe(good);
  });

  it("replaces a cached file with another hash", async () => {
    putIntoCache(good.slice(0, 20));
    expect(await loadPinnedManifest(pinned, { offline: false, cacheDir: folder })).toEqual({
      text: good,
      verified: true,
    });
    expect(cached()).toBe(good);
    expect(readdirSync(folder)).toEqual([fileName]);
  });

  it("leaves a complete file in the cache when many runs write it at the same time", async () => {
    const loads = Array.from({ length: 8 }, () =>
      loadPinnedManifest(pinned, { offline: false, cacheDir: folder }),
    );
    for (const loaded of await Promise.all(loads)) expect(loaded.verified).toBe(true);
    expect(cached()).toBe(good);
    expect(readdirSync(folder)).toEqual([fileName]);
  });

  it("stops at a download with another hash and caches nothing of it", async () => {
    answer = (response) => response.end("<html></html>");
    const error = await failure(loadPinnedManifest(pinned, { offline: false, cacheDir: folder }));
    expect(error).toBeInstanceOf(ManifestMismatchError);
    expect(error.message).toContain(sha256("<html></html>"));
    expect(error.message).toContain(sha256(good));
    expect(requests).toBe(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves a wrong cached file alone when the download is wrong too", async () => {
    putIntoCache("old");
    answer = (response) => response.end("new");
    await failure(loadPinnedManifest(pinned, { offline: false, cacheDir: folder }));
    expect(cached()).toBe("old");
  });

  it.each([500, 503, 429, 408])("tries again after HTTP %i", async (status) => {
    answer = (response) => (requests < 3 ? response.writeHead(status).end("busy") : response.end(good));
    const loaded = await loadPinnedManifest(pinned, { offline: false, fetchText: quickly });
    expect(loaded.verified).toBe(true);
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
    expect(await loadPinnedManifest(pinned, { offline: false, fetchText: quickly })).toMatchObject({
      verified: true,
    });
    expect(requests).toBe(3);
  });

  it("gives up after three tries and says how to do without the download", async () => {
    answer = (response) => response.writeHead(503).end();
    const error = await failure(loadPinnedManifest(pinned, { offline: false, fetchText: quickly }));
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
    const error = await failure(loadPinnedManifest(pinned, { offline: false, fetchText: quickly }));
    expect(error.message).toContain("HTTP 404\n");
    expect(requests).toBe(1);
  });

  it("does not wait for ever", async () => {
    answer = () => undefined;
    const error = await failure(downloadText(pinned.url, { tries: 2, timeoutMs: 300, backoffMs: 1 }));
    expect(error.message).toMatch(/timeout.*\(2 tries\)/);
    expect(requests).toBe(2);
  });

  it("says why a connection cannot be made", async () => {
    await new Promise((resolve) => server.close(resolve));
    const error = await failure(downloadText(pinned.url, { backoffMs: 1 }));
    expect(error.message).toContain("ECONNREFUSED");
    expect(error.message).toContain("(3 tries)");
    server = createServer().listen(0, "127.0.0.1");
  });

  it("names the folder that cannot be read", async () => {
    writeFileSync(join(folder, "file"), "");
    const cacheDir = join(folder, "file");
    const error = await failure(loadPinnedManifest(pinned, { offline: false, cacheDir }));
    expect(error.message).toContain(`Cannot read ${join(cacheDir, fileName)}`);
    expect(error.message).toContain("CAPZ_WINDOWS_MANIFEST_CACHE");
    expect(requests).toBe(0);
  });
});
