import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { sha256 } from "../../addons/pinnedManifest";
import { run } from "../../commands/images/cli";
import type { Plan } from "../../plan/model/plan";
import { updateInline } from "../support/inlinePlans";
import { said } from "../support/said";
import { minimal, projectDir } from "../support/stacks";
import { temporaryFolder } from "../support/temporaryFolder";

/** Digests of what installs Cluster API, by `npm run images -- --digests`. */

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;
const sha = (body: string): string => `sha256:${sha256(body)}`;
const files: Readonly<Record<string, string>> = {
  "https://charts.jetstack.io/index.yaml": `entries: { cert-manager: [{ version: v1.21.2, urls: [charts/a.tgz], digest: ${sha256("archive 1")} }] }`,
  "https://charts.jetstack.io/charts/a.tgz": "archive 1",
  "https://kubernetes-sigs.github.io/cluster-api-operator/index.yaml":
    'entries: { cluster-api-operator: [{ version: v0.29.0, urls: ["https://files.example/b.tgz"] }] }',
  "https://files.example/b.tgz": "archive 2",
};
/** Those of the files, where every manifest is empty. */
const artifacts = {
  ...{ azure: sha(""), bootstrap: sha(""), certManager: sha("archive 1"), controlPlane: sha("") },
  ...{ core: sha(""), operator: sha("archive 2") },
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
      `no clusterApi.digests.certManager: ${url} has ${sha("changed").replace(":", " ")}, but https://charts.jetstack.io/index.yaml lists ${sha256("archive 1")}`,
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
