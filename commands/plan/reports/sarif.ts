import type { Finding } from "../../../tools/finding";

/**
 * Findings in SARIF 2.1.0 (docs.oasis-open.org/sarif/sarif/v2.1.0), which GitHub's code scanning and Azure DevOps'
 * "SARIF SAST Scans Tab" read.
 */

/** The page of the rules: of the commit in GitHub Actions. `helpUri` must be absolute (3.49.12), so elsewhere it is left out. */
const helpUri = (id: string, env: NodeJS.ProcessEnv): { readonly helpUri?: string } => {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name, GITHUB_SHA: sha } = env;
  return server === undefined || name === undefined || sha === undefined
    ? {}
    : { helpUri: `${server}/${name}/blob/${sha}/docs/policies.md#${id}` };
};

/** What people read of a finding; one that is accepted needs no other line. */
export const findingText = ({ path, message, write, accepted }: Finding): string => {
  const more =
    accepted !== undefined
      ? `. Accepted until ${accepted.until}: ${accepted.reason}`
      : write === undefined
        ? ""
        : `. Write: ${write}`;
  return `${path === "" ? "" : `${path}: `}${message}${more}`;
};

/** The exception is in the file that has the finding (3.35.2). A list that is empty says that none is suppressed (3.27.23). */
const suppressions = ({ accepted }: Finding): unknown =>
  accepted === undefined
    ? []
    : [
        {
          ...{ kind: "inSource", status: "accepted" },
          justification: `${accepted.reason} (until ${accepted.until})`,
        },
      ];

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
            rules: rules.map(({ id, title, level }) => ({
              id,
              shortDescription: { text: title },
              help: { text: `docs/policies.md, "${id}"` },
              ...helpUri(id, env),
              defaultConfiguration: { level },
            })),
          },
        },
        results: findings.map((finding) => ({
          ruleId: finding.id,
          ruleIndex: ids.indexOf(finding.id),
          level: finding.level,
          message: { text: findingText(finding) },
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
