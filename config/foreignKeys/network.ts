import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";
import { cniOf, identityIdsOf, isOff, networkOfList } from "./values";

/** Keys of networks: CAPZ's networkSpec, networkProfile of AKS, kubernetesConfig of apimodels, plug-ins. */
export const networkKeys: readonly ForeignKey[] = [
  moved(
    "vnetAddressSpace vnetAddressPrefix addressSpace addressPrefix AZURE_VNET_CIDR vnetCidrBlock cidr cidrBlock",
    "the range of the VNET",
    ["network.vnetCidr"],
    { as: networkOfList, within: ["cluster", "azure", "network", "controlPlane"] },
  ),
  moved(
    "clusterSubnet podSubnet podCidrs podCidrBlocks clusterCidr POD_CIDR podNetworkCidr podNetwork pods",
    "the range of the pods",
    ["network.podCidr"],
    { as: networkOfList },
  ),
  moved(
    "services serviceSubnet serviceCidrs serviceCidrBlocks SERVICE_CIDR serviceClusterIpRange serviceNetwork",
    "the range of the services",
    ["network.serviceCidr"],
    { as: networkOfList },
  ),
  moved(
    "AZURE_NODE_SUBNET_CIDR nodeSubnet nodeSubnetPrefix workerSubnetCidr",
    "the subnet of the pools",
    ["network.nodeSubnetCidr"],
    { as: networkOfList },
  ),
  moved(
    "AZURE_CONTROL_PLANE_SUBNET_CIDR controlPlaneSubnet masterSubnet",
    "the subnet of the control plane",
    ["network.controlPlaneSubnetCidr"],
    { as: networkOfList },
  ),
  moved("httpProxy httpsProxy proxyUrl", "the HTTP proxy of the nodes", ["proxy.url"]),
  moved("proxy", "the HTTP proxy of all nodes", ["proxy.url"], {
    as: (value) => (typeof value === "string" ? value : undefined),
    within: ["pool", "controlPlane", "network"],
  }),
  moved("httpProxyConfig proxyConfig", "the HTTP proxy of the nodes", ["proxy"], { as: "translated" }),
  moved(
    "registry registryMirrors mirror mirrors containerRegistry containerRegistries imageRegistry imageRepository privateRegistry",
    "the mirror from which nodes pull images",
    ["registryMirror"],
    { as: "translated" },
  ),
  moved(
    "acr attachAcr acrId acrIds imageCredentialProvider credentialProvider",
    "the Azure container registries from which the nodes pull",
    ["azureContainerRegistries"],
    { as: identityIdsOf },
  ),
  absent(
    "imagePullSecrets",
    "no key gives nodes a password of a registry",
    "azureContainerRegistries for Azure's, imagePullSecrets of pods for others",
  ),
  moved(
    "caCertificates caCertificate trustedCa customCATrustCertificates caBundle trustedCAs",
    "the certificate authorities that nodes trust",
    ["trustedCertificates"],
    { as: (value) => (typeof value === "string" ? [value] : value) },
  ),
  moved("networkMtu MTU", "the MTU", ["network.mtu"]),
  absent(
    "vnet vnetName vnetId AZURE_VNET_NAME AZURE_CUSTOM_VNET_NAME vnetResourceGroup existingVnet byoVnet",
    "the stack makes its VNET, so that routes, security groups and the MTU fit Windows nodes",
    "network.vnetCidr, for its range; peer it with others afterwards",
    { within: ["cluster", "azure", "network"] },
  ),
  absent(
    "existing existingSubnets",
    "nodes cannot join a VNET that exists: the stack makes one, with its subnets, routes and security groups",
    "network.vnetCidr, for its range; peer it with others afterwards",
    { within: ["network"] },
  ),
  absent(
    "vnetSubnetID podSubnetID subnets subnetRole",
    "subnets are named, and made by the stack: one for the control plane, one for all pools, and further ones by name",
    "network.poolSubnets, and subnet of each pool; network.controlPlaneSubnetCidr and network.nodeSubnetCidr",
  ),
  absent(
    "peerings vnetPeerings serviceEndpoints privateEndpoints privateLinkResources privateLink privateDNSZone privateDNSZoneName privateDNSZoneResourceGroup",
    "no key adds peerings, private endpoints or private DNS zones",
    "az network vnet peering create, and the like, beside the stack",
  ),
  moved("networkPlugin cniPlugin cniProvider", "who brings the network of the pods", ["addons.cni"], {
    as: cniOf,
  }),
  moved("cni", "who brings the network of the pods", ["addons.cni"], {
    as: cniOf,
    within: ["cluster", "network"],
  }),
  moved("byocni bringYourOwnCni", "that you bring the CNI", ["addons.cni"], {
    as: (value) => (isOff(value) ? undefined : "none"),
  }),
  absent(
    "networkPluginMode networkMode networkDataplane networkDriver azureCni kubenet overlay",
    "CAPZ has no Azure CNI and no kubenet for Windows nodes (CAPZ issue 3650): they run Calico with VXLAN, or a CNI that you bring",
    "addons.calicoVersion; addons.cni: none, and extraManifests for a CNI of your own (docs/own-cni.md)",
  ),
  absent(
    "calico flannel cilium weave antrea ovn ovnKubernetes wincni",
    "the program installs Calico with VXLAN and nothing else; of others, Antrea has Windows nodes, while Weave, OVN, Cilium, wincni and win-bridge have no way to them in Azure, where routed pod addresses (host-gw) are dropped",
    "addons.calicoVersion; addons.cni: none, and extraManifests for a CNI of your own (docs/own-cni.md); flavor: dockershim for Flannel on Kubernetes 1.22 and 1.23",
  ),
  absent(
    "networkPolicy networkPolicies npm",
    "Calico enforces NetworkPolicies, on Windows too, and this cannot be switched off",
    "a NetworkPolicy in the cluster itself; addons.cni: none, for a CNI of your own",
  ),
  absent(
    "dnsServiceIP clusterDns serviceDomain clusterDomain dnsDomain domain",
    "DNS has the tenth address of the services, and the domain cluster.local",
    "network.serviceCidr, which decides about the address",
  ),
  absent(
    "dnsServers nameservers customDns",
    "machines use the DNS of Azure, in which nodes find each other by name",
    "forwarders in the ConfigMap coredns, for names of your own",
  ),
  absent(
    "dockerBridgeCidr dockerBridgeSubnet",
    "no node has Docker's bridge",
    "network.podCidr, for the addresses of pods",
  ),
  absent(
    "outboundType natGateway natGatewayProfile nodeOutboundLB controlPlaneOutboundLB egress routeTable routeTables securityGroup securityGroups nsg securityRules",
    "nodes leave through a NAT gateway, and security groups allow what the cluster needs; the stack makes both",
    "access.allowedCidrs, for who may come in; proxy, for a proxy on the way out (docs/private-networks.md)",
  ),
  absent(
    "firewall azureFirewall udr userDefinedRouting userDefinedRoutes",
    "nodes leave through the NAT gateway of the stack: no key routes them through a firewall",
    "proxy and registryMirror, for nodes that leave through a proxy (docs/private-networks.md); access.allowedCidrs, for who may come in",
    { within: ["cluster", "azure", "network", "access"] },
  ),
  absent(
    "loadBalancer loadBalancerSku loadBalancerProfile apiServerLB additionalAPIServerLBPorts apiServerPort",
    "the API server has a Standard load balancer with port 6443",
    "access.allowedCidrs, for who may reach it",
  ),
  absent(
    "ipFamilies ipFamily ipv6 dualStack enableIPv6DualStack enableIPForwarding",
    "networks are IPv4 only",
    "network.podCidr and network.serviceCidr",
  ),
  absent(
    "disableOutboundNat disableWindowsOutboundNat outboundNatDisabled windowsOutboundNat",
    "Calico translates outbound connections of Windows pods to the address of their node",
    "no key: this is an option of AKS for its own network plug-in",
  ),
  moved("networkProfile networkSpec clusterNetwork", "the networks", ["network"], { as: "translated" }),
  absent(
    "advancedNetworking staticEgressGatewayProfile",
    "this is a feature of AKS, which clusters of Cluster API do not have",
    "network, for the ranges of the VNET, of pods and of services",
  ),
  absent(
    "cloudProviderConfigOverrides rateLimits backOffs cloudProviderBackoff cloudProviderRateLimit",
    "no key sets limits of the cloud provider: it has its defaults",
    "addons.cloudProviderAzureTag, for its release",
  ),
];
