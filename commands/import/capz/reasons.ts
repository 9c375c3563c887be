import { isIP } from "node:net";
import { publicKeyOf } from "../values";
import { at, isRecord, list, text, textAt } from "capz-windows-kit/untyped";
import { missingIn } from "../variables";
import { elementGuards } from "../../../capi/overrides/guards";
import { hasSecret, secretReason, type Reason } from "./boilerplate";
import type { SourceDifference } from "./compare";
import { isSecretExtension } from "./pools";

/**
 * Why a stack does not have a field of the source, where the guards and the CRD of an override would not say it, or an
 * override would take it. For all other fields their words are the reason.
 */

const noKey = "not carried: no key for it";
/** Where a stack file says the same, or something near it, in keys of its own. */
const otherKeys = "not carried as it is: other keys decide about it";

const machines = /^AzureMachine(Pool|Template)$/;

/** Rules of a security group as CAPZ writes them by default, in JSON. */
const defaultRules = /^(?!.*"Deny")(?!.*"source":"[^*])(?!.*"name":"(?!allow_(ssh|apiserver)"))/;

/**
 * What controllers, webhooks, kubectl and Pulumi add to live objects, with the value that it then has, or the form of that in
 * JSON: another value is the user's. Source: CAPZ v1.27.0 internal/api/v1beta1 (defaults), azure/scope/cluster.go (names).
 */
const written: readonly (readonly [kind: RegExp, path: RegExp, value?: unknown])[] = [
  [
    /./,
    /^metadata\.((annotations|labels)\[(?!.*(?:\/(?:skip-|externally-managed|replicas-managed-by|managed-by|watch-filter|exclude-)|\.hook\.)).*(kubectl\.kubernetes\.io|clusters?\.x-k8s\.io|sigs\.k8s\.io|serviceoperator)|annotations\["(pulumi\.com|capz-windows)\/)/,
  ],
  [/./, /^spec\.(providerID(List)?|failureDomain)$|bootstrap\.dataSecretName$|discovery\.bootstrapToken\./],
  [/./, /deletion\.nodeDeletionTimeoutSeconds$/, 10],
  [/^(Azure)?Cluster$/, /controlPlaneEndpoint/],
  [/^AzureCluster$/, /^spec\.azureEnvironment/, "AzurePublicCloud"],
  [/^AzureCluster$/, /^spec\.controlPlaneEnabled/, true],
  [/^AzureCluster$/, /^spec\.networkSpec\.(vnet\.id$|subnets\[[^\]]+\]\.(id$|natGateway\.(id|ip)))/],
  [/^AzureCluster$/, /\.apiServerLB\.sku$/, "Standard"],
  [/^AzureCluster$/, /\.apiServerLB\.idleTimeoutInMinutes$/, 4],
  [/^AzureCluster$/, /\.apiServerLB\.type$/, "Public"],
  [/^AzureCluster$/, /\.apiServerLB\.(name|backendPool)/, /-(public|internal)-lb(-backendPool)?"\}?$/],
  [
    /^AzureCluster$/,
    /\.apiServerLB\.frontendIPs/,
    /^(?=.*-lb-frontEnd")(?=.*"pip-[^"]*-apiserver")(?!.*"dnsName":"(?![^"]*-[0-9a-f]{1,8}\.))/,
  ],
  [/^AzureCluster$/, /\.securityRules/, defaultRules],
  [/^Kubeadm/, /\.format$/, "cloud-config"],
  [machines, /providerIDList|roleAssignmentName/],
  // The role Contributor.
  [
    machines,
    /systemAssignedIdentityRole/,
    /b24988ac-6180-42a0-ab88-20f7382dd24c|^"\/subscriptions\/[^/]+\/"$/,
  ],
  [machines, /orchestrationMode/, "Uniform"],
  [machines, /nodeDrainTimeout/, "0s"],
  [machines, /disableVMBootstrapExtension|enableVMSSNodePublicIP/, false],
  [machines, /^spec\.(template\.spec\.)?identity$|osDisk\.cachingType$/, "None"],
  [machines, /diagnostics\.boot\.storageAccountType$/, "Managed"],
  [machines, /image\.marketplace\.thirdPartyImage$/, false],
];

const identityOrDisk =
  /userAssignedIdentities|\.identity$|[dD]isks?(\[\w+\])?\.managedDisk\.storageAccountType$/;

/**
 * Fields that no guard of overrides names, and that a stack has in another way. Arguments and volumes that only the program may
 * set have their guards (capi/overrides/guards.ts).
 */
const rows: readonly (readonly [kind: RegExp, path: RegExp, instead?: string])[] = [
  [
    /^KubeadmControlPlane$/,
    /controllerManager\.extraArgs\[(allocate-node-cidrs|cluster-cidr|configure-cloud-routes|cluster-name)/,
    "network.podCidr and addons.cni",
  ],
  [
    /^KubeadmControlPlane$/,
    /apiServer\.extraVolumes\[[^\]]*(audit|oidc|authentication|admission)/,
    "audit, authentication and podSecurity of controlPlane",
  ],
  // They would decide about upgrades.
  [
    /^KubeadmControlPlane$/,
    /\.files\[|(pre|post)KubeadmCommands$|\.(diskSetup|mounts)/,
    "files, commands and dataDisks of pools, and the keys of controlPlane",
  ],
  [
    /^KubeadmControlPlane$/,
    /clusterConfiguration\.(apiVersion|kind|kubernetesVersion|networking|clusterName)/,
    "kubernetesVersion, network and clusterName",
  ],
  [
    /^Kubeadm/,
    /kubeletExtraArgs\[(register-with-taints|image-credential-provider)/,
    "taints and azureContainerRegistries",
  ],
  [/^AzureMachinePool$/, /enableIPForwarding$/],
  [machines, /sshPublicKey$/, "access.sshPublicKey"],
  [
    /^Cluster$/,
    /^metadata\.labels(\.|\[")(cni|cni-windows|cloud-provider|csi-proxy|windows|containerd-logger|metrics-server|azuredisk-csi)\b/,
    "addons",
  ],
  [machines, identityOrDisk, "identityIds and osDiskType of a pool"],
];

/** An element of a list that only the program may put there. */
const guardOf = ({ kind, path }: SourceDifference) =>
  elementGuards.find(({ kinds, path: list, name }) => {
    const [, element] = path.startsWith(`${list}[`)
      ? (/^\[([^\]]*)\]/.exec(path.slice(list.length)) ?? [])
      : [];
    return kinds.includes(kind) && element !== undefined && name.test(element);
  });

/** Interfaces of a machine without their subnets, whose names a stack chooses itself. */
const interfaceKinds = (value: unknown): string =>
  JSON.stringify(
    list(value).map(({ acceleratedNetworking = null, privateIPConfigs = 1 }) => [
      acceleratedNetworking,
      privateIPConfigs,
    ]),
  );

/** Azure CNI gives pods addresses of the subnet: 110 for each machine, more than a subnet of the default size has for three. */
const hasPodAddresses = ({ path, before }: SourceDifference): boolean =>
  path.endsWith("networkInterfaces") &&
  list(before).some(({ privateIPConfigs }) => typeof privateIPConfigs === "number" && privateIPConfigs > 1);

/** A private API server, or a private address beside the public one, which no webhook writes by default. */
const isPrivateAddress = ({ path, before, objects: [source] }: SourceDifference): boolean =>
  /apiServerLB\.(type|frontendIPs)/.test(path) &&
  (textAt(source, "spec", "networkSpec", "apiServerLB", "type") === "Internal" ||
    [before].flat().some((one) => at(one, "privateIP") !== undefined));

function isWritten(difference: SourceDifference): boolean {
  const { kind, path, before, after } = difference;
  if (after === undefined && path === "spec.replicas") {
    // The autoscaler sets it.
    return true;
  }
  if (after === undefined && kind.startsWith("AzureMachine") && path.endsWith("sshPublicKey")) {
    // If there is no key, CAPZ's webhook adds a random one, which has no comment after it.
    return /^ssh-rsa \S+$/.test(publicKeyOf(before) ?? "");
  }
  if (after === undefined && path.endsWith("networkInterfaces")) {
    return interfaceKinds(before) === interfaceKinds([{}]);
  }
  return (
    !isPrivateAddress(difference) &&
    written.some(
      ([of, field, value]) =>
        of.test(kind) &&
        field.test(path) &&
        (value === undefined ||
          value === before ||
          (value instanceof RegExp && value.test(JSON.stringify(before)))),
    )
  );
}

/** The reason for a value with variables that have no value, where a plan cannot do with placeholders. */
export function ofVariables(value: unknown, what = "it"): Reason | undefined {
  const names = missingIn(JSON.stringify(value));
  return names.length === 0
    ? undefined
    : {
        why: `${what} depends on ${names.join(", ")}`,
        instead: "the variable, with --variables FILE, and another import",
      };
}

/** Whether a value is or has an IPv6 address or network, such as ::1, fd00::/108 or 10.0.0.0/8,2001:db8::/64. */
const hasIpv6 = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some(
    (one) => typeof one === "string" && one.split(",").some((each) => isIP(each.replace(/\/\d+$/, "")) === 6),
  ) ||
  (isRecord(value) && hasIpv6(value.value));

/** An override would bring back what the rules of the stack file refused, where no guard is against it. */
const refusedWith: readonly (readonly [field: RegExp, key: RegExp])[] = [
  [/^spec\.clusterNetwork\.pods\b/, /^network(\.podCidr)?$/],
  [/^spec\.clusterNetwork\.services\b/, /^network(\.serviceCidr)?$/],
  [
    /^spec\.networkSpec\.(vnet|subnets)\b/,
    /^network(\.(vnetCidr|\w+SubnetCidr|poolSubnets|peerings|existing)\b.*)?$/,
  ],
  [/[sS]ecurityProfile/, /\.(vmSize|trustedLaunch)/],
  [/\.vmExtensions/, /\.vmExtensions/],
  [/\.networkInterfaces/, /^network|\.subnet$|NetworkInterfaces|acceleratedNetworking$/],
];

const isTaken = (path: string, place: string, taken: readonly string[]): boolean =>
  refusedWith.some(
    ([field, key]) =>
      field.test(path) &&
      taken.some((one) => key.test(one) && (one.startsWith("network") || one.startsWith(`${place}.`))),
  );

/**
 * The first reason for a field of the source that a plan has not, or has with another value; `undefined` if none is
 * known.
 * @param taken - paths of the stack file whose values its rules refused
 */
export function reasonFor(difference: SourceDifference, taken: readonly string[]): Reason | undefined {
  const { kind, place, path, before, after, objects } = difference;
  if (hasIpv6(before)) {
    return { why: "networks of a stack are IPv4 only", instead: "network" };
  }
  if (kind === "MachineHealthCheck" && Object.keys(objects[1]).length === 0) {
    return {
      why: "the stack has no health check here: the only machine of a control plane cannot be replaced",
      instead: "controlPlane.replicas, and controlPlane.healthCheck",
    };
  }
  if (isRecord(before) && Object.keys(before).join() === "name") {
    return { why: "it has no value" };
  }
  if (isWritten(difference)) {
    return { why: "controllers, webhooks or Pulumi write it", byController: true };
  }
  if (isRecord(before) && path.includes("vmExtensions") && isSecretExtension(before)) {
    return {
      why: "its settings are or may be secret, and are not copied",
      instead: "vmExtensions, with settings that everyone may read",
    };
  }
  if (isRecord(before) && hasSecret(text(before.content))) {
    return secretReason;
  }
  if (hasPodAddresses(difference)) {
    return {
      why: "the addresses of privateIPConfigs are for pods of Azure CNI, which the stack does not install: pods have addresses of network.podCidr",
    };
  }
  if (path.endsWith("networkInterfaces") && interfaceKinds(before) === interfaceKinds(after ?? [{}])) {
    return { why: otherKeys, instead: "network.poolSubnets, and subnet of the pool" };
  }
  if (isTaken(path, place, taken)) {
    const key = /^spec\.(?:clusterNetwork|networkSpec)\b/.test(path) ? "network" : "the key of the pool";
    return { why: "the rules of the stack file refuse it", instead: key };
  }
  if (kind === "AzureCluster" && /^spec\.networkSpec\.(vnet\.name$|subnets\[)/.test(path)) {
    const lost = ["serviceEndpoints", "privateEndpoints"].filter(
      (key) => path.includes(`.${key}`) || list(at(before, key)).length > 0,
    );
    if (lost.length > 0) {
      return {
        why: `not carried: its ${lost.join(" and ")}; the stack makes its subnets itself, and machines and pods reach these services by public addresses, or not at all`,
        instead: "network.existing, with subnets that have them",
      };
    }
    return {
      why: "the stack names its VNET and subnets itself, and writes the rules of their security groups: these let access.allowedCidrs in, and nobody else from outside",
      instead: "network, network.existing and access.allowedCidrs",
    };
  }
  if (machines.test(kind) && (path.includes("systemAssignedIdentityRole") || before === "SystemAssigned")) {
    return { why: "machines of a stack have no identity of their own", instead: "identityIds of a pool" };
  }
  if (place === "controlPlane" && machines.test(kind) && identityOrDisk.test(path)) {
    return {
      why: "the control plane gets premium disks for etcd, and an identity with the smallest roles that work",
    };
  }
  if (kind === "KubeadmControlPlane" && /apiServer\.extra(Args|Volumes)\[[^\]]*encrypt/.test(path)) {
    return {
      why: "no keys are copied: this stack encrypts Secrets only once it has this key",
      instead: "controlPlane.encryption",
    };
  }
  const guard = guardOf(difference);
  if (guard !== undefined) {
    return { why: guard.why, instead: guard.instead };
  }
  const row = rows.find(([of, field]) => of.test(kind) && field.test(path));
  if (row !== undefined) {
    const [, , instead] = row;
    return { why: instead === undefined ? noKey : otherKeys, instead };
  }
  return typeof before === "string" ? ofVariables(before) : undefined;
}
