import { withVars } from "./answers";
import { at, list, strings, textAt } from "capz-windows-kit/untyped";
import {
  conditionsOf,
  formerConditionsOf,
  type KubeObject,
  minutesBetween,
  ownerOf,
  stays,
  title,
} from "../cluster/objects";
import { hasCondition, olderThan } from "./finders";
import { hasUnlinkedNode } from "./machineNodes";
import { instancesOf, isWindowsPool, poolsOf, scopeOf } from "../cluster/scope";
import { tokenLifeArgument, tokenLifeOf, tokenMinutes } from "capz-windows-platform/machines/bootstrapTokens";
import { estimatedMinutes } from "capz-windows-platform/machines/rollMinutes";
import { present } from "capz-windows-kit/present";
import type { Detectors, Match, Find } from "./rule";
import type { World } from "../cluster/snapshot";

/** Bootstrap data: its creation, and its execution on the machine. */

/** A Windows node needs up to 15 minutes from the start of the instance. */
const waitForNode = 20;

/** Within which a node that has joined gets its Machine's reference, although its token has ended. */
const linkMinutes = 5;

const tokenPrefix = "bootstrap-token-";

/** The ID of the token in the bootstrap data of a pool, which is the newest one; undefined without a KubeadmConfig. */
const tokenOf = (config: KubeObject | undefined): string | undefined =>
  /^(\w{6})\./.exec(textAt(config?.spec, "joinConfiguration", "discovery", "bootstrapToken", "token"))?.[1];

const configOf = (pool: KubeObject, world: World): KubeObject | undefined =>
  world.find("KubeadmConfig", textAt(at(pool.spec, "template", "spec", "bootstrap", "configRef"), "name"));

/**
 * Whether the token that an instance was made with is gone: the newest one of its pool is younger than the instance, and of
 * those that are older, and not the newest one of another pool, none is left. The token cleaner removes what has expired.
 */
function isLeftBehind(instance: KubeObject, id: string, world: World): boolean {
  const tokens = world
    .all("Secret", "workload")
    .filter(({ metadata }) => metadata.name.startsWith(tokenPrefix))
    .map(({ metadata: { name, creationTimestamp = "" } }) => ({
      ...{ id: name.slice(tokenPrefix.length), made: creationTimestamp },
    }));
  const made = instance.metadata.creationTimestamp ?? "";
  const newest = tokens.find((token) => token.id === id);
  const current = new Set(poolsOf(world).map((pool) => tokenOf(configOf(pool, world))));
  return (
    newest !== undefined &&
    minutesBetween(made, newest.made) > 0 &&
    !tokens.some((token) => !current.has(token.id) && minutesBetween(token.made, made) >= 0)
  );
}

/**
 * Pools with instances whose bootstrap token is gone. The token cleaner removes tokens when they expire, unless they are
 * renewed; the newest one of the pool may be there, and yet be younger than an instance that waits.
 */
const expiredTokens = (world: World): Match[] => {
  const secrets = world.all("Secret", "workload").map(({ metadata }) => metadata.name);
  // If no Secret was read at all, Secrets are probably not part of the snapshot.
  if (world.cluster === undefined || secrets.length === 0) {
    return [];
  }
  return poolsOf(world).flatMap((pool) => {
    const config = configOf(pool, world);
    const id = tokenOf(config);
    if (config === undefined || id === undefined) {
      return [];
    }
    const isGone = !secrets.includes(`${tokenPrefix}${id}`);
    const waiting = instancesOf(world, pool.metadata.name)
      .filter((instance) => stays(instance) && textAt(instance.status, "nodeRef", "name") === "")
      .filter((instance) =>
        isGone
          ? olderThan(instance, waitForNode, world)
          : olderThan(instance, linkMinutes, world) && isLeftBehind(instance, id, world),
      )
      .filter((instance) => !hasUnlinkedNode(instance, world));
    return present(
      waiting.length > 0 && {
        object: config,
        proof: {
          where: `KubeadmConfig ${config.metadata.name}, joinConfiguration.discovery.bootstrapToken`,
          text: isGone
            ? `the token ${id} of ${waiting.length} waiting instance(s) is not in kube-system any more`
            : `${waiting.length} waiting instance(s) are older than the pool's newest token ${id}, and the one before is not in kube-system any more`,
        },
        vars: {
          pool: pool.metadata.name,
          machines: waiting
            .slice(0, 10)
            .map((instance) => ownerOf(instance, "Machine") ?? instance.metadata.name)
            .join(" "),
        },
      },
    );
  });
};

/** Windows scale sets whose nodes boot for longer than half of the life of a token, by what the bootstrap provider is told. */
const shortTokens = (world: World): Match[] => {
  const pools = world
    .all("MachinePool")
    .filter((pool) => stays(pool) && isWindowsPool(world, pool.metadata.name));
  const boot = estimatedMinutes.boot.windows;
  return world
    .all("Deployment")
    .filter(({ metadata }) => metadata.name === "capi-kubeadm-bootstrap-controller-manager")
    .flatMap((object) => {
      const life = tokenLifeOf(argumentsOf(object));
      return present(
        pools.length > 0 &&
          life !== undefined &&
          boot > life / 2 && {
            object,
            proof: { where: `${title(object)}, arguments`, text: `${tokenLifeArgument}=${life}m` },
            vars: {
              ...{ life: String(life), boot: String(boot), wanted: String(tokenMinutes) },
              pools: pools.map(({ metadata }) => metadata.name).join(", "),
            },
          },
      );
    });
};

const argumentsOf = (deployment: KubeObject): string[] =>
  list(at(deployment.spec, "template", "spec", "containers")).flatMap(({ args }) => strings(args));

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
  "token-life-short": shortTokens,
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
