import type { BlindFault } from "./blindFault";
import { app, ended, serverCore, unschedulable } from "./pods";

export const fourthApplications: readonly BlindFault[] = [
  {
    name: "a disk in a zone in which no node has room",
    source: "kubernetes, scheduler, volumebinding/binder.go",
    make: (p) => {
      const pod = app(p, "", "");
      pod.spec = {
        nodeSelector: { "kubernetes.io/os": "windows" },
        containers: [{ name: "web", image: serverCore }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-cart-0" } }],
      };
      unschedulable(
        p,
        pod,
        "0/3 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
      );
    },
    cause: /zone/i,
    remedy: /zone|ZRS|WaitForFirstConsumer/i,
  },

  {
    name: "a .NET program that dies of its memory limit, which Windows does not call OOMKilled",
    source: "0xE0434352, .NET exception code; kubernetes.io, Windows, resource management",
    make: (p) => {
      const pod = ended(p, -532462766);
      pod.spec.containers = [{ name: "web", image: serverCore, resources: { limits: { memory: "256Mi" } } }];
    },
    cause: /\.NET|unhandled exception|memory/i,
    remedy: /logs/i,
  },
  {
    name: "a namespace that stays in Terminating because an API has no server any more",
    source: "kubernetes, controller/namespace/deletion/status_condition_utils.go",
    make: (p) => {
      const namespace = p.add("workload", {
        kind: "Namespace",
        metadata: { name: "team-b", deletionTimestamp: p.ago(120) },
        spec: { finalizers: ["kubernetes"] },
        status: { phase: "Terminating" },
      });
      p.condition(namespace, "NamespaceDeletionDiscoveryFailure", {
        status: "True",
        reason: "DiscoveryFailed",
        message:
          "Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: external.metrics.k8s.io/v1beta1: stale GroupVersion discovery: external.metrics.k8s.io/v1beta1",
        ago: 119,
      });
      const service = p.add("workload", {
        kind: "APIService",
        apiVersion: "apiregistration.k8s.io/v1",
        metadata: { name: "v1beta1.external.metrics.k8s.io" },
        spec: {
          group: "external.metrics.k8s.io",
          version: "v1beta1",
          service: { name: "keda-operator-metrics-apiserver", namespace: "keda", port: 443 },
        },
      });
      p.condition(service, "Available", {
        reason: "ServiceNotFound",
        message: 'service/keda-operator-metrics-apiserver in "keda" is not present',
        ago: 200,
      });
    },
    cause: /terminating|namespace|APIService/i,
    remedy: /apiservice/i,
  },
];
