import { reportJson } from "../../commands/plan/reports/json";
import { example, reportOf } from "../plan/reports/comparisons";
import type { Workplace } from "./run";
import { workplace } from "./run";

let place: Workplace;
beforeEach(() => {
  place = workplace();
});
afterEach(() => {
  place.remove();
});

interface Call {
  readonly args: readonly string[];
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** Fake of GitHub's CLI. Records its calls and answers lists with these elements, like with --jq. */
function github(elements: readonly object[] = []): () => Call[] {
  place.write("calls", "");
  place.command(
    "gh",
    `const args = process.argv.slice(2);
     const input = require("node:fs").readFileSync(0, "utf8");
     require("node:fs").appendFileSync("calls", JSON.stringify({ args, body: input === "" ? undefined : JSON.parse(input) }) + "\\n");
     if (args.includes("--paginate")) { for (const each of ${JSON.stringify(elements)}) { console.log(JSON.stringify(each)); } }`,
  );
  return () =>
    place
      .read("calls")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Call);
}

const bot = "github-actions[bot]";
const marker = "<!-- capz-windows: plan -->";

describe("the only comment of its kind", () => {
  const comment = (elements: readonly object[]) => {
    const calls = github(elements);
    const file = place.write("comment.md", "## Plan\n");
    expect(place.run("stickyComment.js", ["7", "plan", file])).toMatchObject({ status: 0, stderr: "" });
    return calls()[1];
  };

  it("is created if there is none, also if other users have written its marker", () => {
    const others = [
      { id: 1, author: "somebody", start: `${marker}\nmine` },
      { id: 2, author: bot, start: "<!-- capz-windows: preview -->" },
    ];
    expect(comment(others)).toEqual({
      args: ["api", "--method", "POST", "repos/owner/repository/issues/7/comments", "--input", "-"],
      body: { body: `${marker}\n## Plan\n` },
    });
  });

  it("is updated if it exists", () => {
    expect(comment([{ id: 3, author: bot, start: `${marker}\nold` }])).toEqual({
      args: ["api", "--method", "PATCH", "repos/owner/repository/issues/comments/3", "--input", "-"],
      body: { body: `${marker}\n## Plan\n` },
    });
  });

  it.each([
    ["7; rm", "plan"],
    ["", "plan"],
    ["7", "../x"],
  ])("refuses the number %j and the kind %j", (number, kind) => {
    const calls = github();
    expect(place.run("stickyComment.js", [number, kind, "file"]).status).toBe(64);
    expect(calls()).toEqual([]);
  });
});

describe("the pull request of a run", () => {
  const number = (elements: readonly object[]) => {
    const calls = github(elements);
    const env = { HEAD_OWNER: "fork", HEAD_BRANCH: "a&state=all b", HEAD_SHA: "abc" };
    const { status, stdout } = place.run("pullRequest.js", [], env);
    expect(status).toBe(0);
    expect(calls()[0]!.args[1]).toBe(
      "repos/owner/repository/pulls?state=open&per_page=100&head=fork%3Aa%26state%3Dall%20b",
    );
    return stdout;
  };

  it("is the open one whose head is the commit", () => {
    expect(
      number([
        { number: 4, sha: "old" },
        { number: 5, sha: "abc" },
      ]),
    ).toBe("5\n");
  });

  it("is none if it has newer commits", () => {
    expect(number([{ number: 5, sha: "newer" }])).toBe("\n");
  });
});

describe("the comment about a plan", () => {
  it("is rendered from the data of the run", () => {
    const file = place.write("plan.json", JSON.stringify(reportJson(reportOf(example))));
    const { status, stdout } = place.run("planComment.js", [file, "https://github.example/run/1"]);
    expect(status).toBe(0);
    expect(stdout).toContain("**destroys** The VNET network-vnet is deleted and made again");
    expect(stdout).toContain("[the whole report](https://github.example/run/1)");
  });

  it("is not written if a fork's data is no report, and does not quote it", () => {
    const file = place.write("plan.json", "PLANTED @octocat");
    const { status, stdout, stderr } = place.run("planComment.js", [file, "https://github.example/run/1"]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("The report is not JSON.");
    expect(stderr).not.toContain("PLANTED");
  });
});

describe("the issue about drift", () => {
  const drift = (result: string | undefined, open: readonly object[]) => {
    const calls = github(open);
    if (result !== undefined) {
      const operations = [{ op: "update", urn: "urn:pulumi:dev::p::t::@octocat", paths: [] }];
      place.write("dev.json", JSON.stringify({ stack: "dev", result, operations, text: "Previewing" }));
    }
    const args = [place.path("dev.json"), "https://github.example/run/1"];
    const { status, stdout } = place.run("driftIssue.js", args, { STACK: "dev" });
    expect(status).toBe(0);
    return { stdout, changed: calls().slice(1) };
  };
  const open = [
    { number: 8, title: "Drift in stack prod" },
    { number: 9, title: "Drift in stack dev" },
  ];

  it("is created once and then updated", () => {
    const [made] = drift("changes", open.slice(0, 1)).changed;
    expect(made!.args).toEqual(["api", "--method", "POST", "repos/owner/repository/issues", "--input", "-"]);
    expect(made!.body).toMatchObject({ title: "Drift in stack dev" });
    expect(made!.body!.body).toContain("- **update** `@octocat` `t`");
    const [updated] = drift("changes", open).changed;
    expect(updated!.args[3]).toBe("repos/owner/repository/issues/9");
  });

  it("is closed if there is no more drift", () => {
    expect(drift("unchanged", open).changed).toEqual([
      {
        args: ["api", "--method", "PATCH", "repos/owner/repository/issues/9", "--input", "-"],
        body: { state: "closed", state_reason: "completed" },
      },
    ]);
    expect(drift("unchanged", []).changed).toEqual([]);
  });

  it.each(["failed", undefined])("does not change if there is no preview: %s", (result) => {
    expect(drift(result, open)).toEqual({
      stdout: "No preview of dev; the issue stays as it is.\n",
      changed: [],
    });
  });
});

describe("which stacks are deployed", () => {
  beforeEach(() => {
    place.write("Pulumi.dev.yaml", "");
    place.write("Pulumi.prod.yaml", "");
  });

  const stacks = (names: string, ...args: string[]) => {
    const { status, stdout, stderr } = place.run("stacks.js", args, { DEPLOY_STACKS: names });
    return status === 0 ? stdout : stderr;
  };

  it.each([
    ["dev prod", [], '["dev","prod"]\n'],
    ["prod, dev,prod", [], '["prod","dev"]\n'],
    ["dev prod", ["--only", "prod"], '["prod"]\n'],
    ["dev", ["--only", "prod"], "The stack to deploy must be one of DEPLOY_STACKS: dev\n"],
    ["dev nope", [], "DEPLOY_STACKS: nope: there is no such Pulumi.<stack>.yaml\n"],
    ["dev $(x)", [], 'DEPLOY_STACKS: "$(x)": no name of a stack\n'],
  ])("%j %j", (names, args, said) => {
    expect(stacks(names, ...args)).toBe(said);
  });
});
