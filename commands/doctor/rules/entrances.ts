import { at, list, textAt } from "../../../tools/untyped";
import { type KubeObject, stays, title } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { olderThan, wasRead } from "./finders";
import type { Detectors, Match } from "./rule";

/** Services and Ingresses without a backend, so that all requests fail. No event reports it. */

/** A chart may create Services and Ingresses some minutes before their backends. */
const minutes = 15;

const defaultClass = "ingressclass.kubernetes.io/is-default-class";

/** Why no controller takes an Ingress; `undefined` if one may. */
function withoutClass({ metadata, spec }: KubeObject, classes: readonly KubeObject[]): string | undefined {
  const name = textAt(spec, "ingressClassName");
  const former = metadata.annotations?.["kubernetes.io/ingress.class"] ?? "";
  if (name !== "") {
    return classes.some((each) => each.metadata.name === name)
      ? undefined
      : `there is no IngressClass ${name}`;
  }
  if (former !== "") {
    // Controllers that still read the annotation bring a class, too, which may have another name.
    return classes.length === 0 ? `it names the class ${former}, and there is no IngressClass` : undefined;
  }
  return classes.some((each) => each.metadata.annotations?.[defaultClass] === "true")
    ? undefined
    : "it names no class, and no IngressClass is the default";
}

function servedByNobody(world: World): Match[] {
  if (!wasRead("IngressClass", "workload", world)) {
    return [];
  }
  const classes = world.all("IngressClass", "workload");
  return world
    .all("Ingress", "workload")
    .filter((ingress) => stays(ingress) && olderThan(ingress, minutes, world))
    .filter(({ status }) => list(at(status, "loadBalancer", "ingress")).length === 0)
    .flatMap((object) => {
      const reason = withoutClass(object, classes);
      return reason === undefined
        ? []
        : [
            {
              object,
              proof: { where: `${title(object)}, status.loadBalancer`, text: `empty; ${reason}` },
              vars: { reason },
            },
          ];
    });
}

export const entranceRules: Detectors = {
  "ingress-not-served": servedByNobody,
};
