import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PinnedManifest } from "../../addons/pinnedManifest";

/** A pinned manifest, and a folder for each test in which it may be. */

export const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");
export const good = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: größe\n";
export const manifest: PinnedManifest = {
  name: "tigera-operator",
  version: "v3.31.7",
  url: "https://example.com/v3.31.7/tigera-operator.yaml",
  sha256: sha256(good),
};
export const fileName = "tigera-operator-v3.31.7.yaml";

export let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "manifests-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

export const cached = (): string => readFileSync(join(folder, fileName), "utf8");
export const putIntoCache = (text: string): void => {
  writeFileSync(join(folder, fileName), text);
};
