import { join } from "node:path";
import * as fc from "fast-check";
import { parseAllDocuments } from "yaml";
import { loadPinnedManifest, ManifestMismatchError, verifyManifest } from "../../addons/pinnedManifest";
import { codePoint } from "capz-windows-test-kit/codePoint";
import { cached, fileName, folder, good, manifest, putIntoCache, sha256 } from "./manifestCache";

const neverFetch = (): Promise<string> => Promise.reject(new Error("no download was expected"));

describe("verifying a manifest", () => {
  it("returns the text if it is the pinned one", () => {
    expect(verifyManifest(manifest, good)).toBe(good);
  });

  it("names url, both hashes and what to do otherwise", () => {
    const error = (() => {
      try {
        verifyManifest(manifest, "<html>Sign in</html>\n");
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
        fc.string({ minLength: 1, maxLength: 3, unit: codePoint }),
        (at, more) => {
          const other = good.slice(0, at) + more + good.slice(at);
          expect(() => verifyManifest(manifest, other)).toThrow(ManifestMismatchError);
        },
      ),
    );
  });
});

describe("offline", () => {
  it("returns a placeholder without objects if the file is missing", async () => {
    const loaded = await loadPinnedManifest(manifest, { offline: true, fetchBytes: neverFetch });
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

  it("treats an empty folder name like a missing one", async () => {
    const loaded = await loadPinnedManifest(manifest, { offline: true, cacheDir: "" });
    expect(loaded).toMatchObject({
      verified: false,
      reason: expect.stringContaining("no folder") as unknown,
    });
  });

  it("uses the cache", async () => {
    putIntoCache(good);
    expect(
      await loadPinnedManifest(manifest, { offline: true, cacheDir: folder, fetchBytes: neverFetch }),
    ).toEqual({ text: good, verified: true });
  });

  it("says which file is missing", async () => {
    expect(await loadPinnedManifest(manifest, { offline: true, cacheDir: folder })).toMatchObject({
      verified: false,
      reason: `offline, and ${join(folder, fileName)} does not exist`,
    });
  });

  it("never uses a cached file with another hash", async () => {
    putIntoCache(`${good}# edited\n`);
    const loaded = await loadPinnedManifest(manifest, { offline: true, cacheDir: folder });
    expect(loaded).toMatchObject({
      verified: false,
      reason: `offline, and ${join(folder, fileName)} has sha256 ${sha256(`${good}# edited\n`)} instead of ${sha256(good)}`,
    });
    expect(loaded.text).not.toContain("edited");
    expect(cached()).toContain("edited");
  });
});
