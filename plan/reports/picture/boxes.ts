import { present } from "capz-windows-kit/present";
import type { ClusterModel, MachinesModel, PoolModel, SubnetModel } from "../../model/cluster/types";
import { countText, kindText, rangeText, systemText, zonesText } from "../clusterText";
import { rangesText } from "../layout";
import { peeringDetails, peeringText, wayInText } from "../networkRows";

/** The picture of a stack as nested boxes: what creates the cluster, and the VNET with its subnets and pools. */
export interface Box {
  readonly tone: "management" | "group" | "network" | "subnet" | "linux" | "windows" | "gateway";
  readonly title: string;
  readonly badge?: string;
  readonly lines: readonly string[];
  readonly boxes?: readonly Box[];
  /** What a change does to it. */
  readonly change?: "new" | "changed" | "removed";
}

export interface Picture {
  readonly management: Box;
  /** Missing where the stack makes only a management cluster. */
  readonly cluster?: Box;
}

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== "").join(" · ");

function machineLines({ vmSize, version, shortImage }: MachinesModel, count: string): string[] {
  // The version of a gallery image is the Kubernetes version.
  const image = shortImage.includes(version.replace(/^v/, "")) ? shortImage : joined(version, shortImage);
  return [`${count} × ${vmSize}`, image];
}

function poolBox(pool: PoolModel): Box {
  const lines = machineLines(pool, countText(pool));
  if (pool.zones.length > 0) {
    lines.push(zonesText(pool));
  }
  return { tone: pool.os, title: pool.name, badge: systemText(pool), lines: [...lines, kindText(pool)] };
}

function managementBox({ management }: ClusterModel): Box {
  const { name, aks, providers } = management;
  const title = `Management cluster ${name}`;
  const versions = providers.map((each) => `${each.name} ${each.version}`);
  const clusterApi = versions.length > 0 ? versions.join(", ") : "Cluster API is installed already";
  if (aks === undefined) {
    return { tone: "management", title, badge: "existing", lines: [clusterApi] };
  }
  const vnet = aks.network?.vnetCidr;
  const network = aks.network && (vnet === undefined ? "in a VNET of others" : `VNET ${vnet}`);
  const machines = `${rangeText(aks.nodes)} × ${aks.vmSize}`;
  const lines = present(`AKS ${aks.kubernetesVersion}, ${aks.tier} tier`, machines, network, clusterApi);
  return { tone: "management", title, badge: "AKS", lines };
}

function subnetBox(role: string, subnet: SubnetModel | undefined, boxes: readonly Box[]): Box {
  const { attached } = subnet ?? {};
  const lines = attached ? [joined("of others", attached.group, attached.table ?? "")] : [];
  return { tone: "subnet", title: subnet?.name ?? role, badge: subnet?.cidrs.join(", ") ?? "", lines, boxes };
}

/** The subnets of pools, each with the pools whose nodes are in it; the first is the one without its own name. */
function nodeSubnetBoxes({ pools, network: { subnets } }: ClusterModel): Box[] {
  const [nodeSubnet, ...own] = subnets.filter(({ role }) => role === "node");
  const isIn = (pool: PoolModel, subnet: SubnetModel): boolean => pool.subnets?.[0] === subnet.name;
  const others = pools.filter((pool) => !own.some((subnet) => isIn(pool, subnet)));
  return [
    subnetBox("node", nodeSubnet, others.map(poolBox)),
    ...own.map((subnet) =>
      subnetBox(subnet.name, subnet, pools.filter((pool) => isIn(pool, subnet)).map(poolBox)),
    ),
  ];
}

function networkBox(cluster: ClusterModel): Box {
  const { network, controlPlane } = cluster;
  const machines: Box[] = [];
  if (controlPlane !== undefined) {
    const lines = machineLines(controlPlane, String(controlPlane.replicas));
    machines.push({ tone: "linux", title: controlPlane.name, badge: "control plane", lines });
  }
  const subnet = network.subnets.find(({ role }) => role === "control-plane");
  return {
    tone: "network",
    title: `VNET ${network.vnet}`,
    badge: network.byOthers === undefined ? `carries ${network.mtu} bytes` : "of others",
    lines: [
      network.cidrs.join(", "),
      `pods ${network.podCidrs.join(", ")} with ${network.podMtu} bytes, services ${network.serviceCidrs.join(", ")}`,
    ],
    boxes: [subnetBox("control-plane", subnet, machines), ...nodeSubnetBoxes(cluster)],
  };
}

/** What is between the VNET and the rest of the world, where there is something. */
function gatewayBoxes({ apiServer, network }: ClusterModel): Box[] {
  const { host, port, allowedCidrs, private: own } = apiServer;
  let allowed = "open to the management cluster and the nodes only";
  if (allowedCidrs.length > 0) {
    allowed = `open to ${rangesText(allowedCidrs, 4)}`;
  } else if (own !== undefined) {
    allowed = `${own.ip}, open to the VNET and what is peered with it`;
  }
  const boxes: Box[] = [{ tone: "gateway", title: "API server", lines: [`${host}:${port}`, allowed] }];
  const { outbound, natGateway, peerings = [] } = network;
  if (outbound !== undefined && outbound.name !== "") {
    const title = `${outbound.what.slice(0, 1).toUpperCase()}${outbound.what.slice(1)}`;
    const badge = outbound.what === "firewall" ? "of others" : "outbound";
    boxes.push({ tone: "gateway", title, badge, lines: [joined(outbound.name, ...outbound.details)] });
  } else if (outbound === undefined && natGateway !== undefined) {
    boxes.push({ tone: "gateway", title: "NAT gateway", badge: "outbound", lines: [natGateway] });
  }
  for (const to of peerings) {
    const lines = [joined(peeringText(to), ...peeringDetails(to))];
    boxes.push({ tone: "gateway", title: `Peering ${to.name}`, lines });
  }
  const wayIn = wayInText(network);
  if (wayIn !== undefined) {
    boxes.push({ tone: "gateway", title: "Way in", badge: "ssh and RDP", lines: [wayIn] });
  }
  return boxes;
}

export function pictureOf(cluster: ClusterModel): Picture {
  const management = managementBox(cluster);
  if (cluster.management.only === true) {
    return { management };
  }
  const title = `Cluster ${cluster.name}`;
  const lines = [joined(`resource group ${cluster.resourceGroup}`, cluster.location)];
  const boxes = [...gatewayBoxes(cluster), networkBox(cluster)];
  return {
    management,
    cluster: { tone: "group", title, badge: cluster.kubernetesVersion, lines, boxes },
  };
}

/** Boxes have the names of what they show. */
const sameBox =
  ({ tone, title }: Box) =>
  (other: Box): boolean =>
    other.tone === tone && other.title === title;

const textsOf = ({ badge, lines }: Box): string => JSON.stringify([badge, lines]);

/** A box after a change, with what is new, changed or removed in it. */
function comparedBox(before: Box, after: Box): Box {
  const { boxes: former = [] } = before;
  const { boxes: current = [] } = after;
  const boxes = current.map((box): Box => {
    const own = former.find(sameBox(box));
    return own === undefined ? { ...box, change: "new" } : comparedBox(own, box);
  });
  for (const box of former) {
    if (!current.some(sameBox(box))) {
      boxes.push({ ...box, change: "removed" });
    }
  }
  const compared = boxes.length === 0 ? after : { ...after, boxes };
  return textsOf(before) === textsOf(after) ? compared : { ...compared, change: "changed" };
}

const isChanged = ({ change, boxes = [] }: Box): boolean => change !== undefined || boxes.some(isChanged);

/** The picture after a change; `undefined` where it shows the same as before. */
export function comparedPicture(before: ClusterModel, after: ClusterModel): Picture | undefined {
  const [former, current] = [pictureOf(before), pictureOf(after)];
  const management = comparedBox(former.management, current.management);
  const cluster =
    former.cluster && current.cluster ? comparedBox(former.cluster, current.cluster) : current.cluster;
  if (!isChanged(management) && (cluster === undefined || !isChanged(cluster))) {
    return undefined;
  }
  return cluster === undefined ? { management } : { management, cluster };
}
