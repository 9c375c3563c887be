import type { AuditArgs } from "../bootstrap/audit";
import type { Settings } from "../config/settings";
import { auditPolicyFaults } from "capz-windows-platform/audit/policyFaults";
import {
  auditPolicyLength,
  auditPolicyText,
  policyLimits,
  readAuditPolicy,
} from "capz-windows-platform/audit/policyText";
import { YamlError } from "capz-windows-kit/boundedYaml";
import { ConfigError, type Problem } from "capz-windows-kit/problem";
import { readRegular, unreadable } from "capz-windows-kit/regularFile";
import { withoutUndefined } from "capz-windows-kit/without";
import type { Run } from "./run";

const path = "controlPlane.audit.policyFile";

const refused = (
  value: string,
  problems: readonly (Pick<Problem, "problem" | "allowed"> & { at?: string })[],
) =>
  new ConfigError(
    "Audit policy of your own",
    problems.map(({ problem, allowed, at = "" }) => ({
      ...{ path, value, allowed },
      problem: at === "" ? problem : `${at}: ${problem}`,
      write: "policyFile: <path of your audit policy>",
    })),
  );

/** The policy in a file, without its comments. */
async function policyIn(file: string, rootDir: string, kubernetesVersion: string): Promise<unknown> {
  let text: string;
  try {
    text = await readRegular(rootDir, file, policyLimits.bytes);
  } catch (error) {
    throw refused(file, [
      { problem: unreadable(error), allowed: "the path of a file, from the folder of Pulumi.yaml on" },
    ]);
  }
  let policy: unknown;
  try {
    policy = readAuditPolicy(text);
  } catch (error) {
    if (!(error instanceof YamlError)) {
      throw error;
    }
    throw refused(file, [
      {
        problem: error.isSyntax ? `it is not YAML: ${error.message}` : error.message,
        allowed: "one YAML document",
      },
    ]);
  }
  const faults = auditPolicyFaults(policy, kubernetesVersion).map(({ within, key, problem, allowed }) => ({
    ...{ problem, allowed },
    at: within === "" ? key : `${within}.${key}`,
  }));
  const { problem, allowed } = auditPolicyLength(policy);
  const long = problem === undefined ? [] : [{ problem, allowed }];
  if (faults.length + long.length > 0) {
    throw refused(file, [...faults, ...long]);
  }
  return policy;
}

/**
 * The audit log as the component takes it; nothing for a stack without one. The policy is a text, because the schema of
 * components for other languages has no open values.
 * @throws ConfigError when the file cannot be read, or the API server would not start with it
 */
export async function auditArgs(
  { controlPlane: { audit }, kubernetesVersion }: Pick<Settings, "controlPlane" | "kubernetesVersion">,
  { rootDir }: Pick<Run, "rootDir">,
): Promise<AuditArgs | undefined> {
  if (audit === undefined) {
    return undefined;
  }
  const { policy: inline, policyFile, ...size } = audit;
  const policy = policyFile === undefined ? inline : await policyIn(policyFile, rootDir, kubernetesVersion);
  return withoutUndefined({ ...size, policy: policy === undefined ? undefined : auditPolicyText(policy) });
}
