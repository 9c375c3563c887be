import type { Patient } from "../patient";
import { cniMissing } from "../states";
import type { Calm } from "./calmState";
import { realPod } from "./objects";

/** States that look like faults about which nothing complains. */

function deployment(p: Patient, namespace: string, name: string, replicas: number): void {
  p.condition(
    p.add("workload", {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name, namespace },
      spec: { replicas },
      status: replicas === 0 ? {} : { replicas, availableReplicas: replicas },
    }),
    "Available",
    { status: "True", reason: "MinimumReplicasAvailable", ago: 50 },
  );
}

const balancer = (p: Patient, name: string, ago: number, ingress: readonly object[], spec: object = {}) =>
  p.add("workload", {
    kind: "Service",
    metadata: { name, namespace: "shop", creationTimestamp: p.ago(ago) },
    spec: { type: "LoadBalancer", ...spec },
    status: { loadBalancer: { ingress } },
  });

/** What a controller says of a webhook with a certificate of another authority. */
const distrusted = (kind: string): string =>
  `failed to patch: Internal error occurred: failed calling webhook "default.${kind}.infrastructure.cluster.x-k8s.io": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/mutate?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority`;

/** A request for a certificate, of a kubelet unless another signer is named. */
const request = (
  p: Patient,
  name: string,
  ago: number,
  conditions: readonly string[],
  signer = "kubelet-serving",
) =>
  p.add("workload", {
    ...{ kind: "CertificateSigningRequest", apiVersion: "certificates.k8s.io/v1" },
    metadata: { name, creationTimestamp: p.ago(ago) },
    spec: { signerName: `kubernetes.io/${signer}`, username: "system:node:win1000000" },
    status: {
      conditions: conditions.map((type) => ({ type, status: "True" })),
      ...(conditions.includes("Approved") ? { certificate: "LS0t" } : {}),
    },
  });

export const quiet: readonly Calm[] = [
  {
    name: "a kubelet was denied a certificate and has one since, another has just asked, and a user waits for one",
    make: (p) => {
      request(p, "csr-denied", 40, ["Denied"]);
      request(p, "csr-issued", 39, ["Approved"]);
      request(p, "csr-user", 300, [], "kube-apiserver-client");
      Object.assign(request(p, "csr-new", 2, []).spec, { username: "system:node:linux1000000" });
    },
  },
  { name: "applications on both systems", make: () => undefined },
  {
    name: "Deployments of users and of other tools have no replicas, on purpose",
    make: (p) => {
      deployment(p, "shop", "web", 0);
      deployment(p, "shop", "coredns", 0);
      deployment(p, "kube-system", "cluster-autoscaler", 0);
      deployment(p, "kube-system", "coredns", 2);
      deployment(p, "tigera-operator", "tigera-operator", 1);
    },
  },
  {
    name: "a provider that is being removed was scaled to zero before",
    make: (p) => {
      const old = p.add("management", {
        kind: "Deployment",
        apiVersion: "apps/v1",
        metadata: {
          name: "capz-controller-manager",
          namespace: "capz-system-old",
          deletionTimestamp: p.ago(1),
        },
        spec: { replicas: 0 },
      });
      Object.assign(old.metadata, { labels: { "cluster.x-k8s.io/provider": "infrastructure-azure" } });
    },
  },
  {
    name: "Services of type LoadBalancer: one is new, others have an address, one is being deleted",
    make: (p) => {
      balancer(p, "new", 12, []);
      balancer(p, "old", 9000, [{ ip: "20.1.2.3" }]);
      balancer(p, "other", 9000, [{ hostname: "shop.example.com" }], { loadBalancerClass: "tailscale" });
      const gone = balancer(p, "gone", 9000, []);
      Object.assign(gone.metadata, { deletionTimestamp: p.ago(2) });
      p.add("workload", {
        kind: "Service",
        metadata: { name: "inner", namespace: "shop", creationTimestamp: p.ago(9000) },
        spec: { type: "ClusterIP" },
        status: { loadBalancer: {} },
      });
    },
  },
  {
    name: "a new Windows node has no provider ID yet, and its network comes",
    make: (p) => {
      const node = p.node("win1");
      delete node.spec.providerID;
      Object.assign(node.metadata, { creationTimestamp: p.ago(6) });
      p.nodeCondition("win1", "Ready", { reason: "KubeletNotReady", message: cniMissing, ago: 6 });
    },
  },
  {
    name: "a HostProcess add-on found its token at the second try",
    make: (p) => {
      realPod(p, {
        ...{ namespace: "kube-system", name: "cloud-node-manager-windows-new", node: "win1", age: 5 },
        ...{ owner: ["DaemonSet", "cloud-node-manager-windows"], restarts: 1, phase: "Pending" },
        state: { waiting: { reason: "ContainerCreating", message: "" } },
        lastState: {
          terminated: {
            ...{ exitCode: 1, reason: "Error", finishedAt: p.ago(4) },
            message:
              "open /var/run/secrets/kubernetes.io/serviceaccount/token: The system cannot find the path specified.",
          },
        },
      });
    },
  },
  {
    name: "a webhook's certificate was renewed three minutes ago, and one call failed meanwhile",
    make: (p) => {
      const pool = p.get("AzureMachinePool", "win1");
      p.condition(pool, "Ready", { reason: "ScaleSetScalingUp", severity: "Info", ago: 6 });
      p.event(pool, "ReconcileError", distrusted("azuremachinepool"), { ago: 3, count: 1 });
      p.event(p.get("KubeadmControlPlane"), "FailedScaleUp", distrusted("azuremachine"), {
        ago: 3,
        count: 1,
      });
    },
  },
  {
    name: "the operator waits for cert-manager, which was installed some minutes ago",
    make: (p) => {
      const message =
        'failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s": tls: failed to verify certificate: x509: certificate signed by unknown authority';
      const provider = p.add("management", {
        kind: "InfrastructureProvider",
        apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
        metadata: { name: "azure", namespace: "capz-system", creationTimestamp: p.ago(4) },
      });
      for (const type of ["ProviderInstalled", "Ready"]) {
        p.condition(provider, type, { reason: "InstallFailed", message, ago: 3 });
      }
    },
  },
];
