import { present } from "../../tools/present";
import { at, textAt } from "../../tools/untyped";
import { podOf, privilegesOf } from "./podPrivileges";
import { type PodSecurityLevel, podSecurityLevels } from "./podSecurity";
import { flat, type OpenRight, type Placed } from "./rights";

/** Objects by which pods may do more than the stack says. */

/** Pods that are more than containers. */
export const privilegedPods = (written: readonly Placed[]): OpenRight[] =>
  flat(written).flatMap(({ path, object }) => {
    const kind = textAt(object, "kind");
    const may = privilegesOf(podOf({ kind, spec: at(object, "spec") }));
    const namespace = textAt(object, "metadata", "namespace") || "default";
    return present(
      may.length > 0 && {
        path,
        message: `${kind} ${namespace}/${textAt(object, "metadata", "name")} has ${may.join("; ")}`,
      },
    );
  });

/** Namespaces whose label lets in more than the level of the stack. */
export const weakerNamespaces = (written: readonly Placed[], enforced: PodSecurityLevel): OpenRight[] =>
  flat(written).flatMap(({ path, object }) => {
    const level = textAt(object, "metadata", "labels", "pod-security.kubernetes.io/enforce");
    const rank = podSecurityLevels.findIndex((one) => one === level);
    return textAt(object, "kind") !== "Namespace" || rank < 0 || rank >= podSecurityLevels.indexOf(enforced)
      ? []
      : [
          {
            path,
            message: `Namespace ${textAt(object, "metadata", "name")} lets in pods of the level ${level}; controlPlane.podSecurity says ${enforced}`,
          },
        ];
  });
