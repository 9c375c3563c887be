import { symlinkSync } from "node:fs";
import {
  at,
  fake,
  ofAzure,
  ofGitHub,
  ofGitLab,
  pipeline,
  plan,
  pullOfAzure,
  sentText,
  services,
  write,
} from "./fakeService";

/** Comments and labels in GitHub, Azure DevOps and GitLab. */

describe.each(Object.entries(services))("the only comment of its kind in %s", (_, service) => {
  it.each([
    ["is written once", [], service.made, "Wrote"],
    ["is updated", service.own, service.updated, "Updated"],
  ])("%s", async (__, own, sent, word) => {
    fake.answers = service.has(own);
    expect(await pipeline(["comment", "plan", plan()], service.env())).toEqual({
      code: 0,
      out: `${word} the comment "plan" of pull request 7\n`,
    });
    expect(fake.calls).toEqual([sent]);
    expect(fake.authorized.every(Boolean)).toBe(true);
    expect(sentText()).toContain("**destroys** The VNET network-vnet is deleted and made again");
    expect(sentText()).toContain(`[the whole report](${service.run})`);
  });

  it("of a preview is one for each stack, also of a preview that failed without a file", async () => {
    fake.answers = service.has([]);
    expect(await pipeline(["comment", "preview", at("prod.json")], service.env())).toEqual({
      code: 0,
      out: 'Wrote the comment "preview prod" of pull request 7\n',
    });
    expect(sentText()).toContain("There is no preview; see the run.");
  });

  it("is refused with what the service said, and without the token", async () => {
    const { code, out } = await pipeline(["comment", "plan", plan()], service.env());
    expect(code).toBe(1);
    expect(out).toMatch(
      /^GET SERVER\/\S+: HTTP 404, Not Found\. Check that the token of this step may do this\.\n$/,
    );
  });
});

describe("labels", () => {
  it.each([
    ["github", ofGitHub, { "/repos/owner/repository/issues/7/labels": [{ name: "destructive-ok" }] }],
    ["azure-devops", ofAzure, { [`${pullOfAzure}/labels`]: { value: [{ name: "destructive-ok" }] } }],
    ["gitlab", ofGitLab, { "/api/v4/projects/3/merge_requests/7": { labels: ["destructive-ok"] } }],
  ])("are read now, in %s", async (_, env, has) => {
    fake.answers = has;
    expect(await pipeline(["label", "destructive-ok"], env())).toEqual({
      ...{ code: 0, out: "The label destructive-ok is there.\n" },
    });
    expect(await pipeline(["label", "other"], env())).toEqual({
      code: 1,
      out: "This pull request has no label other. If what the report says is meant, add the label and run this job again.\n",
    });
  });
});

describe("a run of GitHub that another run has started", () => {
  const workflowRun = {
    ...{ head_branch: "a&state=all b", head_sha: "abc", html_url: "https://github.example/other" },
    head_repository: { owner: { login: "fork" } },
  };

  it.each([
    ["abc", 'Wrote the comment "plan" of pull request 5\n', 1],
    ["newer", "There is no open pull request with this commit: no comment.\n", 0],
  ])("writes to the open pull request whose head is the commit: %s", async (sha, out, sent) => {
    fake.answers = {
      "/repos/owner/repository/pulls": [{ number: 5, head: { sha } }],
      "/repos/owner/repository/issues/5/comments": [],
    };
    expect(await pipeline(["comment", "plan", plan()], ofGitHub({ workflow_run: workflowRun }))).toEqual({
      ...{ code: 0, out },
    });
    expect(fake.calls).toHaveLength(sent);
    expect(sentText()).not.toContain("/actions/runs/1");
  });

  it("writes nothing if a fork's data is no report, or a link, and does not quote it", async () => {
    const env = ofGitHub({ workflow_run: workflowRun });
    const { code, out } = await pipeline(["comment", "plan", write("bad.json", "FORGED @octocat")], env);
    expect(code).toBe(1);
    expect(out).toContain("The report is not JSON.");
    expect(out).not.toContain("FORGED");
    symlinkSync(plan(), at("link.json"));
    expect(await pipeline(["comment", "plan", at("link.json")], env)).toEqual({
      ...{ code: 1, out: "DIR/link.json: no file of less than 67108864 bytes\n" },
    });
    expect(fake.calls).toEqual([]);
  });
});
