import { coerce, minor } from "semver";
import { keptManagement, newStacks } from "capz-windows-platform/cluster/keptManagement";
import { at, list, numberAt, strings } from "capz-windows-kit/untyped";
import { replacingPaths } from "../../compare/replacement";
import type { Difference } from "../differences";
import { formatChange, formatList } from "../format";
import {
  changeText,
  findChange,
  touches,
  within,
  type ClusterPair,
  type ImpactRule,
  type Matched,
} from "../impactRule";
import { machinesToday } from "../machines";

/** The management cluster, where it is an AKS cluster of this stack. */

const aks = "ManagedCluster";
const docs = "https://learn.microsoft.com/azure/aks/";
const version = touches(aks, /^kubernetesVersion$/);
/** What follows the version of the cluster: that of its nodes, and whether AKS upgrades patches by itself. */
const nodesVersion = touches(aks, /^agentPoolProfiles\[[^\]]*\]\.orchestratorVersion$/);
const follows = (difference: Difference): boolean =>
  nodesVersion(difference) || touches(aks, /^autoUpgradeProfile\b/)(difference);

/** Ranges that may reach the API server, without addresses of a plan, which stand for those that Azure chooses. */
const rangesIn = (value: unknown): string[] =>
  strings(Array.isArray(value) ? value : at(value, "authorizedIPRanges")).filter(
    (range) => !/^0\.(?!0\.0\.0)/.test(range),
  );

/** Both lists; what is no list as it is. */
function rangesChange(before: unknown, after: unknown): string {
  const [from, to] = [rangesIn(before), rangesIn(after)];
  return formatChange(from.length > 0 ? from : before, to.length > 0 ? to : after);
}

const anotherCluster = `for another one, ${newStacks}`;

const versionText = (matched: Matched): string => changeText(matched, /^kubernetesVersion$/);

/** How many minor versions are between both. AKS also takes "1.35", for its newest patch. */
function stepOf(matched: Matched): number {
  const { before, after } = findChange(matched, /^kubernetesVersion$/) ?? {};
  const [from, to] = [before, after].map((value) => minor(coerce(String(value)) ?? "0.0.0"));
  return (to ?? 0) - (from ?? 0);
}

const nodesToday = ([{ base }]: Matched): number =>
  numberAt(list(base?.inputs.agentPoolProfiles)[0], "count") ?? 0;

/** "maxCount 5 → 9"; of an ID only whose it is. */
const propertyList = (differences: readonly Difference[]): string =>
  differences
    .map(({ path, property }) => {
      const name = path.replace(/^.*\./, "");
      const change = formatChange(property?.before, property?.after);
      return change.includes("/subscriptions/") ? name : `${name} ${change}`;
    })
    .join(", ");

/** "stack team-a and stack team-b"; empty without clients. */
const clientNames = ({ base, head }: ClusterPair): string =>
  formatList(((head ?? base)?.management.clients ?? []).map((client) => `stack ${client}`));

export const aksRules: readonly ImpactRule[] = [
  {
    id: "management-cluster-lost",
    severity: "destroys",
    source: "azure-native 3 provider/pkg/gen/replacement.go (ManagedCluster)",
    match: ({ type, kind }) => type === aks && (kind === "delete" || kind === "replace"),
    claims: within("management"),
    explain: ([{ kind, base, head }], clusters, group) => {
      const changed = group.filter(({ type, path }) => type === aks && path !== "");
      const resource = head ?? base;
      const changedPaths = changed.map(({ path }) => path);
      const paths = resource ? replacingPaths(resource, undefined, changedPaths) : [];
      const clients = clientNames(clusters);
      // A stack that makes only a management cluster: its component has the hook of platform/cluster/keptManagement.ts.
      if (kind === "replace" && clusters.head?.name === "") {
        return {
          severity: "refused",
          what: `The management cluster of other stacks cannot be made anew: ${propertyList(changed.filter(({ path }) => paths.includes(path))) || "what it is in changes"}`,
          why: `${keptManagement.why}${clients === "" ? "" : `: ${clients}`}`,
          instead: keptManagement.instead,
        };
      }
      return {
        what: `The management cluster is deleted${kind === "replace" ? " and created again, empty" : ""}: Cluster API and every object in it are lost`,
        why: `${paths.length > 0 ? `AKS cannot change ${formatList(paths)} in place` : "it is no longer in the plan"}; what Cluster API created in Azure is no longer managed${clients === "" ? "" : `, nor are the clusters of ${clients}`}`,
        nodes: machinesToday(clusters),
        instead: `keep it; ${anotherCluster}`,
      };
    },
  },
  {
    id: "aks-downgrade",
    severity: "refused",
    source: `${docs}upgrade-aks-cluster`,
    match: version,
    claims: follows,
    what: (matched) => stepOf(matched) < 0 && `AKS cannot be downgraded: ${versionText(matched)}`,
    why: "Azure refuses to downgrade a cluster",
  },
  {
    id: "aks-skips-minor",
    severity: "refused",
    source: `${docs}upgrade-aks-cluster`,
    match: version,
    claims: follows,
    what: (matched) => stepOf(matched) > 1 && `AKS cannot skip a minor version: ${versionText(matched)}`,
    why: "Azure upgrades a cluster one minor version at a time",
    instead: "upgrade one minor version per `up`",
  },
  {
    id: "aks-upgrade",
    severity: "rolls",
    source: `${docs}upgrade-aks-cluster`,
    match: version,
    claims: follows,
    what: (matched) => `The management cluster is upgraded: ${versionText(matched)}`,
    why: "AKS upgrades its control plane, then its nodes by their surge; Cluster API's controllers restart, workload clusters keep running",
    nodes: nodesToday,
  },
  {
    id: "aks-nodes-version",
    severity: "rolls",
    source: `${docs}manage-node-pools`,
    match: nodesVersion,
    what: (matched) =>
      `The management cluster's nodes get the version of the cluster: ${changeText(matched, /orchestratorVersion$/)}`,
    why: "nodes that an earlier upgrade of the cluster left behind are replaced by their surge, others stay; workload clusters keep running",
    nodes: nodesToday,
  },
  {
    id: "aks-node-pool-fixed",
    severity: "refused",
    source: `${docs}resize-node-pool`,
    match: touches(
      aks,
      /^agentPoolProfiles\[[^\]]*\]\.(vmSize|osDiskSizeGB|osDiskType|osType|availabilityZones|vnetSubnetID|type)$/,
    ),
    explain: (matched) => ({
      what: `AKS cannot change its system pool: ${propertyList(matched)}`,
      why: "Azure answers PropertyChangeNotAllowed: these are fixed when a node pool is created",
      instead: matched.every(({ path }) => /(vnetSubnetID|availabilityZones)/.test(path))
        ? `keep management.network and management.zones; ${anotherCluster}`
        : "keep management.nodeSize, and raise nodeCount and maxNodeCount for more room",
    }),
  },
  {
    id: "aks-nodes",
    source: `${docs}cluster-autoscaler`,
    match: touches(aks, /^agentPoolProfiles\[[^\]]*\]\.(minCount|maxCount|count|enableAutoScaling)$/),
    what: (matched) => `The management cluster's nodes: ${propertyList(matched)}`,
    why: "AKS's own autoscaler keeps the number of nodes within the range",
  },
  {
    id: "aks-maintenance-window",
    source: `${docs}planned-maintenance`,
    match: ({ type }) => type === "MaintenanceConfiguration",
    what: "The management cluster's maintenance window changes",
    why: "AKS upgrades patches and node images by itself in this time, and without one whenever it chooses",
  },
  {
    id: "aks-private-fixed",
    severity: "refused",
    source: `${docs}private-clusters and api-server-vnet-integration`,
    match: touches(
      aks,
      /^apiServerAccessProfile\.(enablePrivateCluster|privateDNSZone|enableVnetIntegration|subnetId)$/,
    ),
    claims: touches(aks, /^apiServerAccessProfile\b/),
    explain: (matched) => {
      const integrated = (side: "base" | "head") =>
        at(matched[0][side]?.inputs, "apiServerAccessProfile", "enableVnetIntegration") === true;
      const isKept = matched.every(({ path }) => /(enablePrivateCluster|privateDNSZone)$/.test(path));
      if (integrated("base") && integrated("head") && isKept) {
        return {
          severity: "changes",
          what: `Where the management cluster's API server is reached changes: ${propertyList(matched)}`,
          why: "with vnetIntegration AKS changes it in place; `pulumi up` itself must run where it is reached",
        };
      }
      const movesZone = matched.some(({ path }) => path.endsWith("privateDNSZone"));
      if (!integrated("base") && integrated("head") && !movesZone) {
        return {
          severity: "rolls",
          what: `The management cluster's API server moves into the VNET: ${propertyList(matched)}`,
          why: "AKS restarts its control plane and replaces its nodes, and cannot take it back; workload clusters keep running",
        };
      }
      return {
        what: `AKS cannot change where its API server is: ${propertyList(matched)}`,
        why: "without vnetIntegration a private API server is fixed when the cluster is made, and so are its zone and its subnet",
        instead: `keep management.network.apiServer; ${anotherCluster}`,
      };
    },
  },
  {
    id: "aks-run-command",
    source: `${docs}access-private-cluster`,
    match: touches(aks, /^apiServerAccessProfile\.disableRunCommand$/),
    what: (matched) => {
      const { after } = findChange(matched, /disableRunCommand$/) ?? {};
      return `\`az aks command invoke\` ${after === true ? "no longer runs commands" : "runs commands"} in the management cluster`;
    },
    why: "it goes through Azure's API: whoever has the role may use it from any network",
  },
  {
    id: "aks-access",
    source: `${docs}api-server-authorized-ip-ranges`,
    match: touches(aks, /^apiServerAccessProfile\b/),
    what: (matched) => {
      const { before, after } = findChange(matched, /^apiServerAccessProfile/) ?? {};
      const none = (value: unknown) => !JSON.stringify(value ?? {}).includes(".");
      if (none(before) && none(after)) {
        return undefined;
      }
      const open = none(after) ? ", that is everyone on the Internet" : "";
      return `Who can reach the management cluster's API server changes: ${rangesChange(before, after)}${open}`;
    },
    why: "this takes effect within minutes; `pulumi up` itself must run from a network that is allowed before and after it",
  },
  {
    id: "aks-entra-kept",
    severity: "refused",
    source: `${docs}enable-authentication-microsoft-entra-id`,
    match: touches(aks, /^(aadProfile|disableLocalAccounts)$/),
    what: (matched) =>
      matched.some(({ property }) => property?.after === undefined) &&
      "AKS cannot take back access by Microsoft Entra",
    why: "Azure does not disable the integration of a cluster that has it",
    instead: "keep management.entra",
  },
  {
    id: "aks-entra",
    source: `${docs}manage-local-accounts-managed-azure-ad`,
    match: touches(aks, /^(aadProfile|disableLocalAccounts)\b/),
    what: "Who administers the management cluster changes: members of management.entra.adminGroupObjectIds and Azure's roles, by kubelogin",
    why: "whoever runs `pulumi up` must be one of them and have kubelogin; certificates that AKS has issued remain valid until `az aks rotate-certs`",
  },
];
