import { lineWithoutAddon } from "../../../addons/catalogue";
import type {
  ClusterModel,
  ControlPlaneModel,
  MachinesModel,
  PoolModel,
  SampleModel,
  NetworkModel,
} from "../model/cluster/types";
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
import { everyone, managementReach, managementRow, sharingRows } from "./managementRows";
import { hostRows } from "./hostRows";
import { joined, row, type Row } from "./layout";
import { othersRows, othersTitle } from "./othersRows";
import { egressRows, outboundRows } from "./outboundRows";
import { firewallRows, peeringRows } from "./peeringRows";
import { reachSummary } from "./reachRows";
import { bastionOfOthers, bastionRows, privateRows, reachText } from "./wayInRows";
import { azureVnetMtu, type ExpectedMtus } from "../../../platform/network/mtu";

/** Which size of packets holds where, in words. */
const mtuText = (os: string, { host, pod }: ExpectedMtus["linux"]): string =>
  `${os}: ${host.bytes} on hosts by ${host.from}, ${pod.orLess ? "at most " : ""}${pod.bytes} in pods by ${pod.from}`;

/** What Azure does with packets (docs/mtu.md); no property of a VNET says it. */
const carriesText = ({ mtu }: NetworkModel): string =>
  `VNET: Azure carries ${azureVnetMtu} bytes in one piece, and fragments more; it has no MTU to set` +
  (mtu === azureVnetMtu ? "" : `; network.mtu: ${mtu} bytes for the way behind it`);

const mtuRow = (network: NetworkModel, hasWindows: boolean): Row => ({
  label: "MTU",
  lines: [
    carriesText(network),
    mtuText("Linux", network.mtus.linux),
    ...(hasWindows ? [mtuText("Windows", network.mtus.windows)] : []),
  ],
});

/** What the stack creates, in words: sections of rows for a plan as text. */
export interface ClusterSection {
  readonly title: string;
  readonly rows: readonly Row[];
}

const machinesText = ({ vmSize, version }: MachinesModel, count: string, system: string): string =>
  `${count} × ${vmSize}, ${system}, ${version}`;

const poolRow = (pool: PoolModel): Row =>
  row(
    pool.name,
    machinesText(pool, countText(pool), systemText(pool)),
    joined(`image ${pool.shortImage}`, zonesText(pool)),
    ...(pool.patches === undefined ? [] : [pool.patches]),
    `${kindText(pool)}: ${computerNames(pool, 2)}`,
    `rolls with ${rolloutText(pool)}`,
    ...detailLines(pool),
  );

function clusterRows(cluster: ClusterModel): Row[] {
  const { name, kubernetesVersion, location, resourceGroup, management } = cluster;
  const { providers } = management;
  const versions = providers.map((each) => `${each.name} ${each.version}`);
  return [
    management.only === true
      ? row("workload cluster", "none: other stacks use the management cluster (management.only)")
      : row(
          "workload cluster",
          `${name}, Kubernetes ${kubernetesVersion}, ${location}, resource group ${resourceGroup}`,
          ...overrideLines(cluster.overrides),
        ),
    managementRow(management),
    row(
      "Cluster API",
      ...(versions.length > 0
        ? [
            joined(...versions),
            "charts and manifests by their version: neither digests nor signatures are verified",
          ]
        : management.stack === undefined
          ? ["installed already, not by this stack"]
          : ["installed by that stack"]),
    ),
    ...sharingRows(cluster),
  ];
}

const controlPlaneRow = (machines: ControlPlaneModel): Row =>
  row(
    "control plane",
    machinesText(machines, String(machines.replicas), "Linux"),
    `image ${machines.shortImage}`,
    `rolls one by one with surge ${machines.maxSurge}`,
    ...detailLines(machines),
  );

const machineRows = ({ controlPlane, pools }: ClusterModel): Row[] => [
  ...(controlPlane === undefined ? [] : [controlPlaneRow(controlPlane)]),
  ...pools.map(poolRow),
];

/** Add-ons of which one gives pods their network, unless the users bring it. */
const isCni = ({ name }: ClusterModel["addons"][number]): boolean => ["calico", "flannel"].includes(name);

/** Calico's IPPool has natOutgoing, and Flannel's ConfigMap EnableSNAT and --ip-masq. */
const onlyInside =
  "only inside of the cluster: elsewhere, packets of pods have the address of their node; pods reach no host outside, such as a DNS server, that has such an address";

function networkRows({ network, addons, pools }: ClusterModel): Row[] {
  const subnets = network.subnets.map(({ name, cidrs }) => `${name} ${cidrs.join(", ")}`);
  return [
    row("VNET", `${network.vnet} ${network.cidrs.join(", ")}`),
    ...(network.byOthers === undefined
      ? []
      : [
          row(
            "made by others",
            `${network.vnetId} with its subnets, routes and security groups (${othersTitle})`,
          ),
        ]),
    row("subnets", joined(...subnets)),
    row("pods", joined(network.podCidrs.join(", "), addons.some(isCni) ? onlyInside : "")),
    mtuRow(
      network,
      pools.some(({ os }) => os === "windows"),
    ),
    ...(addons.some(isCni)
      ? []
      : [row("CNI", "none of this stack: nodes are not ready until yours runs (addons.cni)")]),
    row(
      "services",
      joined(
        network.serviceCidrs.join(", "),
        "only inside of the cluster: machines and pods may reach a Service in place of a host outside that has such an address",
      ),
    ),
    ...outboundRows(network),
    ...firewallRows(network),
    ...peeringRows(network),
    ...bastionRows(network),
    ...egressRows(network.egress),
  ];
}

const reaches = { network: "the VNET and what is peered with it", cluster: "pods of the cluster" } as const;

const sampleReach = ({ reach, allowedCidrs }: SampleModel): string =>
  reach === undefined ? allowedCidrs.join(", ") || everyone : reaches[reach];

function reachRows({ apiServer, management, network, sample, reach }: ClusterModel): Row[] {
  if (management.only === true) {
    return managementReach(management);
  }
  const people = apiServer.allowedCidrs.join(", ");
  return [
    row(
      `API server`,
      apiServer.private === undefined
        ? joined(people, "the management cluster, the nodes")
        : joined(
            people,
            network.byOthers === undefined
              ? "the VNET and what is peered with it"
              : `the management cluster, the nodes; everyone else, too, without deny_in (${othersTitle})`,
          ),
      `at https://${apiServer.host}:${apiServer.port}`,
    ),
    ...privateRows(apiServer, network),
    row(
      "ssh and RDP",
      reachText(network) ??
        (apiServer.private !== undefined
          ? "through Azure Bastion or a jump host of yours"
          : people === ""
            ? "no address: access.allowedCidrs is empty"
            : `${people}, through the control plane`),
      ...bastionOfOthers(network),
    ),
    ...managementReach(management),
    ...(sample === undefined ? [] : [row(`sample ${sample.name}`, sampleReach(sample))]),
    ...reachSummary(reach),
  ];
}

function quotaRows({ quota: { vcpus, unknownSizes, publicAddresses } }: ClusterModel): Row[] {
  return [
    ...vcpus.map(({ family, steady, peak }) =>
      row(
        `vCPUs of ${family}`,
        `${steady} at first, at most ${peak}: autoscalers at their limits, and everything rolling at once`,
      ),
    ),
    ...(unknownSizes.length === 0 ? [] : [row("vCPUs", `unknown for ${unknownSizes.join(", ")}`)]),
    row(
      "public IPv4",
      publicAddresses === 0 ? "no address" : `${publicAddresses} addresses of the Standard SKU`,
    ),
  ];
}

/** "2 RuntimeClass, 4 ValidatingAdmissionPolicy" of what has no version. */
function formatKinds(objects: readonly string[]): string {
  const kinds = objects.map((title) => title.split(" ")[0] ?? "");
  return [...new Set(kinds)]
    .map((kind) => `${kinds.filter((other) => other === kind).length} ${kind}`)
    .join(", ");
}

const addonRows = ({ addons, autoscaler, sample }: ClusterModel): Row[] => [
  ...addons.map(({ name, versions, streams, applyOnce }) => {
    const without = lineWithoutAddon(name);
    const what = versions.join(", ") || formatKinds(streams.flatMap(({ objects }) => objects));
    return row(
      name,
      `${what}${applyOnce === true ? ", applied once" : ""}${without === undefined ? "" : ` (to disable: ${without})`}`,
    );
  }),
  ...(autoscaler === undefined
    ? []
    : [
        row(
          "cluster-autoscaler",
          `${autoscaler}, on the management cluster (to disable: ${lineWithoutAddon("cluster-autoscaler") ?? ""})`,
        ),
      ]),
  ...(sample === undefined ? [] : [row(`sample ${sample.name}`, `${sample.replicas} × ${sample.image}`)]),
  ...(sample?.statefulSet === undefined
    ? []
    : [row(`sample ${sample.statefulSet}`, "a StatefulSet with a disk of Azure")]),
];

const accessRows = ({ nextSteps, apiServer, pools, management }: ClusterModel): Row[] => [
  row("clusters", ...nextSteps.map((command) => ({ command }))),
  ...(management.only === true ? [] : [row("control plane", { command: apiServer.ssh })]),
  ...pools.map(({ name, access: { ssh, rdpTunnel, hybridBenefit } }) =>
    row(
      name,
      ...[ssh, rdpTunnel, hybridBenefit]
        .filter((command) => command !== undefined)
        .map((command) => ({ command })),
    ),
  ),
];

/** Sections of which the picture and the table of pools do not show everything. */
export const furtherSections = (cluster: ClusterModel): ClusterSection[] => [
  { title: "Network", rows: cluster.management.only === true ? [] : networkRows(cluster) },
  { title: othersTitle, rows: othersRows(cluster) },
  { title: "Hosts that machines reach", rows: hostRows(cluster) },
  { title: "Who may reach what", rows: reachRows(cluster) },
  // A stack that makes nothing in a region needs no quota there.
  { title: `Quota in ${cluster.location}`, rows: cluster.location === "" ? [] : quotaRows(cluster) },
  { title: "Add-ons", rows: addonRows(cluster) },
  { title: "Access, once it runs", rows: accessRows(cluster) },
];

export const clusterSections = (cluster: ClusterModel): ClusterSection[] => [
  { title: "Clusters", rows: clusterRows(cluster) },
  { title: "Machines", rows: machineRows(cluster) },
  ...furtherSections(cluster),
];
