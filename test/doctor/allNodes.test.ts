import { diagnose } from "../../doctor/diagnose";
import type { Finding } from "../../doctor/diagnosis";
import { provider, unconnected, withoutNetwork } from "./blind/firstHourScenes";
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
    p.nodeCondition("win1", "Ready", { reason: "KubeletNotReady", message: withoutNetwork, ago: 40 });
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
    provider(
      ...([p, kind, name, namespace, "InstallFailed"] as const),
      `failed to create provider object cert-manager.io/v1, Kind=Certificate, ${namespace}/serving-cert: Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": ${reason}`,
    );
    const [finding] = said(p);
    expect([finding?.id, finding?.cause]).toEqual([
      "cert-manager-webhook",
      expect.stringContaining("cert-manager's webhook does not answer"),
    ]);
    expect(finding?.remedy.join()).toContain("kubectl get pods -n cert-manager");
  }
});
