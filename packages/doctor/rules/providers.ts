import { conditionNamed, conditionsOf, minutesBetween } from "../cluster/objects";
import { conditionProof, hasCondition, olderThan, anyOf, says, unread, warned } from "./finders";
import { withAnswer } from "./answers";
import { crashLoops, noImage, outOfMemory, waitsFor } from "./podFinders";
import { inProviders, missingController, unavailable, untouched, withoutBundle } from "./providerFinders";
import { scaledToZeroRules } from "./scaledToZero";
import type { World } from "../cluster/snapshot";
import type { Detectors, Match } from "./rule";
import { azureKinds } from "./kinds";

/** Kinds of the Cluster API operator. */
const providerKinds = ["CoreProvider", "BootstrapProvider", "ControlPlaneProvider", "InfrastructureProvider"];

/** Adds {deployment}, by the name that a Deployment gives its Pods: its own, and two hashes. */
const withDeployment =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    find(world).map((match) => {
      const deployment = /^(.+)-[a-z0-9]+-[a-z0-9]{5}$/.exec(match.object?.metadata.name ?? "")?.[1];
      return deployment === undefined ? match : { ...match, vars: { ...match.vars, deployment } };
    });

/** Cluster API, CAPZ, its Azure Service Operator and cert-manager, in the management cluster. */

/**
 * What is not about webhooks of the workload cluster: they refuse the evictions of a drain and the objects of a
 * ClusterResourceSet.
 */
const inManagement = (text: RegExp): RegExp =>
  new RegExp(`^(?![^]*(?:Drain not completed|(?:patching|creating) object ))[^]*?(?:${text.source})`);

const fails = inManagement(
  /failed calling webhook "?(?<webhook>[\w.-]+)|conversion webhook for (?<conversion>\S+(?:, Kind=\w+)?) failed|no endpoints available for service "?(?<service>[\w-]+)/,
);

const distrusted = inManagement(
  /(?:failed calling webhook "?|conversion webhook for )(?<webhook>[\w./-]+)(?![\w./-])[^]*x509: certificate/,
);

const kinds = [
  ...azureKinds,
  ...["Cluster", "KubeadmControlPlane", "KubeadmConfig", "Machine", "MachinePool", "MachineDeployment"],
  ...["MachineSet", "ClusterResourceSet"],
];

/** While providers are being installed, webhooks answer only after some minutes, and the operator tries again. */
const installing = 10;

const webhookSays = (text: RegExp): ((world: World) => Match[]) =>
  anyOf(
    says({ kinds, text }),
    (world) =>
      says({ kinds: providerKinds, text })(world).filter(
        ({ object }) => object === undefined || olderThan(object, installing, world),
      ),
    // These events count even if the control plane is Ready, because it cannot be changed until the webhook works.
    warned({ kinds: ["KubeadmControlPlane"], text }),
    unread("management", ["other", "certificate"], text),
  );

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
  ...scaledToZeroRules,
  "provider-unavailable": unavailable,
  "provider-missing": missingController,
  "not-reconciled": untouched,
  "webhook-certificate": webhookSays(distrusted),
  "webhook-down": webhookSays(fails),
  "provider-not-installed": (world) =>
    providerKinds
      .flatMap((kind) => world.all(kind))
      .flatMap((object) => {
        const bad =
          conditionsOf(object).find(({ type, status }) => type !== "Ready" && status === "False") ??
          conditionNamed(object, "Ready");
        return bad?.status === "False" && minutesBetween(bad.since, world.now) >= 10
          ? [{ object, proof: conditionProof(object, bad), vars: { why: bad.message || bad.reason } }]
          : [];
      }),
};
