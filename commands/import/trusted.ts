import { leavesOf } from "capz-windows-kit/mergePatch";
import { at, isRecord, list, textAt } from "capz-windows-kit/untyped";
import { clip } from "capz-windows-kit/visible";

/** What decides who gets in, which identity is used, what runs, or where data goes: a source may be of a stranger. */

const ofStack = `clusterName namespace createNamespace kubernetesVersion flavor tags protect wait managementKubeconfig secretFiles
  azure.location azure.resourceGroup
  network.vnetCidr network.controlPlaneSubnetCidr network.nodeSubnetCidr network.poolSubnets network.podCidr network.serviceCidr
  network.mtu controlPlane.replicas controlPlane.vmSize controlPlane.osDiskGB controlPlane.etcdDiskGB
  controlPlane.certificatesExpiryDays controlPlane.healthCheck controlPlane.deletion`;

const ofPools = `replicas autoscale vmSize kubernetesVersion zones rollout deletion healthCheck acceleratedNetworking spot labels taints
  kind windowsServer trustedLaunch osDiskGB osDiskType ephemeralOsDisk dataDisks encryptionAtHost hybridBenefit
  terminationNoticeMinutes`;

/** Keys that need no look; every other one is shown. `pools` stands for each pool of each group, and for `poolDefaults`. */
export const harmless: ReadonlySet<string> = new Set([
  ...ofStack.split(/\s+/),
  ...ofPools.split(/\s+/).map((key) => `pools.${key}`),
]);

/** The same path for each pool. */
function generalPath([first = "", ...rest]: readonly string[]): string[] {
  if (first === "poolDefaults") {
    return ["pools", ...rest];
  }
  return ["linuxPools", "windowsPools"].includes(first) ? ["pools", ...rest.slice(1)] : [first, ...rest];
}

function isHarmless(given: readonly string[]): boolean {
  const path = generalPath(given);
  // A pool without keys has nothing to look at.
  return path.join() === "pools" || path.some((_, index) => harmless.has(path.slice(0, index + 1).join(".")));
}

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
    if (isHarmless(path)) {
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
