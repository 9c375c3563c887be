import { minor } from "semver";
import { firstWithPodSecurity } from "../../platform/cluster/podSecurity";
import type { Problem } from "../../tools/problem";
import type { Settings } from "../settings";
import { present } from "../../tools/present";

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
        write: "remove podSecurity # in controlPlane",
      },
  );
