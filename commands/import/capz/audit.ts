import { fileLimits, yamlValues } from "../../../tools/boundedYaml";
import { defaultAuditLog } from "../../../platform/audit/log";
import { withoutUndefined } from "../../../tools/without";
import { at, isRecord, list, text, textAt, type Plain } from "../../../tools/untyped";
import type { LeftOut } from "../findings";

/** The audit log of a source's API server, as keys of a stack file. */

const flags = {
  maxAgeDays: "audit-log-maxage",
  maxBackups: "audit-log-maxbackup",
  maxSizeMiB: "audit-log-maxsize",
} as const;

function policyIn(content: string): Plain | undefined {
  try {
    const policy: unknown = yamlValues(content, fileLimits)[0];
    return isRecord(policy) && Array.isArray(policy.rules) ? policy : undefined;
  } catch {
    return undefined;
  }
}

/** The mount through which the API server reads a path: it may have another name on the machine. */
function onMachine(path: string, apiServer: unknown): string {
  const volume = list(at(apiServer, "extraVolumes")).find(({ mountPath }) => {
    const mount = text(mountPath);
    return mount !== "" && (path === mount || path.startsWith(`${mount.replace(/\/$/, "")}/`));
  });
  return volume === undefined
    ? path
    : `${text(volume.hostPath).replace(/\/$/, "")}${path.slice(text(volume.mountPath).replace(/\/$/, "").length)}`;
}

/**
 * The key `audit` of the control plane; none where the API server writes no log.
 * @param controlPlane - spec of the KubeadmControlPlane, in the form of v1beta2
 */
export function auditOf(controlPlane: Plain): {
  readonly audit?: Plain;
  readonly leftOut: readonly LeftOut[];
} {
  const spec = controlPlane.kubeadmConfigSpec;
  const apiServer = at(spec, "clusterConfiguration", "apiServer");
  const args = new Map(list(at(apiServer, "extraArgs")).map(({ name, value }) => [text(name), text(value)]));
  const path = args.get("audit-policy-file");
  // Without a policy, or without a place for the log, the API server writes none (k8s.io/apiserver v0.35 pkg/server/options/audit.go).
  if (path === undefined || !["audit-log-path", "audit-webhook-config-file"].some((flag) => args.has(flag))) {
    return { leftOut: [] };
  }
  const file = list(at(spec, "files")).find((one) => one.path === onMachine(path, apiServer));
  const policy = policyIn(textAt(file, "content"));
  const numbers = Object.entries(flags).map(([key, flag]) => {
    const number = Number(args.get(flag) ?? NaN);
    const isDefault = number === defaultAuditLog[key as keyof typeof flags];
    return [key, Number.isInteger(number) && number > 0 && !isDefault ? number : undefined];
  });
  return {
    audit: withoutUndefined({ ...Object.fromEntries(numbers), policy }) as Plain,
    leftOut:
      policy === undefined
        ? [
            {
              from: `KubeadmControlPlane audit-policy-file ${path}`,
              why: "the policy is not in the source, or no YAML with rules; the stack has the built-in one",
              instead: "controlPlane.audit.policy or controlPlane.audit.policyFile",
            },
          ]
        : [],
  };
}
