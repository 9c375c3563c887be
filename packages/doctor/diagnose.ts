import { present } from "capz-windows-kit/present";
import { someNames } from "capz-windows-kit/someNames";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Consequence, Diagnosis, DoctorFinding } from "./diagnosis";
import { type Snapshot, World } from "./cluster/snapshot";
import { strangeFields } from "./cluster/strangeFields";
import { allRules, familyOf, pageOf } from "./rules/allRules";
import { isUp } from "./cluster/objects";
import { type Match, type Rule, stages } from "./rules/rule";
import { causeOf, filledIn, originOf, remedyOf } from "./remedies";
import { variables, vmKinds } from "./variables";
import { causesOf, type RuleFinding } from "./causes";
import { type Scope, scopeOf, systemUnder } from "./cluster/scope";
import { podsNotRunning } from "./nodeSteps";
import { isComplete, stepsOf } from "./steps";

/**
 * Turns a snapshot into a diagnosis: the causes, in order, with their consequences. The same snapshot always gives the
 * same.
 */

/** A finding of which proofs are still gathered: lists of thousands are not copied for each. */
type Gathered = RuleFinding & {
  readonly proofs: RuleFinding["proofs"][number][];
  readonly objects: string[];
  readonly claims: string[];
  readonly systems: string[];
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

/** What differs between findings of one cause: the machine, or the Pod where the cause names its node. */
function differing({ cause }: Rule, { object }: Match): readonly string[] {
  if (object?.kind === "Pod" && textAt(object.spec, "nodeName") !== "" && cause.includes("{node}")) {
    return ["name"];
  }
  return machineKinds.has(object?.kind ?? "") ? ofOneMachine : [];
}

const nameOf = ({ object }: Match): string => {
  const { namespace, name = "" } = object?.metadata ?? {};
  return object?.kind === "Pod" ? `${namespace ?? ""}/${name}` : name;
};

function findingOf(rule: Rule, match: Match, world: World): RuleFinding {
  const scope = scopeOf(match.object, world);
  const vars = variables(world, match, scope);
  const cause = causeOf(rule.cause, vars, match);
  const origin = originOf(rule.remedy, vars, match, world);
  const hidden = Object.fromEntries(differing(rule, match).map((name) => [name, "*"]));
  const common = causeOf(rule.cause, { ...vars, ...hidden }, match);
  return {
    rule,
    follows: (rule.follows ?? []).map((one) => filledIn(one, vars, () => "")),
    common,
    machines: common === cause ? [] : [nameOf(match)],
    namespace: match.object?.metadata.namespace ?? "",
    objects: [objectKey(match)],
    claims: claimsOf(match),
    systems: [systemUnder(match.object, world)],
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

/** With how many texts of each rule a repeat is compared: each with each takes minutes for thousands of objects. */
const textsOfRule = 50;

/** What was said already, so that what only repeats it is no finding of its own. */
class Said {
  /** The key of the finding by its text, of each rule. */
  private readonly texts = new Map<string, Map<string, string>>();
  /** Keys of findings for the whole cluster, by their rule and cause. */
  private readonly ofCluster = new Map<string, string>();

  add({ id, cause, scope, proofs }: RuleFinding, key: string): void {
    const texts = this.texts.get(id) ?? new Map<string, string>();
    this.texts.set(id, texts);
    const text = proofs[0]?.text ?? "";
    if (texts.size < textsOfRule && !texts.has(text)) {
      texts.set(text, key);
    }
    if (scope === "cluster" && !this.ofCluster.has(`${id} ${cause}`)) {
      this.ofCluster.set(`${id} ${cause}`, key);
    }
  }

  /**
   * The key of a finding that reports the same already: for the whole cluster, or for the object of the Azure Service
   * Operator whose message CAPZ repeats.
   */
  sameAs({ id, cause, proofs }: RuleFinding): string | undefined {
    const text = proofs[0]?.text ?? "";
    const repeats = ([other]: [string, string]): boolean => text.includes(`${repeated}${other}`);
    const same = this.ofCluster.get(`${id} ${cause}`);
    return same ?? (text.includes(repeated) ? [...(this.texts.get(id) ?? [])].find(repeats)?.[1] : undefined);
  }

  /** Whether a condition that no rule knows only repeats the text of another object with a finding. */
  isRepeat({ last }: Rule, { proof }: Match): boolean {
    const isPart = (text: string): boolean => text.length >= 30 && proof.text.includes(text);
    return last === true && [...this.texts.values()].some((texts) => [...texts.keys()].some(isPart));
  }
}

/** The findings of all rules. The same text of the same object becomes one finding only: that of the first rule. */
function findAll(world: World): RuleFinding[] {
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
  const said = new Said();
  for (const rule of allRules) {
    for (const match of rule.find(world)) {
      const claim = claimOf(match);
      const object = objectKey(match);
      if (
        isKnown(rule, object) ||
        (claimed.has(claim) && match.proof.text !== "") ||
        said.isRepeat(rule, match)
      ) {
        continue;
      }
      claimed.add(claim);
      named.add(object);
      if (rule.generic !== true && rule.severity !== "warning") {
        known.set(object, [...(known.get(object) ?? []), rule]);
      }
      const finding = findingOf(rule, match, world);
      const key = said.sameAs(finding) ?? `${rule.id} ${finding.scope} ${finding.common}`;
      const same = found.get(key);
      if (same === undefined) {
        const { proofs, objects, claims, systems } = finding;
        found.set(key, {
          ...finding,
          proofs: [...proofs],
          objects: [...objects],
          claims: [...claims],
          systems: [...systems],
        });
        machines.set(key, new Set(finding.machines));
      } else {
        same.proofs.push(...finding.proofs);
        same.objects.push(...finding.objects);
        same.claims.push(...finding.claims);
        same.systems.push(...finding.systems.filter((one) => !same.systems.includes(one)));
        finding.machines.forEach((machine) => machines.get(key)?.add(machine));
      }
      said.add(finding, key);
    }
  }
  return [...found].map(([key, finding]) => ({ ...finding, machines: [...(machines.get(key) ?? [])] }));
}

const rank = ({ severity, stage, scope }: RuleFinding): number =>
  (severity === "error" ? 0 : 1000) + stages.indexOf(stage) * 10 + rankOfScope(scope);

function rankOfScope(scope: Scope): number {
  if (scope === "cluster") {
    return 0;
  }
  return scope === "control-plane" ? 1 : 2;
}

/** More names than these nobody reads. */
const mostNames = 20;

/** The cause of the first machine or Pod, and which others it holds for. */
function withOthers({ cause, machines }: RuleFinding): string {
  const [last, ...others] = machines.slice(1).reverse();
  const few = [others.reverse().join(", "), last].filter((name) => name !== "").join(" and ");
  const names = machines.length > mostNames ? someNames(machines.slice(1), mostNames) : few;
  return last === undefined ? cause : `${cause.replace(/[^.]$/, "$&.")} The same holds for ${names}.`;
}

const consequenceOf = (found: RuleFinding): Consequence[] =>
  found.proofs.slice(0, 1).map((proof) => ({ id: found.id, cause: withOthers(found), proof }));

/** A finding without its rule, which is not part of a report. Its cause names all machines. */
const findingOnly = (found: RuleFinding): Omit<DoctorFinding, "consequences"> => {
  const { id, family, page, severity, stage, scope, symptom, proofs, remedy, source } = found;
  const cause = withOthers(found);
  return { id, family, page, severity, stage, scope, symptom, cause, proofs, remedy, source };
};

/** A cluster that is being made has no kubeconfig yet, and one that is being deleted none any more: nothing was asked of it. */
function unreadOf(world: World): string[] {
  const { cluster, snapshot } = world;
  const isThere = cluster !== undefined && isUp(cluster);
  const unasked = [
    ...snapshot.management.problems.map((problem) => ({ side: "management", ...problem })),
    ...snapshot.workload.problems
      .filter(({ what }) => what !== "noKubeconfig" || isThere)
      .map((problem) => ({ side: "workload", ...problem })),
  ].map(
    ({ side, asked, message }) =>
      `${asked === "cluster" ? "anything" : asked} of the ${side} cluster (${message})`,
  );
  const strange = (["management", "workload"] as const).flatMap((side) =>
    strangeFields(snapshot[side].objects, world.now),
  );
  const more = strange.length - mostNames;
  return [
    ...unasked,
    ...strange.slice(0, mostNames),
    ...present(more > 0 && `${more} more objects with fields that no API server writes`),
  ];
}

/**
 * The causes in the order in which to fix them, each with its consequences, and the steps of the bring-up or deletion.
 */
export function diagnose(snapshot: Snapshot): Diagnosis {
  const world = new World(snapshot);
  const found = findAll(world).sort((a, b) => rank(a) - rank(b));
  const causes = causesOf(found, world);
  const rootOf = (one: RuleFinding): RuleFinding => {
    const cause = causes.get(one);
    return cause === undefined ? one : rootOf(cause);
  };
  const effects = new Map<RuleFinding, RuleFinding[]>(
    found.filter((one) => !causes.has(one)).map((root) => [root, []]),
  );
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
    unread: unreadOf(world),
    steps,
    notRunning: podsNotRunning(world),
    complete: isComplete(world, steps),
    deleting: at(world.cluster?.metadata, "deletionTimestamp") !== undefined,
  };
}
