import { outsideServers, takenTraffic } from "capz-windows-platform/cluster/outsideServers";

/** Servers outside the cluster that its API server asks, and traffic that a manifest takes. */

const messages = (...objects: readonly unknown[]): string[] =>
  outsideServers(objects.map((object) => ({ path: "x", object }))).map(({ message }) => message);

it("webhooks of other servers are found by their host, without the rest of the URL", () => {
  const hooks = (kind: string, ...clientConfigs: readonly unknown[]) => ({
    ...{ kind, metadata: { name: "hook" } },
    webhooks: clientConfigs.map((clientConfig) => ({ clientConfig })),
  });
  const service = { service: { name: "a", namespace: "b" } };
  const outside = { url: "https://me:TOPSECRET@hook.example:8443/x?sig=TOPSECRET" };
  expect(messages(hooks("ValidatingWebhookConfiguration", service, outside, outside, null))).toEqual([
    "ValidatingWebhookConfiguration hook lets hook.example:8443 see and refuse the objects of its rules",
  ]);
  expect(
    messages({ kind: "List", items: [hooks("MutatingWebhookConfiguration", { url: "no URL" })] }),
  ).toEqual(["MutatingWebhookConfiguration hook lets another host see and change the objects of its rules"]);
  const conversion = { strategy: "Webhook", webhook: { clientConfig: outside } };
  expect(
    messages({ kind: "CustomResourceDefinition", metadata: { name: "as.b.c" }, spec: { conversion } }),
  ).toEqual(["CustomResourceDefinition as.b.c lets hook.example:8443 see and change its objects"]);
  expect(messages(hooks("MutatingWebhookConfiguration", service), hooks("toString"), null)).toEqual([]);
});

const named = (namespace: string, name: string) => ({ metadata: { namespace, name } });
const apiService = {
  ...{ kind: "APIService", metadata: { name: "v1.b.example" } },
  spec: { insecureSkipTLSVerify: true, service: { namespace: "b", name: "a" } },
};
const slice = {
  kind: "EndpointSlice",
  metadata: { namespace: "b", name: "a-1", labels: { "kubernetes.io/service-name": "a" } },
  endpoints: [{ addresses: ["203.0.113.99"] }],
};
const endpoints = {
  ...{ kind: "Endpoints", ...named("b", "a") },
  subsets: [{ addresses: [{ ip: "203.0.113.98" }], notReadyAddresses: [{ ip: "203.0.113.97" }] }],
};

it.each<[string, string, ...objects: readonly unknown[]]>([
  [
    "of the type ExternalName",
    "hook.example",
    { kind: "Service", ...named("b", "a"), spec: { type: "ExternalName", externalName: "hook.example" } },
  ],
  [
    "without a selector, with an EndpointSlice",
    "203.0.113.99",
    { kind: "Service", ...named("b", "a") },
    slice,
  ],
  ["with a selector, and an EndpointSlice beside its pods", "203.0.113.99", slice],
  ["with Endpoints", "203.0.113.98, 203.0.113.97", endpoints],
])("a service %s leads outside", (_, hosts, ...objects) => {
  const webhooks = [{ clientConfig: { service: { namespace: "b", name: "a" } } }];
  const hook = { kind: "ValidatingWebhookConfiguration", metadata: { name: "hook" }, webhooks };
  expect(messages(...objects, hook, apiService)).toEqual([
    `ValidatingWebhookConfiguration hook lets ${hosts} see and refuse the objects of its rules`,
    `APIService v1.b.example lets ${hosts} answer for its API group`,
  ]);
});

it("a service of the same name in another namespace, and one with pods, leads to none", () => {
  const other = { kind: "Service", ...named("c", "a"), spec: { externalName: "hook.example" } };
  const own = { kind: "Service", ...named("b", "a"), spec: { selector: { app: "a" } } };
  expect(messages(other, own, apiService, { kind: "APIService", spec: {} })).toEqual([]);
});

it("a service without a namespace is one of the namespace default", () => {
  const service = { kind: "Service", metadata: { name: "a" }, spec: { externalName: "hook.example" } };
  const webhooks = [{ clientConfig: { service: { namespace: "default", name: "a" } } }];
  const hook = { kind: "MutatingWebhookConfiguration", metadata: { name: "hook" }, webhooks };
  expect(messages(service, hook)).toEqual([
    "MutatingWebhookConfiguration hook lets hook.example see and change the objects of its rules",
  ]);
});

it("a Service of the cluster itself is none of the manifests that deliver it", () => {
  const dns = { kind: "Service", metadata: { name: "kube-dns", namespace: "kube-system" } };
  const other = { ...endpoints, metadata: dns.metadata };
  const found = takenTraffic([dns, other].map((object) => ({ path: "x", object })));
  expect(found.map(({ message }) => message)).toEqual([
    "Service kube-system/kube-dns replaces that of the cluster",
    "Endpoints kube-system/kube-dns sends 203.0.113.98, 203.0.113.97 what is meant for the Service kube-system/kube-dns of others",
  ]);
});

it("traffic is taken by external addresses, and by addresses for a service of others", () => {
  const taken = (...objects: readonly unknown[]) =>
    takenTraffic(objects.map((object) => ({ path: "x", object }))).map(({ message }) => message);
  const service = { kind: "Service", ...named("b", "a") };
  expect(taken({ ...service, spec: { externalIPs: ["8.8.8.8", "10.0.0.4"] } })).toEqual([
    "Service b/a gets what pods and nodes send to 8.8.8.8, 10.0.0.4 (externalIPs)",
  ]);
  expect(taken(slice, endpoints)).toEqual([
    "EndpointSlice b/a-1 sends 203.0.113.99 what is meant for the Service b/a of others",
    "Endpoints b/a sends 203.0.113.98, 203.0.113.97 what is meant for the Service b/a of others",
  ]);
  expect(taken(service, slice, endpoints)).toEqual([]);
  expect(taken({ ...slice, metadata: { name: "b" } })).toEqual([]);
  expect(taken({ ...slice, endpoints: [] }, { ...service, spec: { externalIPs: [] } })).toEqual([]);
});
