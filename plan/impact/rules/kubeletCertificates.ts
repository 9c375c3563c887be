import { at, list, textAt } from "capz-windows-kit/untyped";
import { touches, type ImpactRule } from "../impactRule";

/** Serving certificates of kubelets: who signs them, and what verifies them. */

/** The file that kubeadm merges into kubelet's configuration, the folder, and the argument of the API server. */
export const servingCertificateFields =
  /^spec\.kubeadmConfigSpec\.(clusterConfiguration\.apiServer\.extraArgs\[kubelet-certificate-authority|(init|join)Configuration\.patches\b|files\[[^\]]*kubeletconfiguration)/;

const isIssued = (inputs: unknown): boolean =>
  list(at(inputs, "spec", "kubeadmConfigSpec", "files")).some((file) =>
    textAt(file, "content").includes("serverTLSBootstrap: true"),
  );

const isVerified = (inputs: unknown): boolean =>
  list(at(inputs, "spec", "kubeadmConfigSpec", "clusterConfiguration", "apiServer", "extraArgs")).some(
    (argument) => textAt(argument, "name") === "kubelet-certificate-authority",
  );

const commands = [
  "kubectl --kubeconfig workload.kubeconfig get csr   # one Approved,Issued of kubernetes.io/kubelet-serving for each node",
];

export const kubeletCertificateRules: readonly ImpactRule[] = [
  {
    id: "kubelet-certificates",
    source:
      "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/#certificate-rotation; CAPZ PR #6048",
    informational: true,
    match: touches("KubeadmControlPlane", servingCertificateFields),
    explain: ([{ base, head, kind }]) => {
      const [before, after] = [base?.inputs, head?.inputs];
      if (kind !== "update") {
        return undefined;
      }
      if (isVerified(after) && !isVerified(before)) {
        return {
          what: "The API server and metrics-server verify the certificates of kubelets from now on: `kubectl logs`, `exec` and `top` fail on nodes without one of the cluster's CA",
          why: isIssued(before)
            ? "a node of a scale set that was not replaced since keeps the certificate that its kubelet has signed itself"
            : "no node has one yet, and bootstrap data alone does not roll scale sets",
          instead: isIssued(before)
            ? "before `pulumi up`, see that every node has one"
            : "set kubeletCertificates: issued first, replace the nodes of all pools, and then set kubeletCertificates: verified",
          commands,
        };
      }
      if (!isIssued(after) || isIssued(before)) {
        return undefined;
      }
      return {
        what: "New machines ask the cluster's CA for certificates of their kubelets; those that run keep their own",
        why: "the approver is delivered first, and requests wait for it; a kubelet answers nothing before it has its certificate",
        instead:
          "when the control plane has rolled, replace the nodes of all pools, and then set kubeletCertificates: verified",
        commands,
      };
    },
  },
];
