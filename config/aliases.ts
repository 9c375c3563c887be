import type { z } from "zod";
import type { stackSchema } from "./schema/stack";

/** Names that other tools have for keys of a stack file. */

type Depth = [never, 0, 1, 2, 3, 4, 5, 6];

/** Keys that users name are `*`, items of a list `#`. */
type KeyName<K extends string> = string extends K ? "*" : K;

type Below<T, D extends number> = PathIn<NonNullable<T>, Depth[D]>;

type PathIn<T, D extends number = 7> = [D] extends [never]
  ? never
  : T extends readonly (infer I)[]
    ? `#.${Below<I, D>}`
    : T extends object
      ? { [K in keyof T & string]-?: KeyName<K> | `${KeyName<K>}.${Below<T[K], D>}` }[keyof T & string]
      : never;

type Stack = z.input<typeof stackSchema>;

type Pools = NonNullable<Stack["linuxPools"]> | NonNullable<Stack["windowsPools"]>;

/** A path of the schema; `pool` is any of linuxPools, any of windowsPools, or poolDefaults. */
export type SchemaPath = PathIn<Stack> | "pool" | `pool.${PathIn<Pools[string]>}`;

/** A key that others call by these names. */
export interface Alias {
  readonly to: SchemaPath;
  /** Case, hyphens and underscores are ignored. */
  readonly names: readonly string[];
  /** Mappings in which the names mean this; an empty text is the stack itself. Default: that of the key. */
  readonly in?: readonly (SchemaPath | "")[];
}

/** The first row whose place and name match counts. Values are carried as they are, so both sides have the same unit. */
export const aliases: readonly Alias[] = [
  // The cluster.
  { to: "clusterName", names: ["name", "resourceName"] },
  { to: "clusterName", names: ["clusterName"], in: ["azure", "controlPlane", "network"] },
  { to: "namespace", names: ["targetNamespace"] },
  { to: "kubernetesVersion", names: ["version", "k8sVersion", "kubeVersion", "orchestratorVersion"] },
  { to: "kubernetesVersion", names: ["orchestratorRelease", "kubernetesRelease"] },
  {
    to: "kubernetesVersion",
    names: ["version", "kubernetesVersion", "k8sVersion", "kubeVersion"],
    in: ["controlPlane"],
  },
  {
    to: "azure.location",
    names: ["location", "region", "azureLocation", "azureRegion"],
    in: ["", "azure", "network"],
  },
  { to: "azure.subscriptionId", names: ["subscription", "azureSubscriptionId", "id"], in: ["azure"] },
  { to: "azure.subscriptionId", names: ["subscription", "subscriptionId", "azureSubscriptionId"], in: [""] },
  { to: "azure.tenantId", names: ["tenant", "tenantId", "azureTenantId"], in: ["", "azure"] },
  { to: "azure.resourceGroup", names: ["resourceGroup", "resourceGroupName", "rg"], in: ["", "azure"] },
  { to: "tags", names: ["additionalTags", "resourceTags", "vmTags", "customVmTags"] },
  { to: "tags", names: ["tags", "additionalTags"], in: ["azure"] },
  { to: "protect", names: ["preventDestroy", "preventDeletion", "deletionProtection"], in: ["", "azure"] },
  { to: "poolDefaults", names: ["nodeDefaults", "defaultPool"] },
  { to: "access.sshPublicKey", names: ["sshKey", "publicKey", "key"] },
  { to: "access.sshPublicKey", names: ["sshPublicKey", "sshKey", "publicKey"], in: [""] },
  { to: "access.additionalSshPublicKeys", names: ["additionalSshKeys", "extraSshPublicKeys"] },
  {
    to: "access.allowedCidrs",
    names: ["authorizedIpRanges", "apiServerAuthorizedIpRanges", "publicAccessCidrs", "authorizedCidrs"],
    in: ["", "access", "controlPlane"],
  },
  {
    to: "access.allowedCidrs",
    names: ["allowedIps", "allowedIpRanges", "loadBalancerSourceRanges", "allowedCidrs"],
    in: ["", "access", "controlPlane"],
  },
  { to: "managementKubeconfig", names: ["managementClusterKubeconfig"] },

  // Pools, and the control plane.
  {
    to: "pool.replicas",
    names: ["count", "nodeCount", "machineCount", "instanceCount", "instances", "nodes"],
  },
  { to: "pool.replicas", names: ["desiredSize", "desiredCapacity"] },
  { to: "controlPlane.replicas", names: ["count", "nodeCount", "machineCount", "instances", "nodes"] },
  {
    to: "controlPlane.replicas",
    names: ["controlPlaneMachineCount", "controlPlaneCount", "masterCount"],
    in: [""],
  },
  { to: "management.nodeCount", names: ["count", "minCount", "minNodeCount", "minSize", "replicas"] },
  { to: "management.maxNodeCount", names: ["maxCount", "maxSize"] },
  { to: "pool.vmSize", names: ["size", "sku", "nodeSize", "nodeVmSize", "machineType", "instanceType"] },
  { to: "controlPlane.vmSize", names: ["size", "sku", "nodeSize", "machineType", "instanceType"] },
  {
    to: "controlPlane.vmSize",
    names: ["controlPlaneMachineType", "controlPlaneVmSize", "masterVmSize"],
    in: [""],
  },
  { to: "management.nodeSize", names: ["size", "vmSize", "nodeVmSize", "machineType", "instanceType"] },
  {
    to: "pool.kubernetesVersion",
    names: ["orchestratorVersion", "k8sVersion", "version", "kubeVersion", "kubeletVersion"],
  },
  { to: "management.kubernetesVersion", names: ["version", "k8sVersion", "orchestratorVersion"] },
  { to: "pool.zones", names: ["availabilityZones", "availabilityZone", "failureDomains", "failureDomain"] },
  { to: "management.zones", names: ["availabilityZones", "availabilityZone"] },
  { to: "pool.autoscale.min", names: ["minCount", "minSize", "minReplicas", "minNodes"], in: ["pool"] },
  { to: "pool.autoscale.max", names: ["maxCount", "maxSize", "maxReplicas", "maxNodes"], in: ["pool"] },
  { to: "pool.autoscale.min", names: ["minimum", "minCount", "minSize", "minReplicas", "minNodes"] },
  { to: "pool.autoscale.max", names: ["maximum", "maxCount", "maxSize", "maxReplicas", "maxNodes"] },
  { to: "pool.autoscale", names: ["autoscaling", "autoscaler", "clusterAutoscaler", "scaling"] },
  { to: "pool.osDiskGB", names: ["osDiskSizeGb", "osDiskSize", "diskSizeGb", "diskSize", "volumeSize"] },
  { to: "controlPlane.osDiskGB", names: ["osDiskSizeGb", "osDiskSize", "diskSizeGb", "diskSize"] },
  { to: "controlPlane.etcdDiskGB", names: ["etcdDiskSizeGb", "etcdDiskSize", "etcdDisk"] },
  { to: "pool.osDiskType", names: ["storageAccountType", "osDiskStorageAccountType", "nodeOsDiskType"] },
  {
    to: "pool.windowsServer",
    names: ["windowsServerVersion", "windowsVersion", "windowsRelease", "osVersion"],
  },
  { to: "pool.kind", names: ["vmSetType", "orchestrationMode"] },
  { to: "pool.labels", names: ["nodeLabels", "customNodeLabels", "nodeLabel"] },
  { to: "pool.taints", names: ["nodeTaints", "nodeTaint"] },
  { to: "pool.rollout", names: ["strategy", "updateStrategy", "rolloutStrategy", "upgradeSettings"] },
  { to: "pool.rollout.maxSurge", names: ["maxSurge"], in: ["pool"] },
  { to: "pool.rollout.maxUnavailable", names: ["maxUnavailable"], in: ["pool"] },
  { to: "pool.spot", names: ["spotVmOptions", "spotInstances"] },
  { to: "pool.spot.maxPrice", names: ["spotMaxPrice"], in: ["pool"] },
  { to: "pool.spot.evictionPolicy", names: ["scaleSetEvictionPolicy", "evictionPolicy"], in: ["pool"] },
  { to: "pool.encryptionAtHost", names: ["enableEncryptionAtHost", "hostEncryption"] },
  { to: "pool.acceleratedNetworking", names: ["enableAcceleratedNetworking"] },
  { to: "pool.dataDisks", names: ["disks", "dataDisk"] },
  { to: "pool.dataDisks.#.sizeGB", names: ["diskSizeGb", "size", "diskSize"] },
  { to: "pool.dataDisks.#.type", names: ["storageAccountType", "diskType"] },
  { to: "pool.dataDisks.#.letter", names: ["driveLetter", "drive"] },
  { to: "pool.vmExtensions.#.name", names: ["type", "extensionType"] },
  { to: "pool.vmExtensions.#.version", names: ["typeHandlerVersion"] },
  { to: "pool.kubelet.maxPods", names: ["maxPods", "maxPodsPerNode"], in: ["pool"] },
  { to: "pool.healthCheck", names: ["machineHealthCheck", "machineHealthChecks", "healthChecks"] },
  { to: "controlPlane.healthCheck", names: ["machineHealthCheck", "machineHealthChecks", "healthChecks"] },
  { to: "pool.healthCheck.unhealthyLessThanOrEqualTo", names: ["maxUnhealthy"] },
  { to: "controlPlane.healthCheck.unhealthyLessThanOrEqualTo", names: ["maxUnhealthy"] },
  { to: "pool.files.#.content", names: ["contents"] },
  { to: "pool.files.#.permissions", names: ["mode", "fileMode"] },
  { to: "pool.preKubeadmCommands", names: ["preJoinCommands", "preBootstrapCommands"] },
  { to: "pool.postKubeadmCommands", names: ["postJoinCommands", "postBootstrapCommands"] },
  { to: "pool.image.computeGallery", names: ["gallery", "sharedGallery"] },
  { to: "controlPlane.image.computeGallery", names: ["gallery", "sharedGallery"] },
  { to: "pool.image.computeGallery.name", names: ["definition", "imageDefinition", "imageName"] },
  { to: "pool.image.computeGallery.gallery", names: ["galleryName"] },
  { to: "pool.image.id", names: ["resourceId", "imageId"] },
  { to: "controlPlane.image.id", names: ["resourceId", "imageId"] },
  { to: "pool.overrides", names: ["patches"] },
  { to: "controlPlane.overrides", names: ["patches"] },
  { to: "overrides", names: ["patches"] },

  // Networks.
  {
    to: "network.vnetCidr",
    names: ["cidr", "cidrBlock", "addressSpace", "addressPrefix", "vnetAddressSpace", "vnetAddressPrefix"],
  },
  { to: "network.vnetCidr", names: ["vnetCidr", "vnetAddressSpace", "azureVnetCidr"], in: [""] },
  {
    to: "network.podCidr",
    names: ["clusterSubnet", "clusterCidr", "podSubnet", "podNetwork", "podNetworkCidr", "podCidr"],
    in: ["", "network"],
  },
  {
    to: "network.serviceCidr",
    names: ["serviceSubnet", "serviceNetwork", "serviceClusterIpRange", "serviceCidr"],
    in: ["", "network"],
  },
  { to: "network.nodeSubnetCidr", names: ["nodeSubnet", "azureNodeSubnetCidr"] },
  { to: "network.controlPlaneSubnetCidr", names: ["controlPlaneSubnet", "azureControlPlaneSubnetCidr"] },
  { to: "network.dnsServers", names: ["dns", "nameservers", "customDns", "customDnsServers"] },
  { to: "network.mtu", names: ["networkMtu", "vnetMtu"], in: ["", "network"] },
  { to: "network.peerings", names: ["vnetPeerings", "virtualNetworkPeerings"], in: ["", "network"] },
  {
    to: "network.peerings.*.vnetId",
    names: ["remoteVirtualNetworkId", "remoteVnetId", "remoteVirtualNetwork", "remoteVnet"],
  },
  { to: "network.peerings.*.addressSpaces", names: ["remoteAddressSpaces", "remoteAddressSpace", "cidrs"] },
  { to: "network.outbound.type", names: ["outboundType"], in: ["", "network"] },
  { to: "network.outbound.addresses", names: ["managedOutboundIpCount", "outboundIpCount", "ipCount"] },
  { to: "network.outbound.prefixLength", names: ["publicIpPrefixLength", "ipPrefixLength"] },
  { to: "network.outbound.firewallAddress", names: ["nextHopIpAddress", "nextHopIp", "nextHop"] },
  { to: "network.outbound.natGatewayId", names: ["natGatewayId"], in: ["network"] },
  { to: "network.bastion.jumpHost", names: ["jumpBox", "jumpServer"] },
  { to: "network.existing.nodeSubnetId", names: ["vnetSubnetId", "nodeSubnetId"], in: ["pool", "network"] },
  { to: "network.bastion.range", names: ["subnetCidr", "subnetRange", "addressPrefix", "cidr"] },
  {
    to: "network.apiServer.private",
    names: ["enablePrivateCluster", "privateClusterEnabled", "isPrivateCluster", "privateCluster"],
    in: ["", "network", "network.apiServer", "controlPlane", "access"],
  },
  { to: "network.apiServer.ip", names: ["privateIp", "privateIpAddress", "ipAddress"] },
  {
    to: "network.apiServer.privateLink.subnetId",
    names: ["privateEndpointSubnetId", "privateEndpointSubnet"],
  },

  // What nodes may reach.
  { to: "proxy.url", names: ["proxy", "proxyUrl", "server", "address"] },
  { to: "proxy.noProxy", names: ["excludes", "bypass", "bypassList", "proxyBypass", "exceptions"] },
  { to: "registryMirror.url", names: ["endpoint", "server", "host", "hostname"] },
  { to: "registryMirror", names: ["mirror", "imageMirror"] },
  {
    to: "trustedCertificates",
    names: ["rootCertificates", "trustedRootCertificates", "caCertificates", "caCerts"],
  },

  // Logins, logs and encryption.
  {
    to: "controlPlane.audit",
    names: ["audit", "auditLog", "auditLogging"],
    in: ["", "controlPlane", "access"],
  },
  { to: "controlPlane.encryption", names: ["encryption", "encryptionAtRest"], in: ["", "controlPlane"] },
  {
    to: "controlPlane.authentication.entra",
    names: ["azureAd", "aad", "entra", "entraId", "microsoftEntraId"],
    in: ["controlPlane.authentication", "controlPlane"],
  },
  { to: "controlPlane.authentication.oidc.#.issuerUrl", names: ["url", "issuer", "oidcIssuerUrl"] },
  { to: "controlPlane.authentication.oidc.#.audiences", names: ["clientIds", "oidcClientId", "clientId"] },
  { to: "controlPlane.authentication.administrators", names: ["admins", "clusterAdmins"] },
  { to: "controlPlane.authentication.readers", names: ["viewers", "readOnly"] },
  { to: "management.entra.adminGroupObjectIds", names: ["adminGroups", "adminGroupIds"] },
  {
    to: "management.authorizedCidrs",
    names: ["authorizedIpRanges", "apiServerAuthorizedIpRanges", "allowedCidrs"],
  },

  // Cluster API, add-ons and manifests.
  { to: "clusterApi.coreVersion", names: ["core", "capiVersion", "clusterApiVersion"] },
  { to: "clusterApi.coreVersion", names: ["capiVersion", "clusterApiVersion"], in: [""] },
  { to: "clusterApi.azureVersion", names: ["infrastructure", "capzVersion", "azureProviderVersion"] },
  { to: "clusterApi.azureVersion", names: ["capzVersion", "azureProviderVersion"], in: [""] },
  { to: "clusterApi.certManagerVersion", names: ["certManager"] },
  { to: "clusterApi.identity.clientId", names: ["clientId", "azureClientId"], in: ["clusterApi"] },
  { to: "addons.cni", names: ["networkPlugin", "cniPlugin", "cni"], in: ["addons", "network", ""] },
  { to: "addons.calicoVersion", names: ["calico", "calicoRelease"] },
  { to: "addons.calicoBlockSize", names: ["blockSize"] },
  { to: "addons.cloudProviderAzureTag", names: ["cloudProviderAzure", "cloudProviderAzureVersion"] },
  { to: "addons.defaultStorageClass", names: ["storageClass"] },
  { to: "addons.azureDisk", names: ["azureDiskCsi", "azureDiskCsiDriver", "diskCsiDriver"] },
  { to: "addons.azureFile", names: ["azureFileCsi", "azureFileCsiDriver", "fileCsiDriver"] },
  { to: "addons.metricsServer", names: ["metrics"] },
  { to: "addons.clusterAutoscaler", names: ["autoscaler"] },
  { to: "addons.clusterAutoscaler", names: ["clusterAutoscaler"], in: [""] },
  { to: "addons.gmsa", names: ["windowsGmsa", "gmsaProfile"] },
  { to: "extraManifests", names: ["manifests", "additionalManifests"], in: ["", "addons"] },
  { to: "extraManifests.*.file", names: ["path"] },
  { to: "extraManifests.*.sha256", names: ["checksum", "digest"] },
  { to: "policyExceptions.#.rule", names: ["policy", "id", "name"] },
  { to: "policyExceptions.#.reason", names: ["description", "justification", "comment"] },
  { to: "policyExceptions.#.until", names: ["expires", "expiresOn", "expiry", "validUntil"] },
];
