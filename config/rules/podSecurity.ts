import { minor } from "semver";
import { firstWithPodSecurity } from "capz-windows-platform/cluster/podSecurity";
import type { Problem } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { present } from "capz-windows-kit/present";

/** Pod Security on an API server that does not know the file. */

const place = "controlPlane.podSecurity";

export const podSecurityRules = ({ controlPlane, kubernetesVersion }: Settings): Problem[] =>
  present(
    controlPlane.podSecurity !== undefined &&
      minor(kubernetesVersion) < firstWithPodSecurity && {
        path: place,
        uses: [place, "kubernetesVersion"],
        problem: `the API server of ${kubernetesVersion} reads no file of this form`,
        allowed: `Kubernetes v1.${firstWithPodSecurity} or newer`,
      },
  );
