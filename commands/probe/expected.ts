import type { Settings } from "../../config/settings";
import { deliveredOptions, kubeletFields } from "../../bootstrap/kubeletConfig";
import type { NodeOs } from "../../platform/machines/naming";
import { type Taint, taintText } from "../../platform/machines/nodeLabels";
import { windowsBuilds } from "../../platform/machines/windowsReleases";
import { parseCidr } from "../../platform/network/addressing";
import { expectedMtus, type ExpectedMtu } from "../../platform/network/mtu";
import { textAt } from "../../tools/untyped";
import { controlPlanePool, type ProbePlace } from "./model";

/** What the plan says about nodes and their network. */

/** How many pods a kubelet takes if nothing says otherwise (KubeletConfiguration, kubelet.config.k8s.io/v1beta1). */
const defaultMaxPods = 110;

export type ExpectedNode = NonNullable<ReturnType<typeof expectedNode>>;

const controlPlaneTaint: Taint = { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" };

export function expectedNode(settings: Settings, pool: string) {
  if (pool === controlPlanePool) {
    return {
      labels: { "kubernetes.io/os": "linux" },
      taints: [taintText(controlPlaneTaint)],
      maxPods: defaultMaxPods,
      reservedMemory: "",
    };
  }
  const windows = settings.windowsPools[pool];
  const found = windows ?? settings.linuxPools[pool];
  if (found === undefined) {
    return undefined;
  }
  const os: NodeOs = windows === undefined ? "linux" : "windows";
  const kubelet = deliveredOptions(found.kubelet, os, settings.platform);
  const fields = kubeletFields(kubelet, os, found.kubernetesVersion);
  const build = windows === undefined ? undefined : windowsBuilds[windows.windowsServer];
  return {
    labels: {
      "kubernetes.io/os": os,
      ...(build === undefined ? {} : { "node.kubernetes.io/windows-build": build }),
      ...found.labels,
    } as Readonly<Record<string, string>>,
    /** As kubectl writes them. */
    taints: found.taints.map((taint) => taintText(taint)),
    maxPods: Number(fields.maxPods ?? defaultMaxPods),
    /** Memory that kubelet keeps from pods for the system; "" for none. */
    reservedMemory: textAt(fields.systemReserved, "memory"),
  };
}

export const expectedMtu = ({ platform, network }: Settings, os: NodeOs, place: ProbePlace): ExpectedMtu =>
  expectedMtus(platform.cni, network.mtu)[os][place];

/** The first address of the services, which is that of the Service `kubernetes` in the namespace default. */
export function apiService({ network }: Settings): string {
  const first = (parseCidr(network.serviceCidr)?.first ?? 0) + 1;
  return [24, 16, 8, 0].map((shift) => Math.floor(first / 2 ** shift) % 256).join(".");
}

/** A name outside the cluster that every cluster must resolve: the registry from which it pulls. */
export const outsideName = ({ registryMirror }: Settings): string => {
  const url = registryMirror?.url ?? "";
  return URL.canParse(url) ? new URL(url).hostname : "mcr.microsoft.com";
};
