import type { ClusterModel } from "../../model/cluster/types";
import type { Box } from "./box";

/** The path of a packet from pod to pod, with the largest packet that each part carries, in bytes. */
export function pathBoxes({ network: { mtu, podMtu, mtus }, pools }: ClusterModel): Box[] {
  const windows = pools.some(({ os }) => os === "windows");
  const sender = windows ? mtus.windows : mtus.linux;
  const step = (id: string, title: string, bytes: number, line: string): Box => ({
    id,
    tone: "step",
    title,
    badge: String(bytes),
    lines: { what: line },
  });
  return [
    step("from", windows ? "Windows pod" : "Pod", sender.pod.bytes, `by ${sender.pod.from}`),
    step("vxlan", "VXLAN", podMtu, `its headers take ${mtu - podMtu} bytes`),
    step("sender", "Node", sender.host.bytes, `by ${sender.host.from}`),
    step("vnet", "VNET", mtu, "fragments larger packets"),
    step("receiver", "Node", mtus.linux.host.bytes, `by ${mtus.linux.host.from}`),
    step("to", "Linux pod", mtus.linux.pod.bytes, `by ${mtus.linux.pod.from}`),
  ];
}
