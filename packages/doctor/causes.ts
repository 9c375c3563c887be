import { grouped } from "capz-windows-kit/grouped";
import { covers, type Scope } from "./cluster/scope";
import type { World } from "./cluster/snapshot";
import type { DoctorFinding } from "./diagnosis";
import { linuxPoolNames } from "./rules/calico";
import { type Rule, stages } from "./rules/rule";

/** Which finding explains which, so that a report begins with what to fix first. */

export interface RuleFinding extends Omit<DoctorFinding, "consequences"> {
  readonly rule: Rule;
  /** The namespace of the first object. */
  readonly namespace: string;
  /** The objects that it is about. */
  readonly objects: readonly string[];
  /** The claims of the Pods among them. */
  readonly claims: readonly string[];
  /** Operating systems of what it is about; "" where that is not known. */
  readonly systems: readonly string[];
  /** What explains it, with the values that were found: those of the first one. */
  readonly follows: readonly string[];
  /** The cause without the names of machines, or of Pods of one node: that of others with the same one is the same finding. */
  readonly common: string;
  /** The names of the machines or Pods that it is about, if it names one. */
  readonly machines: readonly string[];
}

/** Whether a finding is about machines of a Linux pool, on which Calico's Typha runs. */
const isLinuxPool = ({ scope, stage }: RuleFinding, world: World): boolean =>
  ["azure", "image", "bootstrap", "machines"].includes(stage) &&
  linuxPoolNames(world).some((pool) => scope === `pool ${pool}`);

/** The API server refuses Pods of an add-on that nodes need. */
const isRefusedAddOn = ({ family, namespace }: RuleFinding): boolean =>
  family === "admission" &&
  /^(?:kube-system|calico-system|calico-apiserver|tigera-operator)$/.test(namespace);

/**
 * An error of what runs in the namespace that the finding names, in the same of the two clusters, or of that object itself
 * when it says so.
 */
const isServer = (cause: RuleFinding, { follows, stage, objects }: RuleFinding): boolean =>
  // First, because most follow from no server, and some findings are about thousands of objects.
  follows.some((one) => one === "same object" || one.startsWith("pods in ")) &&
  cause.severity === "error" &&
  cause.rule.generic !== true &&
  (cause.stage === "providers") === (stage === "providers") &&
  cause.objects.some((object) => {
    const [kind = "", namespace = ""] = object.split("/");
    return (
      (follows.includes("same object") && objects.includes(object)) ||
      (/^(?:Pod|Deployment|DaemonSet)$/.test(kind) && follows.includes(`pods in ${namespace}`))
    );
  });

/** What is wrong with one Pod or its claim is not why another one waits. */
const isSame = (cause: RuleFinding, effect: RuleFinding): boolean =>
  effect.stage !== "pods" ||
  cause.objects.some(
    (object) => object !== "" && (effect.objects.includes(object) || effect.claims.includes(object)),
  );

const isOnly = ({ systems }: RuleFinding, system: string): boolean => systems.every((one) => one === system);

/** A fault of Windows machines or Pods is not why a Pod on a Linux node does not run. */
const isElsewhere = (cause: RuleFinding, effect: RuleFinding): boolean =>
  effect.stage === "pods" && isOnly(effect, "linux") && isOnly(cause, "windows");

/** Whether `cause` explains `effect`. */
function explains(cause: RuleFinding, effect: RuleFinding, world: World): boolean {
  if (cause.id === effect.id || isElsewhere(cause, effect)) {
    return false;
  }
  const { follows } = effect;
  const { generic = false, last = false } = effect.rule;
  if (last && cause.rule.last !== true && effect.stage !== cause.stage) {
    return covers(cause.scope, effect.scope) || effect.scope === "cluster";
  }
  const known =
    follows.includes(cause.id) ||
    follows.includes(cause.family) ||
    (follows.includes("*") &&
      cause.severity === "error" &&
      (cause.stage !== effect.stage || isSame(cause, effect))) ||
    isServer(cause, effect) ||
    (follows.includes("refused-add-on") && isRefusedAddOn(cause)) ||
    (follows.includes("linux-pool") && isLinuxPool(cause, world));
  // A problem of the cluster may be caused by one pool, but a problem of one pool is not caused by another pool.
  if (known && (covers(cause.scope, effect.scope) || effect.scope === "cluster")) {
    return true;
  }
  return (
    generic &&
    (cause.severity === "error" || effect.severity === "warning") &&
    covers(cause.scope, effect.scope) &&
    (stages.indexOf(cause.stage) < stages.indexOf(effect.stage) ||
      (cause.stage === effect.stage && !(cause.rule.generic ?? false) && isSame(cause, effect)))
  );
}

/** What `isServer` and `isSame` look for among the objects of a cause. */
const keysOfCause = ({ objects }: RuleFinding): ReadonlySet<string> =>
  new Set(objects.flatMap((object) => [object, `pods in ${object.split("/")[1] ?? ""}`]));

const keysOfEffect = ({ objects, claims, follows }: RuleFinding): string[] => [
  ...objects,
  ...claims,
  ...follows,
];

/** Causes of which only their objects tell whether one of them explains a finding: one answer is that of all of them. */
class Alike {
  /** A cause of them without objects: what it explains is explained by each. */
  private readonly bare: RuleFinding;
  private readonly byKey = new Map<string, RuleFinding[]>();
  readonly scope: Scope;

  constructor(
    one: RuleFinding,
    private readonly members: readonly RuleFinding[],
  ) {
    this.scope = one.scope;
    this.bare = { ...one, objects: [] };
    for (const member of members) {
      for (const key of keysOfCause(member)) {
        const those = this.byKey.get(key) ?? [];
        those.push(member);
        this.byKey.set(key, those);
      }
    }
  }

  /** Lists, each in the order of the findings, among which are all that explain one. */
  candidates(effect: RuleFinding, world: World): (readonly RuleFinding[])[] {
    return explains(this.bare, effect, world)
      ? [this.members]
      : keysOfEffect(effect).map((key) => this.byKey.get(key) ?? []);
  }
}

const kindOf = (one: RuleFinding): string =>
  JSON.stringify([one.id, one.severity, one.stage, one.scope, isRefusedAddOn(one), isOnly(one, "windows")]);

/** The cause of each finding among the others: the first one that explains it, without cycles. */
export function causesOf(found: readonly RuleFinding[], world: World): Map<RuleFinding, RuleFinding> {
  const places = new Map(found.map((one, index) => [one, index]));
  const placeOf = (one: RuleFinding): number => places.get(one) ?? 0;
  const alike = [...grouped(found, kindOf).values()].flatMap((members) => {
    const [one] = members;
    return one === undefined ? [] : [new Alike(one, members)];
  });
  const byScope = grouped(alike, ({ scope }) => scope);
  // Only what is about the whole cluster may come of a pool. There may be thousands of pools.
  const near = (scope: Scope): readonly Alike[] =>
    scope === "cluster"
      ? alike
      : [...new Set(["cluster", "control-plane", scope])].flatMap((one) => byScope.get(one) ?? []);
  const causes = new Map<RuleFinding, RuleFinding>();
  const comesOf = (start: RuleFinding, other: RuleFinding): boolean => {
    for (let one: RuleFinding | undefined = start; one !== undefined; one = causes.get(one)) {
      if (one === other) {
        return true;
      }
    }
    return false;
  };
  for (const effect of found) {
    const isCause = (one: RuleFinding): boolean => explains(one, effect, world) && !comesOf(one, effect);
    let cause: RuleFinding | undefined;
    for (const candidates of near(effect.scope).flatMap((group) => group.candidates(effect, world))) {
      const one = candidates.find(isCause);
      if (one !== undefined && (cause === undefined || placeOf(one) < placeOf(cause))) {
        cause = one;
      }
    }
    if (cause !== undefined) {
      causes.set(effect, cause);
    }
  }
  return causes;
}
