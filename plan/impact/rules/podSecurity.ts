import { podSecurityLevels, type PodSecurityLevel } from "capz-windows-platform/cluster/podSecurity";
import { at, list, textAt } from "capz-windows-kit/untyped";
import type { Difference } from "../differences";
import { touches, type ImpactRule } from "../impactRule";

/** Pod Security: the levels of namespaces without labels. */

export const podSecurityFields =
  /^spec\.kubeadmConfigSpec\.(clusterConfiguration\.apiServer\.(extraArgs\[admission-control-|extraVolumes\[admission\])|files\[[^\]]*\/admission\.yaml\])/;

/** The level that the API servers enforce; without a file, they allow everything. */
function enforcedLevel(controlPlane: Difference["base"]): PodSecurityLevel {
  const files = list(at(controlPlane?.inputs, "spec", "kubeadmConfigSpec", "files"));
  const file = files.find((one) => textAt(one, "path").endsWith("/admission.yaml"));
  const [, level] = /\benforce"?: *"?(\w+)/.exec(textAt(file, "content")) ?? [];
  return podSecurityLevels.find((one) => one === level) ?? "privileged";
}

/** The API server names the pods that break a level, and changes nothing. */
const breaksBaseline =
  "kubectl --kubeconfig workload.kubeconfig label --dry-run=server --overwrite namespace --all pod-security.kubernetes.io/enforce=baseline";
const breaksRestricted =
  "kubectl --kubeconfig workload.kubeconfig label --dry-run=server --overwrite namespace --all pod-security.kubernetes.io/enforce=restricted";

export const podSecurityRules: readonly ImpactRule[] = [
  {
    id: "pod-security-enforced",
    source: "https://kubernetes.io/docs/concepts/security/pod-security-admission/",
    informational: true,
    match: touches("KubeadmControlPlane", podSecurityFields),
    explain: ([{ kind, base, head }]) => {
      const [before, after] = [enforcedLevel(base), enforcedLevel(head)];
      if (kind !== "update" || podSecurityLevels.indexOf(after) <= podSecurityLevels.indexOf(before)) {
        return undefined;
      }
      return {
        what: `Pods that break the Pod Security level ${after} are refused at their next creation (until now: ${before})`,
        why: "it holds in each namespace that is not exempt and has no label pod-security.kubernetes.io/enforce of its own; pods that run stay until they are created again",
        instead: "see first which pods break it, and label namespaces that need another level",
        commands: [after === "restricted" ? breaksRestricted : breaksBaseline],
      };
    },
  },
];
