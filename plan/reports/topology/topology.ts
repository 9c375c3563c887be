import { builtInRoles } from "../../../components/clusterApi/roles";
import { vxlanMtu } from "../../../components/virtualNetwork/mtu";
import { apiServerPort } from "../../../components/workloadCluster/naming";
import { redact } from "../../engine";
import { byName } from "../../order";
import type { Plan } from "../../plan";
import { azureOf, list, objectsOf, strings, text } from "./fields";
import { controlPlane, pool } from "./machines";
import type { Identity, Network, Topology } from "./types";

function identities(plan: Plan): Identity[] {
  const inputs = (type: string) => azureOf(plan, type).map((resource) => resource.inputs);
  return azureOf(plan, "UserAssignedIdentity").map(({ inputs: identity, name: logical }) => {
    const name = text(identity, "resourceName");
    return {
      name,
      usedBy: inputs("FederatedIdentityCredential")
        .filter((credential) => text(credential, "resourceName") === name)
        .map((credential) => text(credential, "subject").replace("system:serviceaccount:", "")),
      // An assignment names a principal that only Azure knows; its logical name says whose it is.
      roles: azureOf(plan, "RoleAssignment")
        .filter((role) => ownerOf(plan, role.name) === logical)
        .map(({ inputs: role }) => {
          const definition = text(role, "roleDefinitionId").split("/").at(-1) ?? "";
          return `${roleName(definition)} on ${scopeWord(text(role, "scope"))}`;
        }),
    };
  });
}

/** The identity that a role assignment depends on. */
function ownerOf({ update }: Plan, assignment: string): string | undefined {
  const found = update.resources.find(({ name }) => name === assignment);
  return update.resources.find(
    ({ urn, type }) => type.endsWith(":UserAssignedIdentity") && found?.dependencies.includes(urn),
  )?.name;
}

/** "network contributor" */
function roleName(id: string): string {
  const [name] = Object.entries(builtInRoles).find(([, known]) => known === id) ?? [id];
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** "the subscription", "group x", else the last part of an id. */
function scopeWord(scope: string): string {
  const parts = scope.split("/");
  const last = parts.at(-1) ?? "";
  const kind = parts.at(-2) ?? "";
  return kind === "subscriptions" ? "the subscription" : kind === "resourceGroups" ? `group ${last}` : last;
}

function management(plan: Plan): Topology["management"] {
  const [aks] = azureOf(plan, "ManagedCluster");
  const { management: configured } = plan.settings;
  if (aks === undefined) {
    return { name: "name" in configured ? configured.name : configured.kind, own: false, facts: [] };
  }
  const [agents] = list(aks.inputs, "agentPoolProfiles");
  const [min, max] = [text(agents, "minCount"), text(agents, "maxCount")];
  const count = min === "" ? text(agents, "count") : min === max ? min : `${min}–${max}`;
  return {
    name: text(aks.inputs, "resourceName"),
    own: true,
    facts: [
      `AKS ${text(aks.inputs, "kubernetesVersion")}, ${text(aks.inputs, "sku.tier").toLowerCase()} tier`,
      `${count} × ${text(agents, "vmSize")}`,
    ],
  };
}

function network(plan: Plan): Network {
  const { network: configured } = plan.settings;
  const [vnet] = azureOf(plan, "VirtualNetwork");
  const [nat] = azureOf(plan, "NatGateway");
  const [azureCluster] = objectsOf(plan, "AzureCluster");
  const mtu = Number(redact(plan.update.outputs.mtu ?? 0));
  const installation = plan.objects.workload
    .flatMap(({ objects }) => objects)
    .find(({ kind }) => kind === "Installation");
  return {
    vnet: text(vnet?.inputs, "virtualNetworkName"),
    cidr: strings(vnet?.inputs, "addressSpace.addressPrefixes").join(", "),
    mtu,
    podMtu: Number(text(installation?.spec, "calicoNetwork.mtu", String(vxlanMtu(mtu)))),
    podCidr: configured.podCidr,
    serviceCidr: configured.serviceCidr,
    subnets: list(azureCluster?.spec, "networkSpec.subnets").map((subnet) => ({
      name: text(subnet, "name"),
      cidr: strings(subnet, "cidrBlocks").join(", "),
      role: text(subnet, "role") === "control-plane" ? "control-plane" : "node",
    })),
    natGateway: nat === undefined ? undefined : text(nat.inputs, "natGatewayName"),
  };
}

const providerKinds: Readonly<Record<string, string>> = {
  CoreProvider: "Cluster API core",
  BootstrapProvider: "kubeadm bootstrap",
  ControlPlaneProvider: "kubeadm control plane",
  InfrastructureProvider: "CAPZ",
};

export function topologyOf(plan: Plan): Topology {
  const { settings, objects } = plan;
  const sets = new Map<string, number>();
  for (const { set, objects: delivered } of objects.workload) {
    sets.set(set, (sets.get(set) ?? 0) + delivered.length);
  }
  return {
    cluster: settings.clusterName,
    kubernetesVersion: settings.kubernetesVersion,
    location: settings.azure.location,
    subscriptionId: settings.azure.subscriptionId,
    resourceGroup: settings.azure.resourceGroup,
    management: management(plan),
    providers: [
      ...objects.releases.map(({ inputs }) => ({
        name: text(inputs, "chart").split("/").at(-1) ?? "",
        version: text(inputs, "version"),
      })),
      ...objectsOf(plan, ...Object.keys(providerKinds)).map((object) => ({
        name: providerKinds[object.kind] ?? object.kind,
        version: text(object.spec, "version"),
      })),
    ],
    addons: [...sets].map(([name, count]) => ({
      name: name.replace(`${settings.clusterName}-`, ""),
      objects: count,
    })),
    identities: identities(plan),
    network: network(plan),
    apiServer: {
      host: String(redact(plan.update.outputs.apiServerHost ?? "")),
      port: apiServerPort,
      allowed: settings.access.allowedCidrs,
    },
    controlPlane: controlPlane(plan),
    pools: objectsOf(plan, "MachinePool", "MachineDeployment")
      .map((object) => pool(plan, object))
      .sort(byName),
  };
}
