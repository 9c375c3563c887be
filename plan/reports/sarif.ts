import { exceptionText, type Finding } from "capz-windows-kit/finding";
import { messageText, writeText } from "./policyTexts";
import { joiner } from "capz-windows-kit/markdown";
import { present } from "capz-windows-kit/present";

/**
 * Findings in SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), which GitHub's code scanning and Azure DevOps'
 * "SARIF SAST Scans Tab" read.
 */

/** The pages of a commit, by the variables that pipelines of GitHub and GitLab set. */
function commitPages(env: NodeJS.ProcessEnv): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_SHA: sha } = env;
  const { CI_PROJECT_URL: project, CI_COMMIT_SHA: commit } = env;
  if (server !== undefined && name !== undefined && sha !== undefined) {
    return `${server}/${name}/blob/${sha}/`;
  }
  return project !== undefined && commit !== undefined ? `${project}/-/blob/${commit}/` : undefined;
}

/**
 * The page of a rule: docs/policies.md of the commit, where its address is known. It must be absolute (3.49.12), so that
 * elsewhere it is the source of the rule.
 */
function helpUri({ id, source }: Finding, env: NodeJS.ProcessEnv): { readonly helpUri?: string } {
  const pages = commitPages(env);
  if (pages !== undefined) {
    return { helpUri: `${pages}docs/policies.md#${source === undefined ? "rules" : id}` };
  }
  return source === undefined ? {} : { helpUri: source };
}

/** What people read of a finding. */
export const findingText = (finding: Finding): string => {
  const write = writeText(finding);
  return [messageText(finding), exceptionText(finding), write === undefined ? undefined : `Write: ${write}`]
    .filter((text) => text !== undefined)
    .join(". ");
};

/** A text of the stack file makes no link (3.11.6), and has no place for an argument (3.11.5). */
const plainText = (text: string): string => text.replace(/\](?=\()|\{(?=\d)/g, `$&${joiner}`);

/** The exception is in the file that has the finding (3.35.2). A list that is empty says that none is suppressed (3.27.23). */
const suppressions = ({ accepted }: Finding): unknown =>
  present(
    accepted !== undefined && {
      ...{ kind: "inSource", status: "accepted" },
      justification: plainText(`${accepted.reason} (until ${accepted.until})`),
    },
  );

export function sarif(findings: readonly Finding[], env: NodeJS.ProcessEnv = process.env): unknown {
  const ids = [...new Set(findings.map(({ id }) => id))];
  const rules = ids.flatMap((id) => findings.find((one) => one.id === id) ?? []);
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "capz-windows",
            rules: rules.map((rule) => ({
              id: rule.id,
              shortDescription: { text: rule.title },
              help: { text: `docs/policies.md, "${rule.id}"` },
              ...helpUri(rule, env),
              defaultConfiguration: { level: rule.level },
            })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.id,
          ruleIndex: ids.indexOf(finding.id),
          level: finding.level,
          message: { text: plainText(findingText(finding)) },
          suppressions: suppressions(finding),
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: finding.file.split("/").map(encodeURIComponent).join("/") },
                region: { startLine: finding.line },
              },
            },
          ],
        })),
      },
    ],
  };
}
