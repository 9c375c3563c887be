import { present } from "capz-windows-kit/present";
import { auditLogArithmetic, auditLogMiB, mostAuditMiB } from "capz-windows-platform/audit/log";
import { auditPolicyFaults, type AuditFault } from "capz-windows-platform/audit/policyFaults";
import { auditPolicyLength } from "capz-windows-platform/audit/policyText";
import { loggedBodies } from "capz-windows-platform/audit/secretBodies";
import { unlogged } from "capz-windows-platform/audit/unlogged";
import { formatCount, type Problem, type Warning } from "capz-windows-kit/problem";
import type { Settings } from "../settings";
import { notBoth } from "./choices";

/** The audit log: its policy, and its place on the disk. */

const place = "controlPlane.audit";

function policyProblem({ within, key, value, problem, allowed }: AuditFault): Problem {
  const holder = within === "" ? `${place}.policy` : `${place}.policy.${within}`;
  return {
    path: `${holder}.${key}`,
    ...(value === undefined ? {} : { value }),
    uses: [`${place}.policy`, "kubernetesVersion"],
    problem,
    allowed,
  };
}

/** Wrong policies, and more files than the disk has room for. */
export function auditRules({ controlPlane: { audit, osDiskGB }, kubernetesVersion }: Settings): Problem[] {
  if (audit === undefined) {
    return [];
  }
  const { policy, maxBackups } = audit;
  const faults = policy === undefined ? [] : auditPolicyFaults(policy, kubernetesVersion).map(policyProblem);
  return present<Problem>(
    notBoth(place, audit, ["policy", "policyFile"]),
    ...faults,
    policy !== undefined &&
      faults.length === 0 &&
      auditPolicyLength(policy).problem !== undefined && {
        path: `${place}.policy`,
        problem: auditPolicyLength(policy).problem ?? "",
        allowed: auditPolicyLength(policy).allowed,
      },
    auditLogMiB(audit) > mostAuditMiB(osDiskGB) && {
      path: `${place}.maxBackups`,
      value: maxBackups,
      uses: [place, "controlPlane.osDiskGB"],
      problem: `the log can take ${auditLogArithmetic(audit)} on each machine, and a quarter of the OS disk of ${osDiskGB} GB is ${formatCount(mostAuditMiB(osDiskGB))} MiB: the rest is for the system, images and other logs`,
      allowed: "fewer or smaller files, or a larger controlPlane.osDiskGB",
    },
  );
}

interface Audited {
  readonly controlPlane: {
    readonly audit?: { readonly policy?: unknown; readonly policyFile?: string | undefined } | undefined;
  };
}

/** Policies by which the log does not say who did something. */
export function unloggedWarnings({ controlPlane: { audit } }: Audited): Warning[] {
  const hidden = audit?.policy === undefined ? [] : unlogged(audit.policy);
  return present<Warning>(
    hidden.length > 0 && {
      path: `${place}.${audit?.policyFile === undefined ? "policy" : "policyFile"}`,
      message: `by this policy the log does not name ${hidden.join("; ")}`,
    },
  );
}

/** Policies that put credentials into the log; that of a file is there only where the caller has read it. */
export function auditWarnings({ controlPlane: { audit } }: Audited): Warning[] {
  return loggedBodies(audit?.policy).map(({ rule, what, before }) => ({
    path: audit?.policyFile === undefined ? `${place}.policy.rules[${rule}]` : `${place}.policyFile`,
    message: `by ${audit?.policyFile === undefined ? "this rule" : `rules[${rule}] of ${audit.policyFile}`} the log has ${what}, and whoever reads the log reads them; write before it: ${before}`,
  }));
}
