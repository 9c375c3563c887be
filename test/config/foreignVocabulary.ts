import { readText } from "../architecture/sources";

/** The names of other tools' keys, read from types and documents of this project and its packages. */

/** Names of the fields of a type in TypeScript, at one level of indentation. */
function fieldsOf(text: string, start: RegExp, indentation: string): string[] {
  const lines = text.split("\n");
  const first = lines.findIndex((line) => start.test(line));
  const end = lines.findIndex((line, index) => index > first && line === `${indentation.slice(0, -2)}};`);
  const body = lines.slice(first + 1, end === -1 ? undefined : end);
  return body.flatMap((line) => new RegExp(`^${indentation}readonly (\\w+)\\??:`).exec(line)?.[1] ?? []);
}

const azure = readText("capi/crds/azure.ts");
const pool = azure.slice(azure.indexOf("export type AzureMachinePoolSpec"));

/** Fields of CAPZ's AzureMachinePool and of the template of its machines. */
export const machinePoolFields = [
  ...fieldsOf(pool, /^export type AzureMachinePoolSpec/, "  "),
  ...fieldsOf(pool, /^ {2}readonly template: /, "    "),
];

/** Fields of CAPZ's AzureCluster and of its network. */
export const azureClusterFields = [
  ...fieldsOf(azure, /^export type AzureClusterSpec/, "  "),
  ...fieldsOf(azure, /^ {2}readonly networkSpec/, "    "),
];

/** Arguments of an interface of azure-native. */
function argsOf(file: string, name: string): string[] {
  const text = readText(`node_modules/@pulumi/azure-native/${file}`);
  const body = text.slice(text.search(new RegExp(`interface ${name} \\{`)));
  const indentation = /\n( +)\S/.exec(body)?.[1] ?? "";
  const end = body.indexOf(`\n${indentation.slice(4)}}`);
  return [...body.slice(0, end).matchAll(new RegExp(`^${indentation}(\\w+)\\??: `, "gm"))].map(
    ([, field = ""]) => field,
  );
}

/** Arguments of a pool of AKS. */
export const agentPoolFields = argsOf("types/input.d.ts", "ManagedClusterAgentPoolProfileArgs");

/** Arguments of a cluster of AKS, and of its network. */
export const managedClusterFields = [
  ...argsOf("containerservice/managedCluster.d.ts", "ManagedClusterArgs"),
  ...argsOf("types/input.d.ts", "ContainerServiceNetworkProfileArgs"),
];

/** Variables of the cluster templates of CAPZ v1.27.0, and those of its book. */
export const templateVariables = [
  ...["APISERVER_LB_DNS_SUFFIX", "ASO_CREDENTIAL_SECRET_NAME", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"],
  ...["AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY", "AZURE_CLUSTER_IDENTITY_SECRET_NAME"],
  ...["AZURE_CLUSTER_IDENTITY_SECRET_NAMESPACE", "AZURE_CONTROL_PLANE_MACHINE_TYPE", "AZURE_ENVIRONMENT"],
  ...["AZURE_EXTENDEDLOCATION_NAME", "AZURE_EXTENDEDLOCATION_TYPE", "AZURE_INTERNAL_LB_PRIVATE_IP"],
  ...["AZURE_LOCATION", "AZURE_NODE_MACHINE_TYPE", "AZURE_RESOURCE_GROUP", "AZURE_SERVER_APP_ID"],
  ...["AZURE_SSH_PUBLIC_KEY", "AZURE_SSH_PUBLIC_KEY_B64", "AZURE_SUBSCRIPTION_ID", "AZURE_TENANT_ID"],
  ...["AZURE_VNET_NAME", "CI_RG", "CLUSTER_CLASS_NAME", "CLUSTER_IDENTITY_NAME", "CLUSTER_IDENTITY_TYPE"],
  ...["CLUSTER_NAME", "CLUSTER_TOPOLOGY", "CONTROL_PLANE_MACHINE_COUNT", "EXP_AKS_RESOURCE_HEALTH"],
  ...["EXP_CLUSTER_RESOURCE_SET", "EXP_EDGEZONE", "EXP_MACHINE_POOL", "FLATCAR_DISABLE_AUTO_UPDATE"],
  ...["FLATCAR_VERSION", "KUBERNETES_VERSION", "SERVICE_ACCOUNT_ISSUER", "USER_IDENTITY"],
  ...["WINDOWS_SERVER_VERSION", "WINDOWS_WORKER_MACHINE_COUNT", "WORKER_MACHINE_COUNT"],
].filter((name) => name !== "KUBERNETES_VERSION");

/** Fields in the first column of the tables below a heading of a document, each by its last name. */
function documented(document: string, ...headings: readonly string[]): string[] {
  return readText(document)
    .split("\n## ")
    .filter((section) => headings.some((heading) => section.startsWith(heading)))
    .flatMap((section) => section.split("\n").filter((line) => line.startsWith("| `")))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name))
    .map((name) => name.split(".").at(-1) ?? name);
}

const apimodel = "docs/migrating-from-aks-engine.md";

/** Fields of an apimodel, as the document about them lists them. */
export const apimodelFields = {
  cluster: [
    ...documented(apimodel, "properties", "orchestratorProfile", "linuxProfile"),
    ...["orchestratorProfile", "masterProfile", "agentPoolProfiles", "linuxProfile", "windowsProfile"],
  ],
  controlPlane: documented(apimodel, "masterProfile"),
  pool: documented(apimodel, "agentPoolProfiles"),
};

/** The path of a mapping in a pool for each place in which foreign keys may be. */
const poolPlaces: Readonly<Record<string, readonly (string | number)[]>> = {
  linuxPools: ["linuxPools", "linux1"],
  windowsPools: ["windowsPools", "win1"],
  file: ["windowsPools", "win1", "files", 0],
  autoscale: ["windowsPools", "win1", "autoscale"],
  rollout: ["windowsPools", "win1", "rollout"],
  dataDisk: ["windowsPools", "win1", "dataDisks", 0],
  taints: ["windowsPools", "win1", "taints", 0],
  vmExtension: ["windowsPools", "win1", "vmExtensions", 0],
  apiServer: ["network", "apiServer"],
  outbound: ["network", "outbound"],
  bastion: ["network", "bastion"],
  proxy: ["proxy"],
  registryMirror: ["registryMirror"],
  workloads: ["workloads"],
  clusterAutoscaler: ["addons", "clusterAutoscaler"],
  disk: ["sampleWorkload", "disk"],
  spot: ["linuxPools", "linux1", "spot"],
  computeGallery: ["windowsPools", "win1", "image", "computeGallery"],
  entra: ["management", "entra"],
  issuer: ["controlPlane", "authentication", "oidc", 0],
  poolDefaults: ["poolDefaults"],
  image: ["windowsPools", "win1", "image"],
};

/** The path of a mapping for each place in which foreign keys may be. */
/** Mappings of other tools, whose keys have a meaning of their own in them. */
export const withinOthers: Readonly<Record<string, readonly (string | number)[]>> = {
  metadata: ["metadata"],
  ipPools: ["addons", "ipPools", 0],
  osDisk: ["windowsPools", "win1", "osDisk"],
  service: ["sampleWorkload", "service"],
  ...Object.fromEntries(
    ["rootVolume", "rootDisk", "rootBlockDevice"].map((name) => [name, ["windowsPools", "win1", name]]),
  ),
  sku: ["windowsPools", "win1", "sku"],
  boot: ["windowsPools", "win1", "boot"],
  storageProfile: ["addons", "storageProfile"],
};

export const places: Readonly<Record<string, readonly (string | number)[]>> = {
  cluster: [],
  ...poolPlaces,
  healthCheck: ["controlPlane", "healthCheck"],
  deletion: ["controlPlane", "deletion"],
  audit: ["controlPlane", "audit"],
  encryption: ["controlPlane", "encryption"],
  authentication: ["controlPlane", "authentication"],
  podSecurity: ["controlPlane", "podSecurity"],
  kubelet: ["windowsPools", "win1", "kubelet"],
  maintenanceWindow: ["management", "maintenanceWindow"],
  existing: ["network", "existing"],
  peering: ["network", "peerings", "hub"],
  manifest: ["extraManifests", "web"],
  policyException: ["policyExceptions", 0],
  ...withinOthers,
  ...Object.fromEntries(
    [
      "azure",
      "management",
      "clusterApi",
      "network",
      "controlPlane",
      "addons",
      "sampleWorkload",
      "access",
    ].map((key) => [key, [key]]),
  ),
};

/** Words that differ from a key by two letters: both mean the same, unless a comment says more. */
export const nearWords = [
  // An API server has no ID.
  "apiServer.id: ip",
  "audit.maxSizeMi: maxSizeMiB",
  "azure.subscriptions: subscriptionId",
  "clusterAutoscaler.enable: enabled",
  "clusterAutoscaler.osVersion: version",
  "computeGallery.osVersion: version",
  "computeGallery.subscriptions: subscriptionId",
  "disk.sizeGB: sizeGiB",
  "disk.storageClasses: storageClass",
  "existing.controlPlaneSubnetCidr: controlPlaneSubnetId",
  "existing.nodeSubnetCidr: nodeSubnetId",
  "existing.poolSubnets: poolSubnetIds",
  // A file has no comment, a kubelet no image and the sample no interval.
  "file.comment: content",
  "healthCheck.enable: enabled",
  // An image has no address.
  "image.ip: id",
  "kubelet.image: imageGC",
  "kubelet.imageId: imageGC",
  "kubelet.maxNodes: maxPods",
  // The URL of a manifest.
  "manifest.urn: url",
  // The table of foreign keys answers these before: they are in network.bastion and in network.existing.
  "outbound.address: addresses",
  "outbound.routeTable: routeTableId",
  // A VNET by its range in place of its ID.
  "peering.vnetCidr: vnetId",
  // Neither has a URN.
  "proxy.urn: url",
  "registryMirror.urn: url",
  "sampleWorkload.interval: internal",
  // An extension and a gallery say no version of an operating system.
  "vmExtension.osVersion: version",
];
