import type { Patient } from "../patient";
import type { Fault } from "./fault";
import { cniMissing } from "./onNodes";

/** Faults about which nothing complains, or about which only a part says something wrong. */

function atZero(p: Patient, side: "management" | "workload", namespace: string, name: string): void {
  const known = p
    .all("Deployment", side)
    .find(({ metadata }) => metadata.name === name && metadata.namespace === namespace);
  const deployment =
    known ?? p.add(side, { kind: "Deployment", apiVersion: "apps/v1", metadata: { name, namespace } });
  deployment.spec = { replicas: 0 };
  deployment.status = {};
  p.condition(deployment, "Available", { status: "True", reason: "MinimumReplicasAvailable", ago: 900 });
  p.remove(side, ({ kind, metadata }) => kind === "Pod" && metadata.name.startsWith(name));
}

const scaled = (
  side: "management" | "workload",
  rule: string,
  deployments: readonly (readonly [namespace: string, name: string])[],
): Fault[] =>
  deployments.map(([namespace, name]) => ({
    name: `${name} has no replicas`,
    rule,
    make: (p) => {
      atZero(p, side, namespace, name);
    },
  }));

function waits(p: Patient, metadata: object, spec: object = {}): void {
  p.add("workload", {
    kind: "Service",
    metadata: { name: "web", namespace: "shop", creationTimestamp: p.ago(40), ...metadata },
    spec: { type: "LoadBalancer", ...spec },
    status: { loadBalancer: {} },
  });
}

/** A provider that the operator has tried to install for half an hour. */
function notInstalled(p: Patient, message: string): void {
  const provider = p.add("management", {
    kind: "InfrastructureProvider",
    apiVersion: "operator.cluster.x-k8s.io/v1alpha2",
    metadata: { name: "azure", namespace: "capz-system" },
  });
  for (const type of ["ProviderInstalled", "Ready"]) {
    p.condition(provider, type, { reason: "InstallFailed", message, ago: 25 });
  }
}

const issuer =
  'failed to create provider object: Internal error occurred: failed calling webhook "webhook.cert-manager.io": failed to call webhook: Post "https://cert-manager-webhook.cert-manager.svc:443/validate?timeout=30s"';

const noFiles = (p: Patient, name: string, message: string): unknown =>
  p.pod("workload", "kube-system", name, {
    waiting: ["CrashLoopBackOff", "back-off 5m0s"],
    ended: ["Error", message],
    restarts: 6,
  });

export const silent: readonly Fault[] = [
  ...scaled("management", "provider-scaled-to-zero", [
    ["capz-system", "capz-controller-manager"],
    ["capz-system", "azureserviceoperator-controller-manager"],
    ["capi-system", "capi-controller-manager"],
    ["capi-kubeadm-bootstrap-system", "capi-kubeadm-bootstrap-controller-manager"],
    ["capi-kubeadm-control-plane-system", "capi-kubeadm-control-plane-controller-manager"],
    ["cert-manager", "cert-manager-webhook"],
  ]),
  ...scaled("management", "installer-scaled-to-zero", [
    ["capi-operator-system", "capi-operator-cluster-api-operator"],
    ["cert-manager", "cert-manager"],
    ["cert-manager", "cert-manager-cainjector"],
  ]),
  ...scaled("workload", "add-on-scaled-to-zero", [
    ["kube-system", "cloud-controller-manager"],
    ["tigera-operator", "tigera-operator"],
  ]),
  ...scaled("workload", "service-scaled-to-zero", [
    ["kube-system", "coredns"],
    ["kube-system", "csi-azuredisk-controller"],
    ["calico-system", "calico-kube-controllers"],
  ]),
  {
    name: "a Service without an address, an event or a finalizer",
    rule: "load-balancer-silent",
    make: (p) => {
      waits(p, {});
    },
  },
  {
    name: "a Service that the manager has begun with",
    rule: "load-balancer-silent",
    make: (p) => {
      waits(p, { finalizers: ["service.kubernetes.io/load-balancer-cleanup"] });
    },
  },
  {
    name: "a Service of a class that nobody handles",
    rule: "load-balancer-class",
    make: (p) => {
      waits(p, {}, { loadBalancerClass: "example.com/gone" });
    },
  },
  {
    name: "a Service of which the manager does not run",
    rule: "cloud-provider-crashes",
    make: (p) => {
      waits(p, {});
      p.pod("workload", "kube-system", "cloud-controller-manager-abcde", {
        waiting: ["CrashLoopBackOff", "back-off 5m0s"],
        ended: ["Error", "panic: something"],
        restarts: 6,
      });
    },
  },
  {
    name: "a Windows node keeps the taint of the cloud provider",
    rule: "node-uninitialized",
    make: (p) => {
      p.node("win1").spec = { taints: [{ key: "node.cloudprovider.kubernetes.io/uninitialized" }] };
    },
  },
  {
    name: "a Linux node has no CNI configuration although calico-node runs",
    rule: "node-network-config",
    make: (p) => {
      p.nodeCondition("linux1", "Ready", { reason: "KubeletNotReady", message: cniMissing, ago: 25 });
    },
  },
  {
    name: "a Windows node has no CNI configuration although the users' CNI runs",
    rule: "node-network-config",
    make: (p) => {
      p.remove("management", ({ metadata }) => metadata.name === "sick-calico");
      p.nodeCondition("win1", "Ready", { reason: "KubeletNotReady", message: cniMissing, ago: 25 });
    },
  },
  {
    name: "kube-proxy on Windows finds no token",
    rule: "host-process-files",
    make: (p) =>
      noFiles(
        p,
        "kube-proxy-windows-2",
        "open /var/run/secrets/kubernetes.io/serviceaccount/token: The system cannot find the path specified.",
      ),
  },
  {
    name: "a CSI driver on Windows finds no token",
    rule: "host-process-files",
    make: (p) =>
      noFiles(
        p,
        "csi-azurefile-node-win-2",
        "E1122 failed to get kubeconfig: open C:\\\\var\\\\run\\\\secrets\\\\kubernetes.io\\\\serviceaccount\\\\token: The system cannot find the file specified.",
      ),
  },
  {
    name: "the webhook of cert-manager is not trusted",
    rule: "cert-manager-distrusted",
    make: (p) => {
      notInstalled(
        p,
        `${issuer}: tls: failed to verify certificate: x509: certificate signed by unknown authority`,
      );
    },
  },
  {
    name: "the webhook of cert-manager does not answer",
    rule: "cert-manager-webhook",
    make: (p) => {
      notInstalled(p, `${issuer}: dial tcp 10.0.0.7:443: i/o timeout`);
    },
  },
];
