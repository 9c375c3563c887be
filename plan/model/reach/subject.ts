import { address } from "pulumi-plan-engine";
import {
  all,
  open,
  shut,
  type Subject,
  type Target,
  type Topology,
  unknown,
  type Verdict,
} from "azure-network-paths";
import { managementPeering } from "capz-windows-platform/azure/managementNetwork";
import { egressTargets, type EgressTarget } from "capz-windows-platform/company-network/noProxy";
import { covers, parseCidr, privateCidrs } from "capz-windows-platform/network/addressing";
import type { WayIn } from "capz-windows-contract";
import { azureDns } from "capz-windows-platform/company-network/peerings";
import { privateApiServerHost, privateRecord } from "capz-windows-platform/cluster/privateApiServer";
import { at, list, strings, text, textAt } from "capz-windows-kit/untyped";
import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { readPrivateLink } from "../cluster/peerings";
import { componentsIn, ofType, type PlanResources } from "../cluster/resources";
import type { ClusterModel } from "../cluster/types";
import { dataStreams } from "../workloadStreams";
import { clusterVnetId, readTopology, subnetWithId } from "./topology";
import { present } from "capz-windows-kit/present";

/** Who talks to whom in a cluster, from the resources of a plan. */

/** Whether machines of the VNET find the name of a private API server, and by it the load balancer. */
function nameOf(resources: PlanResources, { dnsServers, vnet }: Topology, ip: string): Verdict {
  const spec = ofType(resources, "AzureCluster")[0]?.inputs.spec;
  const zone = textAt(spec, "networkSpec", "privateDNSZoneName");
  const host = privateApiServerHost(zone);
  const vnetId = clusterVnetId(resources);
  const inZone = (type: string) =>
    ofType(resources, type).filter(({ inputs }) => text(inputs.privateZoneName) === zone);
  const record = inZone("PrivateRecordSet").find(
    ({ inputs }) => inputs.relativeRecordSetName === privateRecord,
  );
  const addresses = list(record?.inputs.aRecords).map(({ ipv4Address }) => text(ipv4Address));
  if (record !== undefined && !addresses.includes(ip)) {
    return shut(`the record ${host}, which has ${addresses.join(", ")}`, {
      ...{ path: `record ${host}`, value: addresses.join(", ") },
      ...{ allowed: "the address of the load balancer", write: `aRecords: [{ipv4Address: ${ip}}]` },
    });
  }
  const servers = dnsServers?.filter((server) => server !== azureDns);
  const named = servers === undefined ? `of ${vnet}` : servers.join(", ");
  const ofOthers = [
    ...(named === "" ? [] : [unknown(`the DNS servers ${named}, which must resolve ${host}`)]),
    ...(record === undefined ? [unknown(`the record ${host}, which others make`)] : []),
  ];
  if (ofOthers.length > 0) {
    return all(ofOthers);
  }
  return inZone("VirtualNetworkLink").some(
    ({ inputs }) => textAt(inputs, "virtualNetwork", "id").toLowerCase() === vnetId.toLowerCase(),
  )
    ? open(`the name by the zone ${zone}`)
    : shut(`the zone ${zone}, which is not linked to the VNET`, {
        path: `zone ${zone}`,
        allowed: "a link to the VNET of the cluster",
        write: `a VirtualNetworkLink to ${vnetId}`,
      });
}

/** An internal load balancer drops what it would send back to its sender (bootstrap/ownApiServer.ts). */
function itself(resources: PlanResources): Verdict {
  const zone = textAt(ofType(resources, "AzureCluster")[0]?.inputs.spec, "networkSpec", "privateDNSZoneName");
  const own = `127.0.0.1 ${privateApiServerHost(zone)}' >> /etc/hosts`;
  const config = at(ofType(resources, "KubeadmControlPlane")[0]?.inputs.spec, "kubeadmConfigSpec");
  const missing = ["preKubeadmCommands", "postKubeadmCommands"].filter(
    (key) => !strings(at(config, key)).some((command) => command.includes(own)),
  );
  return missing.length === 0
    ? open("127.0.0.1 in /etc/hosts")
    : shut("the internal load balancer, which sends no machine its own packets", {
        path: `KubeadmControlPlane spec.kubeadmConfigSpec.${missing[0] ?? ""}`,
        allowed: "a command that writes the API server's name with 127.0.0.1 into /etc/hosts",
        write: `echo '${own}`,
      });
}

function managementOf(resources: PlanResources, isInside: boolean): Subject["management"] {
  const label = "management cluster";
  const link = readPrivateLink(resources);
  if (link !== undefined) {
    const name = lastPart(link.id);
    const endpoint =
      link.subnetId === undefined
        ? unknown(`the private endpoint on ${name}, which others make`)
        : open(`the private endpoint in ${lastPart(link.subnetId)}, the private link service ${name}`);
    return { label, endpoint };
  }
  const [holder] = componentsIn(resources, "ManagementCluster");
  const [aks] = ofType(resources, "ManagedCluster");
  const stack = textAt(holder?.inputs, "stack", "stack");
  if (stack !== "") {
    const { peerings } = componentsIn(resources, "VnetPeerings")[0]?.inputs ?? {};
    const cidrs = strings(at(peerings, managementPeering, "addressSpaces"));
    return cidrs.length > 0
      ? { label, cidrs }
      : { label, why: `the stack ${stack}, whose outputs have its addresses` };
  }
  if (aks === undefined) {
    const given = strings(at(holder?.inputs, "existing", "egressCidrs"));
    const cidrs = given.filter((cidr) => !isInside || covers(privateCidrs, [cidr]));
    return cidrs.length === 0
      ? { label, why: "the addresses of the management cluster, which management.egressCidrs does not have" }
      : { label, cidrs };
  }
  const [agents] = list(aks.inputs.agentPoolProfiles);
  const subnet = subnetWithId(resources, text(agents?.vnetSubnetID));
  const balancer = list(
    at(aks.inputs, "networkProfile", "loadBalancerProfile", "outboundIPs", "publicIPs"),
  ).flatMap(({ id }) =>
    ofType(resources, "PublicIPAddress")
      .filter(({ inputs }) => text(id).endsWith(`/${text(inputs.publicIpAddressName)}`))
      .map(({ urn }) => `${address(urn)}/32`),
  );
  const outside = balancer.length > 0 ? balancer : subnet?.nat?.addresses;
  const cidrs = isInside ? subnet?.cidrs : outside;
  return cidrs === undefined || cidrs.length === 0
    ? { label, why: "the addresses of the management cluster, which the plan does not know" }
    : { label, cidrs };
}

/** Where machines go for images and Azure's API, as the control plane is told; every pool shares it. */
function targetsOf(resources: PlanResources): Target[] {
  const egress = componentsIn(resources, "LinuxControlPlane")[0]?.inputs.egress;
  const url = (key: string): string => textAt(egress, key, "url");
  const named = (what: string, target: EgressTarget | undefined): Target =>
    target === undefined ? { label: what, port: 443 } : { ...target, label: `${what} ${target.host}` };
  const proxy =
    url("proxy") === "" ? undefined : { url: url("proxy"), noProxy: strings(at(egress, "proxy", "noProxy")) };
  const mirror = url("registryMirror") === "" ? undefined : { url: url("registryMirror") };
  const targets = egressTargets(proxy, mirror);
  const images = proxy === undefined ? mirror : targets.mirror;
  return present(
    // The address of either may be a secret, of which the plan has a placeholder.
    proxy !== undefined && named("proxy", targets.proxy),
    images !== undefined && named("mirror", targets.mirror),
    proxy === undefined &&
      (mirror === undefined || at(egress, "registryMirror", "fallback") === true) &&
      ({ label: "registries", port: 443, isAnywhere: true } as const),
  );
}

/** The object that keeps pods from the wire server; whether Calico enforces it, only nodes can say (npm run probe). */
function wireserverOf(resources: PlanResources, cni: Subject["cni"]): Verdict {
  const name = "azure-metadata";
  const policies = ofType(resources, "ConfigMap")
    .filter(({ inputs }) => JSON.stringify(inputs.data ?? "").includes(name))
    .flatMap((configMap) => dataStreams(configMap))
    .flatMap(({ objects }) => objects)
    .filter(({ kind, metadata }) => kind === "GlobalNetworkPolicy" && metadata.name.endsWith(name));
  const denies = policies.some((policy) =>
    list(at(policy, "spec", "egress")).some(
      (rule) => rule.action === "Deny" && strings(at(rule, "destination", "nets")).includes(`${azureDns}/32`),
    ),
  );
  const [policy] = policies;
  if (policy !== undefined && denies) {
    return {
      state: "shut",
      by: `GlobalNetworkPolicy ${policy.metadata.name}, which the plan contains and Calico must enforce; pods in the network of their node pass`,
    };
  }
  return cni === "none"
    ? unknown("your CNI, which the plan does not know")
    : open("no policy of the stack, which denies it to pods");
}

function wayInOfOthers(wayIn: WayIn | undefined): Subject["wayIn"] {
  if (wayIn?.kind !== "jump") {
    return wayIn && { label: `Azure Bastion ${wayIn.name}`, what: `the AzureBastionSubnet of ${wayIn.name}` };
  }
  const [, host = ""] = wayIn.login.split("@");
  const address = parseCidr(`${host}/32`) === undefined ? {} : { address: host };
  return { label: `jump host ${host}`, what: `the private address of ${host}`, ...address };
}

export function readSubject(
  resources: PlanResources,
  { apiServer, pools, network: { wayIn } }: Pick<ClusterModel, "apiServer" | "pools" | "network">,
  cni: Subject["cni"],
  topology = readTopology(resources),
): Subject {
  const spec = ofType(resources, "AzureCluster")[0]?.inputs.spec;
  const subnets = list(at(spec, "networkSpec", "subnets"));
  const first = (role: string): string => text(subnets.find((one) => one.role === role)?.name);
  const names = [
    first("control-plane"),
    ...pools.map((pool) => (pool.subnets ?? []).find((name) => name !== "") ?? first("node")),
  ];
  const labels = ["control plane", ...pools.map(({ name }) => name)];
  const ip = apiServer.private?.ip;
  const [network] = componentsIn(resources, "VirtualNetwork", "ExistingNetwork");
  const firewall = textAt(network?.inputs, "firewall", "address");
  return {
    topology: firewall === "" ? topology : { ...topology, firewall },
    machines: [...new Set(names)].map((subnet) => ({
      subnet,
      label: labels.filter((_, index) => names[index] === subnet).join(", "),
    })),
    ...(ip !== undefined && { inside: { name: nameOf(resources, topology, ip), itself: itself(resources) } }),
    management: managementOf(resources, ip !== undefined),
    people: strings(network?.inputs.allowedCidrs),
    privateSsh: network?.inputs.privateSsh === true,
    wayIn: ofType(resources, "BastionHost").length > 0 ? undefined : wayInOfOthers(wayIn),
    targets: targetsOf(resources),
    cni,
    wireserver: wireserverOf(resources, cni),
  };
}
