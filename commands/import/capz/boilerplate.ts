import { credentialIn } from "capz-windows-kit/credentials";
import type { LeftOut } from "../findings";

/** Files and commands that templates of CAPZ (v1.0 to v1.27) and this program put into the bootstrap data of every node. */

export type Reason = Omit<LeftOut, "from">;

const own: Reason = { why: "the stack writes it itself, or has another way to the same" };

const ofImage: Reason = {
  why: "it changes Kubernetes or tools of the image while a node starts",
  instead: "kubernetesVersion, or an image of your own (docs/images.md)",
};

const builds = /(kubeadm-bootstrap|replace-(k8s|ci|pr)-\w+|replace-containerd|install-az-cli)\.(sh|ps1)/i;

const ownFile =
  /(^|\/)azure\.json$|ssh\/administrators_authorized_keys$|set-mtu\.sh$|\/60-eth0\.yaml$|(defender-exclude-calico|restart-kubelet|label-node|set-proxy|set-registry-folder|create-external-network|set-jumbo-packet|(schedule|windows)-mtu)\.ps1$/i;

const ownCommand =
  /^\/usr\/local\/sbin\/set-mtu\.sh \d+|(schedule-mtu|set-jumbo-packet|create-external-network|defender-exclude-calico|restart-kubelet|label-node)\.ps1|^nssm set kubelet start SERVICE_AUTO_START$|^icacls .*administrators_authorized_keys/i;

/** Of the names that CAPZ gives an API server (v1.27 azure/scope/cluster.go): DNS resolves that of the stack's. */
const ofHosts: Reason = {
  why: "nodes of the stack find the API server by DNS, without an entry in the hosts file: at its public address, or at its private one with network.apiServer",
};

const hosts = /^(?=[^]*[\\/]etc[\\/]+hosts\b)[^]*(\.cloudapp\.azure\.com|\bapiserver\.)/i;

/** Why a file of bootstrap data does not become one of the stack file; `undefined` for a user's own. */
export function fileReason(path: string): Reason | undefined {
  if (ownFile.test(path)) {
    return own;
  }
  return builds.test(path) || /(oot-cred-provider|credential-provider[^/]*)\.(sh|ps1|ya?ml)$/i.test(path)
    ? ofImage
    : undefined;
}

/** Why a command does not become one of the stack file. */
export function commandReason(command: string): Reason | undefined {
  if (ownCommand.test(command)) {
    return own;
  }
  if (hosts.test(command)) {
    return ofHosts;
  }
  return builds.test(command) || /oot-cred-provider\.(sh|ps1)/i.test(command) ? ofImage : undefined;
}

/** Words before texts that are often secrets. If such a text is not secret, the user copies one line by hand. */
const assigned = /\b[\w-]*(?:secret|sig)["']?\s*[:=]\s*["']?[^\s$<%"'{(]|[-/](?:secret|sig)\s+[^\s$<%-]/i;

/** Whether a text of bootstrap data may contain a secret. */
export const hasSecret = (value: string): boolean =>
  /PRIVATE KEY|client-key-data/.test(value) || assigned.test(value) || credentialIn(value) !== undefined;

/** The reason for a text that may contain a secret; the text itself is not shown. */
export const secretReason: Reason = {
  why: "it may be a secret, and bootstrap data stays readable on the node",
  instead: "a secret of the pods, or an identity of the machines (identityIds)",
};
