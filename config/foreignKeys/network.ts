/** Keys of networks and add-ons: CAPZ's networkSpec, networkProfile of AKS, kubernetesConfig of apimodels, plug-ins. */
export const networkKeys = `
cluster azure network controlPlane: vnetAddressSpace vnetAddressPrefix addressSpace addressPrefix AZURE_VNET_CIDR cidr cidrBlock
  = network.vnetCidr, the range of the VNET {networkOfList}
clusterSubnet podSubnet podCidrs podCidrBlocks clusterCidr POD_CIDR podNetworkCidr podNetwork pods
  = network.podCidr, the range of the pods {networkOfList}
services serviceSubnet serviceCidrs serviceCidrBlocks SERVICE_CIDR serviceClusterIpRange serviceNetwork
  = network.serviceCidr, the range of the services {networkOfList}
AZURE_NODE_SUBNET_CIDR nodeSubnet
  = network.nodeSubnetCidr, the subnet of the pools {networkOfList}
AZURE_CONTROL_PLANE_SUBNET_CIDR controlPlaneSubnet
  = network.controlPlaneSubnetCidr, the subnet of the control plane {networkOfList}
proxy: proxy proxyUrl server address
  = proxy.url, the HTTP proxy of the nodes
proxy: excludes bypassList proxyBypass proxyBypassList bypass exceptions
  = proxy.noProxy, what is reached without the proxy {hostsOf}
outbound: managedOutboundIPCount outboundIPCount publicIPCount publicIPAddresses publicIPs ipCount
  = network.outbound.addresses, the number of public addresses
bastion: jumpServer jumpBox
  = network.bastion.jumpHost, a machine to jump from
bastion: subnet subnetCidr subnetRange addressPrefix cidr
  = network.bastion.range, the range of AzureBastionSubnet {networkOfList}
bastion: sku name tunneling enableTunneling publicIP
  - the Bastion of a stack has the SKU Standard, tunnels, and a public address of its own
  + range, allowedCidrs and zones {nothing}
existing: nodeSecurityGroupId securityGroup securityGroupId networkSecurityGroup nsg nsgId
  = network.existing.nodeSecurityGroup, the security group of the nodes {nameOf}
existing: controlPlaneSubnet
  = network.existing.controlPlaneSubnetId, the subnet of the control plane {idOf}
existing: nodeSubnet
  = network.existing.nodeSubnetId, the subnet of the pools {idOf}
existing: egressIp egressIps natIp
  = network.existing.egressCidrs, the addresses with which nodes leave {listOf}
network: dns
  = network.dnsServers, the DNS servers of the VNET {listOf}
network: outboundIps egressIps
  = network.outbound.egressCidrs, the public addresses with which nodes leave {listOf}
network: natGatewayId
  = network.outbound.natGatewayId, the NAT gateway of others
outbound: nextHopIpAddress nextHopIp nextHop
  = network.outbound.firewallAddress, the private address of the firewall
outbound: nextHopType
  - the next hop is a firewall, which Azure calls a virtual appliance
  + type: firewall and firewallAddress {nothing}
existing: controlPlaneSecurityGroupId
  = network.existing.controlPlaneSecurityGroup, the security group of the control plane {nameOf}
existing: routeTableId
  = network.existing.routeTable, the route table {nameOf}
peering: remoteVirtualNetwork remoteVirtualNetworkId remoteVnetId remoteVnet vnet
  = peering.vnetId, the other VNET {idOf}
peering: remoteAddressSpace remoteAddressSpaces remoteVirtualNetworkAddressSpace addressSpace cidrs
  = peering.addressSpaces, the ranges of the other VNET {listOf}
ipPools: cidr
  = network.podCidr, the range of the pods
apiServer: privateEndpoint privateEndpointId privateEndpointSubnet privateEndpointSubnetId
  = network.apiServer.privateLink.subnetId, the subnet of a private endpoint
outbound: publicIpPrefix publicIpPrefixLength ipPrefixLength
  = network.outbound.prefixLength, the length of the prefix of public addresses {bitsOf}
apiServer: privateIP privateIPAddress ipAddress
  = network.apiServer.ip, the address of the API server
apiServer: type
  = network.apiServer.private, a private API server {isInternal}
httpProxy httpsProxy
  = proxy.url, the HTTP proxy of the nodes {proxyUrlOf}
pool controlPlane network: proxy
  = proxy.url, the HTTP proxy of all nodes {textOf}
httpProxyConfig proxyConfig egressProxy
  = proxy, the HTTP proxy of the nodes {translated}
registryMirror: endpoint server host hostname
  = registryMirror.url, the address of the mirror
registry registryMirrors mirror mirrors containerRegistry containerRegistries imageRegistry imageRepository privateRegistry
  = registryMirror, the mirror from which nodes pull images {translated}
acr attachAcr acrId acrIds imageCredentialProvider credentialProvider
  = azureContainerRegistries, the Azure container registries from which the nodes pull {identityIdsOf}
imagePullSecrets
  - no key gives nodes a password of a registry
  + azureContainerRegistries for Azure's, imagePullSecrets of pods for others {nothing}
trustedRootCertificates rootCertificates caCertificates caCertificate customCATrustCertificates caBundle caCert caCerts trustedCa rootCa certificateAuthority
  = trustedCertificates, the certificate authorities that nodes trust {oneOrMore}
networkMtu vnetMtu MTU
  = network.mtu, the MTU
cluster azure network: vnet vnetName vnetId AZURE_VNET_NAME AZURE_CUSTOM_VNET_NAME vnetResourceGroup existingVnet byoVnet existingSubnets
  - a VNET that exists is named by the ARM IDs of its subnets; without them, the stack makes one
  + network.existing, for the subnets (docs/private-networks.md); network.vnetCidr, for the range; network.peerings, with the vnetId of a VNET to peer with
controlPlaneSubnetId nodeSubnetId poolSubnetIds
  - the ARM IDs of subnets that exist are one mapping, with their security group and the way out
  + network.existing, with controlPlaneSubnetId, nodeSubnetId, poolSubnetIds, nodeSecurityGroup and egressCidrs
pool: vnetSubnetID subnetId subnetName vnetSubnetName
  = pool.subnet, the name of a subnet {lastPartOf}
podSubnetID subnets subnetRole
  - subnets are named, and made by the stack: one for the control plane, one for all pools, and further ones by name
  + network.poolSubnets, and subnet of each pool; network.controlPlaneSubnetCidr and network.nodeSubnetCidr
peerings vnetPeerings vnetPeering virtualNetworkPeerings hub hubVnetId hubVnet
  - a peering has a name of yours, the ARM ID of the other VNET and its ranges
  + network.peerings, with vnetId and addressSpaces (docs/private-networks.md)
privateLinks privateLink privateLinkService natIPConfigurations autoApprovedSubscriptions allowedSubscriptions
  - a private link leads to a private API server, whose load balancer and subnet the stack knows
  + network.apiServer.privateLink, with private: true beside it (docs/private-networks.md)
serviceEndpoints privateEndpoints privateLinkResources
  - no key adds service endpoints or private endpoints
  + az network vnet subnet update, and the like, beside the stack
networkPlugin cniPlugin cniProvider
cluster network: cni
  = addons.cni, who brings the network of the pods {cniOf}
byocni bringYourOwnCni
  = addons.cni, that you bring the CNI {noneUnlessOff}
networkPluginMode networkMode networkDataplane azureCni kubenet overlay
  - CAPZ has no Azure CNI and no kubenet for Windows nodes (CAPZ issue 3650): they run Calico with VXLAN, or a CNI that you bring
  + addons.calicoVersion; addons.cni: none, and extraManifests for a CNI of your own (docs/own-cni.md) {nothing}
cluster addons network: calicoEnabled enableCalico
  = addons.cni, who brings the network of the pods {cniIfOn}
calico flannel cilium weave antrea ovn
  - the program installs Calico with VXLAN and nothing else; of others, Antrea has Windows nodes, while Weave, OVN, Cilium, wincni and win-bridge have no way to them in Azure, where routed pod addresses (host-gw) are dropped
  + addons.calicoVersion; addons.cni: none, and extraManifests for a CNI of your own (docs/own-cni.md); flavor: dockershim for Flannel on Kubernetes 1.22 and 1.23
networkPolicy networkPolicies
  - Calico enforces NetworkPolicies, on Windows too, and this cannot be switched off
  + a NetworkPolicy in the cluster itself; addons.cni: none, for a CNI of your own {nothing}
dnsServiceIP clusterDns serviceDomain clusterDomain dnsDomain domain
  - DNS has the tenth address of the services, and the domain cluster.local
  + network.serviceCidr, which decides about the address
dnsServers nameservers customDns customDnsServers dnsServer
  = network.dnsServers, the DNS servers of the VNET {oneOrMore}
dockerBridgeCidr dockerBridgeSubnet
  - no node has Docker's bridge
  + network.podCidr, for the addresses of pods {nothing}
outboundType natGateway natGatewayProfile nodeOutboundLB controlPlaneOutboundLB egress
  - by default, nodes leave through a NAT gateway of the stack; another way out is one mapping, with its type
  + network.outbound, with type: nat, existingNat, firewall or none; proxy, for a proxy on the way out (docs/private-networks.md)
routeTables securityGroup securityGroups nsg securityRules
  - the stack makes the security groups and the route table of the cluster, which allow what it needs
  + access.allowedCidrs, for who may come in; network.outbound, for the way out; network.existing, for those of others (docs/private-networks.md)
cluster azure network access: firewall azureFirewall udr userDefinedRouting userDefinedRoutes
  - a firewall as the way out is a route to it, from all subnets of the cluster
  + network.outbound, with type: firewall (docs/private-networks.md); access.allowedCidrs, for who may come in
loadBalancer loadBalancerSku loadBalancerProfile additionalAPIServerLBPorts apiServerPort
  - the API server has a Standard load balancer with port 6443
  + access.allowedCidrs, for who may reach it {nothing}
ipFamilies ipFamily ipv6 dualStack enableIPv6DualStack enableIPForwarding
  - networks are IPv4 only
  + network.podCidr and network.serviceCidr {nothing}
disableOutboundNat disableWindowsOutboundNat outboundNatDisabled windowsOutboundNat
  - Calico translates outbound connections of Windows pods to the address of their node
  + no key: this is an option of AKS for its own network plug-in {nothing}
networkProfile networkSpec clusterNetwork
  = network, the networks {translated}
advancedNetworking staticEgressGatewayProfile
  - this is a feature of AKS, which clusters of Cluster API do not have
  + network, for the ranges of the VNET, of pods and of services {nothing}
cloudProviderConfigOverrides cloudProviderBackoff cloudProviderRateLimit
  - no key sets limits of the cloud provider: it has its defaults
  + addons.cloudProviderAzureTag, for its release
cluster addons: manifests additionalManifests
  = extraManifests, manifests of your own {translated}
addons: calico calicoRelease tigeraOperatorVersion
  = addons.calicoVersion, the release of Calico {textOf}
kubeProxyImage
  = addons.kubeProxyWindowsImage, the image of kube-proxy {textOf}
kubeProxy enableKubeProxy
cluster network: kubeProxyWindows
  = addons.kubeProxyWindows, kube-proxy for Windows {switchOf}
disableKubeProxy skipKubeProxy kubeProxyReplacement
  = addons.kubeProxyWindows, kube-proxy for Windows {isOff}
cloudProviderAzure cloudProviderAzureVersion ccmVersion cloudControllerManagerVersion
  = addons.cloudProviderAzureTag, the tag of the cloud provider {textOf}
capiVersion clusterApiVersion
  = clusterApi.coreVersion, the version of Cluster API
capzVersion azureProviderVersion
  = clusterApi.azureVersion, the version of CAPZ
clusterApi: core
  = clusterApi.coreVersion, the version of Cluster API {versionIn}
clusterApi: infrastructure
  = clusterApi.azureVersion, the version of CAPZ {versionIn}
network addons: blockSize
  = addons.calicoBlockSize, the size of Calico's blocks
clusterAutoscaler: extraArgs args arguments
  - flags of the autoscaler are keys of the mapping itself
  + addons.clusterAutoscaler, with its keys {moved}
disk: storageClassName
  = sampleWorkload.disk.storageClass, the storage class
disk: storage size capacity
  = sampleWorkload.disk.sizeGiB, the size {gigabytesOf}
clusterApi: certManager
  = clusterApi.certManagerVersion, the version of cert-manager {textOf}
cluster addons storageProfile: csi csiDriver csiDrivers azureDiskCsi diskCsiDriver diskDriver diskDriverEnabled azureDiskCsiDriver disk.csi.azure.com storage
  = addons.azureDisk, the CSI driver of Azure disks {enabledOf}
cluster addons storageProfile: azureFileCsi fileCsiDriver fileDriver fileDriverEnabled azureFileCsiDriver file.csi.azure.com
  = addons.azureFile, the CSI driver of Azure Files {enabledOf}
cluster addons: storageClass storageClasses
  = addons.defaultStorageClass, the storage class of claims that name none {textOf}
cluster addons: autoscaler
cluster: clusterAutoscaler
  = addons.clusterAutoscaler, the cluster autoscaler {enabledOf}
cluster addons: autoScalerProfile
  = addons.clusterAutoscaler, how the cluster autoscaler decides {nothing}
addons: prometheusWindowsExporter
  = addons.windowsExporter, windows-exporter {enabledOf}
cluster addons: metrics
  = addons.metricsServer, metrics-server {enabledOf}
gmsa gmsaProfile windowsGmsa windowsGmsaProfile
  = addons.gmsa, group managed service accounts {enabledOf}
csiProxy enableCSIProxy
  - CSI drivers for Windows run as HostProcess containers and need no CSI proxy
  + addons.azureDisk and addons.azureFile, for the drivers {nothing}
containerRuntime runtime containerdVersion mobyVersion dockerVersion windowsDockerVersion containerd docker
  - the VM image has the container runtime: containerd, or Docker with flavor dockershim
  + flavor, and image of a pool {nothing}
customWindowsPackageURL windowsNodeBinariesURL kubernetesImageBase kubernetesImageBaseType customHyperkubeImage customKubeProxyImage hyperkubeImage kubeBinaryUrl
  - the binaries of Kubernetes are part of the VM image
  + image of a pool (docs/images.md)
addonProfiles helm ingress ingressProfile ingressController applicationGateway
  - the program installs what nodes and volumes need, and metrics-server; you install everything else
  + addons, for what is installed; helm or a GitOps tool with the output workloadKubeconfig for the rest {nothing}
monitoring prometheus logging containerInsights azureMonitor logAnalytics
  - the program installs no monitoring and no logging except metrics-server
  + helm or a GitOps tool with the output workloadKubeconfig {nothing}
serviceMesh serviceMeshProfile istio
  - the program installs no service mesh, and no mesh runs its proxies on Windows nodes
  + helm with the output workloadKubeconfig, for a mesh on Linux nodes {nothing}
cluster controlPlane: etcd etcdVersion externalEtcd
  - etcd runs on the control plane in the version of kubeadm
  + controlPlane.etcdDiskGB, for its disk {nothing}
sampleWorkload: persistence storage volume
  = sampleWorkload.disk, a disk {mappingOf}
service: type
  = sampleWorkload.serviceType, how the sample is reached
service sampleWorkload: annotations serviceAnnotations
  = sampleWorkload.internal, whether its load balancer is internal {isInternalService}
sampleWorkload: port ports targetPort containerPort
  - the sample is IIS on port 80
  + access.allowedCidrs, for who may reach it {nothing}
sampleWorkload: enabled enable
  - sampleWorkload: {} deploys the sample, and without the key sampleWorkload it is not deployed
  + sampleWorkload: {} {switch}
sampleWorkload: resources
  = sampleWorkload.limits sampleWorkload.requests, what a pod may take {nothing}
management: vnetSubnetID subnet subnetId nodeSubnetId
  = management.network.subnetId, the subnet of the nodes
management: vnet vnetCidr addressSpace
  = management.network.vnetCidr, the range of a VNET that the stack makes
management: outboundType
  - AKS needs a VNET of the stack or of others for another way out than its load balancer
  + management.network.outbound, with type: loadBalancer, nat, existingNat or firewall
management: enablePrivateCluster privateCluster privateClusterEnabled isPrivateCluster privateApiServer private
  = management.network.apiServer, a private API server of AKS {privateOf}
bastion proxy registryMirror authentication spot disk outbound apiServer entra maintenanceWindow autoscale: enabled enable
  - what is in the stack file is on, and what is not is off
  + the other keys of the mapping {switch}
management: enablePrivateClusterPublicFQDN publicFqdn
  = management.network.apiServer.publicFqdn, a public name for a private API server
management: privateDNSZone privateDnsZone
  = management.network.apiServer.privateDnsZone, the zone of a private API server
management: enableVnetIntegration enableApiServerVnetIntegration apiServerVnetIntegration vnetIntegration
  = management.network.apiServer.vnetIntegration, an API server in the VNET
`;
