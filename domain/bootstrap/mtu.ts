import type { BootstrapFile } from "../capi/types";
import type { Platform } from "../cluster/platform";
import { script } from "./files";

const path = "/usr/local/sbin/set-mtu.sh";

export interface NodeMtu {
  readonly files: readonly BootstrapFile[];
  readonly preKubeadmCommands: readonly string[];
  readonly postKubeadmCommands: readonly string[];
}

/**
 * What gives the eth0 of a Linux node the MTU of the network, in bytes, where the CNI takes its own from there: Flannel
 * subtracts the 50 of VXLAN from what it finds when it starts. Calico is told its number and needs nothing.
 *
 * Before kubeadm, and without it the node does not join: it would lose large packets to Windows (CAPZ #1335). After
 * kubeadm once more, because the network may have been set up anew meanwhile.
 */
export function linuxNodeMtu({ cni }: Platform, mtu: number): NodeMtu {
  if (cni !== "flannel") {
    return { files: [], preKubeadmCommands: [], postKubeadmCommands: [] };
  }
  return {
    files: [{ path, owner: "root:root", permissions: "0755", content: script("set-mtu.sh") }],
    // cloud-init runs all commands in one shell: only exit keeps kubeadm from running.
    preKubeadmCommands: [`${path} ${mtu} || exit 1`],
    postKubeadmCommands: [`${path} ${mtu}`],
  };
}
