import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, truncateSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { delimiter, join } from "node:path";
import { parse, stringify } from "yaml";
import { commandNames } from "capz-windows-kit/commandLine/commandNames";
import { projectDir } from "../support/stacks";
import { HttpStandIn } from "capz-windows-test-kit/standIn";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { kubeconfigOf } from "capz-windows-test-kit/kubeconfig";

/** A kubeconfig of the user may name files. Each is found where kubectl finds it, and none may fill the memory. */

const dir = temporaryFolder();
const file = (name: string, content: string | Buffer): string => {
  writeFileSync(join(dir, name), content);
  return join(dir, name);
};

class Cluster extends HttpStandIn {
  readonly logins: string[] = [];
  /** Refuses with the words of the request, as proxies do. */
  isQuoting = false;

  protected respond(request: IncomingMessage, response: ServerResponse): void {
    this.logins.push(request.headers.authorization ?? "");
    if (this.isQuoting) {
      const message = `no user has the token ${request.headers.authorization ?? ""}`;
      response
        .writeHead(401, { "content-type": "application/json" })
        .end(JSON.stringify({ kind: "Status", message }));
      return;
    }
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ groups: [], items: [] }));
  }
}

const cluster = new Cluster();
let url = "";

beforeAll(async () => {
  url = await cluster.listen();
});

beforeEach(() => {
  cluster.logins.length = 0;
  cluster.isQuoting = false;
});

afterAll(() => {
  cluster.close();
});

/** What a command prints. */
const printedBy = (
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  cwd = process.cwd(),
): Promise<string> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(projectDir, `scripts/${command}.js`), ...args],
      { cwd, env: { ...process.env, ...env } },
      (_, stdout, stderr) => {
        resolve(`${stdout}${stderr}`);
      },
    );
  });

/** What the doctor prints about the cluster of a kubeconfig. */
const said = (kubeconfig: string, env: NodeJS.ProcessEnv = {}): Promise<string> =>
  printedBy("doctor", ["--kubeconfig", kubeconfig, "--cluster", "dev", "--namespace", "dev"], env);

/** A kubeconfig with these fields of its cluster. */
const withCluster = (fields: object): string => {
  const config = parse(kubeconfigOf(url, { token: "t" })) as { clusters: { cluster: object }[] };
  return stringify({
    ...config,
    clusters: config.clusters.map((one) => ({ ...one, cluster: { ...one.cluster, ...fields } })),
  });
};

const large = file("large", Buffer.alloc(1_000_001));

it.each([
  ["certificate-authority", () => withCluster({ "certificate-authority": "large" })],
  ["client-certificate", () => kubeconfigOf(url, { "client-certificate": "large" })],
  ["client-key", () => kubeconfigOf(url, { "client-key": "large" })],
  ["tokenFile", () => kubeconfigOf(url, { "auth-provider": { name: "x", config: { tokenFile: large } } })],
])("a %s that is too large is said, and nothing is sent", async (_field, text) => {
  const printed = await said(file("a.kubeconfig", text()));
  expect(printed).toBe(
    `${join(dir, "a.kubeconfig")} cannot be read: ${large} cannot be read: it has 1,000,001 bytes, more than 1,000,000\n`,
  );
  expect(cluster.logins).toEqual([]);
});

it.each(["kubeconfig-u-abc12:x7mzp4lq9w2vbnk5", "S3crToken"])(
  "the login %s is not shown where an answer quotes it",
  async (token) => {
    cluster.isQuoting = true;
    const text = await said(file("quoted.yaml", kubeconfigOf(url, { token })));
    expect(cluster.logins).toContain(`Bearer ${token}`);
    expect(text).toContain("(not shown: the login of this command)");
    expect(text).not.toMatch(/x7mzp4lq9w2vbnk5|S3crToken/);
  },
);

it("a kubeconfig that is too large is said", async () => {
  const path = join(dir, "large.kubeconfig");
  writeFileSync(path, "");
  truncateSync(path, 400_000_001);
  expect(await said(path)).toBe(`${path} cannot be read: it has 400,000,001 bytes, more than 10,000,000\n`);
});

it("a file is found beside the kubeconfig, not in the folder of the command", async () => {
  mkdirSync(join(dir, "pki"));
  file("pki/ca.crt", "");
  const printed = await said(file("b.kubeconfig", withCluster({ "certificate-authority": "pki/ca.crt" })));
  expect(printed).not.toContain("cannot be read");
  expect(cluster.logins).toContain("Bearer t");
});

it("a text that is no kubeconfig is said, without what it has", async () => {
  const printed = await said(file("c.kubeconfig", "users: [{user: {token: SECRET}\n"));
  expect(printed).toMatch(/^\S+c\.kubeconfig cannot be read: [^\n]+\n$/);
  expect(printed).not.toContain("SECRET");
  expect(await said(file("c.kubeconfig", "[]"))).toContain("cannot be read: it is not a mapping");
});

it("of KUBECONFIG the first file decides, and one that does not exist is left out, as for kubectl", async () => {
  const other = parse(kubeconfigOf("http://127.0.0.1:1", { token: "other" })) as Record<string, unknown>;
  const renamed = stringify({
    ...other,
    "current-context": "second",
    clusters: [
      { name: "second", cluster: { server: "http://127.0.0.1:1", "insecure-skip-tls-verify": true } },
    ],
    contexts: [{ name: "second", context: { cluster: "second", user: "second" } }],
    users: [{ name: "second", user: { token: "other" } }],
  });
  const files = [
    join(dir, "missing"),
    file("d.kubeconfig", kubeconfigOf(url, { token: "first" })),
    file("e.kubeconfig", renamed),
  ];
  await said("default", { KUBECONFIG: files.join(delimiter) });
  expect(cluster.logins).toContain("Bearer first");
});

describe("--kubeconfig default, in a folder where a stranger's file has that name", () => {
  const ofCluster = ["--cluster", "dev", "--namespace", "dev"];
  const argumentsOf: Readonly<Record<string, readonly string[]>> = {
    doctor: ofCluster,
    access: ofCluster,
    probe: ["--stack", "dev"],
    encryption: ["--stack", "dev"],
    import: [],
    workloads: [],
  };

  it("is asked of each command that has the option", async () => {
    const helps = await Promise.all(
      commandNames.map(async (name) => [name, await printedBy(name, ["--help"])] as const),
    );
    const having = helps.filter(([, help]) => help.includes("--kubeconfig <FILE>")).map(([name]) => name);
    expect(having.sort()).toEqual(Object.keys(argumentsOf).sort());
  });

  it.each(Object.entries(argumentsOf))(
    "%s asks the cluster of kubectl's, and runs nothing",
    async (name, args) => {
      const folder = mkdtempSync(join(dir, "stranger-"));
      const exec = {
        apiVersion: "client.authentication.k8s.io/v1",
        command: "sh",
        args: ["-c", `echo ran > '${join(folder, "ran")}'`],
        interactiveMode: "Never",
      };
      writeFileSync(join(folder, "default"), kubeconfigOf(url, { exec }));
      const own = file("own.kubeconfig", kubeconfigOf(url, { token: "own" }));
      await printedBy(name, ["--kubeconfig", "default", ...args], { KUBECONFIG: own }, folder);
      expect(cluster.logins).toContain("Bearer own");
      expect(existsSync(join(folder, "ran"))).toBe(false);
    },
  );
});
