import type { Patient } from "../patient";
import type { Fault } from "./fault";

/** Pods, volumes and load balancers. */

const unscheduled = (p: Patient, message: string): void => {
  const pod = p.pod("workload", "default", "iis-0");
  pod.status = { phase: "Pending" };
  p.condition(pod, "PodScheduled", { reason: "Unschedulable", message, ago: 12 });
};

const notMade =
  (message: string) =>
  (p: Patient): Patient =>
    p.event(
      { kind: "ReplicaSet", metadata: { name: "intranet-5d8f", namespace: "shop" } } as never,
      "FailedCreate",
      `Error creating: ${message}`,
      { side: "workload" },
    );

/** An ordinary Pod on a node of a pool. */
const onNode = (p: Patient, pool: string, waiting: readonly [string, string]) => {
  const image = "registry.example/web:v1";
  const pod = p.pod("workload", "default", "web-0", { waiting, image });
  pod.spec = { nodeName: p.node(pool).metadata.name, containers: [{ name: "web", image }] };
  return pod;
};

export const inPods: readonly Fault[] = [
  {
    name: "the autoscaler does not enlarge a pool of 0 machines, of which it knows no labels (AKS #2832)",
    rule: "pod-pool-empty",
    make: (p) => {
      const pool = p.get("MachinePool", "win1");
      pool.spec.replicas = 0;
      Object.assign(pool.metadata.annotations!, {
        "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "5",
      });
      p.remove("workload", ({ kind, metadata }) => kind === "Node" && metadata.name.startsWith("win1"));
      unscheduled(p, "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.");
      const pod = p.get("Pod", "iis-0");
      pod.spec.nodeSelector = { "kubernetes.io/os": "windows" };
      const message = "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector";
      p.event(pod, "NotTriggerScaleUp", message, { side: "workload", count: 40 });
    },
  },

  {
    name: "a Pod that no node fits",
    rule: "pod-selector",
    make: (p) => {
      unscheduled(p, "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.");
    },
  },
  {
    name: "no room on the nodes",
    rule: "pod-resources",
    make: (p) => {
      unscheduled(p, "0/3 nodes are available: 3 Insufficient memory.");
    },
  },

  {
    name: "a gMSA webhook whose certificate the API server does not know",
    rule: "gmsa-webhook-down",
    make: notMade(
      'Internal error occurred: failed calling webhook "admission-webhook.windows-gmsa.sigs.k8s.io": failed to call webhook: Post "https://gmsa-webhook.gmsa-webhook.svc:443/mutate?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    ),
  },
  {
    name: "a service account without the right to a gMSA",
    rule: "gmsa-not-allowed",
    make: notMade(
      'admission webhook "admission-webhook.windows-gmsa.sigs.k8s.io" denied the request: service account "default" is not authorized to `use` GMSA cred spec "web-gmsa"',
    ),
  },
  {
    name: "a gMSA without its object",
    rule: "gmsa-no-spec",
    make: notMade(
      'admission webhook "admission-webhook.windows-gmsa.sigs.k8s.io" denied the request: cred spec web-gmsa does not exist',
    ),
  },

  {
    name: "an image for Windows on a Linux node",
    rule: "windows-image",
    make: (p) => onNode(p, "linux1", ["ErrImagePull", "no match for platform in manifest: not found"]),
  },
  {
    name: "a Pod that is forgotten in ContainerCreating",
    rule: "pod-not-begun",
    make: (p) => onNode(p, "win1", ["ContainerCreating", ""]),
  },
  {
    name: "a Pod that selects the machines of the control plane",
    rule: "pod-control-plane",
    make: (p) => {
      unscheduled(
        p,
        "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 node(s) didn't match Pod's node affinity/selector.",
      );
      const pod = p.get("Pod", "iis-0", "workload");
      pod.spec = { nodeSelector: { "node-role.kubernetes.io/control-plane": "" }, containers: [] };
    },
  },

  {
    name: "a set of manifests that is not applied and says nothing",
    rule: "add-on-not-applied",
    make: (p) => {
      const set = p.get("ClusterResourceSet");
      p.condition(set, "ResourcesApplied", { status: "Unknown", reason: "", message: "", ago: 60 });
      const binding = p.get("ClusterResourceSetBinding");
      binding.spec.bindings = (binding.spec.bindings as { clusterResourceSetName: string }[]).filter(
        ({ clusterResourceSetName }) => clusterResourceSetName !== set.metadata.name,
      );
    },
  },
];
