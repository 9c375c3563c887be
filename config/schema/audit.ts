import { z } from "zod";
import { defaultAuditLog } from "capz-windows-platform/audit/log";
import { count, optionalKey, optionalMapping } from "./scalars";

/** The audit log of the API server. */

const examplePolicy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [{ level: "Metadata" }],
};

export const audit = optionalMapping(
  "Audit log of the API server, in /var/log/kubernetes/audit on each machine of the control plane; `{}` has a built-in policy: who changed what, and who read a Secret, without contents of Secrets and ConfigMaps and without what the cluster's own components read. Every change of it rolls the control plane. Default: no audit log",
  {
    policy: optionalKey(z.record(z.string().min(1), z.unknown()), {
      description:
        "Policy of your own, instead of the built-in one, checked as the API server does when it starts",
      allowed: "a Policy of audit.k8s.io/v1 with rules, each with a level",
      examples: [examplePolicy],
    }),
    policyFile: optionalKey(z.string().regex(/^(?![\s/])(?!.*\\)(?!(.*\/)?\.\.(\/|$)).*\S$/), {
      description:
        "File with such a policy, in the folder of Pulumi.yaml or below it, so that a plan of another commit reads that commit's",
      allowed: "a path without .. that does not begin with /, without spaces around it",
      examples: ["policies/audit.yaml"],
    }),
    maxAgeDays: count("Days for which a file of the log is kept", 1, 3650, defaultAuditLog.maxAgeDays),
    maxBackups: count(
      "Files that are kept beside the one that is written. (maxBackups + 1) × maxSizeMiB may be a quarter of controlPlane.osDiskGB",
      1,
      1000,
      defaultAuditLog.maxBackups,
    ),
    maxSizeMiB: count("MiB at which the next file begins", 1, 1024, defaultAuditLog.maxSizeMiB),
  },
  {},
);
