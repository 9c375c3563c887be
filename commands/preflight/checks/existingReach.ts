import type { PlanResource } from "capz-windows-contract";
import type { ClusterModel } from "../../../plan/model/cluster/types";
import { cniOf } from "../../../plan/model/cluster/azure";
import { readSubject } from "../../../plan/model/reach/subject";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { covers, parseCidr } from "capz-windows-platform/network/addressing";
import {
  lineText,
  pathProblems,
  pathsOf,
  type PeeredNetwork,
  readRoutes,
  readRules,
  type Subject,
  type Subnet,
  type Topology,
} from "azure-network-paths";
import { at, list, strings, text, textAt } from "capz-windows-kit/untyped";
import { type Arm, ArmError } from "../../azure/arm";
import type { ExistingNetworkNeed, SubnetNeed } from "../existingNetwork";
import { orOk, type Row, rowsOf } from "../row";
import { prefixesOf } from "./found";
import { apiVersion } from "./network";
import { addressesOf } from "./wayOut";

/** Who reaches whom in a VNET of others, by the rules and routes that Azure has. */

/** What Azure says, or nothing where it is not there or may not be read: other checks report that. */
const read = (arm: Arm, id: string): Promise<unknown> =>
  arm.get(id, apiVersion).catch((error: unknown) => {
    if (error instanceof ArmError) {
      return undefined;
    }
    throw error;
  });

/** A subnet with what is attached to it; about what cannot be read, others decide. */
async function subnetOf(arm: Arm, { name, id, cidr }: SubnetNeed): Promise<Subnet> {
  const found = await read(arm, id);
  if (found === undefined) {
    const unread = (what: string) => ({ name: `the ${what} of ${name}` });
    return {
      ...{ name, cidrs: [cidr], group: unread("security group"), table: unread("route table") },
      defaultOutbound: true,
    };
  }
  const attached = (key: string): string => textAt(found, "properties", key, "id");
  const part = async (key: string): Promise<unknown> =>
    attached(key) === "" ? undefined : read(arm, attached(key));
  const [group, table, nat] = await Promise.all([
    part("networkSecurityGroup"),
    part("routeTable"),
    part("natGateway"),
  ]);
  const addresses = nat === undefined ? [] : await addressesOf(arm, nat);
  return {
    name,
    cidrs: prefixesOf(found).filter((prefix) => parseCidr(prefix) !== undefined),
    ...(attached("networkSecurityGroup") !== "" && {
      group: {
        name: lastPart(attached("networkSecurityGroup")),
        ...(group === undefined ? {} : { rules: readRules(at(group, "properties", "securityRules")) }),
      },
    }),
    ...(attached("routeTable") !== "" && {
      table: {
        name: lastPart(attached("routeTable")),
        ...(table === undefined ? {} : { routes: readRoutes(at(table, "properties", "routes")) }),
      },
    }),
    ...(attached("natGateway") !== "" && {
      nat: { name: lastPart(attached("natGateway")), ...(addresses.length === 0 ? {} : { addresses }) },
    }),
    // A gateway may announce a default route, which is not in the table.
    defaultOutbound: true,
  };
}

/** Peerings that are connected; Azure says the ranges of the other side. */
const peeringsOf = (vnet: unknown): PeeredNetwork[] =>
  list(at(vnet, "properties", "virtualNetworkPeerings"))
    .filter((peering) => textAt(peering, "properties", "peeringState") !== "Disconnected")
    .map((peering) => ({
      name: text(peering.name),
      cidrs: strings(at(peering, "properties", "remoteAddressSpace", "addressPrefixes")),
      access: at(peering, "properties", "allowVirtualNetworkAccess") !== false,
      // Azure connects it once both sides are there.
      othersSide: textAt(peering, "properties", "peeringState") === "Initiated",
      gateway: at(peering, "properties", "useRemoteGateways") === true,
      forwarded: at(peering, "properties", "allowForwardedTraffic") !== false,
    }));

async function topologyOf(arm: Arm, { vnetId, subnets }: ExistingNetworkNeed): Promise<Topology | undefined> {
  const vnet = await read(arm, vnetId);
  return vnet === undefined
    ? undefined
    : {
        vnet: lastPart(vnetId),
        cidrs: strings(at(vnet, "properties", "addressSpace", "addressPrefixes")),
        subnets: await Promise.all(subnets.map((subnet) => subnetOf(arm, subnet))),
        peerings: peeringsOf(vnet),
        dnsServers: strings(at(vnet, "properties", "dhcpOptions", "dnsServers")),
      };
}

/** Real rules have no simulated addresses, which a plan gives to what the stack makes. */
const asked = ({ management, ...subject }: Subject): Subject => ({
  ...subject,
  management:
    management.cidrs?.some((cidr) => covers(["0.0.0.0/8"], [cidr])) === true
      ? {
          label: management.label,
          why: "the addresses of the management cluster, which Azure gives when it is made",
        }
      : management,
});

export async function existingReach(
  arm: Arm,
  existing: ExistingNetworkNeed,
  { resources, cluster }: { readonly resources: readonly PlanResource[]; readonly cluster: ClusterModel },
): Promise<Row[]> {
  const topology = await topologyOf(arm, existing);
  if (topology === undefined) {
    return [];
  }
  const paths = pathsOf(asked(readSubject(resources, cluster, cniOf(resources), topology)));
  const problems = pathProblems(paths);
  const as = (state: "open" | "shut"): number =>
    paths.filter((one) => one.state === state && one.wanted === state).length;
  const unknown = paths.filter(({ state }) => state === "unknown");
  const { error, warning, ok } = rowsOf("paths");
  return orOk(
    problems.map(({ path, value, code, problem, allowed, write }) =>
      // Who else gets in is for the owner of the VNET to decide.
      (code === "shut" ? error : warning)(
        problem,
        `${path}${typeof value === "string" ? `: ${value}` : ""}`,
        `allowed: ${allowed}`,
        ...(write === undefined ? [] : [`write: ${write}`]),
      ),
    ),
    ok(
      `${as("open")} open and ${as("shut")} shut as they must be, ${unknown.length} up to others`,
      ...unknown.map(lineText),
    ),
  );
}
