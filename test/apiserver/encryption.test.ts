import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encryptionBootstrap, encryptionConfiguration } from "../../bootstrap/encryption";
import type { Send } from "capz-windows-doctor/cluster/connect";
import { rewrite, type Rewritten } from "capz-windows-doctor/encryption/rewrite";
import { keyVaultKey, socketFolder } from "capz-windows-platform/encryption/keyVault";
import { encryptionPath, refusedStep, type Encryption } from "capz-windows-platform/encryption/keys";
import { Rigs } from "../life/support/rig";
import { namespace } from "./applier";
import { ApiServer, noControllers } from "./client";
import { KeyVaultStandIn } from "./keyVaultStandIn";

/** What an API server writes into etcd in each stage of controlPlane.encryption, and what it can read there. */
const rig = process.env.CAPZ_WINDOWS_RIG;

const planted = "PLANTED-0123456789";

class Client extends ApiServer {
  async read(name: string): Promise<string | undefined> {
    const { text } = await this.ask("GET", `/api/v1/namespaces/apps/secrets/${name}`);
    const { data } = JSON.parse(text) as { data?: { password?: string } };
    return data?.password === undefined ? undefined : Buffer.from(data.password, "base64").toString();
  }

  /** The HTTP status of a probe. */
  readonly probe = async (path: string): Promise<number> => (await this.ask("GET", path)).status;

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
  // Each server lives for seconds: to collect garbage takes it a quarter of its time.
  const rigs = new Rigs({ rig, controllers: "" }, { ...process.env, GOGC: "off", GOMEMLIMIT: "1GiB" });
  const bytes = Object.fromEntries(["a", "b"].map((key) => [key, randomBytes(32).toString("base64")]));
  let client: Client | undefined;
  let stage: Encryption | undefined;

  /** A stage that the plan takes. Without a server of its own, what it writes and reads is seen in the ones beside it. */
  const allow = (next: Encryption | undefined): void => {
    expect(refusedStep(stage, next)).toBeUndefined();
    stage = next;
  };

  /** Restarts the API server on the same etcd, as a rollout does. */
  const roll = async (next: Encryption | undefined, ...flags: readonly string[]): Promise<Client> => {
    allow(next);
    if (client !== undefined) {
      client.close();
      client = undefined;
      await rigs.rig("stop", rigs.dir("etcd"));
    }
    const file = join(rigs.folder, "encryption.yaml");
    if (next !== undefined) {
      writeFileSync(
        file,
        encryptionConfiguration(next, bytes).replaceAll(`unix://${socketFolder}`, `unix://${rigs.folder}`),
      );
    }
    const kubeconfig = await rigs.start(
      "etcd",
      noControllers,
      "--authorization-mode=AlwaysAllow",
      ...flags,
      ...encryptionBootstrap(next, "blue").args.map(
        ({ name, value }) => `--apiserver-arg=--${name}=${value === encryptionPath ? file : value}`,
      ),
    );
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
    const [, key] = /^k8s:enc:(?:secretbox:v1|kms:v2):([^:]*):/.exec(value) ?? [];
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

  /** Two versions of a key in a vault, each with its plugin. */
  const ids = Object.fromEntries(
    ["v", "w"].map((name, index) => [
      name,
      `/subscriptions/s/resourceGroups/g/providers/Microsoft.KeyVault/vaults/own/keys/etcd/versions/${`0${index}`.repeat(16)}`,
    ]),
  );
  const inVault = (...keys: string[]): Encryption => ({
    ...secrets(...keys),
    keyVaultKeys: Object.fromEntries(Object.entries(ids).filter(([name]) => keys.includes(name))),
  });
  const plugin = (name: string): KeyVaultStandIn => {
    const { host, key, version } = keyVaultKey(ids[name] ?? "");
    return new KeyVaultStandIn(join(rigs.folder, `${name}.socket`), `https://${host}/keys/${key}/${version}`);
  };
  const [v, w] = [plugin("v"), plugin("w")];
  /** The API server asks a healthy plugin again after 20 seconds, and a failed one after 3 (k8s.io/apiserver v0.35 encryptionconfig). */
  const untilReady = async (at: Client, isReady: boolean): Promise<void> => {
    const end = Date.now() + 60_000;
    while (((await at.probe("/readyz")) === 200) !== isReady) {
      expect(Date.now()).toBeLessThan(end);
      await delay(500);
    }
  };

  afterAll(async () => {
    client?.close();
    v.stop();
    w.stop();
    await rigs.stopAll();
  });

  it("encrypts from the first stage to the last one, and reads everything in each", async () => {
    const off = await roll(undefined);
    await off.apply(namespace("apps"), { dryRun: false });
    await off.write("first");
    expect(await writtenBy("first")).toBe("clear text");

    allow(secrets("identity", "a"));
    const on = await roll(secrets("a"));
    expect(await on.read("first")).toBe(planted);
    await on.write("second");
    expect([await writtenBy("first"), await writtenBy("second")]).toEqual(["clear text", "a"]);
    expect(await rewriteAll()).toEqual(counted(1, 1));
    expect(await writtenBy("first")).toBe("a");
    expect(await rewriteAll()).toEqual(counted(0, 2));

    allow(secrets("a", "b"));
    const other = await roll(secrets("b", "a"));
    await other.write("third");
    expect([await writtenBy("first"), await writtenBy("third")]).toEqual(["a", "b"]);
    expect(await other.read("first")).toBe(planted);
    expect(await rewriteAll()).toEqual(counted(2, 1));

    // Everything is read by the second key alone.
    allow(secrets("b"));
    const ends = await roll(secrets("identity", "b"));
    expect(await ends.read("first")).toBe(planted);
    expect(await rewriteAll()).toEqual(counted(3, 0));
    for (const name of ["first", "second", "third"]) {
      expect(await writtenBy(name)).toBe("clear text");
    }
    allow(undefined);
  }, 240_000);

  it("goes on to a key in Key Vault, to its next version and back, and is not ready without the vault or a key", async () => {
    await v.start();
    allow(inVault("identity", "v"));
    const on = await roll(inVault("v"));
    expect(await on.read("first")).toBe(planted);
    await on.write("fourth");
    expect([await writtenBy("first"), await writtenBy("fourth")]).toEqual(["clear text", "v"]);
    expect(await rewriteAll()).toEqual(counted(3, 1));
    expect(await writtenBy("first")).toBe("v");

    v.stop();
    await untilReady(on, false);
    expect(await on.probe("/livez")).toBe(200);
    expect(await on.read("fourth")).toBe(planted);
    await v.start();
    await untilReady(on, true);

    await w.start();
    allow(inVault("v", "w"));
    const next = await roll(inVault("w", "v"));
    expect(await next.read("first")).toBe(planted);
    expect(await rewriteAll()).toEqual(counted(4, 0));
    expect([await writtenBy("first"), await writtenBy("fourth")]).toEqual(["w", "w"]);

    // Everything is read by the next version alone.
    allow(inVault("w"));
    v.stop();
    allow(inVault("w", "a"));
    const back = await roll(inVault("a", "w"));
    expect(await back.read("fourth")).toBe(planted);
    await back.write("fifth");
    expect([await writtenBy("fourth"), await writtenBy("fifth")]).toEqual(["w", "a"]);

    // What was not rewritten keeps an API server without its key from becoming ready.
    await expect(roll(secrets("a"), "--timeout=30s")).rejects.toThrow(
      /not ready after 30s|no matching prefix found/,
    );
    expect(readFileSync(join(rigs.dir("etcd"), "apiserver.log"), "utf8")).toContain(
      "no matching prefix found",
    );
  }, 300_000);
}
