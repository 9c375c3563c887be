/** The API server's name on the machines that it runs on. */

/** Whether kubeadm's file for `init` or `join` is there: only the first machine has the one for `init`. */
const has = (file: string): string => `[ -f /run/kubeadm/${file} ] || [ -f /tmp/${file} ]`;

/**
 * Azure's internal load balancer drops a connection that it would send back to its sender, so each machine of the
 * control plane finds itself: the first one before `kubeadm init`, which asks the API server that it starts; the others
 * after `kubeadm join`, which asks the machines that are there (CAPZ v1.27.0 templates/cluster-template-private.yaml).
 */
export function ownApiServer(host: string | undefined): {
  readonly preKubeadmCommands: readonly string[];
  readonly postKubeadmCommands: readonly string[];
} {
  const when = (file: string) => `if ${has(file)}; then echo '127.0.0.1 ${host ?? ""}' >> /etc/hosts; fi`;
  return host === undefined
    ? { preKubeadmCommands: [], postKubeadmCommands: [] }
    : {
        preKubeadmCommands: [when("kubeadm.yaml")],
        postKubeadmCommands: [when("kubeadm-join-config.yaml")],
      };
}
