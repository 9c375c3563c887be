import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { present } from "capz-windows-kit/present";

/** Serving certificates of kubelets where nothing approves them. */

const place = "kubeletCertificates";

export const kubeletCertificateRules = ({
  kubeletCertificates: value,
  platform,
  kubernetesVersion,
  flavor,
}: Settings): Problem[] =>
  present(
    value !== "selfSigned" &&
      platform.cloudProvider !== "external" && {
        path: place,
        value,
        uses: [place, "flavor", "kubernetesVersion"],
        problem: `the approver has not been tested with Kubernetes ${kubernetesVersion} and the flavor ${flavor}, and without one kubelets get no certificate`,
        allowed: "selfSigned; others with Kubernetes 1.26 or newer and the flavor containerd",
        write: "capz-windows:kubeletCertificates: selfSigned",
      },
  );
