import { leavesOf } from "capz-windows-kit/mergePatch";
import { at, isRecord, list, ownValue, textAt } from "capz-windows-kit/untyped";
import { clip } from "capz-windows-kit/visible";

/** What decides who gets in, which identity is used, what runs, or where data goes: a source may be of a stranger. */

/** `harmless` needs no look; `look` is shown; a mapping decides each key below, and `"*"` stands for keys that users name. */
export type Decision = "harmless" | "look" | { readonly [key: string]: Decision };

const ofEveryPool = {
  replicas: "harmless",
  vmSize: "harmless",
  kubernetesVersion: "harmless",
  zones: "harmless",
  autoscale: "harmless",
  rollout: "harmless",
  deletion: "harmless",
  subnet: "look",
  acceleratedNetworking: "harmless",
  additionalNetworkInterfaces: "look",
  spot: "harmless",
  osDiskType: "harmless",
  ephemeralOsDisk: "harmless",
  encryptionAtHost: "harmless",
  diskEncryptionSetId: "look",
  identityIds: "look",
  terminationNoticeMinutes: "harmless",
  labels: "harmless",
  taints: "harmless",
  kubelet: "look",
  vmExtensions: "look",
} as const;

const linuxPool = {
  ...ofEveryPool,
  image: "look",
  files: "look",
  preKubeadmCommands: "look",
  postKubeadmCommands: "look",
  osDiskGB: "harmless",
  dataDisks: "harmless",
  overrides: "look",
} as const;

const windowsPool: Decision = {
  ...linuxPool,
  kind: "harmless",
  windowsServer: "harmless",
  trustedLaunch: "harmless",
  hybridBenefit: "harmless",
  healthCheck: "harmless",
};

export const decisions: Readonly<Record<string, Decision>> = {
  clusterName: "harmless",
  namespace: "harmless",
  createNamespace: "harmless",
  kubernetesVersion: "harmless",
  flavor: "harmless",
  azure: {
    subscriptionId: "look",
    tenantId: "look",
    location: "harmless",
    resourceGroup: "harmless",
    roles: "look",
  },
  management: "look",
  managementKubeconfig: "harmless",
  secretFiles: "harmless",
  clusterApi: "look",
  network: {
    vnetCidr: "harmless",
    controlPlaneSubnetCidr: "harmless",
    nodeSubnetCidr: "harmless",
    poolSubnets: "harmless",
    existing: "look",
    outbound: "look",
    peerings: "look",
    dnsServers: "look",
    bastion: "look",
    podCidr: "harmless",
    serviceCidr: "harmless",
    mtu: "harmless",
    apiServer: "look",
  },
  controlPlane: {
    os: "look",
    replicas: "harmless",
    vmSize: "harmless",
    osDiskGB: "harmless",
    etcdDiskGB: "harmless",
    image: "look",
    certificatesExpiryDays: "harmless",
    audit: "look",
    encryption: "look",
    authentication: "look",
    podSecurity: "look",
    healthCheck: "harmless",
    deletion: "harmless",
    overrides: "look",
  },
  poolDefaults: ofEveryPool,
  linuxPools: { "*": linuxPool },
  windowsPools: { "*": windowsPool },
  kubeletCertificates: "look",
  addons: "look",
  extraManifests: "look",
  imageDigests: "look",
  sampleWorkload: "look",
  workloads: "look",
  access: "look",
  proxy: "look",
  registryMirror: "look",
  azureContainerRegistries: "look",
  trustedCertificates: "look",
  tags: "harmless",
  overrides: "look",
  protect: "harmless",
  policyExceptions: "look",
  wait: "harmless",
};

const below = (decision: Decision, key: string): Decision =>
  typeof decision === "string" ? decision : (ownValue(decision, key) ?? ownValue(decision, "*") ?? "look");

/** Objects of RBAC that hold in every namespace are named by what they give. */
function rights(object: unknown): string {
  const kind = textAt(object, "kind");
  const name = `${kind} ${textAt(object, "metadata", "name")}`;
  if (kind === "ClusterRoleBinding") {
    const subjects = list(at(object, "subjects")).map((subject) => textAt(subject, "name"));
    return `gives rights in every namespace: ${name}, ${textAt(object, "roleRef", "name")} for ${subjects.join(", ")}`;
  }
  if (kind === "ClusterRole") {
    return `gives rights in every namespace: ${name}, ${JSON.stringify(at(object, "rules"))}`;
  }
  return name;
}

/** Whoever writes a long list hides nothing: each key has its own lines. */
const mostOfKey = 25;
const mostLines = 150;

const bounded = (lines: readonly string[], most: number, where: string): string[] =>
  lines.length > most
    ? [...lines.slice(0, most), `${where}${lines.length - most} more, read them in the stack file`]
    : [...lines];

/** A file by its place; its content may be long, and the stack file has it. */
function shownValue(path: readonly string[], value: unknown): string {
  if (path[0] === "extraManifests" && path[2] === "objects") {
    return rights(value);
  }
  const isFile = path[2] === "files" && isRecord(value);
  return JSON.stringify(isFile ? textAt(value, "path") : value);
}

/** Keys with their values, for the report of an import. */
export function toCheck(config: unknown): string[] {
  const lines = leavesOf(config).flatMap(({ path, value }) => {
    // A mapping of keys has none here: there is nothing to look at.
    if (path.reduce<Decision>(below, decisions) !== "look") {
      return [];
    }
    const key = `${clip(path.join("."), 160)}: `;
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    return bounded(
      values.map((one) => `${key}${clip(shownValue(path, one), 120)}`),
      mostOfKey,
      key,
    );
  });
  return bounded(lines, mostLines, "");
}
