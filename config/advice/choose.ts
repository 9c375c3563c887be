import type { Problem } from "../../domain/problem";
import { yamlValue } from "../../domain/writeLine";
import type { Checked } from "../check";
import { checkConfig } from "../check";
import type { SchemaProblem } from "./proposals";
import type { Path, Step } from "./steps";
import { applySteps, pathText, stepsText, valueAt } from "./steps";

type Config = Readonly<Record<string, unknown>>;

/** Lists longer than this are not repeated; the line is then one item. */
const longestList = 100;

/** An item of a list of plain values: the whole list, as it may be written in one line. */
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

/** How far a changed config is from being right for a proposal: problems that were not there before. */
function faults(
  config: Config,
  problem: SchemaProblem,
  before: ReadonlySet<string>,
  steps: readonly Step[],
): number {
  const { schema, crossField } = checkConfig(applySteps(config, steps));
  const paths = [...schema, ...crossField].map(({ path }) => path).filter((path) => !before.has(path));
  // What does not even end the problem itself is worse than anything else.
  return paths.length + (paths.some((path) => path.startsWith(problem.path)) ? 1000 : 0);
}

/** The first of the proposals that ends a problem and makes no other one, otherwise the one that makes fewest. */
function choose(
  config: Config,
  problem: SchemaProblem,
  { schema, crossField, hidden }: Checked,
): readonly Step[] {
  const others = [...schema, ...crossField, ...hidden].filter((other) => other !== problem);
  const before = new Set(others.map(({ path }) => path).filter((path) => path !== problem.path));
  let [best = []] = problem.proposals;
  let fewest = Infinity;
  for (const steps of problem.proposals.length < 2 ? [] : problem.proposals) {
    const count = faults(config, problem, before, steps);
    if (count < fewest) {
      [best, fewest] = [steps, count];
    }
    if (count === 0) {
      break;
    }
  }
  return best;
}

/** The problems of the schema, each with the advice that fits the rest of the config. */
export function adviceFor(config: Config, checked: Checked): Problem[] {
  const chosen = checked.schema.map((problem) => ({ problem, steps: choose(config, problem, checked) }));
  const corrected = new Map(
    chosen.flatMap(({ steps }) =>
      steps.flatMap((step) => ("set" in step ? [[pathText(step.set), step.value] as const] : [])),
    ),
  );
  return chosen.map(({ problem: { at, note, path, value, problem, allowed }, steps }) => ({
    path,
    ...(value === undefined ? {} : { value }),
    problem,
    allowed,
    write: `${stepsText(asList(config, steps, corrected), at)}${note === undefined ? "" : ` # ${note}`}`,
  }));
}
