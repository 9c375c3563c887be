import { at, list, numberAt, textAt } from "../../../tools/untyped";
import type { ClusterModel, PoolModel } from "../../plan/model/cluster/types";
import type { PlanResource } from "../../plan/model/planDocument";
import {
  apis,
  apiServer,
  balancerOf,
  type Common,
  controlPlaneMachine,
  subnetOf,
  tagsOf,
  zonesField,
} from "./apiServer";
import { extensionsOf, interfacesOf, scaleSet, virtualMachine } from "./machines";
import type { Planned } from "./planned";
import { present } from "../../../tools/present";

/** What CAPZ v1.27.0 creates in Azure, computed from the objects of a plan as its azure/services compute it. */

type Fields = Readonly<Record<string, unknown>>;

/**
 * Cluster API makes up the ends of the names of a MachineSet and of its machine. CAPZ shortens names on Windows
 * (azure/scope/machine.go, Name).
 */
function machineOf({ name, os }: PoolModel): string {
  const full = `${name}-00000-00000`;
  return os === "windows" && full.length > 15 ? `${full.slice(0, 9).replace(/-$/, "")}-00000` : full;
}

/** Tags of machines and of what belongs to them (azure/scope/machine.go and machinepool.go, AdditionalTags). */
const additionalTags = ({ cluster }: Common, spec: unknown): Fields => ({
  ...(at(spec, "additionalTags") as Fields | undefined),
  [`kubernetes.io_cluster_${cluster.name}`]: "owned",
});

/** Machines of one AzureMachineTemplate: interfaces, one machine, its extensions and disks. */
function singleMachines(common: Common, infrastructure: Fields, pool?: PoolModel): Planned[] {
  const { cluster, within } = common;
  const { location } = cluster;
  const spec = at(infrastructure, "spec", "template", "spec");
  const name = pool === undefined ? controlPlaneMachine(cluster) : machineOf(pool);
  const [zone] = pool?.zones ?? common.zones;
  const additional = additionalTags(common, spec);
  const tags = (more: { role?: string; name?: string }) => tagsOf(common, { additional, ...more });
  const network = `${within}/providers/Microsoft.Network`;
  const subnets = `${cluster.network.vnetId}/subnets`;
  const interfaces = interfacesOf(spec, subnetOf(cluster, pool === undefined ? "control-plane" : "node"));
  const nicName = (index: number): string => `${name}-nic${interfaces.length > 1 ? `-${index}` : ""}`;
  const compute = { apiVersion: apis.compute, within };
  // CAPZ makes none in a region that has zones (azure/scope/cluster.go, AvailabilitySetEnabled).
  const set =
    common.zones.length === 0 && zone === undefined && at(spec, "spotVMOptions") === undefined
      ? `${cluster.name}_${pool?.name ?? "control-plane"}-as`
      : undefined;
  const balancer = balancerOf(common);
  const ofMachine = {
    ...{ location, tags: tags({ role: pool === undefined ? "control-plane" : "node", name }) },
    ...zonesField(zone === undefined ? [] : [zone]),
  };
  return present(
    // networkinterfaces/spec.go
    ...interfaces.map(({ subnet, accelerated }, index): Planned => {
      const nic = nicName(index);
      const balanced = pool === undefined && index === 0;
      return {
        ...{ type: "Microsoft.Network/networkInterfaces", name: nic, apiVersion: apis.network, within },
        content: {
          ...{ location, tags: tags({ name: nic }) },
          properties: {
            enableAcceleratedNetworking: accelerated,
            enableIPForwarding: at(spec, "enableIPForwarding") === true,
            dnsSettings: {},
            ipConfigurations: [
              {
                name: "pipConfig",
                properties: {
                  ...{ primary: true, privateIPAllocationMethod: "Dynamic" },
                  subnet: { id: `${subnets}/${subnet}` },
                  loadBalancerBackendAddressPools: balanced ? [balancer.machines] : [],
                  ...(balanced && balancer.ssh ? { loadBalancerInboundNatRules: [balancer.ssh] } : {}),
                },
              },
            ],
          },
        },
      };
    }),
    // availabilitysets/spec.go
    set !== undefined && {
      ...{ type: "Microsoft.Compute/availabilitySets", name: set, ...compute },
      content: { location, tags: tags({ role: "common", name: set }), sku: { name: "Aligned" } },
    },
    {
      ...{ type: "Microsoft.Compute/virtualMachines", name, ...compute },
      content: {
        ...virtualMachine(spec, {
          name,
          interfaces: interfaces.map((_, index) => `${network}/networkInterfaces/${nicName(index)}`),
          availabilitySet:
            set === undefined ? undefined : `${within}/providers/Microsoft.Compute/availabilitySets/${set}`,
        }),
        ...ofMachine,
      },
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
            ...(set !== "" && {
              encryption: { type: "EncryptionAtRestWithCustomerKey", diskEncryptionSetId: set },
            }),
          },
        },
      };
    }),
  );
}

/** scalesets/spec.go */
function scaleSetOf(common: Common, infrastructure: Fields, pool: PoolModel): Planned {
  const { cluster, within } = common;
  const spec = at(infrastructure, "spec");
  const subnets = `${cluster.network.vnetId}/subnets`;
  const name = pool.scaleSet ?? pool.name;
  const interfaces = interfacesOf(at(spec, "template"), subnetOf(cluster, "node")).map(
    ({ subnet, accelerated }, index) => ({
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
    }),
  );
  return {
    ...{ type: "Microsoft.Compute/virtualMachineScaleSets", name, apiVersion: apis.compute, within },
    content: {
      ...scaleSet(spec, { name, zones: pool.zones, interfaces, capacity: pool.replicas }),
      location: cluster.location,
      tags: tagsOf(common, { role: "node", name, additional: additionalTags(common, spec) }),
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
