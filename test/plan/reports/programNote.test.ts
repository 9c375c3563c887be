import { withPages } from "../../../plan/reports/markdown/escape";
import { markdownReport } from "../../../plan/reports/markdown/markdownReport";
import { pageParts } from "../../../plan/reports/pages";
import { example, reportOf } from "./comparisons";

/** The changelog that reports name where the version of the program is another one. */

const actions = {
  GITHUB_SERVER_URL: "https://github.com",
  GITHUB_REPOSITORY: "o/r",
  GITHUB_SHA: "1a2b3c4",
};
const note = 'why: CHANGELOG.md, "Rolls machines"';

/** Runs with the variables of GitHub Actions, or without them. */
function withVariables<T>(variables: NodeJS.ProcessEnv, run: () => T): T {
  const before = { ...process.env };
  Object.keys(actions).forEach((name) => Reflect.deleteProperty(process.env, name));
  Object.assign(process.env, variables);
  try {
    return run();
  } finally {
    process.env = before;
  }
}

it("is a link beside the report, in GitHub Actions one to the commit", () => {
  expect(pageParts(note, {})).toEqual([
    { text: "why: " },
    { text: 'CHANGELOG.md, "Rolls machines"', url: "CHANGELOG.md#rolls-machines" },
  ]);
  expect(pageParts(`${note} and docs/plan.md, "What it costs".`, actions)).toEqual([
    { text: "why: " },
    {
      text: 'CHANGELOG.md, "Rolls machines"',
      url: "https://github.com/o/r/blob/1a2b3c4/CHANGELOG.md#rolls-machines",
    },
    { text: " and " },
    {
      text: 'docs/plan.md, "What it costs"',
      url: "https://github.com/o/r/blob/1a2b3c4/docs/plan.md#what-it-costs",
    },
    { text: "." },
  ]);
});

it("stands in a comment beside the versions, as a link only where that leads to a page", () => {
  const authored = { config: [], program: { before: "0.1.0", after: "0.2.0" } };
  const comment = (): string => markdownReport(reportOf({ ...example, authored }));
  expect(withVariables({}, comment)).toContain(
    '- `version of the program`: `0.1.0` → `0.2.0` (why: CHANGELOG.md, "Rolls machines")\n',
  );
  expect(withVariables(actions, comment)).toContain(
    '(why: [CHANGELOG.md, "Rolls machines"](https://github.com/o/r/blob/1a2b3c4/CHANGELOG.md#rolls-machines))\n',
  );
  expect(withVariables({}, () => withPages("no page"))).toBe("no page");
});
