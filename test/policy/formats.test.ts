import { githubAnnotations } from "../../plan/reports/annotations";
import { formatReport } from "../../plan/reports/formats";
import { sarif } from "../../plan/reports/sarif";
import type { Finding } from "capz-windows-kit/finding";

const place = { file: "stacks/Pulumi.prod.yaml", line: 7 };

const plain: Finding = {
  ...{ id: "unprotected", title: "The stack may be deleted by mistake", level: "warning" },
  ...{ path: "protect", message: "false, so one command can delete it", write: "protect: true" },
  source: "https://example.com/protect",
  ...place,
};

/** Names that try to end a command and begin another one. */
const hostile: Finding = {
  ...plain,
  level: "note",
  title: "a,b:c]d;e",
  path: 'tags["x\n::error::y"]',
  message: "100% %0A\r\n##vso[task.setvariable variable=a]b",
  file: "a b,c:d;e]%\n/Pulumi.x.yaml",
};

it("GitHub: one command for each finding", () => {
  expect(githubAnnotations([plain])).toBe(
    "::warning file=stacks/Pulumi.prod.yaml,line=7,title=The stack may be deleted by mistake (unprotected)::protect: false, so one command can delete it. Write: protect: true\n",
  );
  expect(githubAnnotations([hostile])).toBe(
    '::notice file=a b%2Cc%3Ad;e]%25%0A/Pulumi.x.yaml,line=7,title=a%2Cb%3Ac]d;e (unprotected)::tags["x%0A::error::y"]: 100%25 %250A%0D%0A##vso[task.setvariable variable=a]b. Write: protect: true\n',
  );
  expect(githubAnnotations([])).toBe("");
});

const github = {
  GITHUB_SERVER_URL: "https://github.example",
  GITHUB_REPOSITORY: "a/b",
  GITHUB_SHA: "c0ffee",
};

/** A result of SARIF in line 7 of a file. */
const resultOf = (ruleId: string, ruleIndex: number, level: string, text: string, uri = place.file) => ({
  ...{ ruleId, ruleIndex, level, message: { text }, suppressions: [] },
  locations: [{ physicalLocation: { artifactLocation: { uri }, region: { startLine: 7 } } }],
});

/** Every field that the schema of SARIF 2.1.0 requires, and those that GitHub's code scanning requires. */
it("SARIF: rules once, results with their place", () => {
  const text = "false, so one command can delete it. Write: protect: true";
  expect(sarif([plain, hostile, { ...plain, id: "public-cluster", path: "" }], github)).toEqual({
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "capz-windows",
            rules: ["unprotected", "public-cluster"].map((id) => ({
              id,
              shortDescription: { text: plain.title },
              help: { text: `docs/policies.md, "${id}"` },
              helpUri: `https://github.example/a/b/blob/c0ffee/docs/policies.md#${id}`,
              defaultConfiguration: { level: "warning" },
            })),
          },
        },
        results: [
          resultOf("unprotected", 0, "warning", `protect: ${text}`),
          resultOf(
            ...([
              "unprotected",
              0,
              "note",
              `${hostile.path}: ${hostile.message}. Write: protect: true`,
            ] as const),
            "a%20b%2Cc%3Ad%3Be%5D%25%0A/Pulumi.x.yaml",
          ),
          resultOf("public-cluster", 1, "warning", text),
        ],
      },
    ],
  });
});

it("SARIF: a text of the stack file makes no link and has no place for an argument", () => {
  const text = "[our page](https://evil.example) and [a](1), {0} of {12}";
  const accepted: Finding = {
    ...plain,
    path: 'tags["a"]',
    message: text,
    accepted: { until: "2027-03-31", reason: text },
  };
  const shown = "[our page]\u2060(https://evil.example) and [a]\u2060(1), {\u20600} of {\u206012}";
  expect(sarif([accepted])).toMatchObject({
    runs: [
      {
        results: [
          {
            message: { text: `tags["a"]: ${shown}. Accepted until 2027-03-31: ${shown}` },
            suppressions: [{ justification: `${shown} (until 2027-03-31)` }],
          },
        ],
      },
    ],
  });
});

it("what is accepted is a suppression, a notice in GitHub, and nothing in Azure DevOps", () => {
  const accepted: Finding = { ...plain, accepted: { until: "2027-03-31", reason: "a test" } };
  const text = "protect: false, so one command can delete it. Accepted until 2027-03-31: a test";
  const justification = "a test (until 2027-03-31)";
  const suppressions = [{ kind: "inSource", status: "accepted", justification }];
  expect(sarif([accepted])).toMatchObject({
    runs: [{ results: [{ level: "warning", message: { text }, suppressions }] }],
  });
  expect(githubAnnotations([accepted])).toBe(
    `::notice file=stacks/Pulumi.prod.yaml,line=7,title=The stack may be deleted by mistake (unprotected)::${text}\n`,
  );
  const ended: Finding = { ...plain, ended: { until: "2026-03-31", reason: "a test" } };
  const back =
    "protect: false, so one command can delete it. The exception ended on 2026-03-31: a test. Write: protect: true";
  expect(sarif([ended])).toMatchObject({
    runs: [{ results: [{ message: { text: back }, suppressions: [] }] }],
  });
  expect(githubAnnotations([ended])).toMatch(/^::warning /);
});

it("SARIF names the page of a rule: of the commit, otherwise the source of the rule", () => {
  const warning: Finding = {
    ...place,
    title: "a",
    level: "warning",
    id: "stack-warning",
    path: "",
    message: "b",
  };
  interface Run {
    readonly tool: { readonly driver: { readonly rules: readonly { readonly helpUri?: string }[] } };
  }
  const uris = (env: Record<string, string>) =>
    (sarif([plain, warning], env) as { runs: Run[] }).runs[0]?.tool.driver.rules.map((rule) => rule.helpUri);
  expect(uris(github)).toEqual([
    "https://github.example/a/b/blob/c0ffee/docs/policies.md#unprotected",
    "https://github.example/a/b/blob/c0ffee/docs/policies.md#rules",
  ]);
  expect(uris({ CI_PROJECT_URL: "https://gitlab.example/a/b", CI_COMMIT_SHA: "c0ffee" })).toEqual([
    "https://gitlab.example/a/b/-/blob/c0ffee/docs/policies.md#unprotected",
    "https://gitlab.example/a/b/-/blob/c0ffee/docs/policies.md#rules",
  ]);
  expect(uris({})).toEqual([plain.source, undefined]);
});

it("SARIF without findings is one run that found nothing", () => {
  expect(JSON.parse(formatReport([{ stack: "dev", findings: [] }], "sarif"))).toMatchObject({
    runs: [{ tool: { driver: { rules: [] } }, results: [] }],
  });
});
