import type { KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { isInitialized } from "./rules/finders";
import { isWindowsPool, poolsOf, type Scope, scopeOf } from "../cluster/scope";

/** Fills in the texts of a rule with the values that were found. */

/** The placeholder in a command for a value that was not found: NEW-LIMIT for `newLimit`. */
export const placeholder = (name: string): string => name.replace(/([A-Z])/g, "-$1").toUpperCase();

/** Cuts a long value in its middle, because the innermost error, which is the reason, comes last. */
const shortened = (value: string): string => {
  const line = value.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 97)} ... ${line.slice(-198)}` : line;
};

export const filledIn = (
  text: string,
  vars: Readonly<Record<string, string>>,
  missing: (name: string) => string,
): string => text.replace(/\{(\w+)\}/g, (_, name: string) => shortened(vars[name] ?? missing(name)));

/** Words after which a sentence needs a noun. After any other word, which is the noun, a name can be left out. */
const needsNoun =
  /^(?:and|are|as|at|been|by|for|from|in|is|its|of|on|only|or|reach|reports|than|to|which|with)$/i;

const nounOf = (name: string): string =>
  /^(?:limit|required|used)$/.test(name)
    ? "an unknown number"
    : `the ${name.replace(/([A-Z])/g, " $1").toLowerCase()}`;

/** Fills in a sentence. Where a value was not found, it says "the node" or leaves the name out. */
export function sentenceOf(text: string, vars: Readonly<Record<string, string>>): string {
  const unlessMissing = (all: string, name: string): string => (vars[name] === undefined ? "" : all);
  const sentence = text
    .replace(/ \(\{(\w+)\}\)/g, unlessMissing)
    .replace(/[:,] \{(\w+)\}(?=[.;:])/g, unlessMissing)
    .replace(/: \{(\w+)\}$/, (all, name: string) => unlessMissing(all, name) || ".")
    .replace(/([^\s{}]*)( ?)\{(\w+)\}/g, (_, word: string, space: string, name: string) => {
      const value = vars[name];
      return value !== undefined
        ? `${word}${space}${shortened(value)}`
        : /\w$/.test(word) && !needsNoun.test(word)
          ? word
          : `${word}${space}${nounOf(name)}`;
    });
  // Names at the beginning keep their case; nouns do not.
  return /^(?:the|an) /.test(sentence) ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : sentence;
}

const poolLine = /^capz-windows:windowsPools: \{\{pool\}: (\{.*\})\}(.*)$/;

/**
 * Changes a line for the stack file, which rules write for Windows pools, if the finding is about a Linux pool or the
 * control plane.
 */
function placed(line: string, scope: Scope, world: World): string {
  const [, settings, comment] = poolLine.exec(line) ?? [];
  const pool = /^pool (.+)$/.exec(scope)?.[1];
  if (settings === undefined || scope === "cluster") {
    return line;
  }
  return pool === undefined
    ? `capz-windows:controlPlane: ${settings}${comment ?? ""}`
    : `capz-windows:${isWindowsPool(world, pool) ? "windowsPools" : "linuxPools"}: {${pool}: ${settings}}${comment ?? ""}`;
}

/**
 * In place of a command that deletes the only machine of the control plane: Cluster API v1.14.2 begins a new cluster then
 * (kubeadmcontrolplane_controller.go, initializeControlPlane), with an empty etcd.
 */
const keepMachine =
  "Do not delete the Machine: it is the only one of the control plane, and Cluster API would make an empty cluster in its place. If its virtual machine is gone for good, restore etcd from a snapshot into a new one.";

function guarded(line: string, scope: Scope, world: World): string {
  const isAlone = world.all("Machine").filter((one) => scopeOf(one, world) === "control-plane").length <= 1;
  return scope === "control-plane" &&
    isAlone &&
    isInitialized(world) &&
    line.startsWith("kubectl delete machine ")
    ? keepMachine
    : line;
}

/** Patterns of commands that are only for machines of one kind. */
const only = {
  scaleSet: /^az vmss |^az rest .*virtualMachineScaleSets/,
  virtualMachine: /^(?:az vm .*|kubectl delete machine )\{vm\}/,
  worker: "kubectl delete machine {machine}",
};

/**
 * Whether a line applies to what was found: a rule has commands for scale sets and single machines, Windows and Linux.
 */
function fits(line: string, scope: Scope, world: World): boolean {
  const pool = /^pool (.+)$/.exec(scope)?.[1];
  if (scope === "cluster") {
    return true;
  }
  const isScaleSet = poolsOf(world).some(
    ({ kind, metadata }) => kind === "MachinePool" && metadata.name === pool,
  );
  const isWindows = pool !== undefined && isWindowsPool(world, pool);
  return (
    (isScaleSet || !only.scaleSet.test(line)) &&
    (!isScaleSet || !only.virtualMachine.test(line)) &&
    (scope !== "control-plane" || !(line.startsWith(only.worker) || line.includes("{replicas: FEWER}"))) &&
    (isWindows || !line.includes("RunPowerShellScript")) &&
    (!isWindows || !line.includes("RunShellScript"))
  );
}

const hasAutoscaler = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.["cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size"] !== undefined;

/** The autoscaler sets the replicas of its pools, so more of them come from a higher limit. */
function sized(line: string, pool: string | undefined, world: World): string {
  if (!line.includes("{replicas: MORE}")) {
    return line;
  }
  const autoscaled = poolsOf(world).filter(hasAutoscaler);
  return autoscaled.some(({ metadata }) => metadata.name === pool)
    ? line.replace("{replicas: MORE}", "{autoscale: {max: MORE}}")
    : pool === undefined && autoscaled.length > 0
      ? `${line}${line.includes("   #") ? ";" : "   #"} of a pool with autoscale: {autoscale: {max: MORE}}`
      : line;
}

export const remedyOf = (
  remedy: readonly string[],
  vars: Readonly<Record<string, string>>,
  scope: Scope,
  world: World,
): string[] => {
  // A Pod is of the cluster, and lines about its pool are written for that pool.
  const place: Scope = scope === "cluster" && vars.pool !== undefined ? `pool ${vars.pool}` : scope;
  return remedy
    .filter((line) => fits(line, scope, world))
    .map((line) => guarded(line, scope, world))
    .map((line) => filledIn(sized(placed(line, place, world), vars.pool, world), vars, placeholder));
};
