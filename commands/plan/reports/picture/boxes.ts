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
import { present } from "../../../../tools/present";

/** The picture of a stack as nested boxes, which CSS lays out. */

type Tone =
  "management" | "group" | "network" | "subnet" | "linux" | "windows" | "gateway" | "plain" | "step";

export interface Box {
  /** Finds the same box in another picture, among the boxes beside it. */
  readonly id: string;
  readonly tone: Tone;
  readonly title: string;
  readonly badge?: string;
  /** What each line is about → the line, so that the lines of two pictures can be compared. */
  readonly lines: Readonly<Record<string, string>>;
  readonly boxes?: readonly Box[];
}

/** A picture: what creates the cluster, what is created, and the path of a packet through it. */
export interface Picture {
  readonly creators: readonly Box[];
  readonly created: readonly Box[];
  readonly path: readonly Box[];
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" · ");

/** Lines of which there is nothing to say are left out. */
const box = (
  id: string,
  tone: Tone,
  title: string,
  lines: Readonly<Record<string, string | false | undefined>>,
  more: Pick<Box, "badge" | "boxes"> = {},
): Box => ({
  ...{ id, tone, title, ...more },
  lines: Object.fromEntries(
    Object.entries(lines).flatMap(([about, line]) =>
      line === undefined || line === false ? [] : [[about, line]],
    ),
  ),
});

/** A box with one line. */
const single = (id: string, title: string, badge: string, line: string): Box =>
  box(id, "gateway", title, { [id]: line }, { badge });

const machineLines = ({ vmSize, version, shortImage }: MachinesModel, count: string) => ({
  machines: `${count} × ${vmSize}`,
  // The version of a gallery image is the Kubernetes version.
  image: shortImage.includes(version.replace(/^v/, "")) ? shortImage : joined(version, shortImage),
});

const poolBox = (pool: PoolModel): Box =>
  box(
    pool.name,
    pool.os,
    pool.name,
    {
      ...machineLines(pool, countText(pool)),
      zones: pool.zones.length > 0 && zonesText(pool),
      kind: kindText(pool),
      names: computerNames(pool, 2),
      rollout: rolloutText(pool),
    },
    { badge: systemText(pool) },
  );

const identityBox = ({ name, serviceAccounts, roles }: IdentityModel): Box =>
  box(name, "plain", name, {
    serviceAccounts: serviceAccounts.length > 0 && `for ${serviceAccounts.join(", ")}`,
    ...Object.fromEntries(roles.map((role) => [role, role])),
  });

function addonLine({ name, versions, streams }: ClusterModel["addons"][number]): [string, string] {
  const count = streams.flatMap(({ objects }) => objects).length;
  const version = versions.map((each) => ` ${each}`).join("");
  return [name, `${name}${version}: ${count} object${count === 1 ? "" : "s"}`];
}

function managementBox({ management, addons, autoscaler }: ClusterModel): Box {
  const { name, aks, providers } = management;
  const { vnetCidr } = aks?.network ?? {};
  const boxes = present(
    box(
      "cluster-api",
      "plain",
      "Cluster API",
      providers.length > 0
        ? Object.fromEntries(providers.map((each) => [each.name, `${each.name} ${each.version}`]))
        : { installed: "already installed, not by this stack" },
    ),
    autoscaler !== undefined && box("autoscaler", "plain", "Cluster autoscaler", { version: autoscaler }),
    addons.length > 0 &&
      box("addons", "plain", "Add-ons, as ClusterResourceSets", Object.fromEntries(addons.map(addonLine))),
  );
  return box(
    "management",
    "management",
    `Management cluster ${name}`,
    {
      version: aks && `AKS ${aks.kubernetesVersion}, ${aks.tier} tier`,
      nodes: aks && `${rangeText(aks.nodes)} × ${aks.vmSize}`,
      network: aks?.network && (vnetCidr === undefined ? "in a VNET of others" : `VNET ${vnetCidr}`),
    },
    { badge: aks === undefined ? "existing" : "AKS", boxes },
  );
}

/** Names of networks that fit into a line. */
const mostNetworks = 4;

function entryBox({ apiServer: { host, port, allowedCidrs, private: own } }: ClusterModel): Box {
  const more = allowedCidrs.length - mostNetworks;
  const allowed =
    allowedCidrs.length > 0
      ? `open to ${allowedCidrs.slice(0, mostNetworks).join(", ")}${more > 0 ? ` and ${more} more` : ""}`
      : own === undefined
        ? "open to the management cluster and the nodes only"
        : `${own.ip}, open to the VNET and what is peered with it`;
  const lines = { host: `${host}:${port}`, allowed };
  return box("api-server", "gateway", "API server", lines, { badge: "load balancer" });
}

function subnetBox(id: string, role: string, subnet: SubnetModel | undefined, boxes: readonly Box[]): Box {
  const { attached } = subnet ?? {};
  return box(
    id,
    "subnet",
    subnet?.name ?? role,
    { others: attached && joined("of others", attached.group, attached.table ?? "") },
    { badge: subnet?.cidrs.join(", ") ?? "", boxes },
  );
}

/** The subnets of pools, each with the pools whose nodes are in it; the first is the one without its own name. */
function nodeSubnetBoxes({ pools, network: { subnets } }: ClusterModel): Box[] {
  const [nodeSubnet, ...own] = subnets.filter(({ role }) => role === "node");
  const inOwn = own.map((subnet) => ({
    subnet,
    pools: pools.filter(({ subnets: of = [] }) => of[0] === subnet.name),
  }));
  const others = pools.filter((pool) => !inOwn.some((each) => each.pools.includes(pool)));
  return [
    subnetBox("node", "node", nodeSubnet, others.map(poolBox)),
    ...inOwn.map(({ subnet, pools: inside }) =>
      subnetBox(`subnet-${subnet.name}`, subnet.name, subnet, inside.map(poolBox)),
    ),
  ];
}

function networkBox(cluster: ClusterModel): Box {
  const { network, controlPlane } = cluster;
  const machines =
    controlPlane === undefined
      ? []
      : [
          box(
            "control-plane",
            "linux",
            controlPlane.name,
            machineLines(controlPlane, String(controlPlane.replicas)),
            { badge: "control plane" },
          ),
        ];
  const subnet = network.subnets.find(({ role }) => role === "control-plane");
  return box(
    "vnet",
    "network",
    `VNET ${network.vnet}`,
    {
      cidrs: network.cidrs.join(", "),
      pods: `pods ${network.podCidrs.join(", ")}`,
      services: `services ${network.serviceCidrs.join(", ")}`,
      dns: network.dnsServers && `DNS ${network.dnsServers.join(", ")}`,
    },
    {
      badge: network.byOthers === undefined ? `carries ${network.mtu} bytes` : "of others",
      boxes: [subnetBox("control-plane", "control-plane", subnet, machines), ...nodeSubnetBoxes(cluster)],
    },
  );
}

/** What is between the VNET and the Internet, where there is something. */
function wayOutBoxes({ natGateway, outbound }: ClusterModel["network"]): Box[] {
  if (outbound === undefined) {
    return natGateway === undefined ? [] : [single("nat", "NAT gateway", "outbound", natGateway)];
  }
  const { what, name, details } = outbound;
  const title = `${what.slice(0, 1).toUpperCase()}${what.slice(1)}`;
  const badge = what === "firewall" ? "of others" : "outbound";
  return name === "" ? [] : [single("nat", title, badge, joined(name, ...details))];
}

/** Everything in the resource group of the workload cluster. */
function workloadBox(cluster: ClusterModel): Box {
  const { network, sample } = cluster;
  const way = wayInText(network);
  return box(
    "cluster",
    "group",
    `Cluster ${cluster.name}`,
    { group: joined(`resource group ${cluster.resourceGroup}`, cluster.location) },
    {
      badge: cluster.kubernetesVersion,
      boxes: present(
        entryBox(cluster),
        ...wayOutBoxes(network),
        ...(network.peerings ?? []).map((to) =>
          single(
            `peering-${to.name}`,
            `Peering ${to.name}`,
            "VNET",
            joined(peeringText(to), ...peeringDetails(to)),
          ),
        ),
        way !== undefined && single("way-in", "Way in", "ssh and RDP", way),
        sample !== undefined &&
          single("sample", `Sample ${sample.name}`, "workload", `${sample.replicas} × ${sample.image}`),
        networkBox(cluster),
      ),
    },
  );
}

/** The path of a packet from pod to pod, with the largest packet that each part carries, in bytes. */
function pathBoxes({ network: { mtu, podMtu, mtus }, pools }: ClusterModel): Box[] {
  const windows = pools.some(({ os }) => os === "windows");
  const sender = windows ? mtus.windows : mtus.linux;
  const step = (id: string, title: string, bytes: number, what: string): Box =>
    box(id, "step", title, { what }, { badge: String(bytes) });
  return [
    step("from", windows ? "Windows pod" : "Pod", sender.pod.bytes, `by ${sender.pod.from}`),
    step("vxlan", "VXLAN", podMtu, `its headers take ${mtu - podMtu} bytes`),
    step("sender", "Node", sender.host.bytes, `by ${sender.host.from}`),
    step("vnet", "VNET", mtu, "fragments larger packets"),
    step("receiver", "Node", mtus.linux.host.bytes, `by ${mtus.linux.host.from}`),
    step("to", "Linux pod", mtus.linux.pod.bytes, `by ${mtus.linux.pod.from}`),
  ];
}

export function pictureOf(cluster: ClusterModel): Picture {
  const identities = cluster.identities.map(identityBox);
  // A stack that makes only a management cluster has no other one.
  const isWorkload = cluster.management.only !== true;
  return {
    creators: present(
      managementBox(cluster),
      identities.length > 0 && box("identities", "group", "Managed identities", {}, { boxes: identities }),
    ),
    created: isWorkload ? [workloadBox(cluster)] : [],
    path: isWorkload ? pathBoxes(cluster) : [],
  };
}
