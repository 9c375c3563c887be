import { numberAt } from "../../../tools/untyped";
import {
  conditionNamed,
  containersOf,
  minutesBetween,
  stays,
  title,
  type KubeObject,
} from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { conditionProof } from "./finders";
import { providerRefusalIds } from "./providerRefusals";
import type { Match, Rule } from "./rule";

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

export const autoscalerDown: Rule = {
  id: "autoscaler-down",
  stage: "add-ons",
  symptom: "the cluster autoscaler does not run",
  cause: "The cluster autoscaler {name} does not run, so pools with autoscale keep their size: {why}.",
  remedy: [
    "kubectl logs deployment/{name} -n {namespace} --tail=30",
    "kubectl rollout restart deployment {name} -n {namespace}   # it reads the kubeconfig only when it starts, and its certificate ends after a year",
    "npx pulumi up --stack {stack} --refresh   # when it has 0 replicas",
  ],
  source: "components/clusterAutoscaler; cluster-autoscaler 1.35, main.go",
  follows: ["control-plane", "registries", ...providerRefusalIds],
  find: (world) =>
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
