import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { kubeletCsrApproverObjects } from "../../addons/kubeletCsrApprover";
import { nodeNamePattern } from "capz-windows-platform/cluster/kubeletCertificates";
import { computerName } from "capz-windows-platform/machines/naming";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { Rigs } from "../life/support/rig";
import { ApiServer, noControllers, type Answer } from "./client";

/** What the approver of kubelets' certificates may do, asked of an API server that decides by RBAC. */
const rig = process.env.CAPZ_WINDOWS_RIG;

const approver = "system:serviceaccount:kube-system:kubelet-csr-approver";
const accounts = ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"];
const requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const nodes = [computerName("linux1", "linux", 0), computerName("win1", "windows", 0)];

/** A request in PEM, as kubelet makes it (k8s.io/kubernetes v1.36.3 pkg/kubelet/certificate/kubelet.go). */
function requestOf(node: string, organization = "system:nodes"): string {
  const folder = mkdtempSync(join(tmpdir(), "capz-windows-csr-"));
  try {
    const names = ["-addext", `subjectAltName=DNS:${node},IP:10.10.128.4`];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key"];
    const subject = `/O=${organization}/CN=system:node:${node}`;
    execFileSync("openssl", ["req", "-new", ...key, "-subj", subject, ...names, "-out", "csr"], {
      cwd: folder,
      stdio: "ignore",
    });
    return readFileSync(join(folder, "csr"), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Acts as another user, as an administrator may. */
class As extends ApiServer {
  to(who: string, groups: readonly string[]) {
    const headers = { "impersonate-user": who, "impersonate-group": [...groups] };
    return (method: string, path: string, body?: unknown): Promise<Answer> =>
      this.call(method, path, body, "application/json", headers);
  }
}

const csr = (name: string, request: string, signerName = "kubernetes.io/kubelet-serving") => ({
  ...{ apiVersion: "certificates.k8s.io/v1", kind: "CertificateSigningRequest", metadata: { name } },
  spec: {
    request: Buffer.from(request).toString("base64"),
    signerName,
    usages: ["digital signature", signerName.endsWith("serving") ? "server auth" : "client auth"],
  },
});

const approved = (object: object) => ({
  ...object,
  status: { conditions: [{ type: "Approved", status: "True", reason: "Test", message: "test" }] },
});

/** The rules of a review as texts, sorted. */
const rulesIn = ({ body }: Answer): string[] =>
  list(at(body, "status", "resourceRules"))
    .map(({ apiGroups, resources, resourceNames, verbs }) =>
      JSON.stringify([apiGroups, resources, resourceNames, verbs]),
    )
    .sort();

if (rig === undefined || rig === "") {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)", () =>
    undefined);
} else {
  const rigs = new Rigs({ rig, controllers: "" });
  let server: As;

  beforeAll(async () => {
    server = new As(await rigs.start("certificates", noControllers, "--authorization-mode=RBAC"));
    const objects = kubeletCsrApproverObjects({
      replicas: 1,
      nodeNames: nodeNamePattern("blue", []),
      nodeRanges: ["10.10.128.0/17"],
    });
    // The rights that the Node authorizer of a cluster gives to kubelets.
    const kubelets = {
      ...{
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "kubelets" },
      },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "system:node" },
      subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "system:nodes" }],
    };
    for (const object of [...objects, kubelets]) {
      const { status, body } = await server.apply(object, { dryRun: false });
      expect([object.kind, status < 300 ? "" : (body.message ?? status)]).toEqual([object.kind, ""]);
    }
    // The API server decides by copies of roles and bindings, which it gets a moment after they are written.
    const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kubelet-csr-approver";
    for (const [act, path] of [
      [kubelet("any"), `${requests}/none`],
      [server.to(approver, accounts), `${requests}/none`],
      [server.to(approver, accounts), leases],
    ] as const) {
      while ((await act("GET", path)).status === 403) {
        await setTimeout(100);
      }
    }
  }, 120_000);

  afterAll(async () => {
    server.close();
    await rigs.stopAll();
  });

  const kubelet = (node: string) =>
    server.to(`system:node:${node}`, ["system:nodes", "system:authenticated"]);

  it.each(nodes)("the request of kubelet %s is accepted, and the approver may approve it", async (node) => {
    const { status } = await kubelet(node)("POST", requests, csr(node, requestOf(node)));
    expect(status).toBe(201);
    const act = server.to(approver, accounts);
    const { body } = await act("GET", `${requests}/${node}`);
    expect(textAt(body.spec, "username")).toBe(`system:node:${node}`);
    const answer = await act("PUT", `${requests}/${node}/approval`, approved(body));
    const [condition] = list(at(answer.body, "status", "conditions"));
    expect([answer.status, condition?.type]).toEqual([200, "Approved"]);
  });

  it("a kubelet may not approve its own request, and an account without the role neither", async () => {
    const [node = ""] = nodes;
    await kubelet(node)("POST", requests, csr("own", requestOf(node)));
    const { body } = await server.to(approver, accounts)("GET", `${requests}/own`);
    for (const act of [kubelet(node), server.to("system:serviceaccount:kube-system:default", accounts)]) {
      expect((await act("PUT", `${requests}/own/approval`, approved(body))).status).toBe(403);
    }
  });

  it("the approver may not approve certificates with which a client logs in", async () => {
    const signer = "kubernetes.io/kube-apiserver-client-kubelet";
    const [node = ""] = nodes;
    const { body, status } = await kubelet(node)("POST", requests, csr("client", requestOf(node), signer));
    expect([status, body.message]).toEqual([201, undefined]);
    const answer = await server.to(approver, accounts)("PUT", `${requests}/client/approval`, approved(body));
    expect([answer.status, answer.body.message]).toEqual([
      403,
      `certificatesigningrequests.certificates.k8s.io "client" is forbidden: user not permitted to approve requests with signerName "${signer}"`,
    ]);
  });

  it("has these rights beside those of every account, and no others", async () => {
    const review = (who: string, namespace: string) =>
      server.to(who, accounts)("POST", "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews", {
        ...{ apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectRulesReview", spec: { namespace } },
      });
    const own = async (namespace: string) => {
      const others = rulesIn(await review("system:serviceaccount:kube-system:default", namespace));
      return rulesIn(await review(approver, namespace)).filter((one) => !others.includes(one));
    };
    const group = ["certificates.k8s.io"];
    const everywhere = [
      [group, ["certificatesigningrequests"], undefined, ["get", "list", "watch"]],
      [group, ["certificatesigningrequests/approval"], undefined, ["update"]],
      [group, ["signers"], ["kubernetes.io/kubelet-serving"], ["approve"]],
    ];
    const leases = [
      [["coordination.k8s.io"], ["leases"], undefined, ["create"]],
      [["coordination.k8s.io"], ["leases"], ["kubelet-csr-approver"], ["get", "update"]],
    ];
    const texts = (rules: readonly unknown[]) => rules.map((one) => JSON.stringify(one)).sort();
    expect(await own("default")).toEqual(texts(everywhere));
    expect(await own("kube-system")).toEqual(texts([...everywhere, ...leases]));
  });
}
