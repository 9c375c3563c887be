import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { parseAllDocuments } from "yaml";
import {
  downloadText,
  loadPinnedManifest,
  ManifestMismatchError,
  verifyManifest,
  type PinnedManifest,
} from "../../../components/clusterResourceSet/pinnedManifest";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const good = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: größe\n";
const manifest = (url: string): PinnedManifest => ({
  name: "tigera-operator",
  version: "v3.31.7",
  url,
  sha256: sha256(good),
});
const elsewhere = manifest("https://example.com/v3.31.7/tigera-operator.yaml");
const fileName = "tigera-operator-v3.31.7.yaml";
const neverFetch = (): Promise<string> => Promise.reject(new Error("no download was expected"));
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

describe("verifying a manifest", () => {
  it("hands back the text that was pinned", () => {
    expect(verifyManifest(elsewhere, good)).toBe(good);
  });

  it("names url, both hashes and what to do otherwise", () => {
    const error = (() => {
      try {
        verifyManifest(elsewhere, "<html>Sign in</html>\n");
      } catch (thrown) {
        return thrown as ManifestMismatchError;
      }
      return undefined;
    })();
    expect(error?.name).toBe("ManifestMismatchError");
    expect(error).toBeInstanceOf(ManifestMismatchError);
    expect(error?.message).toBe(
      [
        "tigera-operator v3.31.7 is not the file that was pinned, so nothing of it is used.",
        "  url:             https://example.com/v3.31.7/tigera-operator.yaml",
        `  expected sha256: ${sha256(good)}`,
        `  actual sha256:   ${sha256("<html>Sign in</html>\n")}`,
        "A proxy's error page, a half-written or an edited file does this: download it again, unchanged, and if you",
        "keep it in the folder that CAPZ_WINDOWS_MANIFEST_CACHE names, replace tigera-operator-v3.31.7.yaml there.",
        "If the file at the url itself has changed, find out why before you trust it.",
      ].join("\n"),
    );
    expect(error?.actual).toBe(sha256("<html>Sign in</html>\n"));
  });

  it("accepts no other text", () => {
    fc.assert(
      fc.property(
        fc.nat(good.length),
        fc.string({ minLength: 1, maxLength: 3, unit: "binary" }),
        (at, more) => {
          const other = good.slice(0, at) + more + good.slice(at);
          expect(() => verifyManifest(elsewhere, other)).toThrow(ManifestMismatchError);
        },
      ),
    );
  });
});

describe("offline", () => {
  it("puts a placeholder without any object in the place of what it does not have", async () => {
    const loaded = await loadPinnedManifest(elsewhere, { offline: true, fetchText: neverFetch });
    expect(loaded).toEqual({
      verified: false,
      text: [
        "# tigera-operator v3.31.7: not in this plan",
        "# url: https://example.com/v3.31.7/tigera-operator.yaml",
        `# sha256: ${sha256(good)}`,
        "",
      ].join("\n"),
      reason: "offline, and no folder is named by CAPZ_WINDOWS_MANIFEST_CACHE",
    });
    expect(parseAllDocuments(loaded.text)).toHaveLength(0);
  });

  it("takes an empty name of a folder for none", async () => {
    const loaded = await loadPinnedManifest(elsewhere, { offline: true, cacheDir: "" });
    expect(loaded).toMatchObject({
      verified: false,
      reason: expect.stringContaining("no folder") as unknown,
    });
  });

  it("uses the cache", async () => {
    putIntoCache(good);
    expect(
      await loadPinnedManifest(elsewhere, { offline: true, cacheDir: folder, fetchText: neverFetch }),
    ).toEqual({ text: good, verified: true });
  });

  it("says which file is missing", async () => {
    expect(await loadPinnedManifest(elsewhere, { offline: true, cacheDir: folder })).toMatchObject({
      verified: false,
      reason: `offline, and ${join(folder, fileName)} does not exist`,
    });
  });

  it("never uses a cached file with another hash", async () => {
    putIntoCache(`${good}# edited\n`);
    const loaded = await loadPinnedManifest(elsewhere, { offline: true, cacheDir: folder });
    expect(loaded).toMatchObject({
      verified: false,
      reason: `offline, and ${join(folder, fileName)} has sha256 ${sha256(`${good}# edited\n`)} instead of ${sha256(good)}`,
    });
    expect(loaded.text).not.toContain("edited");
    expect(cached()).toContain("edited");
  });
});

describe("online", () => {
  let server: Server;
  let requests: number;
  let answer: (response: ServerResponse, request: IncomingMessage) => void;
  let pinned: PinnedManifest;

  beforeEach(async () => {
    requests = 0;
    answer = (response) => response.end(good);
    server = createServer((request, response) => {
      requests += 1;
      answer(response, request);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    pinned = manifest(`http://127.0.0.1:${(server.address() as AddressInfo).port}/tigera-operator.yaml`);
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("downloads and verifies without a cache", async () => {
    expect(await loadPinnedManifest(pinned, { offline: false })).toEqual({ text: good, verified: true });
    expect(requests).toBe(1);
  });

  it("keeps what it downloaded, and asks for it once only", async () => {
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

  it("leaves a whole file in the cache when many runs fill it at once", async () => {
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

  it("tries again when the connection breaks off, before the answer or within it", async () => {
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

  it("does not ask again where there is nothing", async () => {
    answer = (response) => response.writeHead(404).end();
    const error = await failure(loadPinnedManifest(pinned, { offline: false, fetchText: quickly }));
    expect(error.message).toContain("HTTP 404\n");
    expect(requests).toBe(1);
  });

  it("does not wait for ever", async () => {
    answer = () => undefined;
    const error = await failure(downloadText(pinned.url, { tries: 2, timeoutMs: 30, backoffMs: 1 }));
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
