import * as authorization from "@pulumi/azure-native/authorization";
import * as containerservice from "@pulumi/azure-native/containerservice";
import * as managedidentity from "@pulumi/azure-native/managedidentity";
import * as network from "@pulumi/azure-native/network";
import * as resources from "@pulumi/azure-native/resources";
import * as pulumi from "@pulumi/pulumi";
import { neverDeletedFirst, requireProviders } from "../childOptions";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { assertDefined } from "capz-windows-kit/assertDefined";
import { aksOutboundTypes } from "capz-windows-platform/azure/managementNetwork";
import { AksNetwork } from "./aksNetwork";
import type { AksNetworkArgs } from "./aksNetworkArgs";
import { aksRole, cidrOf, publicAddress, remadeWithPrincipal, type AksPlace } from "./aksParts";
import {
  aksId,
  aksNetwork,
  aksSchedules,
  aksSurge,
  autoUpgradeChannel,
  defaultAks,
  managementNames,
  weekly,
  type MaintenanceWindow,
} from "capz-windows-platform/azure/aks";
import { kubeloginKubeconfig } from "capz-windows-platform/azure/kubelogin";
import { pick } from "capz-windows-kit/without";

/** Access through Microsoft Entra. */
export interface EntraArgs {
  /** Object ids of the groups whose members may do everything in the cluster; whoever deploys must be in one. */
  adminGroupObjectIds: pulumi.Input<pulumi.Input<string>[]>;
}

export interface AksClusterArgs {
  /** Name of the workload cluster; the names here follow from it. */
  clusterName: string;
  /** Subscription of the AKS cluster. Names of role assignments and the cluster's ARM id follow from it. */
  subscriptionId: string;
  /** Azure region in its short form. */
  location: pulumi.Input<string>;
  /** "1.35", with which AKS chooses the patch, or "1.35.4". Default: 1.35. */
  kubernetesVersion?: pulumi.Input<string> | undefined;
  /** VM size of the system pool. Default: Standard_D4s_v5. */
  nodeSize?: pulumi.Input<string> | undefined;
  /** Smallest number of nodes of the system pool. Default: 3. */
  nodeCount?: pulumi.Input<number> | undefined;
  /** Largest number of nodes of the system pool. Default: 5. */
  maxNodeCount?: pulumi.Input<number> | undefined;
  /** Availability zones of the nodes: "1", "2", "3". Default: none. */
  zones?: string[] | undefined;
  /** A VNET of this program or of others. Default: a VNET of AKS, which cannot be peered. */
  network?: AksNetworkArgs | undefined;
  /** Whether `az aks command invoke` is possible. Default: not with a private API server, otherwise what AKS does, which allows it. */
  runCommand?: boolean | undefined;
  /** Networks that may reach its API server. Empty means everybody who has credentials. Default: empty. */
  authorizedCidrs?: pulumi.Input<pulumi.Input<string>[]> | undefined;
  /**
   * Admit people and programs only through Microsoft Entra and Azure's roles, with `kubelogin`. Default: AKS issues an
   * administrator's certificate to anyone whom Azure allows to ask for it.
   */
  entra?: EntraArgs | undefined;
  /** When AKS may upgrade patches and node images. Default: AKS chooses. */
  maintenanceWindow?: MaintenanceWindow | undefined;
  /** Azure tags of everything that is created. Default: none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  /** Refuse to delete the resource group and the cluster. Default: false. */
  protect?: boolean | undefined;
}

/**
 * An AKS cluster for Cluster API, with OIDC issuer and workload identity, in its own resource group. Its egress
 * uses its own public IP, so that the workload cluster can admit exactly this address.
 *
 * Cost: the Standard tier and at least `nodeCount` VMs run all the time.
 */
export class AksCluster extends pulumi.ComponentResource {
  /** Kubeconfig of the cluster, a secret. */
  readonly kubeconfig: pulumi.Output<string>;
  /** Address from which the cluster reaches the Internet, as a /32. */
  readonly egressCidrs: pulumi.Output<string[]>;
  /** OIDC issuer of the cluster's service account tokens. */
  readonly oidcIssuerUrl: pulumi.Output<string>;
  /** ARM id of the cluster: it changes if, and only if, the cluster is another one. */
  readonly clusterIdentifier: string;
  /** Its network, where it is not one of AKS. */
  readonly network?: AksNetwork | undefined;
  /** The cluster itself: what lives in it is gone with it. */
  readonly cluster: containerservice.ManagedCluster;

  constructor(name: string, args: AksClusterArgs, opts?: pulumi.ComponentResourceOptions) {
    super(componentType("AksCluster"), name, { ...args }, opts);
    requireProviders(this, "azure-native");
    const names = managementNames(args.clusterName);
    const { authorizedCidrs = [], tags = {}, protect = false, entra } = args;
    const kubernetesVersion = args.kubernetesVersion ?? defaultAks.kubernetesVersion;
    const nodeCount = args.nodeCount ?? defaultAks.nodeCount;
    const group = new resources.ResourceGroup(
      `${name}-resource-group`,
      { resourceGroupName: names.resourceGroup, location: args.location, tags },
      { parent: this, protect, ...neverDeletedFirst },
    );
    const common = { resourceGroupName: group.name, location: args.location, tags };
    const { apiServer } = args.network ?? {};
    const isPrivate = apiServer?.private === true;
    // It would go past the network of a private API server.
    const runCommand = args.runCommand ?? (isPrivate ? false : undefined);
    const outboundType = args.network?.outbound?.type ?? "loadBalancer";
    const identity = new managedidentity.UserAssignedIdentity(
      `${name}-identity`,
      { ...common, resourceName: names.identity },
      {
        parent: this,
        // Only tags can change, and the preview of an update of an identity knows neither principal nor client: it would
        // show all role assignments and credentials of the identity as changed.
        ignoreChanges: ["tags"],
      },
    );
    const { clusterName, subscriptionId } = args;
    const place = { clusterName, subscriptionId, common, protect, principalId: identity.principalId };
    const own = args.network && new AksNetwork(`${name}-network`, args.network, place, { parent: this });
    this.network = own;
    const egress = outboundType === "loadBalancer" ? this.egress(name, place) : undefined;
    const egressCidrs = egress ? [egress.cidr] : assertDefined(own, "the network of AKS").egressCidrs;
    this.egressCidrs = pulumi.all([...egressCidrs]);
    this.cluster = new containerservice.ManagedCluster(
      `${name}-cluster`,
      {
        ...common,
        resourceName: names.cluster,
        dnsPrefix: names.dnsPrefix,
        nodeResourceGroup: names.nodeResourceGroup,
        kubernetesVersion,
        sku: { name: "Base", tier: "Standard" },
        identity: { type: "UserAssigned", userAssignedIdentities: [identity.id] },
        oidcIssuerProfile: { enabled: true },
        securityProfile: { workloadIdentity: { enabled: true } },
        autoUpgradeProfile: {
          upgradeChannel: pulumi.output(kubernetesVersion).apply(autoUpgradeChannel),
          nodeOSUpgradeChannel: "NodeImage",
        },
        ...(entra
          ? {
              aadProfile: {
                managed: true,
                enableAzureRBAC: true,
                adminGroupObjectIDs: entra.adminGroupObjectIds,
              },
              disableLocalAccounts: true,
            }
          : {}),
        apiServerAccessProfile: {
          // Always included for a public API server: AKS keeps ranges that an update leaves out. Its own nodes reach it
          // through the egress address. AKS refuses ranges for a private one.
          ...(!isPrivate && {
            authorizedIPRanges: pulumi
              .output(authorizedCidrs)
              .apply((cidrs): pulumi.Input<string>[] => (cidrs.length > 0 ? [...cidrs, ...egressCidrs] : [])),
          }),
          ...own?.access,
          ...(runCommand === undefined ? {} : { disableRunCommand: !runCommand }),
        },
        networkProfile: {
          networkPlugin: "azure",
          networkPluginMode: "overlay",
          networkDataplane: "cilium",
          networkPolicy: "cilium",
          ...aksNetwork,
          loadBalancerSku: "standard",
          outboundType: aksOutboundTypes[outboundType],
          ...(egress ? { loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: egress.ip.id }] } } } : {}),
        },
        agentPoolProfiles: [
          {
            name: "system",
            mode: "System",
            vmSize: args.nodeSize ?? defaultAks.nodeSize,
            osType: "Linux",
            type: "VirtualMachineScaleSets",
            // Without it an upgrade of the cluster would leave its nodes behind.
            orchestratorVersion: kubernetesVersion,
            count: nodeCount,
            enableAutoScaling: true,
            minCount: nodeCount,
            maxCount: args.maxNodeCount ?? defaultAks.maxNodeCount,
            upgradeSettings: { maxSurge: aksSurge },
            ...(args.zones ? { availabilityZones: args.zones } : {}),
            ...(own ? { vnetSubnetID: own.nodeSubnetId } : {}),
          },
        ],
      },
      {
        parent: this,
        protect,
        ...neverDeletedFirst,
        dependsOn: [...(egress ? [egress.role] : []), ...(own?.roles ?? [])],
        // The autoscaler of AKS owns the number of nodes.
        ignoreChanges: ["agentPoolProfiles[0].count"],
        // Creating or upgrading AKS takes longer than the default of some operations.
        customTimeouts: machineTimeouts,
      },
    );
    const { maintenanceWindow } = args;
    for (const [part, configName] of maintenanceWindow ? aksSchedules : []) {
      new containerservice.MaintenanceConfiguration(
        `${name}-${part}`,
        {
          resourceGroupName: group.name,
          resourceName: this.cluster.name,
          configName,
          maintenanceWindow: weekly(assertDefined(maintenanceWindow, "the maintenance window")),
        },
        // It is deleted with the cluster.
        { parent: this, deletedWith: this.cluster },
      );
    }
    const credentials = containerservice.listManagedClusterUserCredentialsOutput(
      // The cluster's own output, so that the call waits until the cluster exists.
      {
        ...{ resourceGroupName: group.name, resourceName: this.cluster.name },
        // Without it the kubeconfig has the name in the private zone.
        ...(isPrivate && apiServer.publicFqdn !== false ? { serverFqdn: "public" } : {}),
      },
      { parent: this },
    );

    this.kubeconfig = pulumi.secret(
      credentials.apply(({ kubeconfigs }) => {
        const encoded = assertDefined(kubeconfigs[0]?.value, "a kubeconfig of the AKS cluster");
        const kubeconfig = Buffer.from(encoded, "base64").toString("utf8");
        return entra ? kubeloginKubeconfig(kubeconfig) : kubeconfig;
      }),
    );
    this.oidcIssuerUrl = this.cluster.oidcIssuerProfile.apply((profile) =>
      assertDefined(profile?.issuerURL, "the OIDC issuer of the AKS cluster"),
    );
    this.clusterIdentifier = aksId(args.subscriptionId, names.resourceGroup, names.cluster);
    this.registerOutputs(pick(this, "kubeconfig", "egressCidrs", "oidcIssuerUrl", "clusterIdentifier"));
  }

  /** The address by which the load balancer of AKS leads out, with the role by which AKS takes it. */
  private egress(name: string, place: AksPlace) {
    const ip = new network.PublicIPAddress(
      `${name}-egress-ip`,
      { ...place.common, ...publicAddress(managementNames(place.clusterName).egressIp) },
      { parent: this },
    );
    const role = new authorization.RoleAssignment(
      `${name}-network-role`,
      aksRole(place, "networkContributor", ip.id, "network-role"),
      { parent: this, ...remadeWithPrincipal },
    );
    return { ip, role, cidr: cidrOf(ip) };
  }
}
