import { at, list, textAt } from "capz-windows-kit/untyped";
import { touches, type ImpactRule } from "../impactRule";

/** Serving certificates of kubelets: who signs them, and what verifies them. */

const kcp = "KubeadmControlPlane";
const verifies = "kubelet-certificate-authority";

/** The file that kubeadm merges into kubelet's configuration, the folder, and the argument of the API server. */
export const servingCertificateFields =
  /^spec\.kubeadmConfigSpec\.(clusterConfiguration\.apiServer\.extraArgs\[kubelet-certificate-authority|(init|join)Configuration\.patches\b|files\[[^\]]*kubeletconfiguration)/;

const spec = (inputs: unknown): unknown => at(inputs, "spec", "kubeadmConfigSpec");

const isIssued = (inputs: unknown): boolean =>
  list(at(spec(inputs), "files")).some((file) =>
    textAt(file, "content").includes("serverTLSBootstrap: true"),
  );

const isVerified = (inputs: unknown): boolean =>
  list(at(spec(inputs), "clusterConfiguration", "apiServer", "extraArgs")).some(
    (argument) => textAt(argument, "name") === verifies,
  );

const commands = [
  "kubectl --kubeconfig workload.kubeconfig get csr   # one Approved,Issued of kubernetes.io/kubelet-serving for each node",
];

/** Whether certificates are verified before any kubelet has one of the cluster's CA. */
const isRefusedNow = (before: unknown, after: unknown): boolean =>
  isVerified(after) && !isVerified(before) && !isIssued(before);

const source =
  "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/#certificate-rotation; CAPZ PR #6048";

export const kubeletCertificateRules: readonly ImpactRule[] = [
  {
    id: "kubelet-certificates-refused",
    source,
    informational: true,
    match: touches(kcp, servingCertificateFields),
    explain: ([{ base, head, kind }]) =>
      kind === "update" &&
      isRefusedNow(base?.inputs, head?.inputs) && {
        what: "`kubectl logs`, `exec` and `top` fail on nodes that run: the API server and metrics-server will refuse certificates that kubelets have signed themselves",
        why: "each node of a scale set keeps such a certificate until it is replaced, because bootstrap data alone does not roll scale sets",
        instead:
          "set kubeletCertificates: issued first, replace the nodes of all pools, and then set kubeletCertificates: verified",
        commands,
      },
  },
  {
    id: "kubelet-certificates",
    source,
    informational: true,
    match: touches(kcp, servingCertificateFields),
    explain: ([{ base, head, kind }]) => {
      if (kind !== "update") {
        return undefined;
      }
      const [before, after] = [base?.inputs, head?.inputs];
      if (isRefusedNow(before, after)) {
        return undefined;
      }
      if (isVerified(after) && !isVerified(before)) {
        return {
          what: "The API server and metrics-server verify the certificates of kubelets from now on",
          why: "`kubectl logs`, `exec` and `top` fail on a node that has no certificate of the cluster's CA yet",
          instead: "before `pulumi up`, see that every node has one",
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
