import { execFile } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { projectDir } from "../support/stacks";
import { HttpStandIn } from "capz-windows-test-kit/standIn";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";
import { kubeconfigOf } from "capz-windows-test-kit/kubeconfig";

/**
 * Whoever may write Secrets in one namespace of the management cluster writes a kubeconfig there. No command may run or read
 * what it names.
 */

const dir = temporaryFolder();
const marker = join(dir, "ran");
const secretFile = join(dir, "secret");
writeFileSync(secretFile, "content-of-a-file");

/** A management cluster with nothing but this Secret; it is also the server that the kubeconfig names. */
class Management extends HttpStandIn {
  url = "";
  readonly asked: string[] = [];
  user: object = {};

  protected respond(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push(`${request.url ?? ""} ${request.headers.authorization ?? ""}`);
    const value = Buffer.from(kubeconfigOf(`${this.url}/w`, this.user)).toString("base64");
    const body =
      request.url?.includes("/secrets/") === true ? { data: { value } } : { groups: [], items: [] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  }
}

const management = new Management();
const managementFile = join(dir, "management.kubeconfig");

beforeAll(async () => {
  management.url = await management.listen();
  writeFileSync(managementFile, kubeconfigOf(management.url));
});

beforeEach(() => {
  rmSync(marker, { force: true });
  management.asked.length = 0;
});

afterAll(() => {
  management.close();
});

const touch = `echo ran > '${marker}'; echo '{"token":"t","exp":"2099-01-01T00:00:00Z"}'`;

const users = {
  exec: {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "sh",
      args: ["-c", touch],
      interactiveMode: "Never",
    },
  },
  "auth-provider": {
    "auth-provider": {
      name: "azure",
      config: {
        "cmd-path": "sh",
        "cmd-args": `-c "${touch}"`,
        "token-key": "{.token}",
        "expiry-key": "{.exp}",
      },
    },
  },
  tokenFile: { "auth-provider": { name: "tokenFile", config: { tokenFile: secretFile } } },
} as const;

const run = (script: string, ...args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(projectDir, script), ...args], (_, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });

/** The kubeconfig names the stand-in, which has no certificate: this field comes first. */
const words = "the kubeconfig is refused: it has clusters[0].cluster.insecure-skip-tls-verify";

const server = ["--kubeconfig", managementFile];

const nothingHappened = () => {
  expect(existsSync(marker)).toBe(false);
  expect(management.asked.filter((line) => line.startsWith("/w"))).toEqual([]);
  expect(management.asked.join()).not.toContain("content-of-a-file");
};

describe.each(Object.entries(users))("a Secret whose kubeconfig logs in by %s", (_name, user) => {
  beforeEach(() => {
    management.user = user;
  });

  it("is refused in words by the doctor", async () => {
    const printed = await run("scripts/doctor.js", ...server, "--cluster", "dev", "--namespace", "dev");
    expect(printed.replace(/\s+/g, " ")).toContain(words);
    nothingHappened();
  });

  it("is refused in words by the commands about a stack, as the probe", async () => {
    const printed = await run("scripts/probe.js", ...server, "--stack", "dev");
    expect(printed).toContain("The Secret dev-kubeconfig has more than Cluster API writes");
    expect(printed).toContain(words);
    nothingHappened();
  });

  it("is not used by access", async () => {
    await run("scripts/access.js", ...server, "--cluster", "dev", "--namespace", "dev");
    expect(management.asked.join()).toContain("/secrets/dev-kubeconfig");
    nothingHappened();
  });
});
