import type {
  ClusterModel,
  SubnetModel,
  IdentityModel,
  MachinesModel,
  PoolModel,
} from "../../model/cluster/types";
import {
  computerNames,
  countText,
  kindText,
  rangeText,
  rolloutText,
  systemText,
  zonesText,
} from "../clusterText";
import { peeringDetails, peeringText, wayInText } from "../networkRows";
import type { Box } from "./box";
import { pathBoxes } from "./packetPath";

/** The picture of a stack as nested boxes, which CSS lays out. */

/** A picture: what creates the cluster, what is created, and the path of a packet through it. */
export interface Picture {
  readonly creators: readonly Box[];
  readonly created: readonly Box[];
  readonly path: readonly Box[];
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" · ");

const machineLines = ({ vmSize, version, shortImage }: MachinesModel, count: string) => ({
  machines: `${count} × ${vmSize}`,
  // The version of a gallery image is the Kubernetes version.
  image: shortImage.includes(version.replace(/^v/, "")) ? shortImage : joined(version, shortImage),
});

const poolBox = (pool: PoolModel): Box => ({
  id: pool.name,
  tone: pool.os,
  title: pool.name,
  badge: systemText(pool),
  lines: {
    ...machineLines(pool, countText(pool)),
    ...(pool.zones.length > 0 ? { zones: zonesText(pool) } : {}),
    kind: kindText(pool),
    names: computerNames(pool, 2),
    rollout: rolloutText(pool),
  },
});

const identityBox = ({ name, serviceAccounts, roles }: IdentityModel): Box => ({
  id: name,
  tone: "plain",
  title: name,
  lines: {
    ...(serviceAccounts.length > 0 ? { serviceAccounts: `for ${serviceAccounts.join(", ")}` } : {}),
    ...Object.fromEntries(roles.map((role) => [role, role])),
  },
});

const managementBox = ({ management: { name, aks, providers }, addons, autoscaler }: ClusterModel): Box => ({
  id: "management",
  tone: "management",
  title: `Management cluster ${name}`,
  badge: aks === undefined ? "existing" : "AKS",
  lines:
    aks === undefined
      ? {}
      : {
          version: `AKS ${aks.kubernetesVersion}, ${aks.tier} tier`,
          nodes: `${rangeText(aks.nodes)} × ${aks.vmSize}`,
          ...(aks.network === undefined
            ? {}
            : {
                network:
                  aks.network.vnetCidr === undefined ? "in a VNET of others" : `VNET ${aks.network.vnetCidr}`,
              }),
        },
  boxes: [
    {
      id: "cluster-api",
      tone: "plain",
      title: "Cluster API",
      lines:
        providers.length > 0
          ? Object.fromEntries(providers.map((each) => [each.name, `${each.name} ${each.version}`]))
          : { installed: "already installed, not by this stack" },
    },
    ...(autoscaler === undefined
      ? []
      : [
          {
            id: "autoscaler",
            tone: "plain" as const,
            title: "Cluster autoscaler",
            lines: { version: autoscaler },
          },
        ]),
    ...(addons.length === 0
      ? []
      : [
          {
            id: "addons",
            tone: "plain" as const,
            title: "Add-ons, as ClusterResourceSets",
            lines: Object.fromEntries(
              addons.map((addon) => {
                const count = addon.streams.flatMap(({ objects }) => objects).length;
                const version = addon.versions.map((each) => ` ${each}`).join("");
                return [addon.name, `${addon.name}${version}: ${count} object${count === 1 ? "" : "s"}`];
              }),
            ),
          },
        ]),
  ],
});

/** Names of networks that fit into a line. */
const mostNetworks = 4;

function entryBox({ apiServer: { host, port, allowedCidrs, private: own } }: ClusterModel): Box {
  const more = allowedCidrs.length - mostNetworks;
  return {
    id: "api-server",
    tone: "gateway",
    title: "API server",
    badge: "load balancer",
    lines: {
      host: `${host}:${port}`,
      allowed:
        allowedCidrs.length === 0
          ? own === undefined
            ? "open to the management cluster and the nodes only"
            : `${own.ip}, open to the VNET and what is peered with it`
          : `open to ${allowedCidrs.slice(0, mostNetworks).join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
    },
  };
}

function subnetBox({ network }: ClusterModel, role: "control-plane" | "node", boxes: readonly Box[]): Box {
  const subnet = network.subnets.find((candidate) => candidate.role === role);
  return boxOf(role, role, subnet, boxes);
}

/** The subnets of pools, each with the pools whose nodes are in it; the first is the one without its own name. */
function nodeSubnetBoxes(cluster: ClusterModel): Box[] {
  const { pools } = cluster;
  const [nodeSubnet, ...own] = cluster.network.subnets.filter(({ role }) => role === "node");
  const inOwn = own.map((subnet) => ({
    subnet,
    pools: pools.filter(({ subnets = [] }) => subnets[0] === subnet.name),
  }));
  const others = pools.filter((pool) => !inOwn.some((each) => each.pools.includes(pool)));
  return [
    boxOf("node", "node", nodeSubnet, others.map(poolBox)),
    ...inOwn.map((each) =>
      boxOf(`subnet-${each.subnet.name}`, each.subnet.name, each.subnet, each.pools.map(poolBox)),
    ),
  ];
}

function boxOf(id: string, role: string, subnet: SubnetModel | undefined, boxes: readonly Box[]): Box {
  return {
    id,
    tone: "subnet",
    title: subnet?.name ?? role,
    badge: subnet?.cidrs.join(", ") ?? "",
    lines:
      subnet?.attached === undefined
        ? {}
        : { others: joined("of others", subnet.attached.group, subnet.attached.table ?? "") },
    boxes,
  };
}

function networkBox(cluster: ClusterModel): Box {
  const { network, controlPlane } = cluster;
  const machines: Box[] =
    controlPlane === undefined
      ? []
      : [
          {
            id: "control-plane",
            tone: "linux",
            title: controlPlane.name,
            badge: "control plane",
            lines: machineLines(controlPlane, String(controlPlane.replicas)),
          },
        ];
  return {
    id: "vnet",
    tone: "network",
    title: `VNET ${network.vnet}`,
    badge: network.byOthers === undefined ? `carries ${network.mtu} bytes` : "of others",
    lines: {
      cidrs: network.cidrs.join(", "),
      pods: `pods ${network.podCidrs.join(", ")}`,
      services: `services ${network.serviceCidrs.join(", ")}`,
      ...(network.dnsServers === undefined ? {} : { dns: `DNS ${network.dnsServers.join(", ")}` }),
    },
    boxes: [subnetBox(cluster, "control-plane", machines), ...nodeSubnetBoxes(cluster)],
  };
}

type Single = (id: string, title: string, badge: string, line: string) => Box[];

/** What is between the VNET and the Internet, where there is something. */
function wayOutBoxes({ natGateway, outbound }: ClusterModel["network"], single: Single): Box[] {
  return outbound === undefined
    ? natGateway === undefined
      ? []
      : single("nat", "NAT gateway", "outbound", natGateway)
    : outbound.name === ""
      ? []
      : single(
          "nat",
          `${outbound.what.slice(0, 1).toUpperCase()}${outbound.what.slice(1)}`,
          outbound.what === "firewall" ? "of others" : "outbound",
          joined(outbound.name, ...outbound.details),
        );
}

/** Everything in the resource group of the workload cluster. */
function workloadBox(cluster: ClusterModel): Box {
  const { network, sample } = cluster;
  const single: Single = (id, title, badge, line) => [
    { id, tone: "gateway", title, badge, lines: { [id]: line } },
  ];
  return {
    id: "cluster",
    tone: "group",
    title: `Cluster ${cluster.name}`,
    badge: cluster.kubernetesVersion,
    lines: { group: joined(`resource group ${cluster.resourceGroup}`, cluster.location) },
    boxes: [
      entryBox(cluster),
      ...wayOutBoxes(network, single),
      ...(network.peerings ?? []).flatMap((to) => {
        const line = joined(peeringText(to), ...peeringDetails(to));
        return single(`peering-${to.name}`, `Peering ${to.name}`, "VNET", line);
      }),
      ...[wayInText(network) ?? []].flat().flatMap((way) => single("way-in", "Way in", "ssh and RDP", way)),
      ...(sample === undefined
        ? []
        : single("sample", `Sample ${sample.name}`, "workload", `${sample.replicas} × ${sample.image}`)),
      networkBox(cluster),
    ],
  };
}

export const pictureOf = (cluster: ClusterModel): Picture => ({
  creators: [
    managementBox(cluster),
    ...(cluster.identities.length === 0
      ? []
      : [
          {
            id: "identities",
            tone: "group" as const,
            title: "Managed identities",
            lines: {},
            boxes: cluster.identities.map(identityBox),
          },
        ]),
  ],
  // A stack that makes only a management cluster has no other one.
  created: cluster.management.only === true ? [] : [workloadBox(cluster)],
  path: cluster.management.only === true ? [] : pathBoxes(cluster),
});
