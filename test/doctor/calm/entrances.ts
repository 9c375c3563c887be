import type { Patient } from "../patient";
import type { Calm } from "./calmState";
import { realPod, terminated } from "./objects";

/** Services without Pods and Ingresses without an address that are as somebody wants them. */

const service = (p: Patient, name: string, spec: object, metadata: object = {}) =>
  p.add("workload", {
    ...{ kind: "Service", metadata: { name, namespace: "shop", creationTimestamp: p.ago(900), ...metadata } },
    ...{ spec: { type: "ClusterIP", clusterIP: "10.96.0.9", ...spec }, status: { loadBalancer: {} } },
  });

const workload = (p: Patient, kind: string, app: string, replicas: number) =>
  p.add("workload", {
    ...{ kind, apiVersion: "apps/v1", metadata: { name: app, namespace: "shop" } },
    spec: {
      ...{ replicas, selector: { matchLabels: { app } } },
      template: { metadata: { labels: { app, tier: "web" } }, spec: { containers: [] } },
    },
  });

const ingress = (p: Patient, spec: object, status: object = {}, metadata: object = {}) =>
  p.add("workload", {
    ...{ kind: "Ingress", apiVersion: "networking.k8s.io/v1", spec },
    metadata: { name: "web", namespace: "shop", creationTimestamp: p.ago(900), ...metadata },
    status: { loadBalancer: status },
  });

const ingressClass = (p: Patient, name: string, annotations = {}) =>
  p.add("workload", {
    ...{ kind: "IngressClass", apiVersion: "networking.k8s.io/v1", metadata: { name, annotations } },
    spec: { controller: `example.com/${name}` },
  });

export const entrances: readonly Calm[] = [
  {
    name: "Services of workloads that are scaled to 0, or have no node to be on",
    make: (p) => {
      for (const [kind, app] of [
        ["Deployment", "idle"],
        ["StatefulSet", "queue"],
        ["DaemonSet", "gpu-exporter"],
      ] as const) {
        workload(p, kind, app, 0);
        service(p, app, { selector: { app, tier: "web" } });
      }
    },
  },
  {
    name: "Services that have no Pods by their nature",
    make: (p) => {
      service(p, "headless", { selector: { app: "later" }, clusterIP: "None" });
      service(p, "elsewhere", { type: "ExternalName", externalName: "db.example.com" });
      service(p, "by-hand", {});
      service(
        p,
        "db-rw",
        { selector: { role: "primary" } },
        { ownerReferences: [{ kind: "Db", name: "db" }] },
      );
      service(p, "new", { selector: { app: "new" } }, { creationTimestamp: p.ago(4) });
      service(p, "ends", { selector: { app: "ends" } }, { deletionTimestamp: p.ago(4) });
    },
  },
  {
    name: "a Service whose only Pod has ended",
    make: (p) => {
      realPod(p, {
        ...{ namespace: "shop", name: "once-aaaaa", node: "linux1", owner: ["Job", "once"], age: 400 },
        ...{ phase: "Succeeded", labels: { app: "once" }, state: terminated(p, 0, "Completed", 390) },
      });
      service(p, "once", { selector: { app: "once" } });
    },
  },
  {
    name: "Ingresses with a controller",
    make: (p) => {
      ingressClass(p, "nginx", { "ingressclass.kubernetes.io/is-default-class": "true" });
      ingress(p, { ingressClassName: "nginx" }, { ingress: [{ ip: "20.50.1.9" }] });
      // Controllers behind a load balancer of their own need not write an address.
      ingress(p, { ingressClassName: "nginx" }, {}, { name: "without-address" });
      ingress(p, {}, {}, { name: "by-default" });
      ingress(p, {}, {}, { name: "former", annotations: { "kubernetes.io/ingress.class": "internal" } });
    },
  },
  {
    name: "Ingresses that are new, end, or have an address of a controller without a class",
    make: (p) => {
      ingress(p, { ingressClassName: "nginx" }, {}, { name: "new", creationTimestamp: p.ago(5) });
      ingress(p, { ingressClassName: "nginx" }, {}, { name: "ends", deletionTimestamp: p.ago(5) });
      ingress(p, {}, { ingress: [{ hostname: "shop.example.com" }] }, { name: "served" });
    },
  },
  {
    name: "a program that has ended without an error, and runs again",
    make: (p) => {
      realPod(p, {
        ...{ namespace: "shop", name: "worker-6f7d9c-aaaaa", node: "win1", age: 9000, restarts: 40 },
        lastState: terminated(p, 0, "Completed", 30),
      });
    },
  },
];
