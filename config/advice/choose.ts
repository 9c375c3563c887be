import type { Problem } from "../../tools/problem";
import { isRecord } from "../../tools/untyped";
import { yamlValue } from "../../tools/writeLine";
import { type Checked, checkConfig, touches } from "../check";
import { isLost, type SchemaFault, type SchemaProblem } from "./proposals";
import { withMachineKind } from "./machineKind";
import type { Path, Step } from "./steps";
import {
  applySteps,
  isThere,
  isWithin,
  merging,
  pathText,
  questionText,
  stepsText,
  targetsOf,
  valueAt,
} from "./steps";

type Config = Readonly<Record<string, unknown>>;

/** Lists longer than this are not repeated in full; the advice is then a line with one item. */
const longestList = 100;

/** Advice about one item of a list of plain values, turned into the whole list in one line. */
function asList(
  config: Config,
  steps: readonly Step[],
  corrected: ReadonlyMap<string, unknown>,
): readonly Step[] {
  const [only] = steps;
  if (steps.length !== 1 || only === undefined || !("set" in only) || typeof only.set.at(-1) !== "number") {
    return steps;
  }
  const parent: Path = only.set.slice(0, -1);
  const list = valueAt(config, parent);
  if (!Array.isArray(list)) {
    return steps;
  }
  const whole = list.map((item: unknown, index) => corrected.get(pathText([...parent, index])) ?? item);
  const isPlain = whole.every((item) => typeof item !== "object" || item === null);
  return isPlain && yamlValue(whole).length <= longestList ? [{ set: parent, value: whole }] : steps;
}

/**
 * A config and its problems. The check is kept, because a config is checked as a proposal, and again for the next
 * proposal.
 */
interface State {
  readonly config: Config;
  readonly checked: () => Checked;
}

function stateOf(config: Config): State {
  let checked: Checked | undefined;
  return { config, checked: () => (checked ??= checkConfig(config)) };
}

/** Whether steps would overwrite a value that other advice has written. */
const overwrites = ({ config }: State, at: Path, steps: readonly Step[]): boolean =>
  targetsOf(steps).some(
    (target) =>
      !isWithin(target, at) &&
      !isWithin(at, target) &&
      // A kind gives way where the keys beside it are those of another.
      target.at(-1) !== "kind" &&
      // Several keys may each have a place that only the user knows.
      !String(target[0]).startsWith("<") &&
      valueAt(config, target) !== undefined,
  );

/** Whether a path is another one, or is inside it. */
const isPart = (path: string, outer: string): boolean => touches(path, outer) && path.length >= outer.length;

/** A rule that takes away what a step has written. */
const isTakenAway = ({ path, write }: Problem, steps: readonly Step[]): boolean =>
  write.startsWith("remove ") && targetsOf(steps).some((target) => isPart(pathText(target), path));

/** What a rule finds in a value that now has the right form, where its advice is another value. */
const refusedThere = (
  found: readonly Problem[],
  { path }: Problem,
  steps: readonly Step[],
): Problem | undefined =>
  steps.length === 1 && targetsOf(steps).every((target) => pathText(target) === path)
    ? found.find(
        (other) =>
          !("fault" in other) &&
          other.path === path &&
          other.write.startsWith(`${path.split(".").at(-1) ?? ""}: `),
      )
    : undefined;

/**
 * The proposal that ends a problem and causes the fewest others, the first of several. One that keeps what the user wrote
 * wins over all that lose it, unless a rule would take it away. What else is missing in a mapping that was missing is no
 * new problem; problems that may only be consequences of others count less.
 */
function choose(current: State, problem: SchemaProblem): Choice {
  const { schema, crossField, hidden } = current.checked();
  const missing = schema.filter(({ fault }) => fault === "missing").map(({ path }) => path);
  const known = new Set([...schema, ...crossField, ...hidden].map(({ path }) => path));
  // A wrong value in place of a missing one is new.
  [problem.path, ...missing].forEach((path) => known.delete(path));
  const isNew = (other: Problem): boolean =>
    !known.has(other.path) &&
    !("fault" in other && other.fault === "missing" && missing.some((path) => touches(other.path, path)));
  let best: Choice = { steps: [], corrected: current, next: undefined };
  let fewest = Infinity;
  let because: Problem | undefined;
  // What remains of proposals of which a rule takes a part away.
  const rest: (readonly Step[])[] = [];
  const losing = (): readonly (readonly Step[])[] => [...rest, ...(problem.losing ?? [])];
  for (const [index, proposals] of [() => problem.proposals, losing].entries()) {
    for (const steps of proposals()
      .map((one) => merging(current.config, problem.at, one))
      .filter((one) => !overwrites(current, problem.at, one))) {
      const corrected = stateOf(applySteps(current.config, steps));
      const after = corrected.checked();
      const found = [...after.schema, ...after.crossField].filter(isNew);
      // A mistake inside of what now has the right form or its right place is one of its own, where the value is the same:
      // it was moved, is now in a list or in a mapping by names, or is a pool.
      const [before, now] = [current, corrected].map(({ config }) => valueAt(config, problem.at));
      const isItem = (isRecord(before) && Array.isArray(now)) || (Array.isArray(before) && isRecord(now));
      const isSame = isItem || problem.at.length === 2 || steps.some((step) => "move" in step);
      const isInside = (other: Problem): boolean =>
        other.path.length > problem.path.length &&
        "fault" in other &&
        (other.fault === "value" ||
          (other.fault === "unknown" && isSame) ||
          (other.fault === "missing" && isItem));
      const isThere = found.some(
        (other) =>
          touches(other.path, problem.path) && (index === 1 || ("fault" in other && !isInside(other))),
      );
      const refusal =
        index === 0 ? found.find((other) => !("fault" in other) && isTakenAway(other, steps)) : undefined;
      because ??= refusal;
      const others = refusal && steps.filter((step) => !isTakenAway(refusal, [step]));
      if (others !== undefined && targetsOf(others).length > 0) {
        rest.push(others);
      }
      const count =
        found.length +
        after.hidden.filter(isNew).length / 100 +
        (isThere || refusal !== undefined ? 1000 : 0);
      if (count < fewest) {
        [best, fewest] = [
          { steps, corrected, because: undefined, next: refusedThere(found, problem, steps) },
          count,
        ];
      }
      if (count === 0) {
        break;
      }
    }
    if (fewest < 1000) {
      break;
    }
  }
  return { ...best, because: losing().includes(best.steps) ? because : undefined };
}

interface Choice {
  readonly steps: readonly Step[];
  readonly corrected: State;
  /** The rule that refuses what the user wrote in its right place. */
  readonly because?: Problem | undefined;
  /** The problem that the value has in its right form, with the advice that ends both. */
  readonly next?: Problem | undefined;
}

interface Chosen extends Pick<Choice, "steps" | "because" | "next"> {
  readonly problem: SchemaProblem;
}

/**
 * The order in which problems are corrected, so that the advice for each is chosen for a config in which the others are
 * corrected: a value that becomes a mapping comes before keys that move into it, and names come last, because they are
 * part of the other paths.
 */
const order: readonly SchemaFault[] = ["misplaced", "value", "unknown", "missing", "name"];

const byOrder = (problems: readonly SchemaProblem[]): SchemaProblem[] =>
  [...problems].sort((a, b) => order.indexOf(a.fault) - order.indexOf(b.fault));

/** Whether the advice about another problem has ended this one, for instance by moving the key away. */
const isResolved = ({ at, fault, path }: SchemaProblem, config: Config, current: State): boolean =>
  fault === "missing"
    ? valueAt(current.config, at) !== undefined ||
      !current.checked().schema.some((other) => other.fault === "missing" && other.path === path)
    : valueAt(config, at) !== undefined && valueAt(current.config, at) === undefined;

/** Removing an item from a list would change the paths of the items after it. */
const isOfList = (step: Step): boolean => "remove" in step && typeof step.remove.at(-1) === "number";

/** Chooses the advice for each problem that is not ended by that for another one. */
function chooseAll(
  config: Config,
  checked: Checked,
): { readonly chosen: Chosen[]; readonly corrected: State } {
  const chosen: Chosen[] = [];
  let current: State = { config, checked: () => checked };
  let open = byOrder(checked.schema);
  // Missing keys of a mapping only show once another key has been moved there.
  for (let round = 0; round < 3 && open.length > 0; round++) {
    for (const problem of open) {
      if (!isResolved(problem, config, current)) {
        const { steps, corrected, because, next } = choose(current, problem);
        chosen.push({ problem, steps, because, next });
        current = steps.some(isOfList) ? current : corrected;
      }
    }
    const reported = new Set(chosen.map(({ problem }) => problem.path));
    const now = current.checked().schema;
    // What is missing in a mapping may be what its unknown key says, of which the next report speaks.
    const isUnclear = ({ at }: SchemaProblem): boolean =>
      now.some(
        (other) => other.fault === "unknown" && pathText(other.at.slice(0, -1)) === pathText(at.slice(0, -1)),
      );
    open = now.filter((one) => one.fault === "missing" && !reported.has(one.path) && !isUnclear(one));
  }
  return { chosen, corrected: current };
}

/** Problems between keys that were hidden by another problem, and remain when that has been corrected. */
function remaining({ hidden }: Checked, { chosen, corrected }: ReturnType<typeof chooseAll>): Problem[] {
  const steps = chosen.flatMap((one) => one.steps);
  // For a value that only the user knows, the config has an example, in which the rules may find a problem.
  const unknown = steps.flatMap((step) =>
    "set" in step && step.example !== undefined ? [pathText(step.set)] : [],
  );
  const changed = [...targetsOf(steps), ...steps.flatMap((step) => ("remove" in step ? [step.remove] : []))];
  const left = corrected.checked().crossField;
  return hidden.filter(
    ({ path, problem }) =>
      left.some((other) => other.path === path && other.problem === problem) &&
      !unknown.some((other) => touches(other, path)) &&
      !changed.some((other) => touches(pathText(other), path)),
  );
}

export interface Advice {
  /** All problems of an invalid config, each with advice that fits the rest of the config. */
  readonly problems: readonly Problem[];
  /** The config after the advice about the problems of the schema. */
  readonly corrected: Config;
}

export function adviceFor(config: Config, checked: Checked): Advice {
  const all = chooseAll(config, checked);
  const corrected = new Map(
    all.chosen.flatMap(({ steps }) =>
      steps.flatMap((step) => ("set" in step ? [[pathText(step.set), step.value] as const] : [])),
    ),
  );
  const ofSchema = all.chosen.map(({ problem: found, steps, because, next }): Problem => {
    const { at, note, path, value, problem, allowed } = found;
    return {
      path,
      ...(value === undefined ? {} : { value }),
      problem:
        because !== undefined
          ? `${problem}, but there: ${because.problem}`
          : next === undefined
            ? problem
            : `${problem}; in the right form: ${next.problem}`,
      allowed: (because ?? next)?.allowed ?? allowed,
      write:
        next?.write ??
        (isLost(found, steps, config) && because === undefined
          ? questionText(at, steps)
          : `${stepsText(asList(config, steps, corrected), at)}${note === undefined ? "" : ` # ${note}`}`),
    };
  });
  // What moves to a key that a rule misses is the answer to it.
  const moved = all.chosen.flatMap(({ steps }) => targetsOf(steps).map(pathText));
  const left = all.corrected.checked().crossField;
  const unanswered = checked.crossField.filter(
    ({ path }) => !moved.includes(path) || left.some((other) => other.path === path),
  );
  const reported = [...ofSchema, ...unanswered, ...remaining(checked, all)];
  // What the corrected values cause, where they keep what the user wrote and the advice is about keys that are there.
  const targets = all.chosen.flatMap(({ problem, steps }) =>
    problem.proposals.some((one) => one === steps)
      ? targetsOf(steps).map((target) => pathText(target.length < 3 ? target : target.slice(0, -1)))
      : [],
  );
  const caused = all.corrected
    .checked()
    .crossField.filter(
      ({ path, write }) =>
        targets.some((target) => touches(path, target)) &&
        !reported.some((other) => other.path === path) &&
        isThere(config, path, write),
    );
  return { problems: withMachineKind([...reported, ...caused], config), corrected: all.corrected.config };
}
