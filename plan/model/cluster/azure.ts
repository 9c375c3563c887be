import { ManagementOutbound } from "capz-windows-platform/azure/managementNetwork";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { controlPlaneSsh } from "capz-windows-platform/cluster/access";
import { apiServerHost, apiServerPort } from "capz-windows-platform/cluster/naming";
import type { Cni } from "capz-windows-platform/cluster/platform";
import { tokenLifeArgument, tokenLifeOf } from "capz-windows-platform/machines/bootstrapTokens";
import { expectedMtus, vxlanMtu } from "capz-windows-platform/network/mtu";
import { vnetIdIn } from "capz-windows-platform/company-network/outbound";
import { at, list, numberAt, strings, text, textAt } from "capz-windows-kit/untyped";
import { isWithin } from "../components";
import { byName } from "../order";
import { isRelease } from "../resourceTypes";
import { readOutbound } from "./outbound";
import { readDnsServers, readPeerings, readPrivateLink } from "./peerings";
import { componentsIn, isOfType, linesIn, ofType } from "./resources";
import { parseUrn } from "../urn";
import type { ClusterSource, PlanResources } from "./resources";
import type { NodeRange } from "./plainTypes";
import { withoutUndefined } from "capz-windows-kit/without";

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

/** From the bootstrap provider that this stack installs, from the stack that does, or as the stack file says it. */
function tokenField(resources: PlanResources, ofOther?: number): { bootstrapTtlMinutes?: number } {
  const [provider] = ofType(resources, "BootstrapProvider");
  const args = list(at(provider?.inputs.spec, "deployment", "containers")).map((container) =>
    textAt(container, "args", tokenLifeArgument),
  );
  const [component] = componentsIn(resources, "ClusterApi");
  const minutes =
    tokenLifeOf(args.map((life) => `${tokenLifeArgument}=${life}`)) ??
    numberAt(component?.inputs, "bootstrapTtlMinutes") ??
    ofOther;
  return minutes === undefined ? {} : { bootstrapTtlMinutes: minutes };
}

/** Where its nodes are; nothing for a VNET of AKS. */
function aksPlace(agents: unknown, network: unknown) {
  const [zones, vnetCidr] = [strings(at(agents, "availabilityZones")), textAt(network, "vnetCidr")];
  return {
    /** Of the nodes; none where AKS does not spread them. */
    ...(zones.length === 0 ? {} : { zones }),
    ...(network !== undefined && {
      network: {
        /** ARM ID of the subnet of the nodes. */
        subnetId: textAt(agents, "vnetSubnetID"),
        /** Of the VNET that the stack makes. */
        ...(vnetCidr === "" ? {} : { vnetCidr }),
        outbound:
          Object.values(ManagementOutbound).find((type) => type === textAt(network, "outbound", "type")) ??
          "loadBalancer",
        egressCidrs: strings(at(network, "outbound", "egressCidrs")),
        /** Where its API server has a private address only: its zone, and whether a public name leads there. */
        ...(at(network, "apiServer", "private") === true && {
          private: {
            zone: textAt(network, "apiServer", "privateDnsZone") || "system",
            publicName: at(network, "apiServer", "publicFqdn") !== false,
          },
        }),
        /** Whether its API server is in a subnet of the VNET. */
        ...(at(network, "apiServer", "vnetIntegration") === true ? { integrated: true as const } : {}),
      },
    }),
  };
}

/** The cluster that Cluster API runs in. */
export function readManagement({ resources, outputs, others }: ClusterSource) {
  const requirements = linesIn(outputs.managementNetworkRequirements);
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
    /** Fully qualified name of the stack that makes it, where that is another one. */
    ...(stack === "" ? {} : { stack }),
    /** Where this stack makes it for other stacks, and no workload cluster. */
    ...(componentsIn(resources, "SharedManagement").length === 0 ? {} : { only: true as const }),
    /** Names of the stacks that use it, where this one makes it for others: those with a file beside this one's. */
    ...(others?.clients === undefined ? {} : { clients: others.clients }),
    /** Minutes of a round of CAPZ (its --sync-period), where a plan knows it. */
    ...syncPeriodField(resources, others?.syncPeriodMinutes),
    /** Minutes that a bootstrap token lives, where a plan knows it. */
    ...tokenField(resources, others?.bootstrapTtlMinutes),
    /** Where this stack makes it as an AKS cluster. */
    ...(aks !== undefined && {
      aks: {
        kubernetesVersion: text(aks.inputs.kubernetesVersion),
        /** "free", "standard" or "premium". */
        tier: textAt(aks.inputs, "sku", "tier").toLowerCase(),
        /** Of the system pool. */
        nodes: aksNodes(agents),
        vmSize: text(agents?.vmSize),
        /** Machines beyond the wanted number while nodes are replaced: 1, "33%". */
        maxSurge: textAt(agents, "upgradeSettings", "maxSurge") || 1,
        /** Networks that people asked for; none means from anywhere. Azure gets the cluster's own address too. */
        authorizedCidrs: strings(component?.inputs.authorizedCidrs),
        ...aksPlace(agents, component?.inputs.network),
        /** Where `az aks command invoke` is not possible. */
        ...(at(aks.inputs, "apiServerAccessProfile", "disableRunCommand") === true && {
          runCommand: false as const,
        }),
      },
    }),
    /** Where it is in a subnet of others: what must exist there, one a line. */
    ...(requirements.length === 0 ? {} : { byOthers: requirements }),
    /** Cluster API and the charts it needs, where this stack installs them. */
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

/** How nodes reach registries and the Internet, from the args of the control plane, which every pool shares. */
function readEgress(resources: PlanResources) {
  const [controlPlane] = componentsIn(resources, "LinuxControlPlane");
  const egress = controlPlane?.inputs.egress;
  if (egress === undefined) {
    return undefined;
  }
  const [proxy, registryMirror] = [textAt(egress, "proxy", "url"), textAt(egress, "registryMirror", "url")];
  return {
    /** http://HOST:PORT and https://HOST/PATH */
    ...(proxy === "" ? {} : { proxy }),
    ...(registryMirror === "" ? {} : { registryMirror }),
    /** Whether registries are asked for what the mirror does not have. */
    fallback: at(egress, "registryMirror", "fallback") === true,
    /** Certificate authorities of the user's own that nodes trust. */
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

/** An Azure Bastion of the stack: its name, the range of its subnet, and networks from which people come to it. */
function readBastion(resources: PlanResources) {
  const [host] = ofType(resources, "BastionHost");
  const subnet = componentsIn(resources, "VirtualNetwork")[0]?.inputs.bastion;
  return (
    host && {
      name: text(host.inputs.bastionHostName),
      cidr: textAt(subnet, "cidr"),
      zones: strings(host.inputs.zones),
      allowedCidrs: strings(at(subnet, "allowedCidrs")),
    }
  );
}

/** Of AzureCluster, which names what is attached to the subnets of others. */
const readSubnets = (subnets: unknown, ofOthers: boolean) =>
  list(subnets).map((subnet) => {
    const table = textAt(subnet, "routeTable", "name");
    return {
      name: text(subnet.name),
      cidrs: strings(subnet.cidrBlocks),
      role: subnet.role === "control-plane" ? ("control-plane" as const) : ("node" as const),
      /** In a VNET of others: names of the security group and of the route table. */
      ...(ofOthers && {
        attached: {
          group: textAt(subnet, "securityGroup", "name"),
          ...(table === "" ? {} : { table }),
        },
      }),
    };
  });

export function readNetwork({ resources, outputs }: ClusterSource) {
  const [vnet] = ofType(resources, "VirtualNetwork");
  const [nat] = ofType(resources, "NatGateway");
  const [cluster] = ofType(resources, "Cluster");
  const [azureCluster] = ofType(resources, "AzureCluster");
  const spec = azureCluster?.inputs.spec;
  const pods = at(cluster?.inputs, "spec", "clusterNetwork");
  const { mtu = 0, podMtu = vxlanMtu(mtu), wayIn } = outputs;
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
  const bastion = readBastion(resources);
  return {
    vnet: name,
    vnetId,
    cidrs: strings(at(vnet?.inputs, "addressSpace", "addressPrefixes") ?? at(named, "cidrBlocks")),
    /** A VNET of others: what must exist in it, one a line. */
    ...(vnet === undefined && name !== "" ? { byOthers: linesIn(outputs.networkRequirements) } : {}),
    /** Bytes; `podMtu` those inside the overlay network of the pods. */
    mtu,
    podMtu,
    /** Which MTU holds where, and what sets it. */
    mtus: expectedMtus(cniOf(resources), mtu),
    podCidrs: strings(at(pods, "pods", "cidrBlocks")),
    serviceCidrs: strings(at(pods, "services", "cidrBlocks")),
    subnets: readSubnets(at(spec, "networkSpec", "subnets"), vnet === undefined),
    /** Name of the stack's own; missing where nothing of the stack translates addresses on the way out. */
    ...(nat === undefined ? {} : { natGateway: text(nat.inputs.natGatewayName) }),
    /** The way out that the stack file chooses (network.outbound), in words; missing where it chooses none. */
    ...withoutUndefined({ outbound, egress }),
    ...(peerings.length === 0 ? {} : { peerings }),
    /** ARM ID of the VNET of the management cluster, where its stack names it and others peer it (management.peering). */
    ...(managementVnetId !== "" &&
      !peerings.some((one) => one.vnetId === managementVnetId) && { managementVnetId }),
    /** Missing where the VNET has those of Azure. */
    ...(dnsServers.length === 0 ? {} : { dnsServers }),
    /** How people reach machines without a public port; missing where that is by the control plane. And a Bastion of the stack. */
    ...withoutUndefined({ wayIn, bastion }),
  };
}

function recordBy(hasRecord: boolean, hasZone: boolean) {
  if (!hasRecord) {
    return "others" as const;
  }
  return hasZone ? ("zone of the stack" as const) : ("zone of others" as const);
}

/** A private API server, and how its name is resolved. */
function readPrivate(resources: PlanResources, networkSpec: unknown) {
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
        /** Whether the plan has the record, and in whose zone; "others" is by hand. */
        record: recordBy(ofZone("PrivateRecordSet").length > 0, ofZone("PrivateZone").length > 0),
        /** ARM ID of a zone of others. */
        ...(zoneId === "" ? {} : { zoneId }),
        /** Names of the VNETs in which the name resolves; none where others make the record. */
        links: ofZone("VirtualNetworkLink").map(({ inputs }) =>
          lastPart(textAt(inputs, "virtualNetwork", "id")),
        ),
        ...(link && { link }),
      };
}

/** The security group also lets the management cluster and the nodes reach the API server; only people use ssh. */
export function readApiServer({ resources, outputs }: ClusterSource) {
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
    /** Where it has no public address. */
    ...(own === undefined ? {} : { private: own }),
    /** Log in to the control plane, the jump host for all nodes. */
    ssh: controlPlaneSsh(host, {
      stack: azureCluster === undefined ? "STACK" : parseUrn(azureCluster.urn).stack,
      wayIn: outputs.wayIn,
    }),
    /** Networks that people may come from. */
    allowedCidrs: withoutRule
      ? strings(withoutRule.inputs.allowedCidrs)
      : rules
          .filter(({ destinationPortRange }) => destinationPortRange === "22")
          .flatMap(({ sourceAddressPrefixes }) => strings(sourceAddressPrefixes)),
  };
}
