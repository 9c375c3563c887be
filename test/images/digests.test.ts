import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { calicoImages } from "../../addons/calicoImages";
import { ManifestMismatchError } from "../../addons/pinnedManifest";
import { run } from "../../commands/images/cli";
import { digestsOf, key, knownDigests, wholePlan, writeDigests } from "../../commands/images/digests";
import { type StackPlanOptions, planStack } from "../../plan/cli/planStack";
import { imagesInObjects } from "../../plan/model/images";
import { pinnedStream } from "capz-windows-platform/workloads/imageDigests";
import { ConfigError } from "capz-windows-kit/problem";
import { updateInline } from "../support/inlinePlans";
import { said } from "capz-windows-test-kit/said";
import { minimal, projectDir } from "../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`;

const metrics = "registry.k8s.io/metrics-server/metrics-server:v0.9.0";
const autoscaler = "registry.k8s.io/autoscaling/cluster-autoscaler:v1.35.2";
const hostProcess = "mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0";
const iis = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";

const stack = {
  ...minimal(),
  access: { ...(minimal().access as object), allowedCidrs: ["203.0.113.0/24"] },
  linuxPools: { linux1: { autoscale: { min: 1, max: 2 } } },
  windowsPools: { win1: {} },
  addons: { clusterAutoscaler: { enabled: true } },
  sampleWorkload: {},
  extraManifests: {
    own: {
      objects: [
        {
          ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "a", namespace: "default" } },
          spec: {
            containers: [{ name: "a", image: "example.com:5000/a:1" }],
            initContainers: [{ name: "b", image: "b" }],
          },
        },
      ],
    },
  },
};

it("pins whole references in a stream, and changes nothing else", () => {
  const text = (image: string): string =>
    `a:\n  - image: ${image}\n    name: x\n  - name: y\n    image: "${image}"  \n  - image: ${image}-other\n# image: ${image}\nimages: ${image}\n`;
  expect(pinnedStream(text("a/b:1"), { "a/b:1": digest("a") })).toBe(
    `a:\n  - image: a/b:1@${digest("a")}\n    name: x\n  - name: y\n    image: "a/b:1@${digest("a")}"\n  - image: a/b:1-other\n# image: a/b:1\nimages: a/b:1\n`,
  );
  expect(pinnedStream(text("a/b:1"), {})).toBe(text("a/b:1"));
  expect(pinnedStream(text(`a/b:1@${digest("b")}`), { "a/b:1": digest("a") })).toBe(
    text(`a/b:1@${digest("b")}`),
  );
});

describe("a stack with digests", () => {
  const wanted = [metrics, autoscaler, hostProcess, iis, "example.com:5000/a:1", ...calicoImages("v3.32.1")];
  const pinned = { ...stack, imageDigests: Object.fromEntries(wanted.map((image) => [image, digest("a")])) };

  it("runs them everywhere, and keeps its versions in words", async () => {
    const [plan, plain] = [await updateInline(pinned), await updateInline(stack)];
    const images = imagesInObjects(plan.objects);
    expect(images.filter((image) => image.includes("@")).sort()).toEqual(
      wanted.map((image) => `${image}@${digest("a")}`).sort(),
    );
    expect(images.map((image) => image.split("@")[0])).toEqual(imagesInObjects(plain.objects));
    expect(plan.cluster.addons.map(({ versions }) => versions)).toEqual(
      plain.cluster.addons.map(({ versions }) => versions),
    );
    expect(plan.cluster.autoscaler).toEqual(plain.cluster.autoscaler);
    expect(plain.warnings.filter((text) => text.startsWith("imageDigests"))).toEqual([]);
    expect(plan.warnings.filter((text) => text.startsWith("imageDigests"))).toEqual([
      "imageDigests: no digests are possible for images of charts and of Cluster API's providers, what kubeadm and containerd choose (kube-apiserver, kube-controller-manager, kube-scheduler, kube-proxy on Linux, etcd, CoreDNS, pause)",
    ]);
  });
});

const configWith = (digests: object): string =>
  JSON.stringify({
    config: Object.fromEntries(
      Object.entries({ ...minimal(), imageDigests: digests }).map(([name, value]) => [
        `capz-windows:${name}`,
        value,
      ]),
    ),
  });

describe("npm run images -- --digests", () => {
  const dir = temporaryFolder();
  const file = (): string => join(dir, "Pulumi.test.yaml");

  async function images(
    config: object,
    args: readonly string[] = [],
    ask = (image: string) => Promise.resolve(digest(image === metrics ? "c" : "b")),
  ) {
    const planned: StackPlanOptions[] = [];
    const answer = await said(() =>
      run(["--config-file", file(), "--digests", ...args], {
        ...{ projectDir, askDigest: ask },
        planner: async (options) => {
          planned.push(options);
          return updateInline({ ...stack, ...config });
        },
      }),
    );
    return { ...answer, planned };
  }
  // Calico's manifest would be downloaded.
  const own = {
    addons: { cni: "none" },
    extraManifests: {},
    sampleWorkload: undefined,
    network: { podCidr: "192.168.0.0/16" },
    // What installs Cluster API is in artifactDigests.test.ts.
    management: { kind: "stack", stack: "organization/capz-windows/management" },
  };

  it("asks for every image once, and writes what is new", async () => {
    writeFileSync(file(), "config: # mine\n  a: b # c\n\n# end\n");
    const first = await images(own, ["--write"]);
    expect(first.code).toBe(2);
    const written = (
      parse(readFileSync(file(), "utf8")) as { config: Record<string, Record<string, string>> }
    ).config;
    const digests = written["capz-windows:imageDigests"] ?? {};
    expect(digests[metrics]).toBe(digest("c"));
    expect(digests[hostProcess]).toBe(digest("b"));
    expect(Object.keys(digests)).toEqual(imagesInObjects((await updateInline({ ...stack, ...own })).objects));
    expect(first.out).toBe(
      [
        `written into ${file()}:`,
        "  imageDigests:",
        ...Object.entries(digests).map(([image, one]) => `    ${image}: ${one}`),
        "",
      ].join("\n"),
    );
    expect(first.planned.map(({ without }) => without)).toEqual([key]);
    expect(await images(own, ["--write"])).toMatchObject({ code: 0, out: "nothing new\n" });
  });

  it("keeps what it has of a registry that does not answer, and leaves out what is not used", async () => {
    const ask = (image: string) =>
      image === metrics
        ? Promise.reject(new Error("the registry requires a login"))
        : Promise.resolve(digest("b"));
    writeFileSync(file(), configWith({ [metrics]: digest("d"), "a/unused:1": digest("e") }));
    const { code, out } = await images(own, ["--json"], ask);
    expect(code).toBe(2);
    const found = JSON.parse(out) as { digests: Record<string, string>; faults: unknown; changed: string[] };
    expect(found.faults).toEqual({ [metrics]: "the registry requires a login" });
    const none = (image: string) => Promise.reject(new Error(`not ${image.length}`));
    const faults = imagesInObjects((await updateInline({ ...stack, ...own })).objects);
    writeFileSync(file(), configWith({ [metrics]: "no digest" }));
    expect((await images(own, [], none)).out).toBe(
      faults.map((image) => `no digest of ${image}: not ${image.length}\n`).join(""),
    );
    expect(found.digests).toMatchObject({ [metrics]: digest("d"), [hostProcess]: digest("b") });
    expect(found.digests).not.toHaveProperty(["a/unused:1"]);
    expect(found.changed).not.toContain(metrics);
  });

  it("finds Calico's images, also where the stack file lacks digests of some", async () => {
    const [some = "", ...others] = calicoImages("v3.32.1");
    writeFileSync(file(), configWith({ [some]: digest("d"), "quay.io/calico/node:v3.31.7": digest("e") }));
    const options = { projectDir, stack: "test", configFile: file() };
    await expect(planStack(options)).rejects.toThrow(ConfigError);
    const plan = await planStack({ ...options, without: key });
    const found = await digestsOf(plan, knownDigests(options), (image) =>
      image === some ? Promise.reject(new Error("busy")) : Promise.resolve(digest("b")),
    );
    expect(found.faults).toEqual({ [some]: "busy" });
    const ofCalico = Object.entries(found.digests).filter(([image]) => image.startsWith("quay.io/calico/"));
    expect(Object.fromEntries(ofCalico)).toEqual({
      [some]: digest("d"),
      ...Object.fromEntries(others.map((image) => [image, digest("b")])),
    });
  });

  it("uses no manifest that is not the pinned one", async () => {
    const fetchBytes = () => Promise.resolve("a page of a proxy");
    await expect(
      wholePlan(async () => updateInline(minimal()), { projectDir, stack: "test" }, fetchBytes),
    ).rejects.toThrow(ManifestMismatchError);
  });

  it("refuses to ask registries offline", async () => {
    const offline = ["--stack", "dev", "--digests", "--offline"];
    const { code, err } = await said(() => run(offline, { projectDir }));
    expect(code).toBe(64);
    expect(err).toBe(
      "error: option '--offline' cannot be used with option '--digests'\nAll options: npm run images -- --help\n",
    );
  });

  const start = `  ${key}:`;
  const line = `    a:1: ${digest("a")}`;
  it.each([
    ["a file without the key", "config:\n  x: y # z", `config:\n  x: y # z\n${start}\n${line}`],
    [
      "a key that is not last",
      "config:\n  x: y\nother: 1\n",
      `config:\n  x: y\n${start}\n${line}\nother: 1\n`,
    ],
    [
      "older digests",
      `config:\n${start}\n      b:1: ${digest("b")}\n      c:1: ${digest("b")} # old\n  x: y\n`,
      `config:\n${start}\n      a:1: ${digest("a")}\n  x: y\n`,
    ],
    ["an empty mapping", `config:\n${start} {}\n  x: y\n`, `config:\n${start}\n${line}\n  x: y\n`],
    ["nothing", `config:\n${start}\n  x: y\n`, `config:\n${start}\n${line}\n  x: y\n`],
  ])("writes into %s", (_, before, after) => {
    writeFileSync(file(), before);
    expect(writeDigests(file(), { "a:1": digest("a") }, "imageDigests")).toBe(true);
    expect(readFileSync(file(), "utf8")).toBe(after);
  });

  it("leaves a file alone whose config is in braces", () => {
    const text = "config: { x: y }\n";
    writeFileSync(file(), text);
    expect(writeDigests(file(), { "a:1": digest("a") }, "imageDigests")).toBe(false);
    expect(readFileSync(file(), "utf8")).toBe(text);
  });
});
