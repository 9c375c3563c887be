import type { Facts, FactPlace } from "../config/policy/facts";
import { isAnyone } from "../platform/network/addressing";
import { apiServerPort } from "../platform/cluster/naming";
import { at, isRecord, list, strings, text, textAt } from "../tools/untyped";
import { isKind, notKnown, reach, type Resource } from "./resource";

/** Who reaches the machines of the control plane, and the API server of a management cluster on AKS. */

type Rule = Readonly<Record<string, unknown>>;

/** One value or several, as Azure and CAPZ (v1.27.0, api/v1beta1 SecurityRule) have them. */
const values = (rule: Rule, ...keys: readonly string[]): string[] =>
  keys
    .flatMap((key) => (Array.isArray(rule[key]) ? strings(rule[key]) : [text(rule[key])]))
    .filter((one) => one !== "");

const anyone = "0.0.0.0/0";

/** Azure's words for any address (learn.microsoft.com/azure/virtual-network/service-tags-overview) as a network. */
const networkOf = (source: string): string =>
  ["*", "Internet", "Any", "::/0"].includes(source) ? anyone : source;

const isPort = (range: string, port: number): boolean => {
  const [from = "", to = from] = range.split("-");
  return range === "*" || (Number(from) <= port && port <= Number(to));
};

/** The networks that a rule lets in. */
const openTo = (rule: Rule): string[] =>
  [rule.access, rule.action].every((word) => word === undefined || word === "Allow") &&
  rule.direction === "Inbound" &&
  values(rule, "destinationPortRange", "destinationPortRanges", "destinationPorts").some((range) =>
    range.split(",").some((one) => [22, apiServerPort].some((port) => isPort(one, port))),
  )
    ? values(rule, "sourceAddressPrefix", "sourceAddressPrefixes", "source", "sources").map(networkOf)
    : [];

const placeOf = (urn: string, cidrs: readonly string[]): ReturnType<Facts["access"]> =>
  cidrs.some(isAnyone) ? [{ path: "access.allowedCidrs", urn, cidrs }] : [];

/** The last part of an ARM id, or the name that the program gave. */
const nameOf = ({ props }: Resource, key: string): string =>
  text(props[key]) || text(props.name) || (textAt(props, "id").split("/").at(-1) ?? "");

/** Without its own security group, CAPZ makes one that lets any address reach the API server (azure/scope/cluster.go). */
function ofCluster({ urn, props }: Resource, groups: readonly Resource[]): ReturnType<Facts["access"]> {
  const subnets = list(at(props, "spec", "networkSpec", "subnets"));
  const names = subnets
    .map(({ securityGroup }) => textAt(securityGroup, "name"))
    .filter((name) => name !== "");
  const [controlPlane] = subnets.filter(({ role }) => role === "control-plane");
  const inline = subnets.flatMap(({ securityGroup }) => list(at(securityGroup, "securityRules")));
  const isPrivate = textAt(props, "spec", "networkSpec", "apiServerLB", "type") === "Internal";
  return [
    ...placeOf(urn, [
      ...inline.flatMap(openTo),
      ...(!isPrivate && textAt(controlPlane?.securityGroup, "name") === "" ? [anyone] : []),
    ]),
    ...groups
      .filter((group) => names.includes(nameOf(group, "networkSecurityGroupName")))
      .flatMap((group) => placeOf(group.urn, list(group.props.securityRules).flatMap(openTo))),
  ];
}

/** Others make the rules of an existing VNET. The component has the networks that they let in as an input and as an output. */
const ofExisting = ({ urn, props }: Resource): ReturnType<Facts["access"]> =>
  placeOf(urn, strings(props.allowedCidrs));

export const isAzureCluster = (resource: Resource): boolean =>
  isKind(resource, "infrastructure.cluster.x-k8s.io", "AzureCluster");

/** One place: where the stack lets everybody in. */
export function access(resources: readonly Resource[]): ReturnType<Facts["access"]> {
  const groups = resources.filter(({ type }) => type === "azure-native:network:NetworkSecurityGroup");
  const rules = resources
    .filter(({ type }) => type === "azure-native:network:SecurityRule")
    .flatMap(({ urn, props }) => placeOf(urn, openTo(props)));
  return [
    ...resources.filter(isAzureCluster).flatMap((cluster) => ofCluster(cluster, groups)),
    ...resources.filter(({ type }) => type.endsWith(":ExistingNetwork")).flatMap(ofExisting),
    ...rules,
  ];
}

export const isAks = ({ type }: Resource): boolean => type === "azure-native:containerservice:ManagedCluster";

export const managementClusters = (resources: readonly Resource[]): ReturnType<Facts["managementClusters"]> =>
  resources.filter(isAks).map(({ urn, props }) => {
    const profile = reach(props, "apiServerAccessProfile");
    const ranges = reach(profile, "authorizedIPRanges");
    return {
      ...{ path: "management", urn },
      isPublic:
        ranges !== notKnown &&
        reach(profile, "enablePrivateCluster") !== true &&
        (!Array.isArray(ranges) ||
          ranges.length === 0 ||
          strings(ranges.filter((one) => one !== notKnown))
            .map(networkOf)
            .some(isAnyone)),
      hasEntra: props.aadProfile === notKnown || isRecord(props.aadProfile),
    };
  });

/** The resource group of an Azure resource. */
const groupOf = ({ props }: Resource): string =>
  text(props.resourceGroupName) || (/\/resourceGroups\/([^/]+)/i.exec(textAt(props, "id"))?.[1] ?? "");

/** The clusters, their network and their groups: what is gone with them cannot be made again. */
export function unprotected(resources: readonly Resource[]): FactPlace[] {
  const clusters = resources.filter(isAzureCluster);
  const aks = resources.filter(isAks);
  const groups = [
    ...clusters.flatMap(({ props }) => [
      textAt(props, "spec", "resourceGroup"),
      textAt(props, "spec", "networkSpec", "vnet", "resourceGroup"),
    ]),
    ...aks.map(groupOf),
  ];
  const networks = clusters.map(({ props }) => textAt(props, "spec", "networkSpec", "vnet", "name"));
  const isKept = (resource: Resource): boolean =>
    isAks(resource) ||
    isKind(resource, "cluster.x-k8s.io", "Cluster") ||
    (resource.type === "azure-native:resources:ResourceGroup" &&
      groups.includes(nameOf(resource, "resourceGroupName"))) ||
    (resource.type === "azure-native:network:VirtualNetwork" &&
      networks.includes(nameOf(resource, "virtualNetworkName")));
  return resources
    .filter((resource) => isKept(resource) && !resource.isProtected)
    .map(({ urn }) => ({ path: "protect", urn }));
}
