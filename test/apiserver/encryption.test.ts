import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encryptionBootstrap, encryptionConfiguration } from "../../bootstrap/encryption";
import type { Send } from "../../commands/cluster/connect";
import { rewrite, type Rewritten } from "../../commands/encryption/rewrite";
import { encryptionPath, refusedStep, type Encryption } from "../../platform/encryption/keys";
import { Rigs } from "../life/support/rig";
import { namespace } from "./applier";
import { ApiServer } from "./client";

/** What an API server writes into etcd in each stage of controlPlane.encryption, and what it can read there. */
const rig = process.env.CAPZ_WINDOWS_RIG;

const planted = "PLANTED-0123456789";

class Client extends ApiServer {
  async read(name: string): Promise<string | undefined> {
    const { text } = await this.ask("GET", `/api/v1/namespaces/apps/secrets/${name}`);
    const { data } = JSON.parse(text) as { data?: { password?: string } };
    return data?.password === undefined ? undefined : Buffer.from(data.password, "base64").toString();
  }

  readonly send: Send = async (path, { method, body }) => {
    const { status, text } = await this.ask(method, path, body, "application/json");
    return { status, body: JSON.parse(text) as unknown, text };
  };

  async write(name: string): Promise<void> {
    const secret = {
      ...{ apiVersion: "v1", kind: "Secret", metadata: { name, namespace: "apps" } },
      stringData: { password: planted },
    };
    expect((await this.apply(secret, { dryRun: false })).status).toBeLessThan(300);
  }
}

if (rig === undefined || rig === "") {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)", () =>
    undefined);
} else {
  const rigs = new Rigs({ rig, controllers: "" });
  const bytes = Object.fromEntries(["a", "b"].map((key) => [key, randomBytes(32).toString("base64")]));
  let client: Client | undefined;
  let stage: Encryption | undefined;

  /** Restarts the API server on the same etcd, as a rollout does. */
  const roll = async (next: Encryption | undefined, ...flags: readonly string[]): Promise<Client> => {
    if (client !== undefined) {
      expect(refusedStep(stage, next)).toBeUndefined();
      client.close();
      client = undefined;
      await rigs.rig("stop", rigs.dir("etcd"));
    }
    const file = join(rigs.folder, "encryption.yaml");
    if (next !== undefined) {
      writeFileSync(file, encryptionConfiguration(next, bytes));
    }
    const kubeconfig = await rigs.start(
      "etcd",
      "--authorization-mode=AlwaysAllow",
      ...flags,
      ...encryptionBootstrap(next, "blue").args.map(
        ({ name, value }) => `--apiserver-arg=--${name}=${value === encryptionPath ? file : value}`,
      ),
    );
    stage = next;
    client = new Client(kubeconfig);
    return client;
  };

  /** The value of a Secret in etcd, by etcd's own API. */
  const raw = async (name: string): Promise<string> => {
    const log = readFileSync(join(rigs.dir("etcd"), "apiserver.log"), "utf8");
    const address = [...log.matchAll(/--etcd-servers="\[(http:[^\]]*)\]"/g)].at(-1)?.[1] ?? "";
    const key = Buffer.from(`/registry/secrets/apps/${name}`).toString("base64");
    const answer = await fetch(`${address}/v3/kv/range`, { method: "POST", body: JSON.stringify({ key }) });
    const { kvs = [] } = (await answer.json()) as { kvs?: { value: string }[] };
    return Buffer.from(kvs[0]?.value ?? "", "base64").toString("latin1");
  };

  const writtenBy = async (name: string): Promise<string> => {
    const value = await raw(name);
    expect(value).not.toBe("");
    const [, key] = /^k8s:enc:secretbox:v1:([^:]*):/.exec(value) ?? [];
    expect(value.includes(planted)).toBe(key === undefined);
    return key ?? "clear text";
  };

  /** What \`npm run encryption -- --rewrite\` does and counts. */
  const rewriteAll = async (): Promise<Pick<Rewritten, "rewritten" | "current" | "changed" | "failed">> => {
    expect(client).toBeDefined();
    const { resource, ...counts } = await rewrite(client!.send, "secrets");
    expect(resource).toBe("secrets");
    return counts;
  };
  const counted = (rewritten: number, current: number) => ({ rewritten, current, changed: 0, failed: [] });

  const secrets = (...keys: string[]): Encryption => ({ resources: ["secrets"], keys });

  afterAll(async () => {
    client?.close();
    await rigs.stopAll();
  });

  it("encrypts from the first stage to the last one, and reads everything in each", async () => {
    const off = await roll(undefined);
    await off.apply(namespace("apps"), { dryRun: false });
    await off.write("first");
    expect(await writtenBy("first")).toBe("clear text");

    const reads = await roll(secrets("identity", "a"));
    await reads.write("second");
    expect(await writtenBy("second")).toBe("clear text");

    const on = await roll(secrets("a"));
    expect(await on.read("first")).toBe(planted);
    await on.write("third");
    expect([await writtenBy("first"), await writtenBy("third")]).toEqual(["clear text", "a"]);
    expect(await rewriteAll()).toEqual(counted(2, 1));
    expect([await writtenBy("first"), await writtenBy("second")]).toEqual(["a", "a"]);
    expect(await rewriteAll()).toEqual(counted(0, 3));

    const learns = await roll(secrets("a", "b"));
    await learns.write("fourth");
    expect(await writtenBy("fourth")).toBe("a");

    const other = await roll(secrets("b", "a"));
    await other.write("fifth");
    expect([await writtenBy("first"), await writtenBy("fifth")]).toEqual(["a", "b"]);
    expect(await other.read("first")).toBe(planted);

    // One Secret that was not rewritten keeps an API server from becoming ready.
    await expect(roll(secrets("b"), "--timeout=30s")).rejects.toThrow(
      /not ready after 30s|failed to decrypt data/,
    );
    expect(readFileSync(join(rigs.dir("etcd"), "apiserver.log"), "utf8")).toContain("failed to decrypt data");
    await roll(secrets("b", "a"));
    expect(await rewriteAll()).toEqual(counted(4, 1));
    for (const name of ["first", "second", "third", "fourth"]) {
      expect(await writtenBy(name)).toBe("b");
    }
    const last = await roll(secrets("b"));
    expect(await last.read("first")).toBe(planted);
    expect(await last.read("fourth")).toBe(planted);

    const ends = await roll(secrets("identity", "b"));
    expect(await ends.read("first")).toBe(planted);
    expect(await rewriteAll()).toEqual(counted(5, 0));
    for (const name of ["first", "second", "third", "fourth", "fifth"]) {
      expect(await writtenBy(name)).toBe("clear text");
    }
    expect(await (await roll(undefined)).read("first")).toBe(planted);
  }, 240_000);
}
