import { credentialIn } from "../../../tools/credentials";
import type { LeftOut } from "../findings";

/**
 * Files and commands that templates of CAPZ (v1.0 to v1.27, templates/ and templates/test/) and this program put into
 * the bootstrap data of every node, each with what there is instead.
 */

type Reason = Pick<LeftOut, "why" | "instead">;

const own: Reason = { why: "the stack writes this for every node" };

const files: readonly (readonly [RegExp, Reason])[] = [
  [/(^|\/)azure\.json$/i, { why: "the stack mounts the azure.json of its machines" }],
  [/defender-exclude-calico\.ps1$/i, own],
  [
    /(restart-kubelet|label-node|set-proxy|set-registry-folder|create-external-network|set-jumbo-packet|(schedule|windows)-mtu)\.ps1$/i,
    own,
  ],
  [/ssh\/administrators_authorized_keys$/i, { why: "the stack writes it for access.sshPublicKey" }],
  [/set-mtu\.sh$|\/60-eth0\.yaml$/i, { why: "the MTU of nodes follows from network.mtu" }],
  [
    /(oot-cred-provider|credential-provider[^/]*)\.(sh|ps1|ya?ml)$/i,
    {
      why: "it downloads the credential provider of Azure's registries for tests of CAPZ itself",
      instead: "the one in the image (docs/images.md)",
    },
  ],
  [
    /(kubeadm-bootstrap|replace-(k8s|ci|pr)-\w+)\.(sh|ps1)$/i,
    {
      why: "it replaces the Kubernetes of the image with a build of CI: the node would no longer have the version that the stack file says",
      instead: "kubernetesVersion, or an image of your own",
    },
  ],
  [
    /(replace-containerd|install-az-cli)\.ps1$/i,
    {
      why: "it changes what is on the image while a node starts",
      instead: "an image of your own (docs/images.md)",
    },
  ],
];

const commands: readonly (readonly [RegExp, Reason])[] = [
  [
    /^\/usr\/local\/sbin\/set-mtu\.sh \d+|schedule-mtu\.ps1|set-jumbo-packet\.ps1/,
    { why: "the MTU of nodes follows from network.mtu" },
  ],
  [
    /^nssm set kubelet start SERVICE_AUTO_START$/i,
    { why: "the stack starts kubelet on images with nssm and on those with a native service" },
  ],
  [
    /create-external-network\.ps1/i,
    { why: "it was for Flannel's overlay, and today's images and templates do not have the script" },
  ],
  [
    // The names that CAPZ gives an API server (v1.27 azure/scope/cluster.go): of its public address, and in its private zone.
    /^(?=[^]*[\\/]etc[\\/]+hosts\b)[^]*(\.cloudapp\.azure\.com|\bapiserver\.)/i,
    {
      why: "it writes an address into the hosts file for the name of an API server that the stack does not make",
      instead: "DNS: Azure resolves the name of the stack's API server",
    },
  ],
  [/defender-exclude-calico\.ps1|restart-kubelet\.ps1|label-node\.ps1/i, own],
  [/^icacls .*administrators_authorized_keys/i, own],
  [
    /(oot-cred-provider|kubeadm-bootstrap|replace-(k8s|ci|pr)-\w+|replace-containerd|install-az-cli)\.(sh|ps1)/i,
    { why: "the script that it runs is left out" },
  ],
];

/** Why a file of bootstrap data does not become one of the stack file; `undefined` for a user's own. */
export const fileReason = (path: string): Reason | undefined => files.find(([name]) => name.test(path))?.[1];

/** Why a command does not become one of the stack file. */
export const commandReason = (command: string): Reason | undefined =>
  commands.find(([text]) => text.test(command))?.[1];

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
