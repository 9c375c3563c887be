import { components } from "../compatibility";

/** An image of a few kilobytes that runs on every Windows release: its containers use the programs of the host. */
export const hostProcessBaseImage = `mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:${components.hostProcessBase.version}`;

/**
 * Pod fields of a HostProcess container. Kubernetes demands hostNetwork with it; the OS selector keeps the pod off
 * Linux nodes, since no Windows node carries a taint that would.
 */
export const hostProcess = {
  priorityClassName: "system-node-critical",
  nodeSelector: { "kubernetes.io/os": "windows" },
  hostNetwork: true,
  securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\system" } },
} as const;

/**
 * Every taint, of every effect: these pods make a node usable, so they run while it still carries
 * node.cloudprovider.kubernetes.io/uninitialized and node.kubernetes.io/not-ready.
 */
export const tolerateEverything = [{ operator: "Exists" }] as const;
