import { isRecord, type Plain } from "capz-windows-kit/untyped";
import { otherKey } from "../support/stacks";
import { isWholeRun } from "./ofRun";

/** Changes of a stack file on a management cluster that exists, one after the other, and changes that are refused. */

export interface Change {
  readonly what: string;
  /** Paths of the stack file, each with its new value; `undefined` removes the key. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Values that only Pulumi encrypts. A plan does not know them. */
  readonly secrets?: Readonly<Record<string, string>>;
}

/** A change of which one rule of plan/impact says the worst. */
export interface Named extends Change {
  readonly rule: string;
}

/** Sets a path such as `windowsPools.win1.replicas`; `undefined` removes it. */
function set(config: Plain, [key = "", ...rest]: readonly string[], value: unknown): Plain {
  const { [key]: before, ...others } = config;
  const after = rest.length === 0 ? value : set(isRecord(before) ? before : {}, rest, value);
  return after === undefined ? others : { ...others, [key]: after };
}

export const changed = (config: Plain, change: Change): Plain =>
  Object.entries(change.set).reduce((each, [path, value]) => set(each, path.split("."), value), config);

const subscriptionId = "11111111-2222-4333-8444-555555555555";
const hub =
  "/subscriptions/22222222-2222-4333-8444-555555555555/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub-vnet";
const customRole = `/subscriptions/${subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/00000000-0000-4000-8000-000000000001`;
const registry = `/subscriptions/${subscriptionId}/resourceGroups/r/providers/Microsoft.ContainerRegistry/registries/mycompany`;
const image = (version: string) => ({
  computeGallery: { gallery: "g", name: "windows", version, subscriptionId, resourceGroup: "images" },
});
const quota = (pods: string) => ({
  ...{ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "own", namespace: "default" } },
  spec: { hard: { pods } },
});
const login = (...groups: readonly string[]) => ({
  entra: { clientId: "22222222-2222-4333-8444-555555555555" },
  administrators: { groups: groups.map((name) => `entra:${name}`) },
});
const secretFile = { files: [{ path: "C:/k/own.txt", contentFrom: { secretFile: "own" } }] };
const bastion = { kind: "stack", range: "10.10.1.0/26", allowedCidrs: ["203.0.113.0/24"] };
const peering = { vnetId: hub, addressSpaces: ["10.50.0.0/16"], remoteSide: "stack" };

/** The stack that is changed. */
export const stackBefore = (clusterName: string): Plain => ({
  clusterName,
  kubernetesVersion: "v1.34.3",
  azure: { subscriptionId, tenantId: "11111111-2222-4333-8444-666666666666", location: "westeurope" },
  management: {
    ...{ kind: "existing", name: "platform", egressCidrs: ["198.51.100.4/32"] },
    oidcIssuerUrl: "https://issuer.example/",
  },
  access: {
    sshPublicKey:
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyV example-replace-me",
    allowedCidrs: ["203.0.113.0/24"],
  },
  controlPlane: { encryption: { keys: ["a"] } },
  network: { poolSubnets: { web: "10.10.64.0/24" } },
  linuxPools: { lin1: { replicas: 2, zones: ["1", "2"] } },
  windowsPools: {
    win1: { replicas: 2, subnet: "web" },
    win2: { replicas: 2 },
    set: { kind: "MachineDeployment", replicas: 2 },
  },
  tags: { team: "a" },
  protect: true,
});

/** Accepted changes of pools, each on top of those before. */
const ofPools: readonly Change[] = [
  { what: "a pool grows", set: { "windowsPools.win2.replicas": 3 } },
  { what: "a pool shrinks", set: { "windowsPools.win2.replicas": 1 } },
  { what: "a pool is emptied", set: { "windowsPools.win2.replicas": 0 } },
  { what: "a pool with another machine size", set: { "windowsPools.win1.vmSize": "Standard_D8s_v5" } },
  { what: "a pool with a label", set: { "windowsPools.win1.labels": { team: "web" } } },
  {
    what: "a pool with a taint",
    set: { "windowsPools.win1.taints": [{ key: "os", value: "windows", effect: "NoSchedule" }] },
  },
  {
    what: "a pool with another command",
    set: { "windowsPools.win1.postKubeadmCommands": ["echo hello"] },
  },
  {
    what: "a patch of a pool",
    set: { "windowsPools.win1.overrides": { MachinePool: { metadata: { labels: { team: "web" } } } } },
  },
  { what: "a pool with an image of its own", set: { "windowsPools.win1.image": image("1.0.0") } },
  { what: "another version of that image", set: { "windowsPools.win1.image": image("1.0.1") } },
  { what: "a pool surges more", set: { "windowsPools.win1.rollout": { maxSurge: 2 } } },
  {
    what: "a pool gets an autoscaler",
    set: { "windowsPools.win1.replicas": undefined, "windowsPools.win1.autoscale": { min: 2, max: 4 } },
  },
  {
    what: "a pool loses its autoscaler",
    set: { "windowsPools.win1.replicas": 2, "windowsPools.win1.autoscale": undefined },
  },
  { what: "a pool is drained otherwise", set: { "windowsPools.win1.deletion": { drain: false } } },
  { what: "a licence of Windows", set: { "windowsPools.win1.hybridBenefit": true } },
  { what: "a MachineDeployment rolls", set: { "windowsPools.set.vmSize": "Standard_D8s_v5" } },
  { what: "a new pool", set: { "windowsPools.win4": {} } },
  { what: "a pool with another name", set: { "windowsPools.win4": undefined, "windowsPools.win5": {} } },
  { what: "a pool is removed", set: { "windowsPools.win5": undefined } },
];

/**
 * Accepted changes of everything else, each on top of those before. Not `wait: nodes`: an `up` then waits for instances, which
 * the controllers here do not make; test/life has them.
 */
const ofTheRest: readonly Change[] = [
  { what: "another tag", set: { "tags.team": "b" } },
  { what: "other networks may connect", set: { "access.allowedCidrs": ["198.51.100.0/24"] } },
  { what: "another ssh key", set: { "access.sshPublicKey": otherKey } },
  { what: "five control planes", set: { "controlPlane.replicas": 5 } },
  { what: "three control planes", set: { "controlPlane.replicas": 3 } },
  {
    what: "the control plane is drained otherwise",
    set: { "controlPlane.deletion": { nodeDrainTimeoutSeconds: 600 } },
  },
  { what: "a second key of encryption", set: { "controlPlane.encryption.keys": ["a", "b"] } },
  { what: "the second key writes", set: { "controlPlane.encryption.keys": ["b", "a"] } },
  { what: "the first key goes", set: { "controlPlane.encryption.keys": ["b"] } },
  { what: "people log in by Entra", set: { "controlPlane.authentication": login("a", "b") } },
  { what: "other groups log in", set: { "controlPlane.authentication": login("b", "c") } },
  { what: "certificates of kubelets", set: { kubeletCertificates: "issued" } },
  { what: "an add-on", set: { "addons.azureFile": { enabled: true } } },
  { what: "no add-on", set: { "addons.azureFile": undefined } },
  { what: "another MTU", set: { "network.mtu": 1380 } },
  { what: "pods of Windows are shut off", set: { "workloads.policy": "deny" } },
  {
    what: "own manifests",
    set: { "extraManifests.own": { objects: [quota("10")], strategy: "ApplyOnce" } },
  },
  {
    what: "other own manifests",
    set: { "extraManifests.own": { objects: [quota("20")], strategy: "ApplyOnce" } },
  },
  { what: "own manifests are reconciled", set: { "extraManifests.own": { objects: [quota("20")] } } },
  { what: "DNS servers", set: { "network.dnsServers": ["10.10.64.4"] } },
  { what: "a peering", set: { "network.peerings": { hub: peering } } },
  { what: "Azure Bastion", set: { "network.bastion": bastion } },
  {
    what: "other people use Azure Bastion",
    set: { "network.bastion": { ...bastion, allowedCidrs: ["198.51.100.0/24"] } },
  },
  { what: "two outbound addresses", set: { "network.outbound": { type: "nat", addresses: 2 } } },
  { what: "a registry", set: { azureContainerRegistries: [registry] } },
  { what: "a custom role", set: { "azure.roles": { controlPlane: customRole } } },
  {
    what: "a pool with a secret file",
    set: { "windowsPools.win1.files": secretFile.files },
    secrets: { secretFiles: "own: one" },
  },
  { what: "another content of the secret file", set: {}, secrets: { secretFiles: "own: two" } },
  { what: "no longer protected", set: { protect: false } },
  { what: "protected", set: { protect: true } },
  { what: "Kubernetes 1.35", set: { kubernetesVersion: "v1.35.6" } },
  { what: "Kubernetes 1.36", set: { kubernetesVersion: "v1.36.2" } },
];

/** Two changes that have nothing to do with each other, in one `up`. */
const together = (one: Change, other: Change): Change => ({
  what: `${one.what}; ${other.what}`,
  set: { ...one.set, ...other.set },
  secrets: { ...one.secrets, ...other.secrets },
});

/** Accepted ones: each alone with CAPZ_WINDOWS_LIVES=all, otherwise one of a pool together with one of the rest. */
export const accepted: readonly Change[] = isWholeRun
  ? [...ofPools, ...ofTheRest]
  : ofTheRest.map((change, index) => {
      const pool = ofPools[index];
      return pool === undefined ? change : together(change, pool);
    });

/** Refused ones, each on the stack as it is before the accepted ones. */
export const refused: readonly Named[] = [
  { rule: "location", what: "another region", set: { "azure.location": "northeurope" } },
  { rule: "resource-group", what: "another resource group", set: { "azure.resourceGroup": "other" } },
  {
    rule: "another-subscription",
    what: "another subscription",
    set: { "azure.subscriptionId": "22222222-2222-4333-8444-555555555555" },
  },
  { rule: "pod-network", what: "other pod addresses", set: { "network.podCidr": "172.20.0.0/16" } },
  {
    rule: "service-network",
    what: "other Service addresses",
    set: { "network.serviceCidr": "172.21.0.0/16" },
  },
  {
    rule: "vnet-address-space",
    what: "another VNET range",
    set: {
      "network.vnetCidr": "10.30.0.0/16",
      "network.poolSubnets": { web: "10.30.64.0/24" },
      "network.bastion": undefined,
    },
  },
  {
    rule: "subnet-range",
    what: "another range of a pool's subnet",
    set: { "network.poolSubnets": { web: "10.10.65.0/24" } },
  },
  {
    rule: "way-out-kept",
    what: "a prefix of outbound addresses",
    set: { "network.outbound": { type: "nat", prefixLength: 30 } },
  },
  { rule: "control-plane-downgrade", what: "an older Kubernetes", set: { kubernetesVersion: "v1.33.5" } },
  { rule: "control-plane-skips-minor", what: "a minor is skipped", set: { kubernetesVersion: "v1.36.2" } },
  {
    rule: "encryption-step-refused",
    what: "a new key writes at once",
    set: { "controlPlane.encryption.keys": ["c"] },
  },
  { rule: "calico-block-size", what: "other blocks of Calico", set: { "addons.calicoBlockSize": 27 } },
  { rule: "pool-fixed-machine", what: "spot machines in a scale set", set: { "windowsPools.win2.spot": {} } },
  { rule: "pool-zones-removed", what: "a pool leaves a zone", set: { "linuxPools.lin1.zones": ["1"] } },
  { rule: "protected", what: "another name of a protected cluster", set: { clusterName: "other" } },
];

/** What destroys the cluster: the plan and the preview say so, and nothing is done. */
export const destroying: readonly Named[] = [
  {
    rule: "another-cluster",
    what: "another name of the cluster",
    set: { clusterName: "other", protect: false },
  },
  {
    rule: "another-management-cluster",
    what: "another management cluster",
    set: { "management.name": "other", protect: false },
  },
];

/** What only Azure refuses, in `up`: the VNET changes before what is in its subnets goes. */
export const refusedByAzure: readonly Named[] = [
  {
    rule: "bastion-subnet",
    what: "Azure Bastion is removed with its subnet",
    set: { "network.bastion": undefined },
  },
  {
    rule: "pool-subnets",
    what: "a pool's subnet is removed with the pool",
    set: { "windowsPools.win1": undefined, "network.poolSubnets": undefined },
  },
];

const onlyAks = "Azure alone refuses it, of an AKS cluster, and the pretended Azure has no rules of AKS";

/** Rules that refuse what a stack file can say, and have no row above, with the reason. */
export const withoutRow: Readonly<Record<string, string>> = {
  "aks-downgrade": onlyAks,
  "aks-skips-minor": onlyAks,
  "aks-node-pool-fixed": onlyAks,
  "existing-subnets": "the VNET of the stack is its own; test/program/refuseAtOnce.test.ts has one of others",
  "peering-renamed": "Azure alone refuses it, and its documentation does not say how",
  "pool-changes-system": "the API server refuses it when other objects have changed, and they stay so",
};
