import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parse } from "yaml";
import { sha256 } from "../../addons/pinnedManifest";
import { run } from "../../commands/images/cli";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { said } from "capz-windows-test-kit/said";
import { minimal, projectDir } from "../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** Digests of what installs Cluster API, by `npm run images -- --digests`. */

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const sha = (body: string | Uint8Array): string => `sha256:${sha256(body)}`;
const manifest = (provider: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  labels:\n    cluster.x-k8s.io/provider: ${provider}\n`;
const release = (repository: string, version: string, file: string): string =>
  `https://github.com/kubernetes-sigs/${repository}/releases/download/${version}/${file}-components.yaml`;
const manifests = {
  azure: manifest("infrastructure-azure"),
  bootstrap: manifest("bootstrap-kubeadm"),
  controlPlane: manifest("control-plane-kubeadm"),
  core: manifest("cluster-api"),
};
const urls = {
  azure: release("cluster-api-provider-azure", "v1.27.0", "infrastructure"),
  bootstrap: release("cluster-api", "v1.14.2", "bootstrap"),
  controlPlane: release("cluster-api", "v1.14.2", "control-plane"),
  core: release("cluster-api", "v1.14.2", "core"),
};
const gzip = (text: string): Uint8Array => gzipSync(text);
const files: Readonly<Record<string, string | Uint8Array>> = {
  "https://charts.jetstack.io/index.yaml": `entries: { cert-manager: [{ version: v1.21.2, urls: [charts/a.tgz], digest: ${sha256(gzip("archive 1"))} }] }`,
  "https://charts.jetstack.io/charts/a.tgz": gzip("archive 1"),
  "https://kubernetes-sigs.github.io/cluster-api-operator/index.yaml":
    'entries: { cluster-api-operator: [{ version: v0.29.0, urls: ["https://files.example/b.tgz"] }] }',
  "https://files.example/b.tgz": gzip("archive 2"),
  ...Object.fromEntries(
    Object.entries(urls).map(([part, url]) => [url, manifests[part as keyof typeof urls]]),
  ),
};
/** Those of the files. */
const artifacts = {
  ...{
    azure: sha(manifests.azure),
    bootstrap: sha(manifests.bootstrap),
    certManager: sha(gzip("archive 1")),
  },
  ...{
    controlPlane: sha(manifests.controlPlane),
    core: sha(manifests.core),
    operator: sha(gzip("archive 2")),
  },
};

const dir = temporaryFolder();
const file = (): string => join(dir, "Pulumi.test.yaml");
beforeEach(() => {
  writeFileSync(file(), "config: {}\n");
});

let plan: Plan;
beforeAll(async () => {
  const whole = await updateInline(minimal());
  // Without images and manifests, which test/images/digests.test.ts is about.
  const objects = { ...whole.objects, management: [], workload: [], sample: [] };
  plan = { ...whole, objects, cluster: { ...whole.cluster, addons: [] } };
});

function digestsOf(digests: object, args: readonly string[] = [], published = {}) {
  const settings = { ...plan.settings, clusterApi: { ...plan.settings.clusterApi, digests } };
  return said(() =>
    run(["--config-file", file(), "--digests", ...args], {
      ...{ projectDir, planner: () => Promise.resolve({ ...plan, settings }) },
      fetchBytes: (url) => Promise.resolve(({ ...files, ...published } as typeof files)[url] ?? ""),
    }),
  );
}

it.each([
  [
    "an old digest",
    "  digests:\n      azure: old # mine\n    syncPeriodMinutes: 5",
    "    syncPeriodMinutes: 5",
  ],
  ["other keys", "  syncPeriodMinutes: 5", undefined],
])("writes those of charts and providers below a clusterApi with %s", async (_, before, after) => {
  const key = "config:\n  capz-windows:clusterApi: # mine\n";
  writeFileSync(file(), `${key}  ${before}\n  x: y\n`);
  const { code, out } = await digestsOf({ azure: digest("a") }, ["--write"]);
  const lines = ["digests:", ...Object.entries(artifacts).map(([part, one]) => `  ${part}: ${one}`)];
  const indented = (by: string) => lines.map((line) => `${by}${line}\n`).join("");
  expect({ code, out }).toEqual({
    code: 2,
    out: `written into ${file()}:\n  clusterApi:\n${indented("    ")}`,
  });
  const written = indented("    ");
  expect(readFileSync(file(), "utf8")).toBe(
    after === undefined ? `${key}  ${before}\n${written}  x: y\n` : `${key}${written}${after}\n  x: y\n`,
  );
  expect(await digestsOf(artifacts)).toMatchObject({ code: 0, out: "nothing new\n" });
});

it("adds clusterApi to a stack file without it, and leaves one in braces alone", async () => {
  writeFileSync(file(), "config:\n  x: y\n");
  await digestsOf({}, ["--write"]);
  expect(parse(readFileSync(file(), "utf8"))).toEqual({
    config: { x: "y", "capz-windows:clusterApi": { digests: artifacts } },
  });
  const braces = "config:\n  capz-windows:clusterApi: { syncPeriodMinutes: 5 }\n";
  writeFileSync(file(), braces);
  const { out } = await digestsOf({}, ["--write"]);
  expect(out).toMatch(
    /has its config or clusterApi in braces: write these lines into it:\n {2}clusterApi:\n/,
  );
  expect(readFileSync(file(), "utf8")).toBe(braces);
});

it("gives no digest of an archive that is not the one in the index, or is not there", async () => {
  const url = "https://charts.jetstack.io/charts/a.tgz";
  const changed = {
    [url]: "changed",
    "https://kubernetes-sigs.github.io/cluster-api-operator/index.yaml": "",
  };
  const others = Object.fromEntries(
    Object.entries(artifacts).filter(([part]) => !["certManager", "operator"].includes(part)),
  );
  expect(await digestsOf(others, [], changed)).toMatchObject({
    code: 2,
    out: [
      `no clusterApi.digests.certManager: ${url} has ${sha("changed").replace(":", " ")}, but https://charts.jetstack.io/index.yaml lists ${sha256(gzip("archive 1"))}`,
      "no clusterApi.digests.operator: https://kubernetes-sigs.github.io/cluster-api-operator/index.yaml does not list cluster-api-operator 0.29.0",
      "",
    ].join("\n"),
  });
  const { out } = await digestsOf({ ...artifacts, operator: digest("e") }, ["--json"], changed);
  expect(JSON.parse(out)).toMatchObject({
    changed: [],
    clusterApi: { digests: { operator: digest("e") }, changed: [] },
  });
});

it("gives no digest of a page of a proxy, or of the manifest of another provider", async () => {
  const page = "<html>kind: CustomResourceDefinition</html>";
  const others = { [urls.core]: page, [urls.azure]: manifests.core, "https://files.example/b.tgz": page };
  const before = readFileSync(file(), "utf8");
  const known = { ...artifacts, core: digest("c"), azure: digest("a"), operator: digest("e") };
  const something = "something else than a manifest of this provider; a proxy may have answered";
  expect(await digestsOf(known, ["--write"], others)).toMatchObject({
    code: 2,
    out: [
      `no clusterApi.digests.azure: ${urls.azure} answers HTTP 200 with ${something}`,
      `no clusterApi.digests.core: ${urls.core} answers HTTP 200 with ${something}`,
      "no clusterApi.digests.operator: https://files.example/b.tgz answers HTTP 200 with something else than an archive; a proxy may have answered",
      "",
    ].join("\n"),
  });
  expect(readFileSync(file(), "utf8")).toBe(before);
});
