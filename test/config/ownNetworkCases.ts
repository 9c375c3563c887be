import { minimal } from "../support/stacks";
import { dockershim } from "./flavorCases";
import type { Case } from "./ruleCases";

const none = { addons: { cni: "none" } };
const brought = { extraManifests: { cni: { file: "docs/workloads/network-policy.yaml" } } };
const stalls =
  "with addons.cni: none no node is ready before your CNI runs, and nothing in the stack delivers it: `pulumi up` would wait until it times out";
const sample = {
  access: { ...(minimal().access as object), allowedCidrs: ["203.0.113.0/24"] },
  windowsPools: { win1: {} },
  sampleWorkload: {},
};

/** Cases in which the users install the CNI or kube-proxy for Windows. */
export const ownNetworkCases: readonly Case[] = [
  [
    "a wait for nodes that get no network",
    { ...none, wait: "nodes" },
    `wait: ${stalls}`,
    { ...none, ...brought, wait: "nodes" },
  ],
  [
    "a sample on nodes that get no network",
    { ...none, ...sample },
    `sampleWorkload: ${stalls}`,
    { ...none, ...brought, ...sample },
  ],
  [
    "repairs of Calico's network without Calico",
    { addons: { cni: "none", hnsRemediation: { enabled: true } } },
    "addons.hnsRemediation.enabled: it restarts Calico and waits for Calico's HNS network, which a node with another CNI does not have",
    { addons: { cni: "calico", hnsRemediation: { enabled: true } } },
  ],
  [
    "a release of Calico without Calico",
    { addons: { cni: "none", calicoVersion: "v3.32.1" } },
    "addons.calicoVersion: not used with addons.cni: none",
    { addons: { cni: "calico", calicoVersion: "v3.32.1" } },
  ],
  [
    "an image of kube-proxy without kube-proxy",
    { addons: { kubeProxyWindows: false, kubeProxyWindowsImage: "registry.example/kube-proxy:v1.35.6" } },
    "addons.kubeProxyWindowsImage: not used without kube-proxy for Windows (addons.kubeProxyWindows)",
    { addons: { kubeProxyWindows: true, kubeProxyWindowsImage: "registry.example/kube-proxy:v1.35.6" } },
  ],
  [
    "an image of kube-proxy that a CNI of one's own leaves out",
    { addons: { cni: "none", kubeProxyWindowsImage: "registry.example/kube-proxy:v1.35.6" } },
    "addons.kubeProxyWindowsImage: not used without kube-proxy for Windows (addons.kubeProxyWindows)",
    {
      addons: {
        ...{ cni: "none", kubeProxyWindows: true },
        kubeProxyWindowsImage: "registry.example/kube-proxy:v1.35.6",
      },
    },
  ],
  [
    "a CNI of one's own with Docker",
    { ...dockershim, ...none },
    "addons.cni: not used with the flavor dockershim and Kubernetes v1.22.9",
    dockershim,
  ],
];
