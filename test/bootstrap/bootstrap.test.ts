import { win32 } from "node:path";
import { parse } from "yaml";
import type { KubeadmConfigSpec } from "capz-types";
import type { Plan } from "../../plan/model/plan";
import type { NodeData } from "../../plan/model/nodes";
import { cloudbaseInitKeys } from "../../bootstrap/userData/checks";
import { allExamples, objectsOf, planOf } from "../support/plans";
import { cloudInit, cloudbaseInit, decoded, python } from "./readers";
import type { LinuxResult, WindowsResult } from "./readers";

/** Bootstrap data of every example stack, read by the same programs as on a node. */

const computerName = "win1000000";

type Node = NodeData & { readonly spec: KubeadmConfigSpec };

/** The spec that the program passes to the bootstrap provider for a node. */
function specOf(plan: Plan, { path }: NodeData): KubeadmConfigSpec {
  const [name] = path.split("/");
  if (name === "control-plane") {
    const spec = objectsOf(plan, "KubeadmControlPlane")[0]!.spec as { kubeadmConfigSpec: KubeadmConfigSpec };
    return spec.kubeadmConfigSpec;
  }
  const kinds = ["MachinePool", "MachineDeployment"];
  const pool = kinds.flatMap((kind) => objectsOf(plan, kind)).find(({ metadata }) => metadata.name === name)!;
  const { bootstrap } = (pool.spec as { template: { spec: { bootstrap: { configRef: { name: string } } } } })
    .template.spec;
  const isIt = ({ metadata }: { metadata: { name: string } }) => metadata.name === bootstrap.configRef.name;
  const template = objectsOf(plan, "KubeadmConfigTemplate").find(isIt);
  return template === undefined
    ? (objectsOf(plan, "KubeadmConfig").find(isIt)!.spec as KubeadmConfigSpec)
    : (template.spec as { template: { spec: KubeadmConfigSpec } }).template.spec;
}

const nodesOf = async (os: NodeData["os"]): Promise<Node[]> => {
  const plans = await Promise.all(allExamples.map(planOf));
  return plans.flatMap((plan) =>
    plan.nodes.filter((node) => node.os === os).map((node) => ({ ...node, spec: specOf(plan, node) })),
  );
};

const machine = ({ text }: { readonly text: string }) => ({ text, computerName });

const content = (result: WindowsResult | LinuxResult, path: string): string =>
  decoded(result.files.find((file) => file.path === path)!);

/** The files of a spec with their text; those from Secrets are left out, because a plan has placeholders for them. */
const ownFiles = ({ files = [] }: KubeadmConfigSpec): [path: string, text: string][] =>
  files.flatMap(({ path, content: text, encoding }): [string, string][] =>
    text === undefined
      ? []
      : [[path, encoding === "base64" ? Buffer.from(text, "base64").toString("utf8") : text]],
  );

const onWindows = (path: string): string =>
  win32.normalize(path).replace(/^[a-z]:/, (drive) => drive.toUpperCase());

if (python === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_PYTHON names no Python with test/bootstrap/readers/requirements.txt and cloud-init", () =>
    undefined);
} else {
  describe("cloudbase-init with the data of every Windows pool", () => {
    let read: { node: Node; result: WindowsResult }[];
    beforeAll(async () => {
      const nodes = await nodesOf("windows");
      const { results } = cloudbaseInit(nodes.map(machine));
      read = nodes.map((node, index) => ({ node, result: results[index]! }));
    });

    it("writes every file of the spec, byte for byte", () => {
      expect(read.length).toBeGreaterThanOrEqual(4);
      for (const { node, result } of read) {
        const files = ownFiles(node.spec);
        expect(files.length).toBeGreaterThanOrEqual(3);
        expect(files.map(([path]) => [path, content(result, onWindows(path))])).toEqual(files);
      }
    });

    it("joins under the name that Azure gave to the machine", () => {
      for (const { result } of read) {
        expect(result.document).not.toContain("CI_MISSING_JINJA_VAR");
        expect(parse(content(result, "C:\\run\\kubeadm\\kubeadm-join-config.yaml"))).toMatchObject({
          kind: "JoinConfiguration",
          nodeRegistration: { name: computerName },
        });
      }
    });

    it("makes one batch file of all commands, kubeadm join between those before and after it", () => {
      for (const { node, result } of read) {
        const { preKubeadmCommands = [], postKubeadmCommands = [], verbosity } = node.spec;
        const join = `kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml ${verbosity === undefined ? "" : `--v ${verbosity}`} && echo success > /run/cluster-api/bootstrap-success.complete`;
        const lines = ["rem cmd", ...preKubeadmCommands, join, ...postKubeadmCommands];
        expect(result.batches).toEqual([lines.map((line) => `${line}\r\n`).join("")]);
      }
    });

    it("finds every script that the batch file runs", () => {
      for (const { result } of read) {
        const scripts = [...result.batches[0]!.matchAll(/-File (\S+)/g)].map(([, path]) => onWindows(path!));
        expect(scripts.length).toBeGreaterThanOrEqual(2);
        expect(result.files.map(({ path }) => path)).toEqual(expect.arrayContaining(scripts));
      }
    });

    it("makes the folder of the sentinel, which the batch file needs", () => {
      for (const { result } of read) {
        expect(result.files.map(({ path }) => path)).toContain("C:\\run\\cluster-api\\placeholder");
      }
    });

    it("gives the user its SSH key and its group", () => {
      for (const { node, result } of read) {
        const [user] = node.spec.users!;
        expect(result.groups).toEqual({ [user!.name]: ["Administrators"] });
        expect(result.keys).toEqual({
          [user!.name]: user!.sshAuthorizedKeys!.map((key) => `${key}\n`).join(""),
        });
      }
    });

    it("ignores nothing but the owners of files, and warns only about the user, which the image already has", () => {
      for (const { result } of read) {
        expect(result.ignored).toEqual(["write_files[].owner"]);
        expect(result.log).toEqual(["User 'capi' already exists"]);
      }
    });

    it("has a plug-in for each key that the plan uses", () => {
      expect(new Set(cloudbaseInit([]).keys)).toEqual(cloudbaseInitKeys);
    });

    it("reports ignored keys, wrong templates and wrong lists, so the test can fail", () => {
      const [{ node }] = read as [(typeof read)[number]];
      const [name, ...heading] = [
        "{{ ds.meta_data.no_such_key }}",
        "## template: jinja",
        "#cloud-config",
        "",
      ];
      const { results } = cloudbaseInit(
        [
          `${node.text}\nbootcmd: [echo]\ngrowpart:\n  mode: auto\n`,
          node.text.replace("    groups: Administrators\n", "$&    sudo: ALL\n    lock_passwd: true\n"),
          [...heading, `hostname: ${name}`].join("\n"),
          [...heading, "write_files: nothing"].join("\n"),
          [...heading, "write_files:", "- path: C:/x", "  content: '{% if %}'"].join("\n"),
          [...heading, "write_files:", "- path: C:/x", "  encoding: rot13", "  content: x"].join("\n"),
        ].map((text) => machine({ text })),
      );
      expect(results[0]!.log).toEqual([
        "User 'capi' already exists",
        "Plugin 'bootcmd' is currently not supported",
        "Plugin 'growpart' is currently not supported",
      ]);
      expect(results[1]!.ignored).toEqual(["users[].lock_passwd", "users[].sudo", "write_files[].owner"]);
      expect(results[2]!.document).toContain("CI_MISSING_JINJA_VAR/no_such_key");
      expect(results[3]!.log).toEqual([expect.stringContaining("Processing plugin write_files failed")]);
      expect(results[4]!.log).toEqual([expect.stringContaining("TemplateSyntaxError")]);
      expect(results[5]!.log).toContain("Unknown encoding, assuming plain text.");
    });
  });

  describe("cloud-init with the data of every Linux node", () => {
    let read: { node: Node; result: LinuxResult }[];
    beforeAll(async () => {
      const nodes = await nodesOf("linux");
      const results = cloudInit(nodes.map(machine));
      read = nodes.map((node, index) => ({ node, result: results[index]! }));
    });

    it("accepts all of it: its schema, Jinja, its modules and a shell report no error", () => {
      expect(read.length).toBeGreaterThanOrEqual(5);
      expect(read.map(({ result }) => result.log)).toEqual(read.map(() => []));
    });

    it("writes kubeadm's configuration for the machine's own name, readable by root only", () => {
      for (const { result } of read) {
        const file = result.files.find(({ path }) => path.startsWith("/run/kubeadm/"))!;
        expect(file.mode).toBe("0640");
        expect(decoded(file)).toContain(`\n  name: '${computerName}'\n`);
        expect(result.script).toContain(` --config ${file.path} `);
      }
    });

    it("keeps private keys from everybody but root", () => {
      const keys = read.flatMap(({ result }) => result.files.filter(({ path }) => path.endsWith(".key")));
      expect(keys.length).toBeGreaterThanOrEqual(12);
      expect(new Set(keys.map(({ mode }) => mode))).toEqual(new Set(["0600"]));
    });

    it("reports wrong types, templates and shell scripts, so the test can fail", () => {
      const results = cloudInit(
        [
          "write_files: nothing\nruncmd: []\n",
          "write_files:\n- content: x\nruncmd: ['true']\n",
          "mounts: {}\nruncmd: ['true']\n",
          "runcmd: ['if true']\n",
          "hostname: '{{ ds.meta_data.no_such_key }}'\nruncmd: ['true']\n",
        ].map((body) => machine({ text: `## template: jinja\n#cloud-config\n${body}` })),
      );
      expect(results.map(({ log }) => log.join("\n"))).toEqual([
        expect.stringContaining("write_files: 'nothing' is not of type 'array'"),
        expect.stringContaining("write_files.0: 'path' is a required property"),
        expect.stringContaining("mounts: {} is not of type 'array'"),
        expect.stringContaining("Syntax error"),
        expect.stringContaining("no_such_key"),
      ]);
    });
  });
}
