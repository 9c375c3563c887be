import { numberAt } from "capz-windows-kit/untyped";
import {
  conditionNamed,
  containersOf,
  minutesBetween,
  stays,
  title,
  type KubeObject,
} from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { conditionProof } from "./finders";
import type { Detectors, Match } from "./rule";

/** The cluster autoscaler that the program installs beside the objects of its cluster. */

/** A new Pod pulls its image and waits for its leader election within this time. */
const startMinutes = 10;

const proofOf = (deployment: KubeObject, world: World): Match["proof"] | undefined => {
  if (numberAt(deployment.spec, "replicas") === 0) {
    return { where: title(deployment), text: "spec.replicas is 0" };
  }
  const available = conditionNamed(deployment, "Available");
  if (available?.status !== "False" || minutesBetween(available.since, world.now) < startMinutes) {
    return undefined;
  }
  const [broken] = world
    .all("Pod", "management")
    .filter(({ metadata }) => metadata.name.startsWith(`${deployment.metadata.name}-`) && stays(deployment))
    .flatMap((pod) =>
      containersOf(pod)
        .filter(({ ready }) => !ready)
        .map(({ name, waiting, message, endMessage }) => ({
          where: `${title(pod)}, container ${name}`,
          text: [waiting, message, endMessage].filter((text) => text !== "").join(": "),
          since: available.since,
        })),
    )
    .filter(({ text }) => text !== "");
  return broken ?? conditionProof(deployment, available);
};

export const autoscalerDown: Detectors = {
  "autoscaler-down": (world) =>
    world
      .all("Deployment", "management")
      .filter(
        ({ metadata }) =>
          metadata.namespace === world.snapshot.cluster.namespace &&
          metadata.name === `${world.snapshot.cluster.name}-autoscaler`,
      )
      .filter(stays)
      .flatMap((object) => {
        const proof = proofOf(object, world);
        return proof === undefined ? [] : [{ object, proof, vars: { why: proof.text } }];
      }),
};
