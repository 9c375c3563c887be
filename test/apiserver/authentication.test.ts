import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { loginRightsObjects } from "../../addons/loginRights";
import { bindRole, namespaceRights, rbac, rule } from "../../addons/rbac";
import { authenticationBootstrap, authenticationText } from "../../bootstrap/authentication";
import type { KubernetesObject } from "capz-types";
import type { IssuerArgs } from "capz-windows-platform/login/issuers";
import { certificateAuthority, serverCertificate } from "../life/support/certificates";
import { Rigs } from "../life/support/rig";
import { ApiServer, noControllers, type Answer } from "./client";

/** Who is who for an API server with the file of controlPlane.authentication, and a small issuer of tokens. */
const rig = process.env.CAPZ_WINDOWS_RIG;

/** As bootstrap/controlPlane.ts sets it. */
const serviceAccounts = "https://kubernetes.default.svc.cluster.local";
const secrets = "/api/v1/secrets";
const clusterInfo = "/api/v1/namespaces/kube-public/configmaps/cluster-info";

class Client extends ApiServer {
  async status(path: string): Promise<number> {
    return (await this.ask("GET", path)).status;
  }

  review(): Promise<Answer> {
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
    return this.call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", body, "application/json");
  }
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

if (rig === undefined || rig === "") {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)", () =>
    undefined);
} else {
  const rigs = new Rigs({ rig, controllers: "" });
  const authority = certificateAuthority("Issuer");
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const stranger = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
  const clients: Client[] = [];
  let server: Server | undefined;
  let root = "";

  const issuers = (): IssuerArgs[] => [
    {
      ...{ issuerUrl: `${root}/company`, audiences: ["kubernetes"], certificateAuthority: authority.cert },
      ...{
        usernameClaim: "oid",
        usernamePrefix: "company:",
        groupsClaim: "groups",
        groupsPrefix: "company:",
      },
    },
    {
      ...{ issuerUrl: `${root}/dex/`, audiences: ["first", "second"], certificateAuthority: authority.cert },
      ...{ usernameClaim: "sub", usernamePrefix: "dex-", groupsClaim: "roles", groupsPrefix: "dex/" },
    },
  ];

  const token = (claims: object, key: KeyObject = privateKey): string => {
    const now = Math.floor(Date.now() / 1000);
    const all = {
      ...{ iss: `${root}/company`, aud: "kubernetes", sub: "s", oid: "ada", groups: ["admins"] },
      ...{ iat: now, exp: now + 600, ...claims },
    };
    const text = `${base64({ alg: "RS256", kid: "k", typ: "JWT" })}.${base64(all)}`;
    return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
  };

  const start = async (name: string, text: string, ...flags: readonly string[]): Promise<string> => {
    const file = join(rigs.folder, `${name}.yaml`);
    writeFileSync(file, text);
    const { args } = authenticationBootstrap({ issuers: [] }, "v1.35.6");
    const own = args.map((arg) => `--apiserver-arg=--${arg.name}=${file}`);
    return rigs.start(name, noControllers, ...flags, ...own);
  };

  beforeAll(async () => {
    const { cert, key } = serverCertificate(authority, ["127.0.0.1"]);
    server = createServer({ cert, key }, ({ url = "" }, response) => {
      const [, issuerUrl = ""] = /^(.*?)\/?\.well-known\/openid-configuration$/.exec(url) ?? [];
      // The issuer in the document is that of the file, with its trailing slash.
      const issuer = issuers().find(
        (one) => one.issuerUrl.replace(/\/$/, "") === `${root}${issuerUrl}`,
      )?.issuerUrl;
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify(
          url === "/keys"
            ? { keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "RS256", use: "sig" }] }
            : { issuer, jwks_uri: `${root}/keys`, id_token_signing_alg_values_supported: ["RS256"] },
        ),
      );
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    root = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    clients.forEach((client) => {
      client.close();
    });
    await rigs.stopAll();
    server?.close();
    server?.closeAllConnections();
  });

  describe.each(["v1.33.9", "v1.35.6"])("the file of %s", (version) => {
    let kubeconfig = "";

    const client = (user?: object): Client => {
      const file = join(rigs.folder, `client-${clients.length}`);
      const config = parse(readFileSync(kubeconfig, "utf8")) as { users: { user: object }[] };
      config.users.forEach((one) => (one.user = user ?? one.user));
      writeFileSync(file, stringify(config));
      const made = new Client(file);
      clients.push(made);
      return made;
    };
    const who = async (claims: object, key?: KeyObject): Promise<unknown> => {
      const { status, body } = await client({ token: token(claims, key) }).review();
      const { username, groups } =
        (body as { status?: { userInfo?: Record<string, unknown> } }).status?.userInfo ?? {};
      return status === 201 ? { username, groups } : status;
    };
    const dex = (aud: string): object => ({ iss: `${root}/dex/`, aud, sub: "eva", roles: ["readers"] });

    beforeAll(async () => {
      kubeconfig = await start(version, authenticationText({ issuers: issuers() }, version));
      // As `kubeadm init` makes it (kubeadm/app/phases/bootstraptoken/clusterinfo): joining machines read it without a login.
      const name = "kubeadm:bootstrap-signer-clusterinfo";
      const [role] = namespaceRights(
        name,
        "",
        [{ ...rule("", ["configmaps"], "get"), resourceNames: ["cluster-info"] }],
        "kube-public",
      );
      const anonymous = { apiGroup: rbac, kind: "User", name: "system:anonymous" };
      const objects: KubernetesObject[] = [
        role!,
        { ...bindRole(name, "", name, "kube-public"), subjects: [anonymous] },
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cluster-info", namespace: "kube-public" } },
        // The controller that adds up the rules of view is not part of the rig.
        {
          ...{ apiVersion: `${rbac}/v1`, kind: "ClusterRole", metadata: { name: "view" } },
          rules: [rule("", ["pods"], "list")],
        },
        ...loginRightsObjects({
          administrators: { groups: ["company:admins"], users: [] },
          readers: { groups: [], users: ["dex-eva"] },
        }),
      ];
      const administrator = client();
      for (const object of objects) {
        expect((await administrator.apply(object, { dryRun: false })).status).toBeLessThan(300);
      }
      // The API server reads the keys of the issuers after it has become ready, one issuer by one.
      const end = Date.now() + 40_000;
      while ([await who({}), await who(dex("first"))].includes(401)) {
        expect(Date.now()).toBeLessThan(end);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    });

    it("accepts tokens of both issuers, and gives names their prefixes", async () => {
      expect(await who({})).toEqual({
        username: "company:ada",
        groups: ["company:admins", "system:authenticated"],
      });
      const eva = { username: "dex-eva", groups: ["dex/readers", "system:authenticated"] };
      expect(await who(dex("first"))).toEqual(eva);
      expect(await who(dex("second"))).toEqual(eva);
    });

    it("answers 401 to a token that is not right in one thing", async () => {
      const past = Math.floor(Date.now() / 1000) - 60;
      const answers = {
        "another audience": await who({ aud: "other" }),
        "the audience of another issuer": await who({ aud: "first" }),
        expired: await who({ exp: past }),
        "an unknown issuer": await who({ iss: `${root}/other` }),
        "an issuer without its trailing slash": await who({ ...dex("first"), iss: `${root}/dex` }),
        "the key of a stranger": await who({}, stranger),
        "no name": await who({ oid: undefined }),
      };
      expect(Object.entries(answers).filter(([, answer]) => answer !== 401)).toEqual([]);
    });

    it("gives the rights of the stack file, and none to names of Kubernetes itself", async () => {
      const administrator = client({ token: token({}) });
      const reader = client({ token: token(dex("first")) });
      const upstart = client({ token: token({ oid: "system:admin", groups: ["system:masters"] }) });
      expect([await administrator.status(secrets), await administrator.status("/api/v1/pods")]).toEqual([
        200, 200,
      ]);
      expect([await reader.status(secrets), await reader.status("/api/v1/pods")]).toEqual([403, 200]);
      expect([await upstart.status(secrets), await upstart.status("/api/v1/pods")]).toEqual([403, 403]);
    });

    it("leaves cluster-info to joining machines, and the administrator his certificate", async () => {
      const anonymous = client({});
      expect(await anonymous.status(clusterInfo)).toBe(200);
      for (const path of ["/healthz", "/livez", "/readyz"]) {
        expect([path, await anonymous.status(path)]).toEqual([path, 200]);
      }
      for (const path of [secrets, "/version", "/api", "/openapi/v2", `${clusterInfo}-other`]) {
        expect([path, await anonymous.status(path)]).toEqual([path, 401]);
      }
      expect(await client().status(secrets)).toBe(200);
    });
  });

  it.each([
    ["one issuer twice", "jwt[1].issuer.url: Duplicate value", (one: IssuerArgs) => [one, one]],
    [
      "no certificate",
      "jwt[0].issuer.certificateAuthority: Invalid value",
      (one: IssuerArgs) => [{ ...one, certificateAuthority: "no certificate" }],
    ],
    [
      "the issuer of service accounts",
      "URL must not overlap with disallowed issuers",
      (one: IssuerArgs) => [{ ...one, issuerUrl: serviceAccounts }],
    ],
  ])("does not start with issuers that the plan refuses: %s", async (what, why, wrong) => {
    const text = authenticationText({ issuers: wrong(issuers()[0]!) }, "v1.35.6");
    const flags = ["--timeout=20s", `--apiserver-arg=--service-account-issuer=${serviceAccounts}`];
    await expect(start(what.replaceAll(" ", "-"), text, ...flags)).rejects.toThrow(why);
  });
}
