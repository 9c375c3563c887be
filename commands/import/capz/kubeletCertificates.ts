import { at, list } from "../../../tools/untyped";
import type { KubeletCertificates } from "../../../platform/cluster/kubeletCertificates";

/** How the kubelets of a source get their serving certificates; nothing where they sign their own. */
export function kubeletCertificatesOf(controlPlane: unknown): KubeletCertificates | undefined {
  const spec = at(controlPlane, "kubeadmConfigSpec");
  const isIssued = list(at(spec, "files")).some((file) => at(file, "content", "serverTLSBootstrap") === true);
  const isVerified = list(at(spec, "clusterConfiguration", "apiServer", "extraArgs")).some(
    ({ name }) => name === "kubelet-certificate-authority",
  );
  return isIssued ? (isVerified ? "verified" : "issued") : undefined;
}
