import type { Platform } from "capz-windows-platform/cluster/platform";
import { setsLinuxHostMtu } from "capz-windows-platform/network/mtu";
import { scriptContent } from "./files";

const path = "/usr/local/sbin/set-mtu.sh";

/**
 * Files and commands that set the MTU (in bytes) of eth0 on a Linux node, for a CNI that derives its MTU from eth0.
 * Flannel does, when it starts, and subtracts the 50 bytes of VXLAN; Antrea and Cilium do the same. Calico's MTU is
 * configured, so it needs neither, unless its packets are larger than what eth0 has by itself.
 *
 * The script runs before kubeadm, and the node does not join if it fails, because large packets to Windows nodes would
 * be lost (CAPZ #1335). It runs again after kubeadm, because the network may have been reconfigured in between.
 */
export function linuxNodeMtu({ cni }: Platform, mtu: number) {
  if (!setsLinuxHostMtu(cni, mtu)) {
    return { files: [], preKubeadmCommands: [], postKubeadmCommands: [] };
  }
  return {
    files: [{ path, owner: "root:root", permissions: "0755", content: scriptContent("set-mtu.sh") }],
    // cloud-init runs all commands in one shell script, in which only exit prevents kubeadm from running.
    preKubeadmCommands: [`${path} ${mtu} || exit 1`],
    postKubeadmCommands: [`${path} ${mtu}`],
  };
}
