import { managementKinds, workloadKinds } from "capz-windows-doctor/cluster/kinds";
import type { KubeObject } from "capz-windows-doctor/cluster/objects";
import { liveKinds } from "windows-workloads/live";
import { onWindows } from "./support";

/** The objects of a running cluster. */

export const kinds = [...managementKinds, ...workloadKinds, ...liveKinds];

export const object = (
  apiVersion: string,
  kind: string,
  name: string,
  more: Readonly<Record<string, unknown>>,
  namespace = "shop",
): KubeObject => ({ apiVersion, kind, metadata: { name, namespace }, ...more });

export const node = (
  name: string,
  labels: Readonly<Record<string, string>>,
  taints: readonly unknown[] = [],
) =>
  ({
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/arch": "amd64",
        "node.kubernetes.io/instance-type": "Standard_D2s_v5",
        "kubernetes.io/hostname": name,
        ...labels,
      },
    },
    spec: { taints },
    status: { allocatable: { cpu: "1900m", memory: "6Gi" } },
  }) as KubeObject;

export const windows = { "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348" };
export const nodes = [
  node("win1000000", windows),
  node("win1000001", windows, [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]),
  node("linux1000000", { "kubernetes.io/os": "linux" }),
  node("shop-cp-x7k2p", { "kubernetes.io/os": "linux", "node-role.kubernetes.io/control-plane": "" }, [
    { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" },
  ]),
];

const template = (spec: object, image: string) => ({
  spec: {
    template: {
      metadata: { labels: { app: "web" } },
      spec: { nodeSelector: onWindows, containers: [{ name: "web", image }], ...spec },
    },
  },
});

export const deployment = (
  name: string,
  spec: object,
  image = "r.example/app:1-ltsc2022",
  namespace = "shop",
) => object("apps/v1", "Deployment", name, template(spec, image), namespace);
