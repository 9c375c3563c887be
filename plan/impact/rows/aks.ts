import { coerce, minor } from "semver";
import type { Fact } from "../facts";
import type { Row } from "../row";
import { about, find } from "../row";
import { machines } from "../scene";
import { arrow, listed } from "../words";

/** The management cluster, where it is an AKS cluster of this stack. */

const aks = "ManagedCluster";
const docs = "https://learn.microsoft.com/azure/aks/";
const version = about(aks, /^kubernetesVersion$/);
const inAks = ({ subject }: Fact): boolean => subject === "management";

const minors = (facts: readonly Fact[]) => {
  const { before, after } = find(facts, /^kubernetesVersion$/) ?? {};
  // "1.35" stands for its newest patch.
  const of = (value: unknown) => coerce(String(value)) ?? "0.0.0";
  return { before, after, step: minor(of(after)) - minor(of(before)) };
};

export const aksRows: readonly Row[] = [
  {
    rule: "management-cluster-lost",
    severity: "destroys",
    source: "azure-native 3 provider/pkg/gen/replacement.go (ManagedCluster)",
    match: (fact) => fact.type === aks && (fact.kind === "delete" || fact.kind === "replace"),
    claims: inAks,
    tell: ([{ kind }], scene, group) => {
      const paths = [...new Set(group.filter(({ type }) => type === aks).map(({ path }) => path))].filter(
        (path) => path !== "",
      );
      return {
        what: `The management cluster is deleted${kind === "replace" ? " and made again, empty" : ""}: with it Cluster API and every object in it`,
        why: `${paths.length > 0 ? `AKS cannot change ${listed(paths)} in place` : "it is no longer in the plan"}; what Cluster API made in Azure is then managed by nothing`,
        nodes: machines(scene),
        instead: "make a new management cluster beside it and move with `clusterctl move`",
      };
    },
  },
  {
    rule: "aks-downgrade",
    severity: "refused",
    source: `${docs}upgrade-aks-cluster`,
    match: version,
    tell: (facts) => {
      const { before, after, step } = minors(facts);
      return step < 0
        ? {
            what: `AKS cannot go back: ${arrow(before, after)}`,
            why: "Azure refuses a downgrade of a cluster",
          }
        : undefined;
    },
  },
  {
    rule: "aks-skips-minor",
    severity: "refused",
    source: `${docs}upgrade-aks-cluster`,
    match: version,
    tell: (facts) => {
      const { before, after, step } = minors(facts);
      return step > 1
        ? {
            what: `AKS cannot skip a minor version: ${arrow(before, after)}`,
            why: "Azure upgrades a cluster one minor version at a time",
            instead: "go there in as many `up`s as there are minor versions",
          }
        : undefined;
    },
  },
  {
    rule: "aks-upgrade",
    severity: "rolls",
    source: `${docs}upgrade-aks-cluster`,
    match: version,
    tell: ([{ before: old }], _, facts) => {
      const { before, after } = minors(facts);
      const pool = (old?.inputs.agentPoolProfiles as readonly { readonly count?: number }[] | undefined)?.[0];
      return {
        what: `The management cluster is upgraded: ${arrow(before, after)}`,
        why: "AKS upgrades its control plane, then its nodes by their surge; Cluster API's controllers restart, workload clusters run on",
        nodes: pool?.count ?? 0,
      };
    },
  },
  {
    rule: "aks-node-pool-fixed",
    severity: "refused",
    source: `${docs}resize-node-pool`,
    match: about(
      aks,
      /^agentPoolProfiles\[[^\]]*\]\.(vmSize|osDiskSizeGB|osDiskType|osType|availabilityZones|vnetSubnetID|type)$/,
    ),
    tell: (facts) => ({
      what: `AKS cannot change its system pool: ${facts.map(({ path, property }) => `${path.replace(/^.*\./, "")} ${arrow(property?.before, property?.after)}`).join(", ")}`,
      why: "Azure answers PropertyChangeNotAllowed: these are fixed when a node pool is made",
      instead:
        "leave management.nodeSize; for larger nodes make a new management cluster and `clusterctl move`",
    }),
  },
  {
    rule: "aks-nodes",
    severity: "changes",
    source: `${docs}cluster-autoscaler`,
    match: about(aks, /^agentPoolProfiles\[[^\]]*\]\.(minCount|maxCount|count|enableAutoScaling)$/),
    tell: (facts) => ({
      what: `The management cluster's nodes: ${facts.map(({ path, property }) => `${path.replace(/^.*\./, "")} ${arrow(property?.before, property?.after)}`).join(", ")}`,
      why: "AKS's own autoscaler keeps the number within the range",
    }),
  },
  {
    rule: "aks-access",
    severity: "changes",
    source: `${docs}api-server-authorized-ip-ranges`,
    match: about(aks, /^apiServerAccessProfile\b/),
    tell: (facts) => {
      const { before, after } = find(facts, /^apiServerAccessProfile/) ?? {};
      const open = JSON.stringify(after ?? {}).includes(".") ? "" : ": everybody on the Internet may";
      return {
        what: `Who reaches the management cluster's API server changes: ${arrow(before, after)}${open}`,
        why: "it counts within minutes; `pulumi up` itself must come from a network that is let in",
      };
    },
  },
];
