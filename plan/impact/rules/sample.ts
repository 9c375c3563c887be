import { lifecycle, within, type ImpactRule } from "../impactRule";

/** What Pulumi itself runs in the workload cluster: the sample workload. */

const inSample = within("sample");
const keepsClaims = "Kubernetes StatefulSet.spec.persistentVolumeClaimRetentionPolicy (default Retain)";

export const sampleRules: readonly ImpactRule[] = [
  {
    id: "sample-changes",
    source: `@pulumi/kubernetes provider/pkg/provider/diff.go; ${keepsClaims}`,
    match: (difference) => inSample(difference) && difference.custom,
    claims: () => true,
    explain: (matched) => {
      if (matched.some(lifecycle("create", "Deployment"))) {
        return {
          what: "The sample workload is new",
          why: "`pulumi up` waits until its pods are ready, up to 40 minutes",
        };
      }
      const types = [...new Set(matched.map(({ type }) => type))].sort();
      const isGone = matched.some(lifecycle("delete", "Deployment"));
      return {
        ...(matched.some(({ kind }) => kind === "replace") ? { severity: "replaces" } : {}),
        what: isGone ? "The sample workload is deleted" : `The sample workload changes: ${types.join(", ")}`,
        why: "its pods restart, and its address may become another one; the disk of its StatefulSet stays, with the class and size that it has, until the claim data-iis-disk-0 or the cluster is deleted",
      };
    },
  },
];
