import { contains, parseCidr } from "../../../domain/network/addressing";
import type { Fact } from "../facts";
import type { Row } from "../row";
import { about, find } from "../row";
import { isAzure } from "../../model/resourceTypes";
import { arrow, listed, said } from "../words";

/** Azure's network and identities. */

const lostWith = ({ kind }: Fact): boolean => kind === "delete" || kind === "replace";

const strings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Does one list of networks hold every network of the other? */
function holds(outer: readonly string[], inner: readonly string[]): boolean {
  const networks = outer.map(parseCidr);
  return inner.every((text) => {
    const cidr = parseCidr(text);
    return cidr !== undefined && networks.some((network) => network !== undefined && contains(network, cidr));
  });
}

const sources = /^securityRules\[[^\]]*\]\.sourceAddressPrefixes$/;
const addressSpace = /^(addressSpace|spec\.networkSpec\.vnet\.cidrBlocks)/;
const subnetPrefix = /^(subnets\[[^\]]*\]\.addressPrefix|spec\.networkSpec\.subnets\[[^\]]*\]\.cidrBlocks)$/;
const network = (path: RegExp) => about(["VirtualNetwork", "AzureCluster"], path);

export const azureRows: readonly Row[] = [
  {
    rule: "resource-group-lost",
    severity: "destroys",
    source: "azure-native 3 provider/pkg/gen/replacement.go; Azure deletes a group with its contents",
    per: "stack",
    match: (fact) => fact.type === "ResourceGroup" && lostWith(fact),
    claims: (fact, groups) =>
      lostWith(fact) &&
      isAzure(fact.resource.type) &&
      groups.some(({ before }) => fact.before?.dependencies.includes(before?.urn ?? "") === true),
    tell: (facts) => {
      const names = [...new Set(facts.map(({ before }) => said(before?.inputs.resourceGroupName)))];
      const [groups, them] =
        names.length === 1 ? ["A resource group is", "it"] : ["Resource groups are", "them"];
      return {
        what: `${groups} deleted with everything in ${them}: ${listed(names)}`,
        why: "name or region changes, or it is no longer in the plan; Azure empties a group that it deletes",
        instead: "leave name and region; for other ones make a second stack",
      };
    },
  },
  {
    rule: "vnet-lost",
    severity: "destroys",
    source: "azure-native 3 provider/pkg/gen/replacement.go (VirtualNetwork: location)",
    per: "resource",
    match: (fact) => fact.type === "VirtualNetwork" && lostWith(fact),
    tell: ([{ resource, kind }]) => ({
      what: `The VNET ${resource.name} is deleted${kind === "replace" ? " and made again" : ""}: every machine of the cluster stands in it`,
      why: "its name or region changes, or it is no longer in the plan; Azure refuses it as long as a machine has an address there",
      instead: "make a second stack, move the workload, and destroy this one",
    }),
  },
  {
    rule: "vnet-address-space",
    severity: "refused",
    source:
      "https://learn.microsoft.com/azure/virtual-network/manage-virtual-network#add-or-remove-an-address-range",
    per: "stack",
    match: network(addressSpace),
    claims: network(subnetPrefix),
    tell: (facts) => {
      const { before, after } = find(facts, addressSpace) ?? {};
      return holds(strings(after), strings(before))
        ? undefined
        : {
            what: `The VNET cannot change its range: ${arrow(before, after)}`,
            why: "machines, load balancer and NAT gateway have addresses of the old range, and Azure takes no range away that is in use",
            instead: "make a second stack with the new network, move the workload, and destroy this one",
          };
    },
  },
  {
    rule: "subnet-range",
    severity: "refused",
    source:
      "https://learn.microsoft.com/azure/virtual-network/virtual-network-manage-subnet#change-subnet-settings",
    per: "stack",
    match: network(subnetPrefix),
    tell: (facts) => ({
      what: `A subnet with machines cannot change its range: ${listed(facts.filter(({ type }) => type === "VirtualNetwork").map(({ property }) => arrow(property?.before, property?.after)))}`,
      why: "Azure answers InUsePrefixCannotBeDeleted; a wider VNET moves the default subnets too",
      instead: "write the present ranges as network.controlPlaneSubnetCidr and network.nodeSubnetCidr",
    }),
  },
  {
    rule: "vnet-grows",
    severity: "changes",
    source:
      "https://learn.microsoft.com/azure/virtual-network/manage-virtual-network#add-or-remove-an-address-range",
    per: "stack",
    match: network(addressSpace),
    tell: (facts) => {
      const { before, after } = find(facts, addressSpace) ?? {};
      return {
        what: `The VNET grows: ${arrow(before, after)}`,
        why: "the old range stays inside the new one; peered networks must sync it",
      };
    },
  },
  {
    rule: "public-address-lost",
    severity: "destroys",
    source:
      "azure-native 3 provider/pkg/gen/replacement.go (PublicIPAddress: location, version, prefix, sku)",
    per: "resource",
    match: (fact) => fact.type === "PublicIPAddress" && lostWith(fact),
    tell: ([{ resource, before, kind }]) => ({
      what: `The public address of ${said(before?.inputs.publicIpAddressName)} (${resource.name}) is lost${kind === "replace" ? ": a new one takes its place" : ""}`,
      why: "Azure gives another address; who lets this one through a firewall must learn the new one",
      instead: "make the new address beside it, tell the others, and remove the old one later",
    }),
  },
  {
    rule: "access",
    severity: "changes",
    source: "project: access.allowedCidrs, management.egressCidrs",
    match: about("NetworkSecurityGroup", /^securityRules\b/),
    tell: (facts) => {
      // People are in both rules; the API server's has addresses that only Azure knows, too.
      const ssh = facts.filter(({ path }) => path.includes("[allow_ssh]"));
      const lists = (ssh.length > 0 ? ssh : facts).flatMap(({ path, property }): [string[], string[]][] => {
        const rule = (value: unknown) =>
          strings((value as { readonly sourceAddressPrefixes?: unknown } | undefined)?.sourceAddressPrefixes);
        return sources.test(path)
          ? [[strings(property?.before), strings(property?.after)]]
          : /^securityRules\[[^\]]*\]$/.test(path)
            ? [[rule(property?.before), rule(property?.after)]]
            : [];
      });
      const added = [
        ...new Set(lists.flatMap(([old, fresh]) => fresh.filter((cidr) => !old.includes(cidr)))),
      ];
      const gone = [...new Set(lists.flatMap(([old, fresh]) => old.filter((cidr) => !fresh.includes(cidr))))];
      const parts = [
        ...(added.length > 0 ? [`${listed(added)} may`] : []),
        ...(gone.length > 0 ? [`${listed(gone)} may no longer`] : []),
      ];
      const rules = [...new Set(facts.map(({ path }) => /\[([^\]]*)\]/.exec(path)?.[1] ?? path))];
      return {
        what: `Who reaches API server and ssh changes (${listed(rules)})${parts.length > 0 ? `: ${parts.join("; ")}` : ""}`,
        why: "the rules of the control plane's security group change in place; connections that stand may last",
        ...(gone.length > 0 ? { instead: "make sure that you do not come from there yourself" } : {}),
      };
    },
  },
  {
    rule: "identity-lost",
    severity: "replaces",
    source: "Azure: a user-assigned identity of the same name is another principal",
    per: "resource",
    match: (fact) => fact.type === "UserAssignedIdentity" && lostWith(fact),
    tell: ([{ resource, kind }]) => ({
      what: `Identity ${resource.name} is deleted${kind === "replace" ? " and made again" : ""}: what uses it has no rights ${kind === "replace" ? "until its roles are assigned anew" : "any more"}`,
      why: "the new one has another client id and principal id, and machines carry the old one until they are replaced",
    }),
  },
  {
    rule: "role-remade",
    severity: "replaces",
    source: "azure-native 3 provider/pkg/gen/replacement.go (RoleAssignment: principalId, scope)",
    per: "stack",
    match: (fact) => fact.type === "RoleAssignment" && lostWith(fact),
    tell: (facts) => ({
      what: `Roles are taken away${facts.some(({ kind }) => kind === "replace") ? " and given again" : ""}: ${listed([...new Set(facts.map(({ resource }) => resource.name))])}`,
      why: "an assignment cannot move; for some minutes its identity has no rights in Azure, and controllers retry",
    }),
  },
  {
    rule: "federation",
    severity: "changes",
    source: "https://learn.microsoft.com/entra/workload-id/workload-identity-federation-considerations",
    per: "stack",
    match: about("FederatedIdentityCredential"),
    tell: (facts) => ({
      what: `CAPZ's trust in the management cluster changes: ${listed([...new Set(facts.map(({ path, kind }) => (path === "" ? kind : path)))])}`,
      why: "service accounts of another issuer or name get no tokens of Azure any more",
    }),
  },
];
