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
    name: "an image of another Windows release",
    rule: "os-mismatch",
    make: (p) =>
      p.pod("workload", "default", "iis-0", {
        waiting: [
          "ImagePullBackOff",
          'failed to pull image "mcr.microsoft.com/windows/servercore/iis:ltsc2025": no matching manifest for windows(10.0.20348)/amd64 in the manifest list entries',
        ],
      }),
  },
  {
    name: "a Pod image that does not exist",
    rule: "image-pull",
    make: (p) =>
      p.pod("workload", "default", "iis-0", {
        waiting: [
          "ErrImagePull",
          "rpc error: code = NotFound desc = failed to pull and unpack image: not found",
        ],
      }),
  },
  {
    name: "nodes do not reach the registry",
    rule: "registry-name",
    make: (p) =>
      p.pod("workload", "default", "iis-0", {
        waiting: [
          "ErrImagePull",
          'failed to do request: Head "https://mcr.microsoft.com/v2/windows": dial tcp: lookup mcr.microsoft.com: no such host',
        ],
      }),
  },
  {
    name: "CoreDNS does not run",
    rule: "dns",
    make: (p) => {
      const pod = p.pod("workload", "kube-system", "coredns-5d78c9869d-aaaaa");
      p.condition(pod, "Ready", {
        reason: "ContainersNotReady",
        message: "containers with unready status: [coredns]",
        ago: 25,
      });
      (pod.status.containerStatuses as { ready: boolean }[])[0]!.ready = false;
    },
  },
  {
    name: "kube-proxy on Linux ends again and again",
    rule: "kube-proxy-linux",
    make: (p) =>
      p.pod("workload", "kube-system", "kube-proxy-0", {
        waiting: ["CrashLoopBackOff", "back-off 5m0s restarting failed container=kube-proxy"],
        ended: ["Error", ""],
        restarts: 9,
      }),
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
    name: "no storage driver",
    rule: "storage-class-missing",
    make: (p) =>
      p.event(
        p.add("workload", {
          kind: "PersistentVolumeClaim",
          metadata: { name: "data", namespace: "default" },
          status: { phase: "Pending" },
        }),
        "ProvisioningFailed",
        'storageclass.storage.k8s.io "managed-csi" not found',
        { side: "workload" },
      ),
  },
  {
    name: "the cloud controller may not make load balancers",
    rule: "load-balancer-role",
    make: (p) =>
      p.event(
        p.add("workload", {
          kind: "Service",
          metadata: { name: "iis", namespace: "default" },
          spec: { type: "LoadBalancer" },
        }),
        "SyncLoadBalancerFailed",
        "Error syncing load balancer: failed to ensure load balancer: AuthorizationFailed",
        { side: "workload" },
      ),
  },
  {
    name: "a gMSA without credential spec",
    rule: "gmsa",
    make: (p) =>
      p.event(
        p.pod("workload", "default", "web-0", { waiting: ["ContainerCreating", ""] }),
        "Failed",
        'Error: failed to create containerd task: credential spec "webapp" could not be read',
        { side: "workload" },
      ),
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
    name: "a gMSA without a webhook",
    rule: "gmsa-not-filled-in",
    make: (p) => {
      const pod = p.pod("workload", "shop", "intranet-0");
      pod.spec = { ...pod.spec, securityContext: { windowsOptions: { gmsaCredentialSpecName: "web-gmsa" } } };
    },
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
    name: "the image of Calico's Pods cannot be pulled",
    rule: "calico-image",
    make: (p) =>
      p.pod("workload", "calico-system", "calico-kube-controllers-6d9", {
        waiting: ["ImagePullBackOff", 'Back-off pulling image "quay.io/calico/kube-controllers:v3.32.1"'],
        image: "quay.io/calico/kube-controllers:v3.32.1",
      }),
  },
  {
    name: "a rollout of the control plane that takes an hour",
    rule: "control-plane-rollout-late",
    make: (p) =>
      p.condition(p.get("KubeadmControlPlane"), "RollingOut", {
        ...{
          status: "True",
          reason: "RollingOut",
          message: "Rolling out 1 not up-to-date replicas",
          ago: 60,
        },
      }),
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
