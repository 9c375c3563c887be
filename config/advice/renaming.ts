import type { Problem } from "../../tools/problem";
import type { SchemaProblem } from "./proposals";
import { isWithin, type Path, pathText, type Step } from "./steps";

/** Reports problems that were found under corrected names with the names in the stack file. */
export function undoRenaming(renamed: readonly (readonly [from: Path, to: Path])[]) {
  const patterns = renamed.map(([from, to]) => ({
    pattern: new RegExp(`${pathText(to).replace(/[^\w-]/g, "\\$&")}(?![\\w-])`, "g"),
    name: pathText(from),
  }));
  const inText = (text: string): string =>
    patterns.reduce((result, { pattern, name }) => result.replace(pattern, () => name), text);
  const inPath = (path: Path): Path => {
    const [from, to] = renamed.find(([, other]) => isWithin(path, other)) ?? [[], []];
    return [...from, ...path.slice(to.length)];
  };
  const inStep = (step: Step): Step =>
    "set" in step
      ? { ...step, set: inPath(step.set) }
      : "remove" in step
        ? { remove: inPath(step.remove) }
        : { move: inPath(step.move), to: inPath(step.to) };
  const inProblem = <P extends Problem>(problem: P): P => ({
    ...problem,
    path: inText(problem.path),
    problem: inText(problem.problem),
    allowed: inText(problem.allowed),
    write: inText(problem.write),
    ...(problem.uses === undefined ? {} : { uses: problem.uses.map(inText) }),
  });
  const inProposals = (problem: SchemaProblem): SchemaProblem => ({
    ...inProblem(problem),
    at: inPath(problem.at),
    proposals: problem.proposals.map((steps) => steps.map(inStep)),
    ...(problem.losing === undefined ? {} : { losing: problem.losing.map((steps) => steps.map(inStep)) }),
    ...(problem.hides === undefined ? {} : { hides: inText(problem.hides) }),
  });
  return { inProblem, inProposals };
}
