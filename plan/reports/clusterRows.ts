import type { ClusterModel, MachinesModel, PoolModel, SampleModel } from "../model/cluster/types";
import {
  computerNames,
  countText,
  detailLines,
  kindText,
  overrideLines,
  rolloutText,
  systemText,
  zonesText,
} from "./clusterText";
import { clientRows, everyone, managementReach, managementRow } from "./managementRows";
import { copied, joined, rangesText, row, said, type ReportRow } from "./layout";
import { bastionOfOthers, loginText, networkRows, privateRows, reachSummary } from "./networkRows";
import { hostRows, othersRows, othersTitle } from "./others";

/** What the stack creates, in words: sections of rows for a plan as text. */
export interface ClusterSection {
  readonly title: string;
  readonly rows: readonly ReportRow[];
}

const machinesText = ({ vmSize, version }: MachinesModel, count: string, system: string): string =>
  `${count} × ${vmSize}, ${system}, ${version}`;

const poolRow = (pool: PoolModel): ReportRow =>
  row(
    pool.name,
    joined(machinesText(pool, countText(pool), systemText(pool)), zonesText(pool)),
    `image ${pool.shortImage}`,
    pool.patches,
    `${kindText(pool)}: ${computerNames(pool, 2)}`,
    `rolls with ${rolloutText(pool)}`,
    ...detailLines(pool),
  );

function clusterRows(cluster: ClusterModel): ReportRow[] {
  const { name, kubernetesVersion, location, resourceGroup, management } = cluster;
  const { providers, stack, only } = management;
  return [
    row(
      "workload cluster",
      ...(only === true
        ? ["none: other stacks use the management cluster (management.only)"]
        : [
            `${name}, Kubernetes ${kubernetesVersion}, ${location}, resource group ${resourceGroup}`,
            ...overrideLines(cluster.overrides),
          ]),
    ),
    managementRow(management),
    row(
      "Cluster API",
      ...(providers.length > 0
        ? [
            joined(...providers.map((each) => `${each.name} ${each.version}`)),
            "charts and manifests by their version: neither digests nor signatures are verified",
          ]
        : [stack === undefined ? "installed already, not by this stack" : "installed by that stack"]),
    ),
    ...clientRows(management),
    ...said(row("add-ons", addonsText(cluster))),
  ];
}

export function machineRows({ controlPlane, pools }: ClusterModel): ReportRow[] {
  const rows = pools.map(poolRow);
  if (controlPlane !== undefined) {
    rows.unshift(
      row(
        "control plane",
        machinesText(controlPlane, String(controlPlane.replicas), "Linux"),
        `image ${controlPlane.shortImage}`,
        `rolls one by one with surge ${controlPlane.maxSurge}`,
        ...detailLines(controlPlane),
      ),
    );
  }
  return rows;
}

const inNetwork = "the VNET and what is peered with it";

const reaches = { network: inNetwork, cluster: "pods of the cluster" } as const;

const sampleReach = ({ reach, allowedCidrs }: SampleModel): string =>
  reach === undefined ? rangesText(allowedCidrs) || everyone : reaches[reach];

export function reachRows({ apiServer, management, network, sample, reach }: ClusterModel): ReportRow[] {
  if (management.only === true) {
    return managementReach(management);
  }
  const people = rangesText(apiServer.allowedCidrs);
  const isPrivate = apiServer.private !== undefined;
  const insiders =
    network.byOthers === undefined
      ? inNetwork
      : `the management cluster, the nodes; everyone else, too, unless others make the rule deny_in`;
  const outsiders =
    people === "" ? "no address: access.allowedCidrs is empty" : `${people}, through the control plane`;
  return said(
    row(
      "API server",
      joined(people, isPrivate ? insiders : "the management cluster, the nodes"),
      `at https://${apiServer.host}:${apiServer.port}`,
    ),
    ...privateRows(apiServer, network),
    row(
      "ssh and RDP",
      loginText(network) ?? (isPrivate ? "through Azure Bastion or a jump host of yours" : outsiders),
      bastionOfOthers(network),
    ),
    ...managementReach(management),
    row(`sample ${sample?.name ?? ""}`, sample && sampleReach(sample)),
    reachSummary(reach),
  );
}

/** "calico v3.32.1, windows-workloads": in a plan's summary, too. */
export const addonsText = ({ addons, autoscaler, sample }: ClusterModel): string =>
  joined(
    ...addons.map(({ name, versions, applyOnce }) =>
      [name, ...versions, ...(applyOnce === true ? ["(applied once)"] : [])].join(" "),
    ),
    autoscaler !== undefined && `cluster-autoscaler ${autoscaler}`,
    sample !== undefined && `sample ${[sample.name, sample.statefulSet].filter(Boolean).join(" and ")}`,
  );

function accessRows({ nextSteps, apiServer, pools, management }: ClusterModel): ReportRow[] {
  const clusters = row("clusters", ...copied(nextSteps));
  if (management.only === true) {
    return [clusters];
  }
  const ofPools = pools.map(({ name, access: { ssh, rdpTunnel, hybridBenefit } }) => ({
    ...{ name, commands: [ssh, rdpTunnel, hybridBenefit] },
  }));
  const all = new Set([apiServer.ssh, ...ofPools.flatMap(({ commands }) => commands)]);
  return pools.length > 0 && pools.every(({ access }) => access.ssh === apiServer.ssh)
    ? [clusters, row("machines", ...copied([...all]))]
    : [
        clusters,
        row("control plane", ...copied([apiServer.ssh])),
        ...ofPools.map(({ name, commands }) => row(name, ...copied(commands))),
      ];
}

export const clusterSections = (cluster: ClusterModel): ClusterSection[] => [
  { title: "Clusters", rows: clusterRows(cluster) },
  { title: "Machines", rows: machineRows(cluster) },
  { title: "Network", rows: cluster.management.only === true ? [] : networkRows(cluster) },
  { title: othersTitle, rows: othersRows(cluster) },
  { title: "Hosts that machines reach", rows: hostRows(cluster) },
  { title: "Who may reach what", rows: reachRows(cluster) },
  { title: "Access, once it runs", rows: accessRows(cluster) },
];
