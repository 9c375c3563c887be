import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { ManifestMismatchError, sha256 } from "../../addons/pinnedManifest";
import { providerPins } from "capz-windows-platform/versions";
import { fetchSchemas, pinnedReleases, pinSchemas, type SchemaPins } from "../../scripts/schemas/schemas";
import { projectDir } from "../support/stacks";

/** `npm run schemas`, against a local server. */

const one = "kind: CustomResourceDefinition\nmetadata: { name: größe }\n";
const two = "kind: CustomResourceDefinition\n";
const pins: SchemaPins = {
  core: {
    repository: "owner/core",
    version: "v1.2.3",
    files: { "config/crd/bases/things.yaml": sha256(one), "other/crds/others.yaml": sha256(two) },
  },
};
const published = {
  "/owner/core/v1.2.3/config/crd/bases/things.yaml": one,
  "/owner/core/v1.2.3/other/crds/others.yaml": two,
};

let out: string;
let served: Record<string, string>;
let requests: string[];
let server: Server;
let baseUrl: string;

beforeEach(async () => {
  out = join(mkdtempSync(join(tmpdir(), "capz-windows-schemas-")), "not", "yet");
  served = { ...published };
  requests = [];
  server = createServer(({ url = "" }, response) => {
    requests.push(url);
    const text = served[url];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(join(out, "../.."), { recursive: true });
});

const filesIn = (folder: string): string[] =>
  existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]).sort() : [];
const complete = ["core-v1.2.3", "core-v1.2.3/others-v1.2.3.yaml", "core-v1.2.3/things-v1.2.3.yaml"];

it("writes one file for each CRD, in a directory for each release, and nothing else", async () => {
  expect(await fetchSchemas(pins, out, { baseUrl })).toEqual({ files: 2, downloaded: 2 });
  expect(requests.sort()).toEqual(Object.keys(published).sort());
  expect(filesIn(out)).toEqual(complete);
  expect(readFileSync(join(out, "core-v1.2.3/things-v1.2.3.yaml"), "utf8")).toBe(one);
});

it("needs no network if the cache is complete", async () => {
  await fetchSchemas(pins, out, { baseUrl });
  const fetchText = () => Promise.reject(new Error("no download was expected"));
  expect(await fetchSchemas(pins, out, { fetchText })).toEqual({ files: 2, downloaded: 0 });
});

it("replaces a cached file that was edited, and no other file", async () => {
  await fetchSchemas(pins, out, { baseUrl });
  writeFileSync(join(out, "core-v1.2.3/others-v1.2.3.yaml"), "edited");
  expect(await fetchSchemas(pins, out, { baseUrl })).toEqual({ files: 2, downloaded: 1 });
  expect(readFileSync(join(out, "core-v1.2.3/others-v1.2.3.yaml"), "utf8")).toBe(two);
});

it("refuses a download that differs from the pinned file, and does not keep it", async () => {
  served["/owner/core/v1.2.3/other/crds/others.yaml"] = "<html>Sign in</html>";
  const failed = fetchSchemas(pins, out, { baseUrl });
  await expect(failed).rejects.toThrow(ManifestMismatchError);
  await expect(failed).rejects.toThrow(
    [
      "others v1.2.3 is not the file that was pinned, so nothing of it is used.",
      `  url:             ${baseUrl}/owner/core/v1.2.3/other/crds/others.yaml`,
      `  expected sha256: ${sha256(two)}`,
      `  actual sha256:   ${sha256("<html>Sign in</html>")}`,
      "A proxy's error page, a half-written or an edited file does this: download it again, unchanged, and if you",
      `keep it in ${join(out, "core-v1.2.3")}, replace others-v1.2.3.yaml there.`,
      "If the file at the url itself has changed, find out why before you trust it.",
    ].join("\n"),
  );
  expect(filesIn(out)).not.toContain("core-v1.2.3/others-v1.2.3.yaml");
  expect(filesIn(out).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

it("says where to put a file that cannot be downloaded, and does not try all others", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`crds/c${index}.yaml`, sha256("")] as const),
  );
  const failed = fetchSchemas({ core: { ...pins.core!, files: many } }, out, { baseUrl });
  const message = await failed.then(
    () => "",
    (error: unknown) => String(error),
  );
  // Several files are downloaded in parallel, so any of them may fail first.
  const name = /download (c\d) /.exec(message)?.[1] ?? "none";
  expect(message).toContain(
    [
      `Cannot download ${name} v1.2.3: HTTP 404`,
      `  url: ${baseUrl}/owner/core/v1.2.3/crds/${name}.yaml`,
      `Without access to it from here: put the file, as ${name}-v1.2.3.yaml, into ${join(out, "core-v1.2.3")}.`,
    ].join("\n"),
  );
  expect(requests.length).toBeLessThan(20);
});

it("deletes the directory of another release of a pinned project, and no other files", async () => {
  for (const name of ["core-v1.2.2", "core-notes", "mine-v1.0.0"]) {
    mkdirSync(join(out, name), { recursive: true });
  }
  await fetchSchemas(pins, out, { baseUrl });
  expect(readdirSync(out).sort()).toEqual(["core-notes", "core-v1.2.3", "mine-v1.0.0"]);
});

describe("--pin", () => {
  it("pins the same files of another release, with the hashes of the downloads", async () => {
    served = {
      "/owner/core/v2.0.0/config/crd/bases/things.yaml": "new",
      "/owner/core/v2.0.0/other/crds/others.yaml": two,
    };
    expect(await pinSchemas(pins, { core: "v2.0.0" }, { baseUrl })).toEqual({
      core: {
        repository: "owner/core",
        version: "v2.0.0",
        files: { "config/crd/bases/things.yaml": sha256("new"), "other/crds/others.yaml": sha256(two) },
      },
    });
  });

  it("names the file that the release does not have", async () => {
    await expect(pinSchemas(pins, { core: "v9.9.9" }, { baseUrl })).rejects.toThrow(
      `Cannot download ${baseUrl}/owner/core/v9.9.9/config/crd/bases/things.yaml: HTTP 404. ` +
        "If the release has moved or dropped it, change its path in scripts/schemas/pins.json first.",
    );
  });
});

describe("scripts/schemas.js", () => {
  const run = async (args: readonly string[]) =>
    promisify(execFile)(process.execPath, [join(projectDir, "scripts/schemas.js"), ...args]).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
      (error: unknown) => error as { code: number; stdout: string; stderr: string },
    );

  it("reports what it did, and fails with a message without a stack trace", async () => {
    mkdirSync(out, { recursive: true });
    const file = join(out, "pins.json");
    writeFileSync(file, JSON.stringify(pins));
    const args = ["--out", join(out, "cache"), "--pins", file, "--base-url", baseUrl];
    const { code, stdout } = await run(args);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/cache: 2 CRDs, 2 of them downloaded\n$/)]);
    expect(filesIn(join(out, "cache"))).toEqual(complete);

    served = {};
    const failed = await run([...args, "--out", join(out, "empty")]);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/^Cannot download (things|others) v1\.2\.3: HTTP 404\n/);
    expect(failed.stderr).not.toContain("    at ");
  });
});

describe("scripts/schemas/pins.json", () => {
  const pinned = JSON.parse(
    readFileSync(join(projectDir, "scripts/schemas/pins.json"), "utf8"),
  ) as SchemaPins;

  it("has the releases that the program installs: after a change run `npm run schemas -- --pin`", () => {
    const versions = Object.entries(pinned).map(([project, { version }]) => [project, version]);
    expect(Object.fromEntries(versions)).toEqual(pinnedReleases);
    // All flavors have the same release of each project. Different ones would need separate keys in pins.json.
    const releases = Object.values(providerPins).map(({ clusterApi, capz }) => `${clusterApi} ${capz}`);
    expect([...new Set(releases)]).toHaveLength(1);
  });

  it("has a sha256 for each file, and no two files with the same name", () => {
    for (const { files } of Object.values(pinned)) {
      expect(Object.values(files).filter((hash) => !/^[0-9a-f]{64}$/.test(hash))).toEqual([]);
      const names = Object.keys(files).map((path) => path.replace(/^.*\//, ""));
      expect(new Set(names).size).toBe(names.length);
    }
  });
});
