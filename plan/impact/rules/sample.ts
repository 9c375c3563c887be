import { textAt } from "capz-windows-kit/untyped";
import { formatChange } from "../format";
import { findChange, lifecycle, touches, within, type ImpactRule } from "../impactRule";

/** What Pulumi itself runs in the workload cluster: the sample workload. */

const inSample = within("sample");
const set = "StatefulSet";
const keepsClaims = "Kubernetes StatefulSet.spec.persistentVolumeClaimRetentionPolicy (default Retain)";
const address = /^spec\.(type|loadBalancerSourceRanges)\b|^metadata\.annotations\b/;

export const sampleRules: readonly ImpactRule[] = [
  {
    id: "sample-disk-deleted",
    source: keepsClaims,
    match: (difference) => inSample(difference) && lifecycle("delete", set)(difference),
    // The headless Service of the StatefulSet is deleted with it.
    claims: ({ kind, type, base }) =>
      kind === "delete" && type === "Service" && textAt(base?.inputs, "spec", "clusterIP") === "None",
    what: ([{ resource }]) =>
      `The sample's StatefulSet ${resource.name} is deleted; its disk stays in Azure until the cluster is deleted`,
    why: "Kubernetes keeps the claims of a StatefulSet",
    instead: "delete the claim data-iis-disk-0 by hand if what is on the disk is no longer needed",
  },
  {
    id: "sample-disk",
    severity: "replaces",
    source: `@pulumi/kubernetes provider/pkg/provider/diff.go; ${keepsClaims}`,
    match: (difference) => inSample(difference) && lifecycle("replace", set)(difference),
    what: ([{ resource }]) =>
      `The sample's StatefulSet ${resource.name} is deleted and created again, with the disk that it has`,
    why: "the templates of its claims are immutable, and a claim that exists keeps its class and size",
    instead: "delete the claim data-iis-disk-0 as well, and what is on the disk, for another class or size",
  },
  {
    id: "sample-address",
    source:
      "cloud-provider-azure, load balancer annotations; Kubernetes Service.spec.loadBalancerSourceRanges",
    match: (difference) => inSample(difference) && touches("Service", address)(difference),
    explain: (matched) => {
      const { before, after } = findChange(matched, /^spec\.type/) ?? {};
      const moves = matched.some(({ path }) => !path.startsWith("spec.loadBalancerSourceRanges"));
      return {
        what: moves
          ? `The sample gets another address${before === undefined ? "" : `: ${formatChange(before, after)}`}`
          : "The sample's load balancer lets in other networks",
        why: moves
          ? "another kind of load balancer has another address, and the former is released"
          : "the cloud provider changes the security rules of its address",
      };
    },
  },
  {
    id: "sample-changes",
    source: "project",
    match: (difference) => inSample(difference) && difference.custom,
    claims: () => true,
    explain: (matched) => {
      if (matched.some(lifecycle("create", "Deployment"))) {
        return {
          what: "The sample workload is new",
          why: "`pulumi up` waits until its pods are ready, up to 40 minutes",
        };
      }
      if (matched.some(lifecycle("delete", "Deployment"))) {
        return {
          what: "The sample workload is deleted",
          why: "the public address of its load balancer is released",
        };
      }
      const types = [...new Set(matched.map(({ type }) => type))].sort();
      return {
        what: `The sample workload changes: ${types.join(", ")}`,
        why: "Kubernetes replaces its pods one after the other where what they are made of has changed",
      };
    },
  },
];
