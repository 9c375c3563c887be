import { isIP } from "node:net";
import { publicKeyOf } from "../values";
import { at, isRecord, list, text, textAt } from "../../../tools/untyped";
import { missingIn } from "../variables";
import { hasSecret, secretReason, type Reason } from "./boilerplate";
import type { SourceDifference } from "./compare";
import { isSecretExtension } from "./pools";

/**
 * Why a stack does not have a field of the source, where the guards and the CRD of an override would not say it, or an
 * override would take it. For all other fields their words are the reason.
 */

const machines = /^AzureMachine(Pool|Template)$/;

/** What controllers, webhooks, kubectl and Pulumi add to live objects, with the value that it then has. */
const written: readonly (readonly [kind: RegExp, path: RegExp, value?: unknown])[] = [
  [
    /./,
    /^metadata\.((annotations|labels)\[.*(kubectl\.kubernetes\.io|clusters?\.x-k8s\.io|sigs\.k8s\.io|serviceoperator)|annotations\["(pulumi\.com|capz-windows)\/)/,
  ],
  [/./, /^spec\.(providerID(List)?|failureDomain)$|bootstrap\.dataSecretName$|discovery\.bootstrapToken\./],
  [/./, /deletion\.nodeDeletionTimeoutSeconds$/, 10],
  [/^(Azure)?Cluster$/, /controlPlaneEndpoint|^spec\.(azureEnvironment|controlPlaneEnabled)/],
  [
    /^AzureCluster$/,
    /^spec\.networkSpec\.(vnet\.id$|apiServerLB\.(backendPool|sku|idleTimeoutInMinutes|type|name|frontendIPs)|subnets\[[^\]]+\]\.(id$|natGateway\.(id|ip)|securityGroup\.securityRules))/,
  ],
  [/^Kubeadm/, /\.format$/],
  [
    machines,
    /providerIDList|orchestrationMode|roleAssignmentName|systemAssignedIdentityRole|nodeDrainTimeout|disableVMBootstrapExtension|enableVMSSNodePublicIP/,
  ],
  [machines, /^spec\.(template\.spec\.)?identity$|osDisk\.cachingType$/, "None"],
  [machines, /diagnostics\.boot\.storageAccountType$/, "Managed"],
  [machines, /image\.marketplace\.thirdPartyImage$/, false],
];

const identityOrDisk =
  /userAssignedIdentities|\.identity$|[dD]isks?(\[\w+\])?\.managedDisk\.storageAccountType$/;

/** The first row that matches counts. */
const rows: readonly (readonly [kind: RegExp, path: RegExp, why: string, instead?: string])[] = [
  [/./, /azure-json|azure\.json\]/i, "the stack writes the azure.json of its machines"],
  [
    /^KubeadmControlPlane$/,
    /apiServer\.(extraArgs\[(audit-|encryption-provider-|oidc-|authentication-config|admission-control-config|kubelet-certificate-authority)|extraVolumes\[[^\]]*(audit|encrypt|oidc|authentication|admission))|controllerManager\.extraArgs\[(allocate-node-cidrs|cluster-cidr|configure-cloud-routes|cluster-name)/,
    "the program writes it itself, from keys of the stack file",
    "audit, encryption, authentication and podSecurity of controlPlane, kubeletCertificates, network.podCidr",
  ],
  [
    /^KubeadmControlPlane$/,
    /\.files\[|(pre|post)KubeadmCommands$|\.(diskSetup|mounts)/,
    "no key adds files, commands or disks to control plane machines, because they would decide about upgrades",
    "files, commands and dataDisks of pools, and the keys of controlPlane",
  ],
  [
    /^Cluster$/,
    /^metadata\.labels(\.|\[")(cni|cni-windows|cloud-provider|csi-proxy|windows|containerd-logger|metrics-server|azuredisk-csi)\b/,
    "add-ons of the template select their cluster by it; the stack's add-ons have their own labels",
    "addons",
  ],
  [machines, /image\.sharedGallery\b/, "it is deprecated, and the same image is in computeGallery", "image"],
  [
    machines,
    /image\.computeGallery\.version$/,
    "a stack file names one version of an image, which each new node gets",
    "version in image",
  ],
  [
    /^AzureCluster$/,
    /^spec\.networkSpec\.(vnet\.name|subnets\[[^\]]+\])$/,
    "the stack names its VNET and subnets itself",
    "the ranges in network, or network.existing for a VNET of others",
  ],
  [
    /^AzureCluster$/,
    /vnet\.peerings$/,
    "peerings have a key of their own",
    "network.peerings, for a VNET of the stack",
  ],
  [machines, /sshPublicKey$/, "the stack has the key in another form", "access.sshPublicKey"],
  [
    /^Kubeadm/,
    /kubeletExtraArgs\[(register-with-taints|image-credential-provider)/,
    "the stack gives kubelet its taints in another way, and the program of the credential provider is not on the node",
    "taints, and an image with the credential provider (docs/images.md)",
  ],
  [
    /^(Kubeadm|AzureMachinePool$)/,
    /enableIPForwarding$|clusterConfiguration\.(kubernetesVersion|networking|clusterName|apiVersion|kind)|^spec\.(template\.spec\.)?(clusterConfiguration|initConfiguration)\./,
    "not carried: no key for it",
  ],
];

/** Interfaces of a machine without their subnets, whose names a stack chooses itself. */
const interfaceKinds = (value: unknown): string =>
  JSON.stringify(
    list(value).map(({ acceleratedNetworking = null, privateIPConfigs = 1 }) => [
      acceleratedNetworking,
      privateIPConfigs,
    ]),
  );

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
      ([of, field, value]) => of.test(kind) && field.test(path) && (value === undefined || value === before),
    )
  );
}

/** The reason for a value with variables that have no value, where a plan cannot do with placeholders. */
export function ofVariables(value: unknown, what = "it"): Reason | undefined {
  const names = missingIn(JSON.stringify(value));
  return names.length === 0
    ? undefined
    : { why: `${what} depends on ${names.join(", ")}`, instead: "the variable, set, and another import" };
}

/** Whether a value is or has an IPv6 address or network, such as ::1, fd00::/108 or 10.0.0.0/8,2001:db8::/64. */
const hasIpv6 = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some(
    (one) => typeof one === "string" && one.split(",").some((each) => isIP(each.replace(/\/\d+$/, "")) === 6),
  ) ||
  (isRecord(value) && hasIpv6(value.value));

/** Fields of networks, and the keys of a stack file whose values the rules refuse with them. */
const networkFields: readonly (readonly [field: RegExp, key: RegExp])[] = [
  [/^spec\.clusterNetwork\.pods\b/, /^network(\.podCidr)?$/],
  [/^spec\.clusterNetwork\.services\b/, /^network(\.serviceCidr)?$/],
  [
    /^spec\.networkSpec\.(vnet|subnets)\b/,
    /^network(\.(vnetCidr|\w+SubnetCidr|poolSubnets|peerings|existing)\b.*)?$/,
  ],
];

/** An override would bring back what the rules of the stack file refused, where no guard is against it. */
const isTaken = (path: string, taken: readonly string[]): boolean =>
  networkFields.some(([field, key]) => field.test(path) && taken.some((one) => key.test(one))) ||
  (path.includes(".vmExtensions") && taken.some((one) => one.includes(".vmExtensions"))) ||
  (path.includes(".networkInterfaces") &&
    taken.some((one) => /^network|\.subnet$|NetworkInterfaces|acceleratedNetworking$/.test(one)));

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
  if (
    isRecord(before) &&
    (isSecretExtension(before) ? path.includes("vmExtensions") : hasSecret(text(before.content)))
  ) {
    return secretReason;
  }
  if (path.endsWith("networkInterfaces") && interfaceKinds(before) === interfaceKinds(after ?? [{}])) {
    return {
      why: "subnets have names of the stack's own",
      instead: "network.poolSubnets, and subnet of the pool",
    };
  }
  if (isTaken(path, taken)) {
    const key = /^spec\.(?:clusterNetwork|networkSpec)\b/.test(path) ? "network" : "the key of the pool";
    return { why: "the rules of the stack file refuse it", instead: key };
  }
  if (machines.test(kind) && identityOrDisk.test(path)) {
    return place === "controlPlane"
      ? {
          why: "the control plane gets premium disks for etcd, and an identity with the smallest roles that work",
        }
      : { why: "pools have keys for it", instead: "identityIds and osDiskType" };
  }
  const [, , why, instead] = rows.find(([of, field]) => of.test(kind) && field.test(path)) ?? [];
  if (why !== undefined) {
    return { why, instead };
  }
  return typeof before === "string" ? ofVariables(before) : undefined;
}
