import { createRequire } from "node:module";
import { join } from "node:path";
import { pinnedManifestOf } from "../../../addons/catalogue";
import type { Plan } from "../../../commands/plan/model/plan";
import { materialsOf } from "../../../commands/plan/model/materials";
import { planFiles } from "../../../commands/plan/render/render";
import { cyclonedx } from "../../../commands/plan/reports/cyclonedx";
import { formatOfFile, formatReport } from "../../../commands/plan/reports/formats";
import { artifactParts } from "../../../platform/cluster/artifacts";
import { exampleStacks, planOf, furtherStacks } from "../../support/plans";

interface Component {
  readonly type: string;
  readonly name: string;
  readonly version?: string;
  readonly purl?: string;
  readonly hashes?: unknown;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

interface Bom {
  readonly serialNumber: string;
  readonly metadata: {
    readonly timestamp?: string;
    readonly properties: readonly { readonly value: string }[];
  };
  readonly components: readonly Component[];
  readonly compositions: readonly unknown[];
}

const bomOf = (plan: Plan, env: NodeJS.ProcessEnv = {}) =>
  cyclonedx({ stack: plan.stack, plan, program: "1.2.3" }, env) as Bom;

/** Any text after `image:` in a file of a plan; none of those is read by the code that is tested. */
const imagesInFiles = (plan: Plan): string[] =>
  [...planFiles(plan)]
    .filter(([path]) => /^(management|workload|sample)\//.test(path))
    .flatMap(([, text]) =>
      [...text.matchAll(/^[ -]*image: ([\w./-]+:[\w.-]+)$/gm)].map(([, image = ""]) => image),
    );

it.each(["everything", "dockershim", "dev"])("%s: has every image of the rendered objects", async (stack) => {
  const plan = await planOf(stack);
  const found = bomOf(plan).components.map(({ name, version = "" }) => `${name}:${version}`);
  const wanted = new Set(imagesInFiles(plan));
  expect(wanted.size).toBeGreaterThan(3);
  expect([...wanted].filter((image) => !found.includes(image))).toEqual([]);
});

it("says what each thing is, where it comes from and what uses it", async () => {
  const { components, metadata, compositions } = bomOf(await planOf("everything"));
  const named = (name: string) => components.find((one) => one.name === name);
  const by = (...users: readonly string[]) => users.map((value) => ({ name: "capz-windows:usedBy", value }));
  expect(named("registry.k8s.io/metrics-server/metrics-server")).toMatchObject({
    ...{ type: "container", version: "v0.9.0" },
    purl: "pkg:oci/metrics-server?repository_url=registry.k8s.io/metrics-server/metrics-server&tag=v0.9.0",
  });
  expect(named("sigwindowstools/kube-proxy")).toMatchObject({
    purl: "pkg:oci/kube-proxy?repository_url=docker.io/sigwindowstools/kube-proxy&tag=v1.35.6-calico-hostprocess",
  });
  expect(named("quay.io/calico/node-windows")).toMatchObject({
    version: "v3.32.1",
    properties: [{ name: "capz-windows:kind", value: "container image" }, ...by("Installation default")],
  });
  expect(named("registry.k8s.io/kube-apiserver")).toMatchObject({ version: "v1.35.6" });
  expect(named("tigera-operator")).toMatchObject({
    ...{ type: "file", version: "v3.32.1" },
    hashes: [{ alg: "SHA-256", content: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown }],
    externalReferences: [
      {
        type: "distribution",
        url: "https://raw.githubusercontent.com/projectcalico/calico/v3.32.1/manifests/tigera-operator.yaml",
      },
    ],
  });
  expect(named("windows-gmsa-crd")).toMatchObject({ type: "file", version: "v0.13.0" });
  expect(named("cert-manager")).toMatchObject({
    purl: "pkg:generic/cert-manager@v1.21.2?repository_url=https://charts.jetstack.io",
  });
  expect(named("InfrastructureProvider azure")).toMatchObject({
    purl: "pkg:github/kubernetes-sigs/cluster-api-provider-azure@v1.27.0",
  });
  expect(named("kubernetes")?.properties.slice(1)).toEqual(
    by("control plane", "pool linux1", "pool machines", "pool spot", "pool win1"),
  );
  expect(named("mygallery/capi-windows-2022-gen2")).toMatchObject({
    type: "operating-system",
    version: "1.35.6",
  });
  expect(named("azure-kubernetes-service")).toMatchObject({ type: "platform", version: "1.35" });
  expect(metadata.properties.map(({ value }) => value)).toEqual([
    "Container images of the charts cert-manager, cluster-api-operator, and the digests of these charts",
    "Container images of BootstrapProvider kubeadm, ControlPlaneProvider kubeadm, CoreProvider cluster-api, InfrastructureProvider azure, and the digests of their manifests",
    "Container images in tigera-operator v3.32.1, windows-gmsa-crd v0.13.0, unless CAPZ_WINDOWS_MANIFEST_CACHE has them",
    "Container images of etcd, CoreDNS and pause, which kubeadm and containerd choose",
    "Software in the machine images: the operating system, containerd, kubelet",
  ]);
  expect(compositions).toEqual([{ aggregate: "incomplete", assemblies: ["stack everything"] }]);
});

it("has the digests of charts and providers that the stack file has", async () => {
  const plan = await planOf("everything");
  const one = (digit: string) => `sha256:${digit.repeat(64)}`;
  const of = (digests: object) => {
    const clusterApi = { ...plan.settings.clusterApi, digests };
    return bomOf({ ...plan, settings: { ...plan.settings, clusterApi } });
  };
  const { components, metadata } = of({ certManager: one("a"), azure: one("b") });
  const hashes = (name: string) => components.find((found) => found.name === name)?.hashes;
  expect(hashes("cert-manager")).toEqual([{ alg: "SHA-256", content: "a".repeat(64) }]);
  expect(hashes("InfrastructureProvider azure")).toEqual([{ alg: "SHA-256", content: "b".repeat(64) }]);
  expect(hashes("cluster-api-operator")).toBeUndefined();
  expect(metadata.properties.slice(0, 2).map(({ value }) => value)).toEqual([
    "Container images of the charts cert-manager, cluster-api-operator, and the digests of cluster-api-operator",
    "Container images of BootstrapProvider kubeadm, ControlPlaneProvider kubeadm, CoreProvider cluster-api, InfrastructureProvider azure, and the digests of BootstrapProvider kubeadm, ControlPlaneProvider kubeadm, CoreProvider cluster-api",
  ]);
  const all = Object.fromEntries(artifactParts.map((part) => [part, one("c")]));
  expect(of(all).metadata.properties[0]?.value).toBe(
    "Container images of the charts cert-manager, cluster-api-operator",
  );
});

it.each([
  ["calico", "v3.32.1", "tigera-operator"],
  ["calico", "v3.24.5", "calico-vxlan"],
  ["gmsa", "v0.13.0", "windows-gmsa-crd"],
  ["metrics-server", "v0.9.0", undefined],
])("%s %s has the published manifest %s", (role, version, name) => {
  expect(pinnedManifestOf(role, version)?.name).toBe(name);
});

it("knows the manifests of the stack file", async () => {
  const plan = await planOf("dockershim");
  const extraManifests = {
    mine: { url: "https://example.com/a.yaml", sha256: "ab".repeat(32), strategy: "Reconcile" },
    file: { file: "b.yaml", strategy: "Reconcile" },
  } as const;
  const settings = { ...plan.settings, extraManifests } as unknown as Plan["settings"];
  expect(materialsOf({ ...plan, settings }).materials.filter(({ kind }) => kind === "manifest")).toEqual([
    {
      ...{ kind: "manifest", name: "mine", version: "", sha256: "ab".repeat(32) },
      ...{ source: "https://example.com/a.yaml", usedBy: ["extraManifests.mine"] },
    },
  ]);
});

it("finds static pods in the files of machines, and takes digests over", async () => {
  const plan = await planOf("dev");
  const pod = `apiVersion: v1
kind: Pod
metadata: { name: kms }
spec: { containers: [{ name: kms, image: "mcr.microsoft.com/oss/azure/kms@sha256:${"c".repeat(64)}" }] }
`;
  const files = [
    { path: "/etc/kubernetes/manifests/kms.yaml", content: pod },
    { path: "/etc/other.yaml", content: pod.replace("azure/kms", "azure/other") },
  ];
  const spec = { version: "v1.35.6", kubeadmConfigSpec: { files } };
  const management = plan.objects.management.map((one) =>
    one.object.kind === "KubeadmControlPlane" ? { ...one, object: { ...one.object, spec } } : one,
  );
  const { components } = bomOf({ ...plan, objects: { ...plan.objects, management } });
  expect(components.find(({ name }) => name === "mcr.microsoft.com/oss/azure/kms")).toEqual({
    ...{ type: "container", name: "mcr.microsoft.com/oss/azure/kms" },
    "bom-ref": `container image mcr.microsoft.com/oss/azure/kms ${"c".repeat(64)}`,
    hashes: [{ alg: "SHA-256", content: "c".repeat(64) }],
    purl: `pkg:oci/kms@sha256:${"c".repeat(64)}?repository_url=mcr.microsoft.com/oss/azure/kms`,
    properties: [
      { name: "capz-windows:kind", value: "container image" },
      { name: "capz-windows:usedBy", value: "static pods of KubeadmControlPlane dev/dev-control-plane" },
    ],
  });
  expect(components.map(({ name }) => name)).not.toContain("mcr.microsoft.com/oss/azure/other");
});

it("is the same for equal plans, and has a time only where the environment gives one", async () => {
  const [dev, other] = [await planOf("dev"), await planOf("everything")];
  expect(bomOf(dev)).toEqual(bomOf({ ...dev, elapsedMs: 0 }));
  expect(bomOf(dev).serialNumber).not.toBe(bomOf(other).serialNumber);
  expect(bomOf(dev).metadata.timestamp).toBeUndefined();
  expect(bomOf(dev, { SOURCE_DATE_EPOCH: "1700000000" }).metadata.timestamp).toBe("2023-11-14T22:13:20.000Z");
});

it("is chosen by the names that CycloneDX recommends for files", () => {
  const files = ["prod.cdx.json", "a/bom.json", "plan.json", "abom.json"];
  expect(files.map(formatOfFile)).toEqual(["cyclonedx", "cyclonedx", "json", "json"]);
});

const { CAPZ_WINDOWS_CYCLONEDX: library } = process.env;

(library === undefined ? describe.skip : describe)("the validator of CycloneDX", () => {
  const load = createRequire(join(library ?? __dirname, "index.js"));
  const validate = (text: string): Promise<unknown> => {
    const { Validation } = load("@cyclonedx/cyclonedx-library") as {
      Validation: {
        JsonStrictValidator: new (version: string) => { validate: (text: string) => Promise<unknown> };
      };
    };
    return new Validation.JsonStrictValidator("1.6").validate(text);
  };

  it.each([...exampleStacks, ...furtherStacks])("accepts %s, and its purls", async (stack) => {
    const text = formatReport([{ stack, plan: await planOf(stack) }], "cyclonedx");
    expect(await validate(text)).toBeNull();
    const { PackageURL } = load("packageurl-js") as {
      PackageURL: { fromString: (purl: string) => { toString: () => string } };
    };
    const purls = (JSON.parse(text) as Bom).components.flatMap(({ purl }) => purl ?? []);
    expect(purls.length).toBeGreaterThan(1);
    // The package writes slashes and colons of qualifiers encoded.
    expect(purls.map((purl) => decodeURIComponent(PackageURL.fromString(purl).toString()))).toEqual(purls);
  });

  it("would refuse another type", async () => {
    const text = formatReport([{ stack: "dev", plan: await planOf("dev") }], "cyclonedx");
    expect(await validate(text.replace('"type": "container"', '"type": "image"'))).not.toBeNull();
  });
});
