import type { ProbeNode } from "capz-windows-probe/model";

export const nodeObject = (name: string, os: string, zone = "", ready = "True", labels = {}) => ({
  ...{ apiVersion: "v1", kind: "Node" },
  metadata: { name, labels: { "kubernetes.io/os": os, "topology.kubernetes.io/zone": zone, ...labels } },
  spec: {},
  status: {
    addresses: [
      { type: "Hostname", address: name },
      { type: "InternalIP", address: "10.10.128.4" },
    ],
    conditions: [{ type: "Ready", status: ready }],
  },
});

export const named = (nodes: readonly ProbeNode[]): string[] =>
  nodes.map(({ name, pool }) => `${pool}: ${name}`);
