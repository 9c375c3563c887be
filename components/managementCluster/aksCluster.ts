import * as authorization from "@pulumi/azure-native/authorization";
import * as containerservice from "@pulumi/azure-native/containerservice";
import * as managedidentity from "@pulumi/azure-native/managedidentity";
import * as network from "@pulumi/azure-native/network";
import * as resources from "@pulumi/azure-native/resources";
import * as pulumi from "@pulumi/pulumi";
import { roleAssignmentName, roleDefinitionId } from "../../domain/azure/roles";
import { componentType } from "../componentType";
import { machineTimeouts } from "../timeouts";
import { assertDefined } from "../../domain/assertDefined";
import { aksId, aksNetwork, managementNames } from "../../domain/azure/aks";

export interface AksClusterArgs {
  /** Name of the workload cluster; the names here follow from it. */
  readonly clusterName: string;
  readonly subscriptionId: string;
  readonly location: string;
  /** "1.35" or "1.35.4". */
  readonly kubernetesVersion: string;
  readonly nodeSize: string;
  readonly nodeCount: number;
  readonly maxNodeCount: number;
  /** Who may reach its API server; empty means everybody. */
  readonly authorizedCidrs: readonly string[];
  readonly tags: Readonly<Record<string, string>>;
  readonly protect: boolean;
}

/**
 * An AKS cluster for Cluster API, with OIDC issuer and workload identity, in a resource group of its own. It leaves
 * through a public IP of ours, so that the workload cluster can let in exactly this address.
 *
 * Cost: the Standard tier and at least `nodeCount` VMs run all the time.
 */
export class AksCluster extends pulumi.ComponentResource {
  /** Secret. */
  readonly kubeconfig: pulumi.Output<string>;
  readonly egressCidrs: pulumi.Output<string[]>;
  readonly oidcIssuerUrl: pulumi.Output<string>;
  readonly clusterIdentifier: string;

  constructor(name: string, args: AksClusterArgs, opts: pulumi.ComponentResourceOptions) {
    super(componentType("AksCluster"), name, {}, opts);
    const names = managementNames(args.clusterName);
    const group = new resources.ResourceGroup(
      `${name}-resource-group`,
      { resourceGroupName: names.resourceGroup, location: args.location, tags: args.tags },
      { parent: this, protect: args.protect },
    );
    const common = { resourceGroupName: group.name, location: args.location, tags: args.tags };
    const egressIp = new network.PublicIPAddress(
      `${name}-egress-ip`,
      {
        ...common,
        publicIpAddressName: names.egressIp,
        publicIPAllocationMethod: "Static",
        publicIPAddressVersion: "IPv4",
        sku: { name: "Standard" },
      },
      { parent: this },
    );
    const identity = new managedidentity.UserAssignedIdentity(
      `${name}-identity`,
      { ...common, resourceName: names.identity },
      { parent: this },
    );
    const joinsEgressIp = new authorization.RoleAssignment(
      `${name}-network-role`,
      {
        roleAssignmentName: roleAssignmentName(args.subscriptionId, names.cluster, "network-role"),
        principalId: identity.principalId,
        principalType: "ServicePrincipal",
        roleDefinitionId: roleDefinitionId(args.subscriptionId, "networkContributor"),
        scope: egressIp.id,
      },
      // An assignment cannot move to another principal, and two of one name cannot exist.
      { parent: this, replaceOnChanges: ["principalId"], deleteBeforeReplace: true },
    );
    const egressCidr = egressIp.ipAddress.apply(
      (address) => `${assertDefined(address, "the egress address")}/32`,
    );
    const cluster = new containerservice.ManagedCluster(
      `${name}-cluster`,
      {
        ...common,
        resourceName: names.cluster,
        dnsPrefix: names.dnsPrefix,
        nodeResourceGroup: names.nodeResourceGroup,
        kubernetesVersion: args.kubernetesVersion,
        sku: { name: "Base", tier: "Standard" },
        identity: { type: "UserAssigned", userAssignedIdentities: [identity.id] },
        oidcIssuerProfile: { enabled: true },
        securityProfile: { workloadIdentity: { enabled: true } },
        autoUpgradeProfile: { upgradeChannel: "patch", nodeOSUpgradeChannel: "NodeImage" },
        apiServerAccessProfile:
          args.authorizedCidrs.length > 0
            ? // Its own nodes reach the API server through the egress address.
              { authorizedIPRanges: [...args.authorizedCidrs, egressCidr] }
            : {},
        networkProfile: {
          networkPlugin: "azure",
          networkPluginMode: "overlay",
          networkDataplane: "cilium",
          networkPolicy: "cilium",
          ...aksNetwork,
          loadBalancerSku: "standard",
          outboundType: "loadBalancer",
          loadBalancerProfile: { outboundIPs: { publicIPs: [{ id: egressIp.id }] } },
        },
        agentPoolProfiles: [
          {
            name: "system",
            mode: "System",
            vmSize: args.nodeSize,
            osType: "Linux",
            type: "VirtualMachineScaleSets",
            count: args.nodeCount,
            enableAutoScaling: true,
            minCount: args.nodeCount,
            maxCount: args.maxNodeCount,
            upgradeSettings: { maxSurge: "33%" },
          },
        ],
      },
      {
        parent: this,
        protect: args.protect,
        dependsOn: [joinsEgressIp],
        // The autoscaler of AKS owns the number of nodes.
        ignoreChanges: ["agentPoolProfiles[0].count"],
        // Creating or upgrading AKS takes longer than the default of some operations.
        customTimeouts: machineTimeouts,
      },
    );
    const credentials = containerservice.listManagedClusterUserCredentialsOutput(
      // The cluster's own output, so that the call waits until the cluster is there.
      { resourceGroupName: group.name, resourceName: cluster.name },
      { parent: this },
    );

    this.kubeconfig = pulumi.secret(
      credentials.apply(({ kubeconfigs }) =>
        Buffer.from(
          assertDefined(kubeconfigs[0]?.value, "a kubeconfig of the AKS cluster"),
          "base64",
        ).toString("utf8"),
      ),
    );
    this.egressCidrs = pulumi.all([egressCidr]);
    this.oidcIssuerUrl = cluster.oidcIssuerProfile.apply((profile) =>
      assertDefined(profile?.issuerURL, "the OIDC issuer of the AKS cluster"),
    );
    this.clusterIdentifier = aksId(args.subscriptionId, names.resourceGroup, names.cluster);
    this.registerOutputs({ egressCidrs: this.egressCidrs, oidcIssuerUrl: this.oidcIssuerUrl });
  }
}
