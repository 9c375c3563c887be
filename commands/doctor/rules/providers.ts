import { conditionNamed, conditionsOf } from "../../cluster/objects";
import { conditionProof, hasCondition, olderThan } from "./finders";
import { withAnswer } from "./answers";
import { crashLoops, noImage, outOfMemory, waitsFor } from "./podFinders";
import { inProviders, missingController, unavailable, untouched, withoutBundle } from "./providerFinders";
import { providerKinds } from "./providerDownloads";
import { webhookRules } from "./providerWebhooks";
import { providersAtZero } from "./scaledToZero";
import type { World } from "../../cluster/snapshot";
import type { Detectors, Match } from "./rule";

/** Adds {deployment}, by the name that a Deployment gives its Pods: its own, and two hashes. */
const withDeployment =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    find(world).map((match) => {
      const deployment = /^(.+)-[a-z0-9]+-[a-z0-9]{5}$/.exec(match.object?.metadata.name ?? "")?.[1];
      return deployment === undefined ? match : { ...match, vars: { ...match.vars, deployment } };
    });

/** Cluster API, CAPZ, its Azure Service Operator and cert-manager, in the management cluster. */

export const providers: Detectors = {
  "provider-image-pull": waitsFor(noImage, {
    side: "management",
    where: inProviders,
  }),
  "provider-out-of-memory": withDeployment(outOfMemory({ side: "management", where: inProviders })),
  "provider-crashes": crashLoops({
    side: "management",
    where: inProviders,
  }),
  "provider-unscheduled": hasCondition({
    kinds: ["Pod"],
    side: "management",
    type: "PodScheduled",
    minutes: 5,
    where: inProviders,
  }),
  "certificate-not-ready": withAnswer(
    hasCondition({ kinds: ["Certificate"], type: "Ready", minutes: 3, where: inProviders }),
  ),
  "webhook-without-ca": withoutBundle,
  ...providersAtZero,
  "provider-unavailable": unavailable,
  "provider-missing": missingController,
  "not-reconciled": untouched,
  ...webhookRules,
  "provider-not-installed": (world) =>
    providerKinds
      .flatMap((kind) => world.all(kind))
      .flatMap((object) => {
        const bad =
          conditionsOf(object).find(({ type, status }) => type !== "Ready" && status === "False") ??
          conditionNamed(object, "Ready");
        return bad?.status === "False" && olderThan(object, 10, world)
          ? [{ object, proof: conditionProof(object, bad), vars: { why: bad.message || bad.reason } }]
          : [];
      }),
};
