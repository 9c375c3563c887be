import { withVars } from "./answers";
import { at, textAt } from "../../../tools/untyped";
import { conditionsOf, formerConditionsOf, type KubeObject, ownerOf } from "../../cluster/objects";
import { hasCondition, olderThan } from "./finders";
import { instancesOf, poolsOf, scopeOf } from "../../cluster/scope";
import type { Detectors, Match, Find } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Bootstrap data: its creation, and its execution on the machine. */

/**
 * Pools whose bootstrap token no longer exists. The token cleaner removes tokens 15 minutes after they were created,
 * unless they are renewed.
 */
const expiredTokens = (world: World): Match[] => {
  const secrets = world.all("Secret", "workload").map(({ metadata }) => metadata.name);
  // If no Secret was read at all, Secrets are probably not part of the snapshot.
  if (world.cluster === undefined || !world.snapshot.workload.objects.some(({ kind }) => kind === "Secret")) {
    return [];
  }
  return poolsOf(world).flatMap((pool) => {
    const config = world.find(
      "KubeadmConfig",
      textAt(at(pool.spec, "template", "spec", "bootstrap", "configRef"), "name"),
    );
    const [, id] =
      /^(\w{6})\./.exec(textAt(config?.spec, "joinConfiguration", "discovery", "bootstrapToken", "token")) ??
      [];
    const waiting = instancesOf(world, pool.metadata.name).filter(
      (instance) =>
        textAt(instance.status, "nodeRef", "name") === "" && olderThan(instance, waitForNode, world),
    );
    return config === undefined ||
      id === undefined ||
      waiting.length === 0 ||
      secrets.includes(`bootstrap-token-${id}`)
      ? []
      : [
          {
            object: config,
            proof: {
              where: `KubeadmConfig ${config.metadata.name}, joinConfiguration.discovery.bootstrapToken`,
              text: `the token ${id} of ${waiting.length} waiting instance(s) is not in kube-system any more`,
            },
            vars: {
              pool: pool.metadata.name,
              machines: waiting
                .slice(0, 10)
                .map((instance) => ownerOf(instance, "Machine") ?? instance.metadata.name)
                .join(" "),
            },
          },
        ];
  });
};

/** Windows nodes need up to 15 minutes from the start of the instance. */
const waitForNode = 20;

/** Adds the name of the Secret, which often only the condition of v1beta1 has. */
const withSecret = (find: Find) =>
  withVars(find, ({ object }) => {
    const conditions = object === undefined ? [] : [...formerConditionsOf(object), ...conditionsOf(object)];
    const [secret] = conditions.flatMap(
      ({ message }) => /secret not found: (?:[^\s/]+\/)?(?<name>[\w.-]*\w)/.exec(message)?.groups?.name ?? [],
    );
    return secret === undefined ? { which: "A Secret" } : { which: `The Secret ${secret}`, secret };
  });

/** Not "would be blocked", which an old MachineSet without machines says of itself. */
const templateGone =
  /^(?![^]*would be blocked)[^]*(?:[Tt]emplate.*(?:not found|do(?:es)? not exist)|CloningFailed)/;

const revisionOf = ({ metadata }: KubeObject): number =>
  Number(metadata.annotations?.["machinedeployment.clusters.x-k8s.io/revision"] ?? "");

/** Whether a MachineSet is not the newest one of its MachineDeployment, which is to make no machines any more. */
const isFormer = (object: KubeObject, world: World): boolean => {
  const owner = ownerOf(object, "MachineDeployment");
  return (
    object.kind === "MachineSet" &&
    world
      .all("MachineSet")
      .some(
        (other) => ownerOf(other, "MachineDeployment") === owner && revisionOf(other) > revisionOf(object),
      )
  );
};

export const bootstrap: Detectors = {
  "bootstrap-secret-missing": withSecret(
    hasCondition({
      kinds: ["KubeadmConfig"],
      type: "DataSecretAvailable",
      message:
        /Failed to prepare spec\.files|Failed to read (?:content|password)|secret not found|non-existent secret key/,
      minutes: 2,
    }),
  ),
  "token-expired": expiredTokens,
  "bootstrap-failed": hasCondition({
    kinds: ["AzureMachinePoolMachine", "AzureMachine"],
    type: "BootstrapSucceeded",
    reason: /^BootstrapFailed$/,
    // Of an instance in the state Failed, CAPZ's extension has failed in any case: the rule instance-failed.
    where: ({ status }) => textAt(status, "provisioningState") !== "Failed",
  }),
  "template-missing": hasCondition({
    kinds: ["KubeadmControlPlane", "MachineSet", "MachineDeployment"],
    type: /^(MachinesCreated|ScalingUp|RollingOut)$/,
    status: ["False", "True"],
    message: templateGone,
    where: (object, world) => !isFormer(object, world),
  }),
  "former-template-missing": hasCondition({
    kinds: ["MachineSet"],
    type: "ScalingUp",
    status: ["True"],
    message: templateGone,
    where: isFormer,
  }),
  "bootstrap-data-late": (world) =>
    hasCondition({
      kinds: ["AzureMachine"],
      type: "VMRunning",
      reason: /^WaitingForBootstrapData$/,
      minutes: 15,
    })(
      world,
      // All other machines wait for the control plane, so its delay is the cause.
    ).filter(({ object }) => scopeOf(object, world) === "control-plane"),
};
