import { clusterControl } from "capz-windows-platform/cluster/clusterControl";

/** Network policies that leave the cluster without its DNS. */

const found = (...objects: readonly unknown[]): string[] =>
  clusterControl(
    objects.map((object) => ({ path: "x", object })),
    true,
  ).map(({ message }) => message);

const policy = (spec: object, namespace = "kube-system") => ({
  ...{ apiVersion: "networking.k8s.io/v1", kind: "NetworkPolicy" },
  metadata: { name: "p", namespace },
  spec,
});
const calico = (kind: string, spec: object, namespace?: string) => ({
  ...{ apiVersion: "projectcalico.org/v3", kind },
  metadata: { name: "p", namespace },
  spec,
});

const [asked, asks] = ["lets nobody ask the DNS of the cluster", "lets the DNS of the cluster ask nobody"];
const both = { policyTypes: ["Ingress", "Egress"] };
const dns = { podSelector: { matchLabels: { "k8s-app": "kube-dns" } } };

it.each<[why: string, spec: object, what: string]>([
  ["all pods", { podSelector: {}, ...both }, `${asked}, and ${asks}`],
  ["all pods, without types", { podSelector: {} }, asked],
  ["the DNS, and only a port of its own", { ...dns, ingress: [{ ports: [{ port: 9153 }] }] }, asked],
  ["the DNS, outwards", { ...dns, policyTypes: ["Egress"] }, asks],
])("a policy of Kubernetes for %s", (_, spec, what) => {
  expect(found(policy(spec))).toEqual([`NetworkPolicy kube-system/p: ${what}`]);
});

it.each<[why: string, ...object: readonly unknown[]]>([
  ["elsewhere", policy({ podSelector: {}, ...both }, "web")],
  ["for other pods", policy({ podSelector: { matchLabels: { app: "a" } }, ...both })],
  ["that lets the port in", policy({ ...dns, ingress: [{ ports: [{ port: 53, protocol: "UDP" }] }] })],
  ["that lets a named port in", policy({ ...dns, ingress: [{ ports: [{ port: "dns" }] }] })],
  ["that lets all ports in", policy({ ...dns, ingress: [{ from: [{ namespaceSelector: {} }] }] })],
  [
    "with another one that opens the way",
    policy({ podSelector: {}, policyTypes: ["Ingress"] }),
    policy({ ...dns, ingress: [{}] }),
  ],
  [
    "with one of Calico that opens the way",
    policy({ podSelector: {} }),
    calico("GlobalNetworkPolicy", { ingress: [{ action: "Allow" }] }),
  ],
  [
    "with one of administrators, which comes first",
    policy({ podSelector: {} }),
    { kind: "AdminNetworkPolicy", apiVersion: "policy.networking.k8s.io/v1alpha1" },
  ],
  ...[{ serviceAccountSelector: "a" }, { doNotTrack: true }, { preDNAT: true }, { tier: "own" }].map(
    (spec): [string, object] => [JSON.stringify(spec), calico("GlobalNetworkPolicy", spec)],
  ),
  ["of Calico for some pods", calico("GlobalNetworkPolicy", { selector: "app == 'a'" })],
  [
    "of Calico for other namespaces",
    calico("GlobalNetworkPolicy", { namespaceSelector: "projectcalico.org/name not in {'kube-system'}" }),
  ],
])("a policy %s closes nothing", (_, ...objects) => {
  expect(found(...objects)).toEqual([]);
});

it("policies of Calico for all pods are found, those of another namespace do not open the way", () => {
  const all = calico("GlobalNetworkPolicy", { selector: "all()", types: ["Ingress", "Egress"] });
  expect(found(all)).toEqual([`GlobalNetworkPolicy p: ${asked}, and ${asks}`]);
  const denies = calico("NetworkPolicy", { tier: "default", egress: [{ action: "Deny" }] }, "kube-system");
  const elsewhere = calico("NetworkPolicy", { egress: [{ action: "Allow" }] }, "web");
  const others = policy({ podSelector: { matchLabels: { app: "a" } }, egress: [{}] });
  expect(found(denies, elsewhere, others)).toEqual([`NetworkPolicy kube-system/p: ${asks}`]);
});
