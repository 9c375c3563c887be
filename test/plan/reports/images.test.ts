import { pinnedManifestOf } from "../../../addons/catalogue";
import type { Plan } from "../../../plan/model/plan";
import { pinnedManifests } from "../../../plan/model/images";
import { planFiles } from "../../../plan/render/render";
import { imagesText } from "../../../plan/reports/images";
import { planOf } from "../../support/plans";

const linesOf = (plan: Plan): string[] => imagesText({ stack: plan.stack, plan }).trimEnd().split("\n");

/** Any text after `image:` in a file of a plan; none of those is read by the code that is tested. */
const imagesInFiles = (plan: Plan): string[] =>
  [...planFiles(plan)]
    .filter(([path]) => /^(management|workload|sample)\//.test(path))
    .flatMap(([, text]) =>
      [...text.matchAll(/^[ -]*image: ([\w./-]+:[\w.-]+)$/gm)].map(([, image = ""]) => image),
    );

it.each(["everything", "dockershim", "dev"])("%s: has every image of the rendered objects", async (stack) => {
  const plan = await planOf(stack);
  const lines = linesOf(plan);
  const wanted = new Set(imagesInFiles(plan));
  expect(wanted.size).toBeGreaterThan(3);
  expect([...wanted].filter((image) => !lines.includes(image))).toEqual([]);
  expect(lines).toEqual([...new Set(lines)]);
});

it("has what kubeadm runs and Calico's operator installs, the images of machines, and what it cannot know", async () => {
  const lines = linesOf(await planOf("everything"));
  expect(lines).toEqual(
    expect.arrayContaining(["registry.k8s.io/kube-apiserver:v1.36.5", "quay.io/calico/node-windows:v3.32.1"]),
  );
  expect(lines.filter((line) => line.startsWith("# machine image"))).toContain(
    "# machine image mygallery/capi-windows-2022-gen2/1.36.5",
  );
  expect(lines.slice(-2)).toEqual([
    "# not listed: images in charts, in the providers of Cluster API and in published manifests that were not downloaded;",
    "# etcd, CoreDNS and pause, which kubeadm and containerd choose; the software in machine images",
  ]);
});

it.each([
  ["calico", "v3.32.1", "tigera-operator"],
  ["calico", "v3.24.5", "calico-vxlan"],
  ["gmsa", "v0.13.0", "windows-gmsa-crd"],
  ["metrics-server", "v0.9.0", undefined],
])("%s %s has the published manifest %s", (role, version, name) => {
  expect(pinnedManifestOf(role, version)?.name).toBe(name);
});

it("knows the manifests of the stack file that are downloaded", async () => {
  const plan = await planOf("dockershim");
  const sha256 = "ab".repeat(32);
  const extraManifests = {
    mine: { url: "https://example.com/a.yaml", sha256, strategy: "Reconcile" },
    file: { file: "b.yaml", strategy: "Reconcile" },
  } as const;
  const settings = { ...plan.settings, extraManifests } as unknown as Plan["settings"];
  expect(pinnedManifests({ ...plan, settings }).at(-1)).toEqual({
    ...{ name: "mine", url: "https://example.com/a.yaml", sha256, version: "abababababab" },
  });
});

it("finds static pods in the files of machines, and keeps digests", async () => {
  const plan = await planOf("dev");
  const image = `mcr.microsoft.com/oss/azure/kms@sha256:${"c".repeat(64)}`;
  const pod = `apiVersion: v1
kind: Pod
metadata: { name: kms }
spec: { containers: [{ name: kms, image: "${image}" }] }
`;
  const files = [
    { path: "/etc/kubernetes/manifests/kms.yaml", content: pod },
    {
      path: "/etc/kubernetes//manifests/encoded.yaml",
      encoding: "base64",
      content: Buffer.from(pod.replace("azure/kms", "azure/encoded")).toString("base64"),
    },
    { path: "/etc/kubernetes/manifests/none.yaml", content: "a: b" },
    { path: "/etc/other.yaml", content: pod.replace("azure/kms", "azure/other") },
  ];
  const spec = { version: "v1.35.6", kubeadmConfigSpec: { files } };
  const management = plan.objects.management.map((one) =>
    one.object.kind === "KubeadmControlPlane" ? { ...one, object: { ...one.object, spec } } : one,
  );
  const lines = linesOf({ ...plan, objects: { ...plan.objects, management } });
  expect(lines).toContain(image);
  expect(lines).toContain(image.replace("azure/kms", "azure/encoded"));
  expect(lines.join("\n")).not.toContain("azure/other");
});
