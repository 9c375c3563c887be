import { textAt } from "../../../tools/untyped";
import { withAnswer } from "./answers";
import { anyOf, hasCondition, says, warned } from "./finders";
import { stays } from "../../cluster/objects";
import type { Detectors } from "./rule";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";

/** Further rules of `controlPlane`: what Cluster API reports about it, and objects that the API server refuses. */

const makers = ["KubeadmControlPlane", "MachineSet", "MachineDeployment", "MachinePool"];

export const controlPlaneStates: Detectors = {
  "object-refused": withAnswer(
    anyOf(
      says({
        kinds: makers,
        text: /admission webhook "[^"]+" denied the request|is forbidden: exceeded quota|Invalid value:/,
      }),
      warned({ kinds: ["KubeadmControlPlane"], text: /denied the request|is forbidden: exceeded quota/ }),
    ),
  ),
  "control-plane-blocked": withAnswer(
    anyOf(
      hasCondition({
        kinds: ["KubeadmControlPlane"],
        type: /^Scaling(?:Up|Down)$/,
        status: ["True"],
        message: /blocked because:/,
        minutes: 30,
        where: stays,
      }),
      warned({
        kinds: ["KubeadmControlPlane"],
        text: /^ControlPlaneUnhealthy: /,
        times: 10,
        where: (object, world) => stays(object) && !isChanging(object, world),
      }),
    ),
  ),
};

/** A machine of the control plane is made or deleted: meanwhile its parts are not healthy. */
const isChanging = (_: KubeObject, world: World): boolean =>
  world
    .all("Machine")
    .some(
      ({ metadata, status }) =>
        metadata.labels?.["cluster.x-k8s.io/control-plane"] !== undefined &&
        (metadata.deletionTimestamp !== undefined || textAt(status, "phase") !== "Running"),
    );
