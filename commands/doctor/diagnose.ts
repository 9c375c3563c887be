import { at, list, textAt } from "../../tools/untyped";
import type { Consequence, Diagnosis, DoctorFinding } from "./diagnosis";
import { type Snapshot, World } from "../cluster/snapshot";
import { allRules, familyOf, pageOf } from "./rules/allRules";
import { linuxPoolNames } from "./rules/calico";
import { type Match, type Rule, stages } from "./rules/rule";
import { causeOf, filledIn, originOf, remedyOf } from "./remedies";
import { variables, vmKinds } from "./variables";
import { covers, type Scope, scopeOf } from "../cluster/scope";
import { podsNotRunning } from "./nodeSteps";
import { isComplete, stepsOf } from "./steps";

/**
 * Turns a snapshot into a diagnosis: the causes, in order, with their consequences. The same snapshot always gives the
 * same.
 */

interface Found extends Omit<DoctorFinding, "consequences"> {
  readonly rule: Rule;
  /** The namespace of the first object. */
  readonly namespace: string;
  /** The objects that it is about. */
  readonly objects: readonly string[];
  /** The claims of the Pods among them. */
  readonly claims: readonly string[];
  /** What explains it, with the values that were found: those of the first one. */
  readonly follows: readonly string[];
  /** The cause without the names of machines: that of others with the same one is the same finding. */
  readonly common: string;
  /** The names of the machines that it is about, if it names one. */
  readonly machines: readonly string[];
}

/** A finding of which proofs are still gathered: lists of thousands are not copied for each. */
type Gathered = Found & {
  readonly proofs: Found["proofs"][number][];
  readonly objects: string[];
  readonly claims: string[];
};

const objectKey = ({ object }: Match): string =>
  object === undefined ? "" : `${object.kind}/${object.metadata.namespace ?? ""}/${object.metadata.name}`;

/** The claims whose volumes a Pod mounts. */
const claimsOf = ({ object }: Match): string[] =>
  list(at(object?.spec, "volumes")).flatMap((volume) => {
    const name = textAt(volume, "persistentVolumeClaim", "claimName");
    return name === "" ? [] : [`PersistentVolumeClaim/${object?.metadata.namespace ?? ""}/${name}`];
  });

const claimOf = (match: Match): string => `${objectKey(match)}: ${match.proof.text}`;

const machineKinds = new Set([...vmKinds, "AzureMachinePoolMachine"]);

/** The values by which the same cause differs from machine to machine. */
const ofOneMachine = ["name", "node", "vm", "machine", "calicoPod", "nodeManagerPod", "minutes"];

function findingOf(rule: Rule, match: Match, world: World): Found {
  const scope = scopeOf(match.object, world);
  const vars = variables(world, match, scope);
  const cause = causeOf(rule.cause, vars, match);
  const origin = originOf(rule.remedy, vars, match, world);
  const common = machineKinds.has(match.object?.kind ?? "")
    ? causeOf(rule.cause, { ...vars, ...Object.fromEntries(ofOneMachine.map((name) => [name, "*"])) }, match)
    : cause;
  return {
    rule,
    follows: (rule.follows ?? []).map((one) => filledIn(one, vars, () => "")),
    common,
    machines: common === cause ? [] : [match.object?.metadata.name ?? ""],
    namespace: match.object?.metadata.namespace ?? "",
    objects: [objectKey(match)],
    claims: claimsOf(match),
    id: rule.id,
    ...{ family: familyOf(rule.id), page: pageOf(rule.id) },
    severity: rule.severity ?? "error",
    stage: rule.stage,
    scope,
    symptom: rule.symptom,
    cause,
    proofs: [
      { ...match.proof, where: origin === undefined ? match.proof.where : `${match.proof.where}, ${origin}` },
    ],
    remedy: remedyOf(rule.remedy, vars, scope, world, match),
    source: rule.source,
  };
}

const repeated = "resource is not Ready: ";

/**
 * The key of a finding that reports the same already: for the whole cluster, or for the object of the Azure Service
 * Operator whose message CAPZ repeats.
 * @param ofCluster - keys of findings for the whole cluster, by their rule and cause
 */
function sameAs(
  { id, cause, proofs }: Found,
  found: ReadonlyMap<string, Found>,
  ofCluster: ReadonlyMap<string, string>,
): string | undefined {
  const text = proofs[0]?.text ?? "";
  const repeats = ([, one]: [string, Found]): boolean =>
    one.id === id && one.proofs.some((proof) => text.includes(`${repeated}${proof.text}`));
  return (
    ofCluster.get(`${id} ${cause}`) ?? (text.includes(repeated) ? [...found].find(repeats)?.[0] : undefined)
  );
}

/** Whether a condition that no rule knows only repeats the text of another object with a finding. */
const isRepeat = ({ last }: Rule, { proof }: Match, found: ReadonlyMap<string, Found>): boolean =>
  last === true &&
  [...found.values()].some(({ proofs }) =>
    proofs.some(({ text }) => text.length >= 30 && proof.text.includes(text)),
  );

/** The findings of all rules. The same text of the same object becomes one finding only: that of the first rule. */
function findAll(world: World): Found[] {
  const claimed = new Set<string>();
  /** The specific rules with an error for an object; generic rules that explain none of them are then skipped for it. */
  const known = new Map<string, Rule[]>();
  /** Objects of which any rule has said something. */
  const named = new Set<string>();
  const isKnown = (rule: Rule, object: string): boolean =>
    rule.generic === true &&
    object !== "" &&
    (rule.last === true
      ? named.has(object)
      : (known.get(object) ?? []).some(
          ({ follows = [] }) => !follows.includes(rule.id) && !follows.includes(familyOf(rule.id)),
        ));
  const found = new Map<string, Gathered>();
  const machines = new Map<string, Set<string>>();
  const ofCluster = new Map<string, string>();
  for (const rule of allRules) {
    for (const match of rule.find(world)) {
      const claim = claimOf(match);
      const object = objectKey(match);
      if (
        isKnown(rule, object) ||
        (claimed.has(claim) && match.proof.text !== "") ||
        isRepeat(rule, match, found)
      ) {
        continue;
      }
      claimed.add(claim);
      named.add(object);
      if (rule.generic !== true && rule.severity !== "warning") {
        known.set(object, [...(known.get(object) ?? []), rule]);
      }
      const finding = findingOf(rule, match, world);
      const key = sameAs(finding, found, ofCluster) ?? `${rule.id} ${finding.scope} ${finding.common}`;
      const same = found.get(key);
      if (same === undefined) {
        const { proofs, objects, claims } = finding;
        found.set(key, { ...finding, proofs: [...proofs], objects: [...objects], claims: [...claims] });
        machines.set(key, new Set(finding.machines));
      } else {
        same.proofs.push(...finding.proofs);
        same.objects.push(...finding.objects);
        same.claims.push(...finding.claims);
        finding.machines.forEach((machine) => machines.get(key)?.add(machine));
      }
      const cause = `${finding.id} ${finding.cause}`;
      if (finding.scope === "cluster" && same === undefined && !ofCluster.has(cause)) {
        ofCluster.set(cause, key);
      }
    }
  }
  return [...found].map(([key, finding]) => ({ ...finding, machines: [...(machines.get(key) ?? [])] }));
}

const rank = ({ severity, stage, scope }: Found): number =>
  (severity === "error" ? 0 : 1000) + stages.indexOf(stage) * 10 + rankOfScope(scope);

function rankOfScope(scope: Scope): number {
  if (scope === "cluster") {
    return 0;
  }
  return scope === "control-plane" ? 1 : 2;
}

/** Whether a finding is about machines of a Linux pool, on which Calico's Typha runs. */
const isLinuxPool = ({ scope, stage }: Found, world: World): boolean =>
  ["azure", "image", "bootstrap", "machines"].includes(stage) &&
  linuxPoolNames(world).some((pool) => scope === `pool ${pool}`);

/** The API server refuses Pods of an add-on that nodes need. */
const isRefusedAddOn = ({ family, namespace }: Found): boolean =>
  family === "admission" &&
  /^(?:kube-system|calico-system|calico-apiserver|tigera-operator)$/.test(namespace);

/**
 * An error of what runs in the namespace that the finding names, in the same of the two clusters, or of that object itself
 * when it says so.
 */
const isServer = (cause: Found, { follows, stage, objects }: Found): boolean =>
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
const isSame = (cause: Found, effect: Found): boolean =>
  effect.stage !== "pods" ||
  cause.objects.some(
    (object) => object !== "" && (effect.objects.includes(object) || effect.claims.includes(object)),
  );

/** Whether `cause` explains `effect`. */
function explains(cause: Found, effect: Found, world: World): boolean {
  if (cause.id === effect.id) {
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

/** The cause of each finding among the others: the first one that explains it, without cycles. */
function causesOf(found: readonly Found[], world: World): Map<Found, Found> {
  const causes = new Map<Found, Found>();
  const comesOf = (start: Found, other: Found): boolean => {
    for (let one: Found | undefined = start; one !== undefined; one = causes.get(one)) {
      if (one === other) {
        return true;
      }
    }
    return false;
  };
  for (const effect of found) {
    const cause = found.find((one) => explains(one, effect, world) && !comesOf(one, effect));
    if (cause !== undefined) {
      causes.set(effect, cause);
    }
  }
  return causes;
}

/** The cause of the first machine, and which others it holds for. */
function withOthers({ cause, machines }: Found): string {
  const [last, ...others] = machines.slice(1).reverse();
  const names = [others.reverse().join(", "), last].filter((name) => name !== "").join(" and ");
  return last === undefined ? cause : `${cause.replace(/[^.]$/, "$&.")} The same holds for ${names}.`;
}

const consequenceOf = (found: Found): Consequence[] =>
  found.proofs.slice(0, 1).map((proof) => ({ id: found.id, cause: withOthers(found), proof }));

/** A finding without its rule, which is not part of a report. Its cause names all machines. */
const findingOnly = (found: Found): Omit<DoctorFinding, "consequences"> => {
  const { id, family, page, severity, stage, scope, symptom, proofs, remedy, source } = found;
  const cause = withOthers(found);
  return { id, family, page, severity, stage, scope, symptom, cause, proofs, remedy, source };
};

/** A cluster that is being made has no kubeconfig yet: nothing was asked of it. */
const unreadOf = ({ management, workload }: Snapshot): string[] =>
  [
    ...management.problems.map((problem) => ({ side: "management", ...problem })),
    ...workload.problems
      .filter(({ what }) => what !== "noKubeconfig")
      .map((problem) => ({ side: "workload", ...problem })),
  ].map(
    ({ side, asked, message }) =>
      `${asked === "cluster" ? "anything" : asked} of the ${side} cluster (${message})`,
  );

/**
 * The causes in the order in which to fix them, each with its consequences, and the steps of the bring-up or deletion.
 */
export function diagnose(snapshot: Snapshot): Diagnosis {
  const world = new World(snapshot);
  const found = findAll(world).sort((a, b) => rank(a) - rank(b));
  const causes = causesOf(found, world);
  const rootOf = (one: Found): Found => {
    const cause = causes.get(one);
    return cause === undefined ? one : rootOf(cause);
  };
  const effects = new Map<Found, Found[]>(found.filter((one) => !causes.has(one)).map((root) => [root, []]));
  for (const one of causes.keys()) {
    effects.get(rootOf(one))?.push(one);
  }
  const steps = stepsOf(world);
  return {
    takenAt: snapshot.takenAt,
    cluster: snapshot.cluster,
    stack: snapshot.stack,
    findings: [...effects].map(([root, those]) => ({
      ...findingOnly(root),
      consequences: those.flatMap(consequenceOf),
    })),
    // As the rules have read it: without credentials, and short.
    unread: unreadOf(world.snapshot),
    steps,
    notRunning: podsNotRunning(world),
    complete: isComplete(world, steps),
    deleting: at(world.cluster?.metadata, "deletionTimestamp") !== undefined,
  };
}
