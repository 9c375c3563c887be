import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { auditBootstrap } from "../../bootstrap/audit";
import type { KubernetesObject } from "capz-types";
import { auditLogPath } from "capz-windows-platform/audit/log";
import { auditPolicyFaults } from "capz-windows-platform/audit/policyFaults";
import { Rigs } from "../life/support/rig";
import { namespace } from "./applier";
import { ApiServer, noControllers } from "./client";

/** What an API server writes into its audit log with the files and arguments of controlPlane.audit. */
const rig = process.env.CAPZ_WINDOWS_RIG;

const planted = "PLANTED-0123456789";

interface Event {
  readonly level: string;
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly namespace?: string; readonly name?: string };
  readonly requestObject?: { readonly metadata?: { readonly managedFields?: unknown } };
  readonly responseObject?: unknown;
}

const people = {
  person: "ada,system:authenticated",
  kubelet: "system:node:n1,system:nodes",
  calico: "system:serviceaccount:calico-system:calico-node,system:serviceaccounts:calico-system",
  controller: "system:kube-controller-manager,system:authenticated",
};
type Who = keyof typeof people;

const object = (apiVersion: string, kind: string, name: string, fields: object = {}): KubernetesObject => ({
  ...{ apiVersion, kind, metadata: { name, namespace: "apps" } },
  ...fields,
});

class Client extends ApiServer {
  get(path: string) {
    return this.ask("GET", path);
  }

  create(path: string, body: object) {
    return this.ask("POST", path, body, "application/json");
  }

  mergeInto(path: string, body: object) {
    return this.ask("PATCH", path, body, "application/merge-patch+json");
  }
}

if (rig === undefined || rig === "") {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)", () =>
    undefined);
} else {
  const rigs = new Rigs({ rig, controllers: "" });
  const clients = {} as Record<Who, Client>;
  let log = "";

  const content = (): string => readFileSync(log, "utf8");
  const events = (): Event[] =>
    content()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Event);
  const of = (who: Who): Event[] => {
    const [name] = people[who].split(",");
    return events().filter(({ user }) => user.username === name);
  };
  const said = (who: Who): string[] =>
    of(who).map(({ level, verb, objectRef: { resource = "" } = {} }) => `${verb} ${resource}: ${level}`);
  /** Waits for a line: the API server writes it when it has answered. */
  const until = async (isSo: () => boolean) => {
    const end = Date.now() + 20_000;
    while (!isSo()) {
      expect(Date.now()).toBeLessThan(end);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  beforeAll(async () => {
    const { args, files } = auditBootstrap({}, "v1.35.6");
    const at = (name: string): string => join(rigs.folder, name);
    const [policy] = files;
    const own: Record<string, string> = {
      "/etc/kubernetes/audit-policy.yaml": at("policy.yaml"),
      [auditLogPath]: at("audit.log"),
    };
    log = at("audit.log");
    writeFileSync(at("policy.yaml"), policy?.content ?? "");
    writeFileSync(
      at("tokens.csv"),
      Object.entries(people)
        .map(([who, identity]) => {
          const [name, group] = identity.split(",");
          return `${who}-token,${name},${who},"${group}"\n`;
        })
        .join(""),
    );
    const kubeconfig = await rigs.start(
      "audit",
      noControllers,
      "--authorization-mode=AlwaysAllow",
      `--apiserver-arg=--token-auth-file=${at("tokens.csv")}`,
      ...args.map(({ name, value }) => `--apiserver-arg=--${name}=${own[value] ?? value}`),
    );
    for (const who of Object.keys(people) as Who[]) {
      const config = parse(readFileSync(kubeconfig, "utf8")) as { users: { user: object }[] };
      config.users.forEach((one) => (one.user = { token: `${who}-token` }));
      writeFileSync(at(who), stringify(config));
      clients[who] = new Client(at(who));
    }
    await clients.person.apply(namespace("apps"), { dryRun: false });
  });

  afterAll(async () => {
    Object.values(clients).forEach((client) => {
      client.close();
    });
    await rigs.stopAll();
  });

  it("has who wrote what: the body of a Deployment, and only the name of a Secret, a ConfigMap and a token", async () => {
    const { person } = clients;
    const spec = {
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "c", image: "r.example/web:visible" }] },
      },
    };
    const made = [
      object("v1", "Secret", "key", { stringData: { password: planted } }),
      object("v1", "ConfigMap", "settings", { data: { password: planted } }),
      object("apps/v1", "Deployment", "web", { spec }),
      object("v1", "ServiceAccount", "web"),
    ];
    for (const one of made) {
      expect((await person.apply(one, { dryRun: false })).status).toBeLessThan(300);
    }
    const token = await person.create("/api/v1/namespaces/apps/serviceaccounts/web/token", {
      ...{ apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" },
      spec: { expirationSeconds: 600 },
    });
    const secret = (JSON.parse(token.text) as { status: { token: string } }).status.token;
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token: secret } };
    await person.create("/apis/authentication.k8s.io/v1/tokenreviews", review);
    await person.get("/api/v1/namespaces/apps/secrets/key");
    // As Cluster API does every ten seconds, with the certificate of the administrator.
    await person.get("/");
    await person.get("/api/v1/namespaces/apps/pods");
    await until(() => said("person").includes("list pods: Metadata"));
    expect(said("person")).toEqual(
      expect.arrayContaining([
        ...["patch secrets: Metadata", "patch configmaps: Metadata", "patch deployments: Request"],
        ...["create serviceaccounts: Metadata", "create tokenreviews: Metadata", "get secrets: Metadata"],
      ]),
    );
    expect(content()).not.toContain(planted);
    expect(content()).not.toContain(secret);
    expect(content()).toContain("r.example/web:visible");
    expect(of("person").filter(({ responseObject }) => responseObject !== undefined)).toEqual([]);
    expect(of("person").filter(({ requestURI }) => requestURI === "/")).toEqual([]);
  });

  it("has nothing of what kubelets do all day: heartbeats, leases, status, events, reads", async () => {
    const { kubelet, person } = clients;
    const node = { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } };
    await kubelet.apply(node, { dryRun: false });
    const lease = "/apis/coordination.k8s.io/v1/namespaces/apps/leases";
    const spec = { holderIdentity: "n1", leaseDurationSeconds: 40 };
    const answers = [
      await kubelet.mergeInto("/api/v1/nodes/n1/status", { status: { phase: "Running" } }),
      await kubelet.create(lease, object("coordination.k8s.io/v1", "Lease", "n1", { spec })),
      await kubelet.mergeInto(`${lease}/n1`, { spec: { leaseDurationSeconds: 41 } }),
      await kubelet.get("/api/v1/pods"),
      await kubelet.get("/api/v1/namespaces/apps/secrets/key"),
      await kubelet.get("/readyz"),
      await kubelet.create(
        "/api/v1/namespaces/apps/events",
        object("v1", "Event", "e", { involvedObject: { kind: "Pod", namespace: "apps", name: "p" } }),
      ),
    ];
    expect(answers.map(({ status }) => status).filter((status) => status >= 300)).toEqual([]);
    await person.get("/api/v1/namespaces/apps/services");
    await until(() => said("person").includes("list services: Metadata"));
    // That it registered is worth a line.
    expect(said("kubelet")).toEqual(["patch nodes: Metadata"]);
  });

  it("has the Secrets that an add-on reads, and nothing else of its reads and of the control plane's", async () => {
    const { calico, controller, person } = clients;
    await calico.get("/api/v1/namespaces/apps/secrets/key");
    await calico.get("/api/v1/nodes");
    await controller.get("/api/v1/secrets");
    await controller.get("/apis/apps/v1/deployments");
    await controller.mergeInto("/apis/apps/v1/namespaces/apps/deployments/web/status", {
      status: { observedGeneration: 1 },
    });
    await controller.mergeInto("/apis/apps/v1/namespaces/apps/deployments/web", { spec: { replicas: 2 } });
    await person.get("/api/v1/namespaces/apps/endpoints");
    await until(() => said("person").includes("list endpoints: Metadata"));
    expect(said("calico")).toEqual(["get secrets: Metadata"]);
    expect(said("controller")).toEqual(["patch deployments: Metadata"]);
  });

  it.each([
    ["no rules", { rules: [] }],
    [
      "resources and URLs in one rule",
      { rules: [{ level: "None", nonResourceURLs: ["/a"], resources: [{ group: "" }] }] },
    ],
    [
      "names without resources",
      { rules: [{ level: "None", resources: [{ group: "", resourceNames: ["a"] }] }] },
    ],
    ["a URL with an asterisk inside", { rules: [{ level: "None", nonResourceURLs: ["/a/*/b"] }] }],
    ["a level in lower case", { rules: [{ level: "none" }] }],
  ])("does not start with a policy that the plan refuses: %s", async (what, fields) => {
    const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy", ...fields };
    expect(auditPolicyFaults(policy, "v1.35.6")).not.toEqual([]);
    const file = join(rigs.folder, "wrong.yaml");
    writeFileSync(file, stringify(policy));
    await expect(
      rigs.start(
        what.replaceAll(" ", "-"),
        noControllers,
        "--timeout=20s",
        `--apiserver-arg=--audit-policy-file=${file}`,
        `--apiserver-arg=--audit-log-path=${join(rigs.folder, "wrong.log")}`,
      ),
    ).rejects.toThrow();
  });
}
