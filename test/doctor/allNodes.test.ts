import { diagnose } from "../../commands/doctor/diagnose";
import type { Finding } from "../../commands/doctor/diagnosis";
import { cniMissing } from "./faults/onNodes";
import { patient, type Loose, type Patient } from "./patient";

/** What all nodes lack is one finding about what should give it; what one node lacks is a finding about the node. */

const said = (p: Patient): readonly Finding[] => diagnose(p.snapshot()).findings;
const ids = (p: Patient): string[] => said(p).map(({ id }) => id);

function uninitialize(node: Loose): void {
  delete node.spec.providerID;
  const taint = { key: "node.cloudprovider.kubernetes.io/uninitialized", effect: "NoSchedule" };
  node.spec.taints = [...((node.spec.taints ?? []) as unknown[]), taint];
}

describe("the cloud provider initializes", () => {
  it("no node: the cloud provider is at fault, and no node is to be deleted", () => {
    const p = patient();
    p.all("Node", "workload").forEach(uninitialize);
    const [finding, ...others] = said(p);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id: "cloud-provider-idle", scope: "cluster" });
    expect(finding?.cause).toContain("cloud-controller-manager");
    expect([finding?.cause, ...(finding?.remedy ?? [])].join()).not.toMatch(/delete node|without the taint/);
  });

  it("all nodes but one: the node is at fault", () => {
    const p = patient();
    uninitialize(p.node("win1"));
    expect(ids(p)).not.toContain("cloud-provider-idle");
    expect(ids(p)).toHaveLength(1);
  });

  it("no node yet, because all are new", () => {
    const p = patient();
    for (const node of p.all("Node", "workload")) {
      uninitialize(node);
      Object.assign(node.metadata, { creationTimestamp: p.ago(4) });
    }
    expect(ids(p)).toEqual([]);
  });
});

describe("a network is", () => {
  const unconnected = (p: Patient): void => {
    p.remove("workload", (o) => o.kind === "TigeraStatus" || o.metadata.namespace === "calico-system");
    for (const node of ["sick-", "linux1", "win1"]) {
      p.nodeCondition(node, "Ready", { reason: "KubeletNotReady", message: cniMissing, ago: 40 });
    }
  };
  const withoutCalico = (p: Patient): void => {
    unconnected(p);
    p.remove("management", (o) => o.kind === "ClusterResourceSet" && o.metadata.name === "sick-calico");
  };

  it.each([
    ["cni-nowhere", "Calico", unconnected],
    ["own-cni-nowhere", "installs no CNI", withoutCalico],
  ] as const)("on no node: %s", (id, words, make) => {
    const p = patient();
    make(p);
    const [finding, ...others] = said(p);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id, scope: "cluster", cause: expect.stringContaining(words) as string });
  });

  it("missing on one node: the finding is about the node", () => {
    const p = patient();
    p.remove("workload", (o) => o.metadata.name.startsWith("calico-node-windows"));
    p.nodeCondition("win1", "Ready", { reason: "KubeletNotReady", message: cniMissing, ago: 40 });
    expect(ids(p)).toEqual(["node-network"]);
  });
});

it.each([
  "dial tcp 10.0.171.9:443: connect: connection refused",
  "context deadline exceeded",
  'no endpoints available for service "cert-manager-webhook"',
])("cert-manager's webhook does not answer the operator: %s", (reason) => {
  for (const [kind, name, namespace] of [
    ["CoreProvider", "cluster-api", "capi-system"],
    ["InfrastructureProvider", "azure", "capz-system"],
  ] as const) {
    const p = patient();
    p.remove("management", ({ apiVersion, kind }) => /x-k8s\.io|azure\.com/.test(`${apiVersion} ${kind}`))
      .remove("management", (o) => /^cap(i|z)-(?!operator)/.test(o.metadata.namespace ?? ""))
      .problem("workload", { asked: "cluster", what: "noKubeconfig", message: "not found" });
    p.condition(
      p.add("management", {
        ...{ apiVersion: "operator.cluster.x-k8s.io/v1alpha2", kind, metadata: { name, namespace } },
      }),
      "ProviderInstalled",
      {
        reason: "InstallFailed",
        ago: 25,
        message: `failed to create provider object cert-manager.io/v1, Kind=Certificate, ${namespace}/serving-cert: Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": ${reason}`,
      },
    );
    const [finding] = said(p);
    expect([finding?.id, finding?.cause]).toEqual([
      "cert-manager-webhook",
      expect.stringContaining("cert-manager's webhook does not answer"),
    ]);
    expect(finding?.remedy.join()).toContain("kubectl get pods -n cert-manager");
  }
});

describe("what several machines of a pool have in common is one finding that names them", () => {
  const another = (p: Patient, kind: string, from: string, name: string): Loose => {
    const { metadata, ...rest } = structuredClone(p.get(kind, from));
    return p.add(kind === "Node" ? "workload" : "management", { ...rest, metadata: { ...metadata, name } });
  };

  it("nodes that do not answer, and a health check that therefore replaces none", () => {
    const p = patient();
    const silent = { status: "Unknown", reason: "NodeStatusUnknown", ago: 40 } as const;
    for (const node of [
      p.node("win1"),
      ...["1", "2"].map((n) => another(p, "Node", "win1", `win100000${n}`)),
    ]) {
      p.condition(node, "Ready", { ...silent, message: "Kubelet stopped posting node status." });
    }
    const check = p.add("management", {
      kind: "MachineHealthCheck",
      apiVersion: "cluster.x-k8s.io/v1beta2",
      metadata: { name: "win1", namespace: "sick" },
    });
    const message = "Remediation is not allowed, the number of unhealthy machines exceeds maxUnhealthy";
    p.condition(check, "RemediationAllowed", { reason: "TooManyUnhealthy", message, ago: 30 });
    const [finding, ...others] = said(p);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      id: "node-stopped",
      cause:
        "The node win1000000 does not answer any more: its machine is off, kubelet does not run, or its network is gone. The same holds for win1000001 and win1000002.",
    });
    expect(finding?.consequences.map(({ id }) => id)).toEqual(["health-check-stopped"]);
  });

  it("instances that do not join, however the pool was enlarged", () => {
    const p = patient();
    p.get("MachinePool", "win1").spec.replicas = 4;
    for (const name of ["win1-5", "win1-6", "win1-7"]) {
      const instance = another(p, "AzureMachinePoolMachine", "win1-0", name);
      instance.spec.instanceID = name.slice(-1);
      instance.status = { provisioningState: "Succeeded" };
      Object.assign(instance.metadata, { creationTimestamp: p.ago(50) });
    }
    expect(said(p).map(({ cause, proofs }) => [cause, proofs.length])).toEqual([
      [
        "The machine win1-5 runs, but kubeadm has not joined it: its bootstrap data failed, its image lacks a component, or it cannot reach the API server. The same holds for win1-6 and win1-7.",
        3,
      ],
    ]);
  });
});
