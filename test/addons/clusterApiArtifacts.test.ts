import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadArtifact, placeArchive } from "../../addons/clusterApiArtifacts";
import { ManifestMismatchError, sha256 } from "../../addons/pinnedManifest";

/** Bytes that are no text, as those of an archive. */
const archive = Buffer.from([0x1f, 0x8b, 0xff, 0xfe, 0x00, 0xc3]);
const other = Buffer.from("another archive");

let server: Server;
let folder: string;
let asked: string[];
let files: Record<string, Buffer | string>;
let base: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "artifacts-"));
  asked = [];
  files = {
    "/index.yaml":
      "entries: { cert-manager: [{ version: v1.21.2, urls: [charts/cert-manager-v1.21.2.tgz] }] }",
    "/charts/cert-manager-v1.21.2.tgz": archive,
  };
  server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const body = files[url];
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  rmSync(folder, { recursive: true });
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const load = (bytes: Buffer, offline = false) =>
  loadArtifact(
    {
      ...{ part: "certManager", name: "cert-manager", version: "v1.21.2", isChart: true },
      ...{ url: `${base}/index.yaml`, sha256: sha256(bytes) },
    },
    { cacheDir: folder, offline },
  );

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

it("takes the archive that the index names, once, and keeps its bytes as they are", async () => {
  expect(await load(archive)).toEqual({ bytes: archive, verified: true });
  expect(readFileSync(join(folder, "cert-manager-v1.21.2.tgz"))).toEqual(archive);
  expect(await load(archive)).toEqual({ bytes: archive, verified: true });
  expect(await load(archive, true)).toEqual({ bytes: archive, verified: true });
  expect(asked).toEqual(["/index.yaml", "/charts/cert-manager-v1.21.2.tgz"]);
});

it("uses nothing of an archive with another sha256", async () => {
  files["/charts/cert-manager-v1.21.2.tgz"] = other;
  await expect(load(archive)).rejects.toBeInstanceOf(ManifestMismatchError);
  expect(await messageOf(load(archive))).toBe(
    `cert-manager v1.21.2 is not the file that was pinned, so nothing of it is used.
  url:             ${base}/charts/cert-manager-v1.21.2.tgz
  expected sha256: ${sha256(archive)}
  actual sha256:   ${sha256(other)}
A proxy's error page, a half-written or an edited file does this: download it again, unchanged, and if you
keep it in the folder that CAPZ_WINDOWS_MANIFEST_CACHE names, replace cert-manager-v1.21.2.tgz there.
If the file at the url itself has changed, find out why before you trust it.
The sha256 is clusterApi.digests.certManager of the stack file. If that is one of another version, write that of v1.21.2:
npm run images -- NAME --digests`,
  );
  expect(readdirSync(folder)).toEqual([]);
});

it("downloads nothing offline, and does not use what the cache has instead", async () => {
  writeFileSync(join(folder, "cert-manager-v1.21.2.tgz"), other);
  expect(await load(archive, true)).toEqual({
    verified: false,
    reason: `offline, and ${join(folder, "cert-manager-v1.21.2.tgz")} has sha256 ${sha256(other)} instead of ${sha256(archive)}`,
  });
  expect(asked).toEqual([]);
});

it("says what it cannot download", async () => {
  const advice = `Without access to it from here: put the file, as cert-manager-v1.21.2.tgz, into a folder and name that
folder in the environment variable CAPZ_WINDOWS_MANIFEST_CACHE.`;
  delete files["/charts/cert-manager-v1.21.2.tgz"];
  expect(await messageOf(load(archive))).toBe(
    `Cannot download cert-manager v1.21.2: HTTP 404\n  url: ${base}/charts/cert-manager-v1.21.2.tgz\n${advice}`,
  );
  files["/index.yaml"] = "entries: {}";
  expect(await messageOf(load(archive))).toBe(
    `Cannot download cert-manager v1.21.2: ${base}/index.yaml does not list cert-manager v1.21.2\n  url: ${base}/index.yaml\n${advice}`,
  );
});

it("puts an archive where Helm reads it, and leaves the right one alone", () => {
  const path = join(folder, "charts", "a.tgz");
  placeArchive(path, archive);
  expect(readFileSync(path)).toEqual(archive);
  placeArchive(path, other);
  expect(readFileSync(path)).toEqual(other);
  chmodSync(join(folder, "charts"), 0o500);
  placeArchive(path, other);
  mkdirSync(join(folder, "taken.tgz"));
  expect(() => {
    placeArchive(join(folder, "taken.tgz"), archive);
  }).toThrow(/^Cannot write \S+taken\.tgz, from which Helm takes the verified chart: /);
});
