import { ManagementOutbound } from "../../../../platform/azure/managementNetwork";
import { lastPart } from "../../../../platform/azure/resourceParts";
import { roleNames, roleOf } from "../../../../platform/azure/roles";
import { controlPlaneSsh } from "../../../../platform/cluster/access";
import { apiServerHost, apiServerPort } from "../../../../platform/cluster/naming";
import type { Cni } from "../../../../platform/cluster/platform";
import { expectedMtus, vxlanMtu } from "../../../../platform/network/mtu";
import { vnetIdIn } from "../../../../platform/network/outbound";
import { at, list, numberAt, strings, text, textAt } from "../../../../tools/untyped";
import { isWithin } from "../components";
import { byName } from "../order";
import { isRelease } from "../resourceTypes";
import { readBastion, readWayIn } from "./bastion";
import { readOutbound } from "./outbound";
import { readDnsServers, readPeerings, readPrivateLink } from "./peerings";
import { readSubnets } from "./subnets";
import { componentsIn, isOfType, ofType, outputLines } from "./resources";
import type { ClusterSource, PlanResources } from "./resources";
import type {
  ApiServerModel,
  EgressModel,
  IdentityModel,
  ManagementModel,
  NetworkModel,
  NodeRange,
} from "./types";
import { withoutUndefined } from "../../../../tools/without";

/** What a stack makes in Azure around its machines: management cluster, network, identities. */

const providerNames: Readonly<Record<string, string>> = {
  CoreProvider: "Cluster API core",
  BootstrapProvider: "kubeadm bootstrap",
  ControlPlaneProvider: "kubeadm control plane",
  InfrastructureProvider: "CAPZ",
};

/** Of the first node pool, which is the only one that the stack makes. */
function aksNodes(agents: unknown): NodeRange {
  const [min, max] = [numberAt(agents, "minCount"), numberAt(agents, "maxCount")];
  const count = numberAt(agents, "count") ?? 0;
  return { min: min ?? count, max: max ?? min ?? count };
}

/** From the CAPZ that this stack installs, or from the stack that does. */
function syncPeriodField(resources: PlanResources, ofOther?: number): { syncPeriodMinutes?: number } {
  const [capz] = ofType(resources, "InfrastructureProvider");
  const [, own] = /^(\d+)m$/.exec(textAt(capz?.inputs.spec, "manager", "syncPeriod")) ?? [];
  const minutes = own === undefined ? ofOther : Number(own);
  return minutes === undefined ? {} : { syncPeriodMinutes: minutes };
}

/** Where its nodes are; nothing for a VNET of AKS. */
function aksPlace(
  agents: unknown,
  network: unknown,
): Pick<NonNullable<ManagementModel["aks"]>, "zones" | "network"> {
  const [zones, vnetCidr] = [strings(at(agents, "availabilityZones")), textAt(network, "vnetCidr")];
  return {
    ...(zones.length === 0 ? {} : { zones }),
    ...(network !== undefined && {
      network: {
        subnetId: textAt(agents, "vnetSubnetID"),
        ...(vnetCidr === "" ? {} : { vnetCidr }),
        outbound:
          Object.values(ManagementOutbound).find((type) => type === textAt(network, "outbound", "type")) ??
          "loadBalancer",
        egressCidrs: strings(at(network, "outbound", "egressCidrs")),
        ...(at(network, "apiServer", "private") === true && {
          private: {
            zone: textAt(network, "apiServer", "privateDnsZone") || "system",
            publicName: at(network, "apiServer", "publicFqdn") !== false,
          },
        }),
        ...(at(network, "apiServer", "vnetIntegration") === true ? { integrated: true as const } : {}),
      },
    }),
  };
}

export function readManagement({ resources, outputs, others }: ClusterSource): ManagementModel {
  const requirements = outputLines(outputs, "managementNetworkRequirements");
  const [aks] = ofType(resources, "ManagedCluster");
  const [component] = componentsIn(resources, "AksCluster");
  const [agents] = list(aks?.inputs.agentPoolProfiles);
  const [holder] = componentsIn(resources, "ManagementCluster");
  const stack = textAt(holder?.inputs, "stack", "stack");
  const provider = resources.find(
    ({ urn, type }) => type === "pulumi:providers:kubernetes" && isWithin(urn, "ManagementCluster"),
  );
  return {
    // Where the management cluster is not ours, the identifier is the name that the stack file gives it.
    name:
      aks === undefined
        ? (text(provider?.inputs.clusterIdentifier).split("/").at(-1) ?? "")
        : text(aks.inputs.resourceName),
    ...(stack === "" ? {} : { stack }),
    ...(componentsIn(resources, "SharedManagement").length === 0 ? {} : { only: true }),
    ...(others?.clients === undefined ? {} : { clients: others.clients }),
    ...syncPeriodField(resources, others?.syncPeriodMinutes),
    ...(aks !== undefined && {
      aks: {
        kubernetesVersion: text(aks.inputs.kubernetesVersion),
        tier: textAt(aks.inputs, "sku", "tier").toLowerCase(),
        nodes: aksNodes(agents),
        vmSize: text(agents?.vmSize),
        maxSurge: textAt(agents, "upgradeSettings", "maxSurge") || 1,
        // What people asked for: Azure gets the cluster's own address too.
        authorizedCidrs: strings(component?.inputs.authorizedCidrs),
        ...aksPlace(agents, component?.inputs.network),
        ...(at(aks.inputs, "apiServerAccessProfile", "disableRunCommand") === true && {
          runCommand: false as const,
        }),
      },
    }),
    ...(requirements.length === 0 ? {} : { byOthers: requirements }),
    providers: [
      ...resources
        .filter(isRelease)
        .map(({ inputs }) => ({
          name: text(inputs.name),
          version: text(inputs.version),
        }))
        .sort(byName),
      ...Object.entries(providerNames).flatMap(([type, name]) =>
        ofType(resources, type).map(({ inputs }) => ({ name, version: textAt(inputs, "spec", "version") })),
      ),
    ],
  };
}

/** From the args of the control plane, which every pool shares. */
function readEgress(resources: PlanResources): EgressModel | undefined {
  const [controlPlane] = componentsIn(resources, "LinuxControlPlane");
  const egress = controlPlane?.inputs.egress;
  if (egress === undefined) {
    return undefined;
  }
  const [proxy, registryMirror] = [textAt(egress, "proxy", "url"), textAt(egress, "registryMirror", "url")];
  return {
    ...(proxy === "" ? {} : { proxy }),
    ...(registryMirror === "" ? {} : { registryMirror }),
    fallback: at(egress, "registryMirror", "fallback") === true,
    trustedCertificates: strings(at(egress, "trustedCertificates")).length,
  };
}

/** The CNI: a label of the Cluster names Flannel, and only with Calico no script sets the MTU of Linux nodes. */
export function cniOf(resources: PlanResources): Cni {
  const [cluster] = ofType(resources, "Cluster");
  if (textAt(cluster?.inputs, "metadata", "labels", "cni").endsWith("-flannel")) {
    return "flannel";
  }
  return JSON.stringify(ofType(resources, "KubeadmControlPlane")).includes("set-mtu.sh") ? "none" : "calico";
}

export function readNetwork({ resources, outputs }: ClusterSource): NetworkModel {
  const [vnet] = ofType(resources, "VirtualNetwork");
  const [nat] = ofType(resources, "NatGateway");
  const [cluster] = ofType(resources, "Cluster");
  const [azureCluster] = ofType(resources, "AzureCluster");
  const spec = azureCluster?.inputs.spec;
  const pods = at(cluster?.inputs, "spec", "clusterNetwork");
  const mtu = numberAt(outputs, "mtu") ?? 0;
  const named = at(spec, "networkSpec", "vnet");
  const [subscription, group] = [
    textAt(spec, "subscriptionID"),
    text(vnet?.inputs.resourceGroupName ?? at(named, "resourceGroup")),
  ];
  const name = text(vnet?.inputs.virtualNetworkName ?? at(named, "name"));
  const egress = readEgress(resources);
  const outbound = readOutbound(resources);
  const vnetId = vnetIdIn(subscription, group, name);
  const [peerings, dnsServers] = [readPeerings(resources, vnetId), readDnsServers(resources)];
  const managementVnetId = textAt(componentsIn(resources, "ApiServerZone")[0]?.inputs, "managementVnetId");
  const [wayIn, bastion] = [readWayIn({ outputs }), readBastion(resources)];
  return {
    vnet: name,
    vnetId,
    cidrs: strings(at(vnet?.inputs, "addressSpace", "addressPrefixes") ?? at(named, "cidrBlocks")),
    ...(vnet === undefined && name !== "" ? { byOthers: outputLines(outputs, "networkRequirements") } : {}),
    mtu,
    podMtu: numberAt(outputs, "podMtu") ?? vxlanMtu(mtu),
    mtus: expectedMtus(cniOf(resources), mtu),
    podCidrs: strings(at(pods, "pods", "cidrBlocks")),
    serviceCidrs: strings(at(pods, "services", "cidrBlocks")),
    subnets: readSubnets(at(spec, "networkSpec", "subnets"), vnet === undefined),
    ...(nat === undefined ? {} : { natGateway: text(nat.inputs.natGatewayName) }),
    ...withoutUndefined({ outbound, egress }),
    ...(peerings.length === 0 ? {} : { peerings }),
    ...(managementVnetId !== "" &&
      !peerings.some((one) => one.vnetId === managementVnetId) && { managementVnetId }),
    ...(dnsServers.length === 0 ? {} : { dnsServers }),
    ...withoutUndefined({ wayIn, bastion }),
  };
}

function readPrivate(resources: PlanResources, networkSpec: unknown): ApiServerModel["private"] {
  const link = readPrivateLink(resources);
  const ofZone = (type: string) =>
    ofType(resources, type).filter(({ urn }) => isWithin(urn, "ApiServerZone"));
  const balancer = at(networkSpec, "apiServerLB");
  const zoneId = textAt(componentsIn(resources, "ApiServerZone")[0]?.inputs, "zoneId");
  return textAt(balancer, "type") !== "Internal"
    ? undefined
    : {
        ip: textAt(list(at(balancer, "frontendIPs"))[0], "privateIP"),
        zone: textAt(networkSpec, "privateDNSZoneName"),
        record:
          ofZone("PrivateRecordSet").length === 0
            ? "others"
            : ofZone("PrivateZone").length === 0
              ? "zone of others"
              : "zone of the stack",
        ...(zoneId === "" ? {} : { zoneId }),
        links: ofZone("VirtualNetworkLink").map(({ inputs }) =>
          lastPart(textAt(inputs, "virtualNetwork", "id")),
        ),
        ...(link && { link }),
      };
}

/** The security group also lets the management cluster and the nodes reach the API server; only people use ssh. */
export function readApiServer({ resources, outputs }: ClusterSource): ApiServerModel {
  const [azureCluster] = ofType(resources, "AzureCluster");
  const spec = azureCluster?.inputs.spec;
  const [withoutRule] = componentsIn(resources, "ExistingNetwork", "VirtualNetwork").filter(
    (network) => isOfType(network, "ExistingNetwork") || network.inputs.privateSsh === true,
  );
  const rules = ofType(resources, "NetworkSecurityGroup").flatMap(({ inputs }) => list(inputs.securityRules));
  const own = readPrivate(resources, at(spec, "networkSpec"));
  const host =
    azureCluster === undefined
      ? ""
      : apiServerHost({
          clusterName: textAt(azureCluster.inputs, "metadata", "name"),
          subscriptionId: textAt(spec, "subscriptionID"),
          resourceGroup: textAt(spec, "resourceGroup"),
          location: textAt(spec, "location"),
          privateZone: own?.zone,
        });
  return {
    host,
    port: apiServerPort,
    ...(own === undefined ? {} : { private: own }),
    ssh: controlPlaneSsh(host, readWayIn({ outputs })),
    allowedCidrs: withoutRule
      ? strings(withoutRule.inputs.allowedCidrs)
      : rules
          .filter(({ destinationPortRange }) => destinationPortRange === "22")
          .flatMap(({ sourceAddressPrefixes }) => strings(sourceAddressPrefixes)),
  };
}

/** "network contributor" */
function roleName(definitionId: string): string {
  const role = roleOf(definitionId);
  return role === undefined ? lastPart(definitionId) : roleNames[role].toLowerCase();
}

/** "the subscription", "group blue", or the last part of any other ARM id. */
function scopeName(scope: string): string {
  const [kind = "", last = ""] = scope.split("/").slice(-2);
  return kind === "subscriptions" ? "the subscription" : kind === "resourceGroups" ? `group ${last}` : last;
}

export function readIdentities(resources: PlanResources): IdentityModel[] {
  const credentials = ofType(resources, "FederatedIdentityCredential");
  const assignments = ofType(resources, "RoleAssignment");
  return ofType(resources, "UserAssignedIdentity")
    .map(({ urn, inputs }) => {
      const name = text(inputs.resourceName);
      return {
        name,
        serviceAccounts: credentials
          .filter((credential) => credential.inputs.resourceName === name)
          .map((credential) => text(credential.inputs.subject).replace("system:serviceaccount:", ""))
          .sort(),
        // Only Azure knows an identity's principal, but the assignment depends on the identity.
        roles: assignments
          .filter(({ dependencies }) => dependencies.includes(urn))
          .map(
            (assignment) =>
              `${roleName(text(assignment.inputs.roleDefinitionId))} on ${scopeName(text(assignment.inputs.scope))}`,
          )
          .sort(),
      };
    })
    .sort(byName);
}
