import { existingManagement } from "../support/stacks";
import type { Change } from "./armStandIn";
import { at, capability, named, refused, type Row } from "./findings";

/** Obstacles because of options of pools, resources outside of the stack, and an existing network. */

const pool = (more: Readonly<Record<string, unknown>>) => ({
  windowsPools: { win1: { replicas: 2, ...more } },
});

const inStack = "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/platform/providers";
const elsewhere = "/subscriptions/99999999-2222-4333-8444-555555555555/resourceGroups/images/providers";
const diskSet = `${inStack}/Microsoft.Compute/diskEncryptionSets/own`;
const pull = `${inStack}/Microsoft.ManagedIdentity/userAssignedIdentities/pull`;
const ownGallery = {
  image: {
    computeGallery: {
      ...{ gallery: "mine", name: "win", version: "1.0.0" },
      subscriptionId: "99999999-2222-4333-8444-555555555555",
      resourceGroup: "images",
    },
  },
};

/** The first answer among several changes. */
const all =
  (...changes: readonly Change[]): Change =>
  (...args) =>
    changes.map((change) => change(...args)).find((reply) => reply !== undefined);

const there = (path: RegExp, location = "westeurope"): Change =>
  at(path, () => ({ body: { location, properties: {} } }));

/** The controllers' identity of an earlier `up`, with a role at the requested scope. */
const controllers = (actions: readonly string[]): Change =>
  all(
    at(/userAssignedIdentities\/test-capz$/, () => ({ body: { properties: { principalId: "p-1" } } })),
    at(/roleAssignments$/, () => ({ body: { value: [{ properties: { roleDefinitionId: "/role" } }] } })),
    at(/^\/role$/, () => ({ body: { properties: { permissions: [{ actions, notActions: [] }] } } })),
  );

const options: readonly Row[] = [
  [
    "encryption at host is not registered",
    at(/\/features\/EncryptionAtHost$/, () => ({ body: { properties: { state: "NotRegistered" } } })),
    /^error features: Microsoft.Compute\/EncryptionAtHost, for windowsPools.win1, is NotRegistered$/,
    /^az feature register --namespace Microsoft.Compute --name EncryptionAtHost/,
    pool({ encryptionAtHost: true }),
  ],
  [
    "a size without encryption at host",
    capability("EncryptionAtHostSupported", "False"),
    /^error size of windowsPools.win1: Standard_D4s_v5 cannot encrypt at the host$/,
    /^capz-windows:windowsPools: \{win1: \{vmSize: A-SIZE-THAT-CAN\}\}$/,
    pool({ encryptionAtHost: true }),
  ],
  [
    "a size that is not offered as spot",
    capability("LowPriorityCapable", "False"),
    /^error size of windowsPools.win1: Standard_D4s_v5 is not offered as spot$/,
    /vmSize: ANOTHER-SIZE/,
    pool({ spot: {} }),
  ],
  [
    "a size without ephemeral disks",
    capability("EphemeralOSDiskSupported", "False"),
    /^error size of windowsPools.win1: Standard_D4ds_v5 does not support ephemeral OS disks$/,
    /vmSize: A-SIZE-WITH-A-LOCAL-DISK/,
    pool({ vmSize: "Standard_D4ds_v5", ephemeralOsDisk: "CacheDisk" }),
  ],
  [
    "an ephemeral disk that is too large",
    capability("CachedDiskBytes", String(100 * 2 ** 30)),
    /^error size of windowsPools.win1: Standard_D4ds_v5 has 100 GiB for an ephemeral OS disk on CacheDisk, and the pool needs 128$/,
    /^capz-windows:windowsPools: \{win1: \{osDiskGB: 100\}\}$/,
    pool({ vmSize: "Standard_D4ds_v5", ephemeralOsDisk: "CacheDisk", osDiskGB: 128 }),
  ],
  [
    "the quota of spot cores, and not that of the family",
    at(/Compute\/locations\/westeurope\/usages$/, () => ({
      body: {
        value: [
          { name: { value: "lowPriorityCores", localizedValue: "Spot vCPUs" }, currentValue: 0, limit: 8 },
          { name: { value: "standardDSv5Family", localizedValue: "DSv5" }, currentValue: 0, limit: 20 },
        ],
      },
    })),
    /^error quota: Spot vCPUs in westeurope: 8 approved, 0 used, 12 more needed while everything rolls$/,
    /--resource-name lowPriorityCores .*value=12$/,
    { ...pool({ spot: {} }), linuxPools: {} },
  ],
];

const registry = {
  azureContainerRegistries: [`${elsewhere}/Microsoft.ContainerRegistry/registries/mycompany`],
};

const foreign: readonly Row[] = [
  [
    "a container registry that does not exist",
    at(/registries\/mycompany\/providers\/Microsoft.Authorization\/permissions$/, () => ({
      body: { value: [{ actions: ["*"], notActions: [] }] },
    })),
    /^error container registries: mycompany does not exist, or this login may not read it$/,
    /^az acr show --name mycompany --query id$/,
    registry,
  ],
  [
    "a container registry on which this login may not assign roles",
    all(
      there(/registries\/mycompany$/),
      at(/registries\/mycompany\/providers\/Microsoft.Authorization\/permissions$/, () => ({
        body: { value: [{ actions: ["*/read"], notActions: [] }] },
      })),
    ),
    /^error roles: this login lacks Microsoft.Authorization\/roleAssignments\/write on the registry mycompany$/,
    /--role "Role Based Access Control Administrator" --assignee YOU --scope .*\/registries\/mycompany$/,
    registry,
  ],
  [
    "a disk encryption set that does not exist",
    () => undefined,
    /^error disk encryption set of windowsPools.win1: own does not exist$/,
    /^capz-windows:windowsPools: \{win1: \{diskEncryptionSetId: ID\}\}$/,
    pool({ diskEncryptionSetId: diskSet }),
  ],
  [
    "a disk encryption set on which this login may not assign roles",
    all(
      there(/diskEncryptionSets\/own$/),
      at(/diskEncryptionSets\/own\/providers\/Microsoft.Authorization\/permissions$/, () => ({
        body: { value: [{ actions: ["*/read"], notActions: [] }] },
      })),
    ),
    /^error roles: this login lacks Microsoft.Authorization\/roleAssignments\/write on the disk encryption set own$/,
    /--role "Role Based Access Control Administrator" --assignee YOU --scope .*\/diskEncryptionSets\/own$/,
    pool({ diskEncryptionSetId: diskSet }),
  ],
  [
    "a disk encryption set of another region",
    there(/diskEncryptionSets\/own$/, "northeurope"),
    /^error disk encryption set of windowsPools.win1: own is in northeurope, but the machines will be in westeurope$/,
    /diskEncryptionSetId/,
    pool({ diskEncryptionSetId: diskSet }),
  ],
  [
    "an identity of machines, before the controllers have one",
    there(/userAssignedIdentities\/pull$/),
    /^warning identity of windowsPools.win1: CAPZ's identity does not exist yet: assign the role Managed Identity Operator on pull to it/,
    /--role "Managed Identity Operator" --assignee-object-id \$\(az identity show --ids \S+\/test-capz .*\/pull$/,
    pool({ identityIds: [pull] }),
  ],
  [
    "an identity of machines that the controllers may only read",
    all(there(/userAssignedIdentities\/pull$/), controllers(["*/read"])),
    /^error identity of windowsPools.win1: CAPZ's identity does not have the role Managed Identity Operator on pull$/,
    /--assignee-object-id p-1 /,
    pool({ identityIds: [pull] }),
  ],
  [
    "an identity of gMSA that is not there",
    at(/userAssignedIdentities\/pull$/, () => ({ status: 404, body: {} })),
    /^error identity of addons.gmsa: pull does not exist$/,
    /^capz-windows:addons: \{gmsa: \{keyVaultIdentity: ID\}\}/,
    { ...pool({}), addons: { gmsa: { enabled: true, keyVaultIdentity: pull } } },
  ],
  [
    "a gallery of another subscription, with an identity whose principal nobody knows",
    all(there(/\/galleries\/mine$/), there(/\/versions\/1.0.0$/)),
    /^warning gallery of windowsPools.win1: whether CAPZ's identity has the role Reader on mine cannot be checked without clusterApi.identity.principalId$/,
    new RegExp(`--role "Reader" .* --scope ${elsewhere}/Microsoft.Compute/galleries/mine$`),
    {
      ...pool(ownGallery),
      ...existingManagement,
      clusterApi: { identity: { clientId: "11111111-2222-4333-8444-888888888888" } },
    },
  ],
  [
    "an own image that is not there",
    there(/\/galleries\/mine$/),
    /^error image of windowsPools.win1: mine\/win\/1.0.0 is not in westeurope$/,
    /^az sig image-version list --subscription 99999999-2222-4333-8444-555555555555 --resource-group images --gallery-name mine/,
    pool(ownGallery),
  ],
];

const vnet = (properties: Readonly<Record<string, unknown>>): Change =>
  at(/resourceGroups\/test(\/.*virtualNetworks.*)?$/, (url) =>
    url.pathname.includes("virtualNetworks")
      ? { body: { properties: { addressSpace: { addressPrefixes: ["10.10.0.0/16"] }, ...properties } } }
      : { body: { location: "westeurope", properties: {} } },
  );

const networks: readonly Row[] = [
  [
    "a resource group that somebody else made",
    there(/resourceGroups\/test$/),
    /^warning resource group: test exists without test-vnet: `up` creates the group itself, and fails/,
    /resourceGroup: ANOTHER-NAME/,
  ],
  [
    "another range of a subnet",
    vnet({ subnets: [{ name: "node-subnet", properties: { addressPrefix: "10.10.64.0/18" } }] }),
    /^error network: the subnet node-subnet has 10.10.64.0\/18, and the stack file says 10.10.128.0\/17/,
    /^capz-windows:network: \{nodeSubnetCidr: 10.10.64.0\/18\}$/,
  ],
  [
    "a subnet of somebody else in the way",
    vnet({ subnets: [{ name: "bastion", properties: { addressPrefixes: ["10.10.128.0/26"] } }] }),
    /^error network: the subnet bastion of test-vnet, which does not belong to this stack, has 10.10.128.0\/26, which overlaps 10.10.128.0\/17 of node-subnet/,
    /nodeSubnetCidr: A-FREE-RANGE/,
  ],
  [
    "a peered network with the same addresses",
    vnet({
      virtualNetworkPeerings: [
        { name: "to-hub", properties: { remoteAddressSpace: { addressPrefixes: ["10.10.0.0/20"] } } },
      ],
    }),
    /^error network: 10.10.0.0\/16 overlaps 10.10.0.0\/20 of the VNET that to-hub peers with$/,
    /vnetCidr: A-FREE-RANGE/,
  ],
  [
    "a peering whose other side is gone",
    vnet({ virtualNetworkPeerings: [{ name: "to-hub", properties: { peeringState: "Disconnected" } }] }),
    /^warning network: the peering to-hub of test-vnet is Disconnected/,
    /create both sides of the peering again/,
  ],
  [
    "a preview of AKS",
    at(/kubernetesVersions$/, () => ({
      body: { values: [{ version: "1.35", isPreview: true, patchVersions: {} }] },
    })),
    /^warning AKS version: 1.35 is a preview in westeurope/,
    /^az aks get-versions/,
  ],
  [
    "a version of AKS for long-term support only",
    at(/kubernetesVersions$/, () => ({
      body: {
        values: [
          { version: "1.35", capabilities: { supportPlan: ["AKSLongTermSupport"] }, patchVersions: {} },
          { version: "1.36", capabilities: { supportPlan: ["KubernetesOfficial"] }, patchVersions: {} },
        ],
      },
    })),
    /^error AKS version: 1.35 is offered in westeurope for clusters with long-term support only$/,
    /kubernetesVersion: "1.36"/,
  ],
  [
    "no answer about a feature",
    at(/\/features\//, () => refused(403, "AuthorizationFailed")),
    /^unknown features: this login is not authorized to read this: AuthorizationFailed$/,
    /--role Reader/,
    pool({ encryptionAtHost: true }),
  ],
];

export const moreFindings = [...options, ...foreign, ...networks].map(named);
