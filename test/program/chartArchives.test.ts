import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManifestMismatchError, sha256 } from "../../addons/pinnedManifest";
import { diffPlans } from "../../plan/compare/diffPlans";
import { impactsOf } from "../../plan/impact/impacts";
import type { Plan } from "../../plan/model/plan";
import type { PlanDocument } from "capz-windows-contract";
import { artifactParts } from "capz-windows-platform/cluster/artifacts";
import { chartArchives } from "../../program/chartArchives";
import { updateInline } from "../support/inlinePlans";
import { documentOf } from "../support/planDocuments";
import { minimal, settingsWith } from "../support/stacks";

const files: Readonly<Record<string, string>> = {
  "https://charts.jetstack.io/index.yaml":
    "entries: { cert-manager: [{ version: v1.21.2, urls: [charts/a.tgz] }] }",
  "https://charts.jetstack.io/charts/a.tgz": "archive 1",
  "https://kubernetes-sigs.github.io/cluster-api-operator/index.yaml":
    'entries: { cluster-api-operator: [{ version: 0.29.0, urls: ["https://files.example/b.tgz"] }] }',
  "https://files.example/b.tgz": "archive 2",
};
const digests = Object.fromEntries(
  artifactParts.map((part) => [
    part,
    `sha256:${sha256(part === "certManager" ? "archive 1" : part === "operator" ? "archive 2" : "manifest")}`,
  ]),
);
const paths = {
  certManager: `.cache/charts/cert-manager-v1.21.2-${sha256("archive 1").slice(0, 12)}.tgz`,
  operator: `.cache/charts/cluster-api-operator-0.29.0-${sha256("archive 2").slice(0, 12)}.tgz`,
};

describe("before a deployment", () => {
  const before = process.cwd();
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "archives-"));
    process.chdir(folder);
  });
  afterEach(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
  });
  const archivesOf = (
    change: Readonly<Record<string, string>> = {},
    offline = false,
    clusterApi = { digests },
  ) =>
    chartArchives(
      settingsWith({ clusterApi }),
      { offline, manifestCache: join(folder, "manifests") },
      (url) => Promise.resolve({ ...files, ...change }[url] ?? "manifest"),
    );

  it("everything is verified, and the archives of charts are where Helm reads them", async () => {
    expect(await archivesOf()).toEqual(paths);
    expect(readFileSync(paths.certManager, "utf8")).toBe("archive 1");
    expect(readFileSync(paths.operator, "utf8")).toBe("archive 2");
    expect(await archivesOf({}, false, { digests: {} })).toEqual({});
  });

  it.each([
    ["https://files.example/b.tgz"],
    [
      "https://github.com/kubernetes-sigs/cluster-api-provider-azure/releases/download/v1.27.0/infrastructure-components.yaml",
    ],
  ])("no archive is there when %s is another file", async (url) => {
    await expect(archivesOf({ [url]: "changed" })).rejects.toThrow(ManifestMismatchError);
    expect(existsSync(".cache")).toBe(false);
  });

  it("a plan names the same files, and makes none, also of what a folder has", async () => {
    expect(await archivesOf({}, true)).toEqual(paths);
    expect(existsSync(".cache")).toBe(false);
    await archivesOf();
    rmSync(".cache", { recursive: true });
    expect(await archivesOf({}, true)).toEqual(paths);
    expect(existsSync(".cache")).toBe(false);
  });
});

describe("a plan with digests", () => {
  const planOf = (clusterApi?: object): Promise<Plan> =>
    updateInline({ ...minimal(), ...(clusterApi && { clusterApi }) });
  const [certManager, operator] = ["cert-manager", "cluster-api-operator"];
  const releaseOf = (plan: Plan, name?: string) =>
    plan.objects.releases.find(({ inputs }) => inputs.name === name)?.inputs;
  /** Their order is that in which promises end. */
  const inOrder = ({ resources }: Plan) => [...resources].sort((a, b) => (a.urn < b.urn ? -1 : 1));
  const others = (plan: Plan) =>
    inOrder(plan).filter(({ type }) => !type.endsWith(":Release") && !type.startsWith("capz-windows:"));

  it("installs charts from the archives, and changes nothing else", async () => {
    const [plain, plan] = [await planOf(), await planOf({ digests })];
    const { repositoryOpts, ...release } = releaseOf(plain, certManager) ?? {};
    expect(repositoryOpts).toEqual({ repo: "https://charts.jetstack.io" });
    expect(releaseOf(plan, certManager)).toEqual({ ...release, chart: paths.certManager });
    expect(releaseOf(plan, operator)).toMatchObject({ chart: paths.operator, version: "0.29.0" });
    expect(releaseOf(plan, operator)).not.toHaveProperty("repositoryOpts");
    expect(others(plan)).toEqual(others(plain));
    expect(plan.cluster.management.providers).toEqual(plain.cluster.management.providers);
    expect(plan.warnings.filter((text) => text.startsWith("clusterApi"))).toEqual([
      "clusterApi.digests: what `pulumi up` verifies of the providers' manifests, the Cluster API operator downloads again later, by their versions, and compares with nothing",
    ]);
  });

  it("has each chart without a digest from its repository, and says what can have none", async () => {
    const componentsRepository = "registry.example.com/capi";
    const plan = await planOf({ componentsRepository, digests: { operator: digests.operator } });
    expect(releaseOf(plan, certManager)).toMatchObject({ chart: "cert-manager" });
    expect(releaseOf(plan, operator)).toMatchObject({ chart: paths.operator });
    expect(plan.warnings.filter((text) => text.startsWith("clusterApi"))).toEqual([
      "clusterApi.digests: no digests are possible for the manifests in registry.example.com/capi, which the Cluster API operator takes by their tags",
    ]);
  });

  it("upgrades a chart in place when its digest comes or changes", async () => {
    const of = async (clusterApi?: object) => documentOf(await planOf(clusterApi));
    const [none, one, another] = [
      await of(),
      await of({ digests: { operator: digests.operator } }),
      await of({ digests: { operator: digests.core } }),
    ];
    const found = (base: PlanDocument, head: PlanDocument) =>
      impactsOf({ base, head, diff: diffPlans(base, head) }).map(
        ({ severity, what }) => `${severity}: ${what}`,
      );
    expect(found(none, one)).toEqual([
      "changes: Helm chart cluster-api-providers-operator changes: chart and repositoryOpts",
    ]);
    expect(found(one, another)).toEqual([
      "changes: Helm chart cluster-api-providers-operator changes: chart",
    ]);
  });

  it("changes nothing when the digest of a manifest changes", async () => {
    const changed = { ...digests, azure: digests.core, core: digests.operator };
    expect(inOrder(await planOf({ digests: changed }))).toEqual(inOrder(await planOf({ digests })));
  });
});
