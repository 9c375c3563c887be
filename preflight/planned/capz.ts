import {
  apiServerHost,
  apiServerPort,
  apiServerPublicIpName,
  controlPlaneName,
  networkNames,
} from "../../domain/cluster/naming";
import { at, list, numberAt, textAt } from "../../domain/untyped";
import type { ClusterModel, PoolModel } from "../../plan/model/cluster/types";
import type { PlanResource } from "../../plan/model/planDocument";
import { extensionsOf, interfacesOf, scaleSet, virtualMachine } from "./machines";
import type { Planned } from "./planned";

/** What CAPZ v1.27.0 creates in Azure, computed from the objects of a plan as its azure/services compute it. */

type Fields = Readonly<Record<string, unknown>>;

/** API versions of CAPZ's clients, armnetwork v4 and armcompute v5, and of the disks that come with machines. */
const apis = { network: "2023-05-01", compute: "2024-03-01", disks: "2023-10-02" } as const;

/** What all resources of a cluster have in common. */
interface Common {
  readonly cluster: ClusterModel;
  /** ARM id of the resource group. */
  readonly within: string;
  /** Zones of the region, which CAPZ takes for failure domains. */
  readonly zones: readonly string[];
  /** Tags of the AzureCluster. */
  readonly tags: Fields;
}

/** api/v1beta1/tags.go, Build: CAPZ's own tags win. */
function tagsOf(
  { cluster, tags }: Common,
  { role, name, additional }: { role?: string; name?: string; additional?: unknown },
): Fields {
  const prefix = "sigs.k8s.io_cluster-api-provider-azure_";
  return {
    ...tags,
    ...(additional as Fields | undefined),
    [`${prefix}cluster_${cluster.name}`]: "owned",
    ...(role === undefined ? {} : { [`${prefix}role`]: role }),
    ...(name === undefined ? {} : { Name: name }),
  };
}

const zonesField = (zones: readonly string[]): Fields => (zones.length === 0 ? {} : { zones });

/** The address of the API server and its load balancer: publicips/spec.go, loadbalancers/spec.go. */
function apiServer(common: Common): Planned[] {
  const { cluster, within, zones } = common;
  const { name: clusterName, subscriptionId, resourceGroup, location } = cluster;
  const fqdn = apiServerHost({ clusterName, subscriptionId, resourceGroup, location });
  const address = apiServerPublicIpName(clusterName);
  const balancer = `${clusterName}-public-lb`;
  const network = `${within}/providers/Microsoft.Network`;
  const own = `${network}/loadBalancers/${balancer}`;
  const frontend = { id: `${own}/frontendIPConfigurations/${balancer}-frontEnd` };
  const machines = { id: `${own}/backendAddressPools/${balancer}-backendPool` };
  return [
    {
      ...{ type: "Microsoft.Network/publicIPAddresses", name: address, apiVersion: apis.network, within },
      content: {
        ...{ location, tags: tagsOf(common, { name: address }), sku: { name: "Standard" } },
        ...zonesField(zones),
        properties: {
          ...{ publicIPAddressVersion: "IPv4", publicIPAllocationMethod: "Static" },
          dnsSettings: { domainNameLabel: fqdn.split(".")[0], fqdn },
        },
      },
    },
    {
      ...{ type: "Microsoft.Network/loadBalancers", name: balancer, apiVersion: apis.network, within },
      content: {
        ...{ location, tags: tagsOf(common, { role: "apiserver" }), sku: { name: "Standard" } },
        properties: {
          frontendIPConfigurations: [
            {
              name: `${balancer}-frontEnd`,
              properties: { publicIPAddress: { id: `${network}/publicIPAddresses/${address}` } },
            },
          ],
          backendAddressPools: [{ name: `${balancer}-backendPool` }],
          loadBalancingRules: [
            {
              name: "LBRuleHTTPS",
              properties: {
                ...{ protocol: "Tcp", frontendPort: apiServerPort, backendPort: apiServerPort },
                ...{ disableOutboundSnat: true, enableFloatingIP: false, loadDistribution: "Default" },
                ...{ frontendIPConfiguration: frontend, backendAddressPool: machines },
              },
            },
          ],
          outboundRules: [
            {
              name: "OutboundNATAllProtocols",
              properties: {
                ...{ protocol: "All", frontendIPConfigurations: [frontend], backendAddressPool: machines },
              },
            },
          ],
        },
      },
    },
    // One for ssh to each machine of the control plane: inboundnatrules/spec.go.
    {
      type: "Microsoft.Network/loadBalancers/inboundNatRules",
      name: machineName(controlPlaneName(clusterName)),
      ...{ apiVersion: apis.network, within, scope: own },
      content: {
        properties: {
          ...{ protocol: "Tcp", frontendPort: 22, backendPort: 22, enableFloatingIP: false },
          ...{ idleTimeoutInMinutes: 4, frontendIPConfiguration: frontend },
        },
      },
    },
  ];
}

/** Cluster API makes the end of the name up. */
const machineName = (owner: string): string => `${owner}-00000`;

/** Machines of one AzureMachineTemplate: interfaces, one machine, its extensions and disks. */
function singleMachines(common: Common, infrastructure: Fields, pool?: PoolModel): Planned[] {
  const { cluster, within } = common;
  const { location } = cluster;
  const spec = at(infrastructure, "spec", "template", "spec");
  const names = networkNames(cluster.name);
  const name = machineName(pool?.name ?? controlPlaneName(cluster.name));
  const [zone] = pool?.zones ?? common.zones;
  const additional = at(spec, "additionalTags");
  const tags = (more: { role?: string; name?: string }) => tagsOf(common, { additional, ...more });
  const subnets = `${within}/providers/Microsoft.Network/virtualNetworks/${names.vnet}/subnets`;
  const interfaces = interfacesOf(spec, pool === undefined ? names.controlPlaneSubnet : names.nodeSubnet);
  const compute = { apiVersion: apis.compute, within };
  const ofMachine = {
    ...{ location, tags: tags({ role: pool === undefined ? "control-plane" : "node", name }) },
    ...zonesField(zone === undefined ? [] : [zone]),
  };
  return [
    // networkinterfaces/spec.go
    ...interfaces.map(({ subnet, accelerated }, index): Planned => {
      const nic = `${name}-nic${interfaces.length > 1 ? `-${index}` : ""}`;
      return {
        ...{ type: "Microsoft.Network/networkInterfaces", name: nic, apiVersion: apis.network, within },
        content: {
          ...{ location, tags: tags({ name: nic }) },
          properties: {
            enableAcceleratedNetworking: accelerated,
            enableIPForwarding: at(spec, "enableIPForwarding") === true,
            ipConfigurations: [
              {
                name: "pipConfig",
                properties: {
                  ...{ primary: true, privateIPAllocationMethod: "Dynamic" },
                  subnet: { id: `${subnets}/${subnet}` },
                },
              },
            ],
          },
        },
      };
    }),
    // azure/scope/machine.go, AvailabilitySet
    ...(zone === undefined && at(spec, "spotVMOptions") === undefined
      ? [
          {
            type: "Microsoft.Compute/availabilitySets",
            name: `${cluster.name}_${pool?.name ?? "control-plane"}-as`,
            ...compute,
            content: { location, tags: tags({ role: "common" }), sku: { name: "Aligned" }, properties: {} },
          },
        ]
      : []),
    {
      ...{ type: "Microsoft.Compute/virtualMachines", name, ...compute },
      content: { ...virtualMachine(spec), ...ofMachine },
    },
    // vmextensions/spec.go
    ...extensionsOf(spec).map((extension): Planned => ({
      ...{ type: "Microsoft.Compute/virtualMachines/extensions", name: extension.name, ...compute },
      scope: `${within}/providers/Microsoft.Compute/virtualMachines/${name}`,
      content: { location, properties: extension.properties },
    })),
    ...[at(spec, "osDisk"), ...list(at(spec, "dataDisks"))].map((disk): Planned => {
      const [suffix, set] = [
        textAt(disk, "nameSuffix"),
        textAt(disk, "managedDisk", "diskEncryptionSet", "id"),
      ];
      return {
        ...{ type: "Microsoft.Compute/disks", name: `${name}_${suffix || "OSDisk"}` },
        ...{ apiVersion: apis.disks, within },
        content: {
          ...ofMachine,
          sku: { name: textAt(disk, "managedDisk", "storageAccountType") },
          properties: {
            creationData: { createOption: suffix === "" ? "FromImage" : "Empty" },
            diskSizeGB: numberAt(disk, "diskSizeGB"),
            ...(set === ""
              ? {}
              : { encryption: { type: "EncryptionAtRestWithCustomerKey", diskEncryptionSetId: set } }),
          },
        },
      };
    }),
  ];
}

/** scalesets/spec.go */
function scaleSetOf(common: Common, infrastructure: Fields, pool: PoolModel): Planned {
  const { cluster, within } = common;
  const spec = at(infrastructure, "spec");
  const { vnet, nodeSubnet } = networkNames(cluster.name);
  const subnets = `${within}/providers/Microsoft.Network/virtualNetworks/${vnet}/subnets`;
  const name = pool.scaleSet ?? pool.name;
  const interfaces = interfacesOf(at(spec, "template"), nodeSubnet).map(({ subnet, accelerated }, index) => ({
    name: `${name}-nic-${index}`,
    properties: {
      ...(index === 0 ? { primary: true } : {}),
      ...{ enableIPForwarding: true, enableAcceleratedNetworking: accelerated },
      ipConfigurations: [
        {
          name: "ipConfig0",
          properties: {
            ...{ primary: true, privateIPAddressVersion: "IPv4" },
            subnet: { id: `${subnets}/${subnet}` },
          },
        },
      ],
    },
  }));
  return {
    ...{ type: "Microsoft.Compute/virtualMachineScaleSets", name, apiVersion: apis.compute, within },
    content: {
      ...scaleSet(spec, { zones: pool.zones, interfaces, capacity: pool.replicas }),
      location: cluster.location,
      tags: tagsOf(common, { role: "node", name, additional: at(spec, "additionalTags") }),
    },
  };
}

export function capzResources(
  resources: readonly PlanResource[],
  cluster: ClusterModel,
  zones: readonly string[],
): Planned[] {
  const inputsOf = (urn: string | undefined): Fields =>
    resources.find((resource) => resource.urn === urn)?.inputs ?? {};
  const azureCluster = resources.find(({ type, custom }) => custom && type.endsWith(":AzureCluster"));
  const common: Common = {
    ...{ cluster, zones },
    within: `/subscriptions/${cluster.subscriptionId}/resourceGroups/${cluster.resourceGroup}`,
    tags: (at(azureCluster?.inputs, "spec", "additionalTags") ?? {}) as Fields,
  };
  const { controlPlane, pools } = cluster;
  return [
    ...apiServer(common),
    ...(controlPlane === undefined
      ? []
      : singleMachines(common, inputsOf(controlPlane.members.infrastructure))),
    ...pools.flatMap((pool) => {
      const infrastructure = inputsOf(pool.members.infrastructure);
      return pool.kind === "MachinePool"
        ? [scaleSetOf(common, infrastructure, pool)]
        : singleMachines(common, infrastructure, pool);
    }),
  ];
}
