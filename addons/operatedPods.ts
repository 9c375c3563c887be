/**
 * Pods of kubeadm, which no manifest of a stack has, and of Calico, whose manifest a plan without network does not have, and
 * whose operator makes the others.
 */

export interface PrivilegedPod {
  readonly namespace: string;
  readonly name: string;
  /** Where it runs. */
  readonly nodes: string;
  readonly may: string;
  readonly why: string;
}

interface OperatedPod extends PrivilegedPod {
  /** The kind of the object from which it follows; kubeadm's are in every cluster. */
  readonly by: "kubeadm" | "Installation";
}

/** kubeadm v1.35 app/phases/controlplane/manifests.go, app/phases/etcd/local.go: static pods. */
const ofControlPlane = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"].map(
  (name): OperatedPod => ({
    ...{ namespace: "kube-system", name, nodes: "control plane", by: "kubeadm" },
    may: "network of the node; folders of the node: certificates and data below /etc/kubernetes and /var/lib",
    why: "is the control plane",
  }),
);

const ofCalico = (
  pod: Omit<OperatedPod, "by" | "namespace"> & { readonly namespace?: string },
): OperatedPod => ({
  ...{ namespace: "calico-system", by: "Installation" },
  ...pod,
});

export const operatedPods: readonly OperatedPod[] = [
  ...ofControlPlane,
  {
    ...{ namespace: "kube-system", name: "kube-proxy", nodes: "Linux", by: "kubeadm" },
    // kubeadm v1.35 app/phases/addons/proxy/manifests.go
    may: "privileged: everything on the node; network of the node",
    why: "writes the rules of Services",
  },
  ofCalico({
    // projectcalico/calico v3.31 manifests/tigera-operator.yaml, with the nodeSelector of addons/calico.ts
    ...{ namespace: "tigera-operator", name: "tigera-operator", nodes: "control plane" },
    may: "network of the node; folders of the node: /var/lib/calico",
    why: "installs Calico before there is a network of pods",
  }),
  // tigera/operator v1.40 pkg/render: node.go, windows.go, typha.go, csi.go
  ofCalico({
    ...{ name: "calico-node", nodes: "Linux" },
    may: "privileged: everything on the node; network of the node",
    why: "writes routes and rules of the node, and the configuration of the CNI",
  }),
  ofCalico({
    ...{ name: "calico-node-windows", nodes: "Windows" },
    may: "HostProcess: a process of Windows itself",
    why: "writes the network and the policies of HNS",
  }),
  ofCalico({
    ...{ name: "calico-typha", nodes: "Linux" },
    may: "network of the node",
    why: "serves calico-node before there is a network of pods",
  }),
  ofCalico({
    ...{ name: "csi-node-driver", nodes: "Linux" },
    may: "privileged: everything on the node",
    why: "mounts sockets of Calico's policies into pods that ask for them",
  }),
];
