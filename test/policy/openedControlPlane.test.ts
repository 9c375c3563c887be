import { clusterControl } from "capz-windows-platform/cluster/clusterControl";

/** Services, addresses and routes by which others reach the control plane beside access.allowedCidrs. */

const found = (...objects: readonly unknown[]): string[] =>
  clusterControl(
    objects.map((object) => ({ path: "x", object })),
    true,
  ).map(({ message }) => message);

const service = (selector: object, spec: object, namespace = "kube-system") => ({
  ...{ kind: "Service", metadata: { name: "s", namespace } },
  spec: { selector, ...spec },
});

const opens =
  "Service kube-system/s: opens pods of the control plane to whoever reaches it, whatever access.allowedCidrs says";
const outside = { type: "LoadBalancer" };

it.each([
  [{ component: "etcd" }, outside],
  [{ component: "kube-apiserver" }, { type: "NodePort" }],
  [{ tier: "control-plane" }, outside],
  [{ component: "kube-scheduler", tier: "control-plane" }, { externalIPs: ["10.0.0.9"] }],
])("a Service that finds them by %j", (selector, spec) => {
  expect(found(service(selector, spec))).toEqual([opens]);
});

it.each([
  // As kube-prometheus-stack has them, to read metrics.
  [service({ component: "etcd" }, { clusterIP: "None" })],
  [service({}, outside)],
  [service({ app: "etcd" }, outside)],
  [service({ component: "etcd", app: "web" }, outside)],
  [service({ component: "etcd" }, outside, "web")],
])("no Service of another kind: %j", (object) => {
  expect(found(object)).toEqual([]);
});

const named = (kind: string, namespace: string, spec: object) => ({
  ...{ kind, metadata: { name: "r", namespace } },
  spec,
});

it.each([
  named("Ingress", "default", {
    rules: [{ http: { paths: [{ backend: { service: { name: "kubernetes" } } }] } }],
  }),
  named("Ingress", "default", { defaultBackend: { service: { name: "kubernetes", port: { number: 443 } } } }),
  named("TLSRoute", "web", { rules: [{ backendRefs: [{ name: "kubernetes", namespace: "default" }] }] }),
  named("VirtualService", "web", { tcp: [{ route: [{ destination: { host: "kubernetes.default.svc" } }] }] }),
  named("IngressRouteTCP", "default", { routes: [{ services: [{ name: "kubernetes", port: 443 }] }] }),
])("a route to the API server: %j", (object) => {
  expect(found(object)).toEqual([
    `${object.kind} ${object.metadata.namespace}/r: leads to the control plane by the Service default/kubernetes`,
  ]);
});

it("a route to a Service that finds them, and none to others", () => {
  const route = named("HTTPRoute", "kube-system", { rules: [{ backendRefs: [{ name: "s" }] }] });
  const hidden = service({ component: "etcd" }, { clusterIP: "None" });
  expect(found(route, hidden)).toEqual([
    "HTTPRoute kube-system/r: leads to the control plane by the Service kube-system/s",
  ]);
  expect(found(route)).toEqual([]);
  expect(found(named("Ingress", "web", { defaultBackend: { service: { name: "kubernetes" } } }))).toEqual([]);
});

it.each([
  [{ kind: "EndpointSlice", endpoints: [{ addresses: ["10.0.0.4"] }], ports: [{ port: 2379 }] }, "etcd"],
  [
    { kind: "Endpoints", subsets: [{ addresses: [{ ip: "10.0.0.4" }], ports: [{ port: 6443 }] }] },
    "the API server",
  ],
])("addresses at its ports: %j", (object, program) => {
  expect(found({ ...object, metadata: { name: "e", namespace: "web" } })).toEqual([
    `${object.kind} web/e: leads to ports at which ${program} answers`,
  ]);
  expect(found({ ...object, ports: [{ port: 443 }], subsets: [], metadata: { name: "e" } })).toEqual([]);
});

it("pods of any kind pass for those of the cluster, or run in its namespaces", () => {
  const template = (labels: object) => ({ metadata: { labels }, spec: { containers: [] } });
  const rollout = (namespace: string, labels: object) =>
    named("Rollout", namespace, { template: template(labels) });
  expect(found(rollout("kube-system", { "k8s-app": "kube-dns" }))).toEqual([
    "Rollout kube-system/r: its pods have labels by which the cluster finds its own",
  ]);
  expect(found(rollout("calico-system", {}))).toHaveLength(1);
  expect(found(rollout("kube-system", { app: "mine" }))).toEqual([]);
});
