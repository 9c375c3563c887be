import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import type { KubernetesObject } from "capz-types";
import type { Get } from "capz-windows-doctor/cluster/answers";
import { readObjects } from "capz-windows-platform/manifests/yamlStream";
import { run, type ImportOptions } from "../../commands/import/cli";
import { planOf } from "../support/plans";
import { said } from "capz-windows-test-kit/said";
import { planner, templateVariables } from "./support";

const template = join(__dirname, "sources/template.yaml");

describe("npm run import", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "capz-windows-import-test-"));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  async function imported(
    args: readonly string[],
    env: NodeJS.ProcessEnv = {},
    stdin = "",
    more: Partial<ImportOptions> = {},
  ) {
    const found = await said(() =>
      run(
        args.map((arg) => arg.replace("DIR", dir)),
        { planner, env, stdin: () => stdin, ...more },
      ),
    );
    return { ...found, err: found.err.replaceAll(dir, "DIR") };
  }

  test("writes the stack file to --out, and what is left out to the standard error", async () => {
    const { code, out, err } = await imported(["--out", "DIR/Pulumi.web.yaml", template], templateVariables);
    expect({ code, out }).toEqual({ code: 0, out: "" });
    expect(readFileSync(join(dir, "Pulumi.web.yaml"), "utf8")).toMatch(
      /^# yaml-language-server: \$schema=schema\/stack\.schema\.json\n# From .*template\.yaml, by npm run import\.\nconfig:\n {2}capz-windows:clusterName: web\n/,
    );
    expect(err).toMatch(/^Cluster API objects: 45 of 61 fields are as they were\.\n/);
    expect(err).toContain("\n  objects of the kind Secret are not read; instead: pulumi config set --secret");
  });

  test("overwrites no file without --force", async () => {
    writeFileSync(join(dir, "Pulumi.web.yaml"), "mine");
    const { code, err } = await imported(["--out", "DIR/Pulumi.web.yaml", template]);
    expect(code).toBe(64);
    expect(err).toMatch(/^DIR\/Pulumi\.web\.yaml exists; --force overwrites it\.\n/);
    expect(readFileSync(join(dir, "Pulumi.web.yaml"), "utf8")).toBe("mine");
  });

  test("writes a large manifest to a file beside the stack file, and a small one into it", async () => {
    const manifest = (name: string, text: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name}, namespace: default }\ndata: { text: "${text}", version: "1.30" }\n`;
    const set = (name: string, ...manifests: string[]) => [
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata:\n  all.yaml: ${JSON.stringify(manifests.join("---\n"))}\n`,
      `apiVersion: addons.cluster.x-k8s.io/v1beta2\nkind: ClusterResourceSet\nmetadata: { name: ${name} }\nspec:\n  clusterSelector: {}\n  strategy: Reconcile\n  resources: [{ kind: ConfigMap, name: ${name} }]\n`,
    ];
    const big = [manifest("one", "a b ".repeat(2000)), manifest("two", "yes")];
    writeFileSync(
      join(dir, "source.yaml"),
      [readFileSync(template, "utf8"), ...set("tools", ...big), ...set("small", manifest("s", "x"))].join(
        "---\n",
      ),
    );
    const args = ["--out", "DIR/Pulumi.web.yaml", "DIR/source.yaml"];
    const { code, err } = await imported(args, templateVariables);
    expect({ code, first: err.split("\n")[0] }).toEqual({
      code: 0,
      first:
        "Large manifests are in separate files, which belong into the folder of Pulumi.yaml: DIR/manifests/tools.yaml",
    });
    const { config } = parse(readFileSync(join(dir, "Pulumi.web.yaml"), "utf8")) as {
      readonly config: Readonly<Record<string, unknown>>;
    };
    expect(config["capz-windows:extraManifests"]).toEqual({
      tools: { file: "manifests/tools.yaml" },
      small: { objects: [parse(manifest("s", "x"))] },
    });
    expect(readObjects(readFileSync(join(dir, "manifests/tools.yaml"), "utf8"))).toEqual({
      objects: big.map((text) => parse(text) as unknown),
      errors: [],
    });
    rmSync(join(dir, "Pulumi.web.yaml"));
    expect((await imported(args, templateVariables)).err.split("\n")[0]).toBe(
      "DIR/manifests/tools.yaml exists; --force overwrites it.",
    );
  });

  test("takes variables from a file, and asks for the rest with exit code 2", async () => {
    writeFileSync(join(dir, "vars"), "CLUSTER_NAME=shop\nAZURE_LOCATION='westeurope'\n");
    const { code, out, err } = await imported(
      ["--variables", "DIR/vars", "-"],
      templateVariables,
      readFileSync(template, "utf8"),
    );
    expect(code).toBe(2);
    expect(out).toContain("clusterName: shop\n  capz-windows:kubernetesVersion: <KUBERNETES_VERSION>\n");
    expect(err).toContain("  azure.subscriptionId: AZURE_SUBSCRIPTION_ID\n");
  });

  test("names what it does not take from the environment", async () => {
    const text = readFileSync(template, "utf8").replace("${CLUSTER_NAME}", "${WINDOWS_ADMIN_PW}");
    const env = { ...templateVariables, WINDOWS_ADMIN_PW: "s3cret" };
    const { out, err } = await imported(["-"], env, text);
    expect(out + err).not.toContain("s3cret");
    expect(err.split("\n")[0]).toBe(
      "Not taken from the environment, of which a template gets only documented variables: WINDOWS_ADMIN_PW. To give them, write all variables of the template into a file: --variables FILE.",
    );
  });

  describe("with --kubeconfig", () => {
    /** An API server that has these objects, and lists them in pages of one. */
    const serverOf =
      (objects: readonly KubernetesObject[]): Get =>
      (path) => {
        const url = new URL(path, "http://server");
        const [, version = "", namespace, plural = ""] =
          /^\/apis\/([^/]+\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)$/.exec(url.pathname) ?? [];
        const found = objects.filter(
          ({ apiVersion, kind, metadata }) =>
            apiVersion === version &&
            plural === `${kind.toLowerCase().replace(/y$/, "ie")}s` &&
            (namespace === undefined || metadata.namespace === namespace),
        );
        const at = Number(url.searchParams.get("continue") ?? 0);
        // In a list, the API server writes version and kind for the list only, not for its items.
        const items = found
          .slice(at, at + 1)
          .map(({ apiVersion, kind, ...rest }) => (apiVersion + kind === "" ? {} : rest));
        return Promise.resolve(
          objects.some(({ apiVersion }) => apiVersion === version)
            ? {
                status: 200,
                body: { items, metadata: at + 1 < found.length ? { continue: String(at + 1) } : {} },
              }
            : { status: 404, body: {} },
        );
      };
    const live = (objects: readonly KubernetesObject[], args: readonly string[] = []) =>
      imported(["--json", "--kubeconfig", "any", ...args], {}, "", {
        connect: () => Promise.resolve(serverOf(objects)),
      });

    test("reads the objects of a running cluster, and treats no text of its scripts as a variable", async () => {
      const plan = await planOf("pools");
      const objects = plan.objects.management.map(({ object }) => object);
      const script = { path: "C:/own.ps1", content: "Write-Output ${env:COMPUTERNAME} $$" };
      const changed = objects.map((object) =>
        object.kind === "KubeadmConfig" && object.metadata.name.startsWith("win1")
          ? {
              ...object,
              spec: { ...(object.spec as object), files: [...(object.spec as { files: [] }).files, script] },
            }
          : object,
      );
      const { code, out } = await live(changed, ["--namespace", "pools"]);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toMatchObject({
        config: {
          clusterName: "pools",
          windowsPools: { win1: { files: [script] }, machines: { kind: "MachineDeployment" } },
        },
      });
    });

    test.each<readonly [string, () => ReturnType<Get>, string]>([
      [
        "an API server that is not reached",
        () => Promise.reject(new Error("connect ECONNREFUSED 127.0.0.1:9")),
        "connect ECONNREFUSED 127.0.0.1:9",
      ],
      [
        "a user without permission",
        () => Promise.resolve({ status: 403, body: { message: 'User "dev" cannot list resource' } }),
        'User "dev" cannot list resource',
      ],
      [
        "a proxy",
        () => Promise.resolve({ status: 200, body: { message: "<html>" } }),
        "the answer is not that of an API server: HTTP 200: <html>",
      ],
    ])("says in one line that it could not ask: %s", async (_, get, why) => {
      const found = await imported(["--kubeconfig", "any"], {}, "", { connect: () => Promise.resolve(get) });
      expect(found).toEqual({
        code: 1,
        out: "",
        err: `The management cluster could not be asked for clusters: ${why}. What kubectl get clusters says with this kubeconfig is the reason.\n`,
      });
    });

    test("refuses a cluster without Cluster API", async () => {
      const { code, err } = await live([]);
      expect({ code, err }).toEqual({
        code: 1,
        err: "The cluster of the kubeconfig has no Cluster API: name its management cluster.\n",
      });
    });
  });

  test("reads UTF-16, as Windows PowerShell 5.1 writes it", async () => {
    const pools = readFileSync(join(__dirname, "sources/apimodel.json"), "utf8");
    writeFileSync(join(dir, "utf8.json"), pools);
    writeFileSync(join(dir, "utf16.json"), `\ufeff${pools}`, "utf16le");
    const found = await imported(["--json", "DIR/utf16.json"]);
    expect(found.code).toBe(2);
    expect(found).toEqual(await imported(["--json", "DIR/utf8.json"]));
  });

  test("prints JSON for programs", async () => {
    const { code, out } = await imported(["--json", join(__dirname, "sources/apimodel.json")]);
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({
      version: 1,
      kind: "apimodel",
      config: { clusterName: "shop" },
    });
  });

  test.each([
    [
      ["DIR/none.yaml"],
      1,
      "DIR/none.yaml cannot be read: ENOENT: no such file or directory, open 'DIR/none.yaml'\n",
    ],
    [["DIR/bomb.yaml"], 1, "DIR/bomb.yaml: aliases of aliases make more than 2,000,000 values\n"],
    [["DIR/endless.yaml"], 1, "DIR/endless.yaml: an alias is inside its own anchor\n"],
    [
      ["-"],
      3,
      "There is no object of kind Cluster in the source, but Secret, inside of which this import does not look: pass all objects of one cluster.\n",
    ],
  ])("answers %j with exit code %d and one line", async (args, code, err) => {
    const level = (index: number) =>
      `- &a${index} [${Array(12)
        .fill(`*a${index - 1}`)
        .join(", ")}]\n`;
    writeFileSync(join(dir, "bomb.yaml"), `- &a0 x\n${[1, 2, 3, 4, 5, 6, 7, 8, 9].map(level).join("")}`);
    writeFileSync(join(dir, "endless.yaml"), "a: &a\n  b: *a\n");
    const found = await imported(args, {}, "apiVersion: v1\nkind: Secret\nmetadata: { name: a }\n");
    expect(found).toEqual({ code, out: "", err });
  });

  test("says what is wrong with the arguments", async () => {
    const { code, err } = await imported([]);
    expect(code).toBe(64);
    expect(err).toBe(
      "Name the files of one cluster, or - for the standard input.\nAll options: npm run import -- --help\n",
    );
  });
});
