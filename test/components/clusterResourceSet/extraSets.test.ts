import { type ConfigError } from "capz-windows-kit/problem";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AddonSet } from "../../../components/clusterResourceSet/addonSets";
import { extraSets, type ExtraManifest } from "../../../components/clusterResourceSet/extraSets";
import { packResources } from "../../../components/clusterResourceSet/manifests";
import { platformOf } from "capz-windows-platform/cluster/platform";

let rootDir = "";

beforeAll(() => {
  rootDir = mkdtempSync(join(tmpdir(), "extra-"));
});

afterAll(() => {
  rmSync(rootDir, { recursive: true });
});

const write = (name: string, text: string): string => {
  writeFileSync(join(rootDir, name), text);
  return name;
};

const object = (kind: string, name: string, more = "") =>
  `apiVersion: v1\nkind: ${kind}\nmetadata: {name: ${name}, namespace: web}\n${more}`;

const own: AddonSet[] = [
  {
    role: "metrics-server",
    name: "c-metrics-server",
    namespace: "n",
    clusterSelector: { a: "b" },
    entries: [{ key: "a.yaml", yaml: object("ServiceAccount", "ours") }],
  },
];

const sets = (manifests: Record<string, Partial<ExtraManifest>>, manifestCache?: string, offline = true) =>
  extraSets(
    {
      ...{ offline, manifestCache, rootDir, clusterName: "c", namespace: "n" },
      platform: platformOf("containerd", "v1.35.6"),
      extraManifests: Object.fromEntries(
        Object.entries(manifests).map(([name, manifest]) => [
          name,
          { strategy: "Reconcile" as const, ...manifest },
        ]),
      ),
    },
    own,
  );

const failure = async (manifests: Record<string, Partial<ExtraManifest>>): Promise<string> =>
  sets(manifests).then(
    () => "",
    (error: unknown) => (error as Error).message,
  );

it("a file and objects become sets of their own, in the order of their names, that the cluster's label selects", async () => {
  const file = write("web.yaml", `${object("ServiceAccount", "a")}---\n${object("ConfigMap", "b")}`);
  const [first, second, ...others] = await sets({
    web: { file },
    quota: {
      strategy: "ApplyOnce",
      objects: [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "web" } }],
    },
  });
  expect(others).toEqual([]);
  expect([first?.role, second?.role]).toEqual(["extra-quota", "extra-web"]);
  expect(packResources(first!).clusterResourceSet).toMatchObject({
    metadata: { name: "c-once-quota", namespace: "n" },
    spec: { strategy: "ApplyOnce", clusterSelector: { matchLabels: { cni: "c-calico" } } },
  });
  const { clusterResourceSet, configMaps } = packResources(second!);
  expect(clusterResourceSet).toMatchObject({
    metadata: { name: "c-extra-web" },
    spec: { strategy: "Reconcile" },
  });
  expect(configMaps[0]?.data["01-web.yaml"]).toContain("kind: ConfigMap");
});

it("the content of a url comes from the cache by its digest; a plan without it has a comment instead", async () => {
  const text = object("ConfigMap", "far");
  const sha256 = createHash("sha256").update(text).digest("hex");
  const url = "https://example.com/v1/far.yaml";
  const [missing] = await sets({ far: { url, sha256 } });
  expect(missing).toMatchObject({ version: `sha256 ${sha256.slice(0, 12)}` });
  expect(missing?.entries[0]?.yaml).toBe(
    `# far ${sha256.slice(0, 12)}: not in this plan\n# url: ${url}\n# sha256: ${sha256}\n`,
  );
  write(`far-${sha256.slice(0, 12)}.yaml`, text);
  const [there] = await sets({ far: { url, sha256 } }, rootDir);
  expect(there?.entries[0]?.yaml).toBe(text);
});

it("a link out of the folder and what is not a regular file are refused", async () => {
  symlinkSync("/etc/hostname", join(rootDir, "link.yaml"));
  mkdirSync(join(rootDir, "folder.yaml"));
  const error: unknown = await sets({ link: { file: "link.yaml" }, folder: { file: "folder.yaml" } }).catch(
    (thrown: unknown) => thrown,
  );
  const problems = (error as ConfigError).problems.map(({ path, problem }) => `${path}: ${problem}`);
  expect(problems).toEqual([
    "extraManifests.folder.file: it cannot be read: it is not a regular file",
    "extraManifests.link.file: it cannot be read: a link leads out of the folder of Pulumi.yaml",
  ]);
});

it("all errors are reported at once, each with its place", async () => {
  write("secret.yaml", object("Secret", "key", "stringData: {password: x}\n"));
  write("broken.yaml", "a: [1");
  write("empty.yaml", "# nothing\n");
  const secret =
    "Secret web/key: what a ClusterResourceSet delivers is stored in plain text in a ConfigMap of the management cluster, and appears in plans";
  const message = await failure({
    gone: { file: "gone.yaml" },
    secret: { file: "secret.yaml" },
    broken: { file: "broken.yaml" },
    empty: { file: "empty.yaml" },
  });
  expect(message.split("\n").filter((line) => !line.startsWith("    allowed"))).toEqual([
    "Manifests of your own: 4 problems",
    "",
    "  extraManifests.broken",
    expect.stringMatching(/^ {4}problem {2}it cannot be read: .*at line 1, column 6/),
    "    write    remove broken",
    "",
    "  extraManifests.empty",
    "    problem  there is no Kubernetes object in it",
    "    write    remove empty",
    "",
    "  extraManifests.gone.file",
    "    value    gone.yaml",
    "    problem  there is no such file",
    "    write    file: <path of your manifest>",
    "",
    "  extraManifests.secret",
    `    problem  ${secret}`,
    "    write    remove secret",
  ]);
});

it("an object that the program or another manifest also delivers is refused, because both would overwrite it", async () => {
  const file = write("twice.yaml", `${object("ServiceAccount", "ours")}---\n${object("ConfigMap", "b")}`);
  const other = write("other.yaml", object("ConfigMap", "b"));
  expect(await failure({ twice: { file }, another: { file: other } })).toBe(
    [
      "Manifests of your own: 1 problem",
      "",
      "  extraManifests.twice",
      "    problem  another add-on or set delivers the same object, and both would overwrite it in turn: ServiceAccount web/ours (the program, with metrics-server), ConfigMap web/b (extraManifests.another)",
      "    allowed  objects that nothing else delivers, each once",
      "    write    remove twice",
    ].join("\n"),
  );
});

it.each([
  ["the API group of Calico's API server", "projectcalico.org/v3", ""],
  ["another version", "crd.projectcalico.org/v2", ""],
  ["a namespace, which the API server takes away", "crd.projectcalico.org/v1", "web"],
])("an object of the program is the same with %s", async (_, apiVersion, namespace) => {
  const policy = (version: string, inside = "") => ({
    ...{ apiVersion: version, kind: "GlobalNetworkPolicy" },
    metadata: { name: "capz-windows.a", ...(inside === "" ? {} : { namespace: inside }) },
  });
  const program: AddonSet = {
    ...own[0]!,
    ...{
      role: "calico",
      entries: [{ key: "a.yaml", yaml: JSON.stringify(policy("crd.projectcalico.org/v1")) }],
    },
  };
  const message = await extraSets(
    {
      ...{ offline: true, rootDir, clusterName: "c", namespace: "n" },
      platform: platformOf("containerd", "v1.35.6"),
      extraManifests: { own: { strategy: "Reconcile", objects: [policy(apiVersion, namespace)] } },
    },
    [program],
  ).then(
    () => "",
    (error: unknown) => (error as Error).message,
  );
  expect(message).toContain("capz-windows.a (the program, with calico)");
});

it.each([
  ["a merge key (<<)", "spec: {<<: {hostPID: true}}\n"],
  ["a tag", "spec: {hostPID: !!binary dHJ1ZQ==}\n"],
])(
  "a manifest with %s is refused, because no policy would find what Kubernetes reads",
  async (what, more) => {
    const file = write("other.yaml", object("Pod", "a", more));
    expect((await failure({ other: { file } })).split("\n").slice(2, 5)).toEqual([
      "  extraManifests.other",
      `    problem  it cannot be read: line 4 has ${what}, which Kubernetes reads otherwise than this program`,
      "    allowed  a YAML stream without merge keys and tags",
    ]);
  },
);

it("a document that is too large for a ConfigMap is refused, and a stream of many documents is divided", async () => {
  const large = object("ConfigMap", "large", `data: {a: ${"x".repeat(1_000_000)}}\n`);
  expect(await failure({ large: { file: write("large.yaml", large) } })).toMatch(
    /ConfigMap large takes \d+ bytes; a ConfigMap of a ClusterResourceSet has room for \d+/,
  );
  const many = Array.from({ length: 4 }, (_, index) =>
    object("ConfigMap", `part${index}`, `data: {a: ${"x".repeat(400_000)}}\n`),
  ).join("---\n");
  const [set] = await sets({ many: { file: write("many.yaml", many) } });
  expect(packResources(set!).configMaps).toHaveLength(2);
});
