import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { registryName } from "capz-windows-platform/azure/containerRegistries";
import { auditLogSize, type AuditArgs } from "../../../bootstrap/audit";
import { deliveredOptions, kubeletFields, kubeletOptions } from "../../../bootstrap/kubeletConfig";
import {
  isPassed,
  optionRows,
  passedDetail,
  type PassedName,
  type PoolOptionName,
} from "../../../capi/poolOptions";
import { auditLogMiB } from "capz-windows-platform/audit/log";
import { Flavor, platformOf } from "capz-windows-platform/cluster/platform";
import { clearText } from "capz-windows-platform/encryption/keys";
import { keyVaultKey } from "capz-windows-platform/encryption/keyVault";
import { defaultPool } from "capz-windows-platform/machines/defaults";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import { type Labels, taintText, type Taint } from "capz-windows-platform/machines/nodeLabels";
import { formatCount } from "capz-windows-kit/problem";
import { at, isRecord, list, numberAt, strings, text, textAt } from "capz-windows-kit/untyped";
import type { PlanResource } from "capz-windows-contract";

type KubeletInputs = Parameters<typeof kubeletOptions>[0];

/** What a pool's component was asked for beyond what every pool has, in words. */

/** `maxPods 60`, `reserved cpu 1, memory 2Gi` */
const settingText = ([key, value]: [string, unknown]): string =>
  isRecord(value)
    ? `${key} ${Object.entries(value)
        .map(([inner, one]) => `${inner} ${String(one)}`)
        .join(" ")}`.trim()
    : `${key} ${String(value)}`;

const settings = (value: unknown): string =>
  isRecord(value) ? Object.entries(value).map(settingText).join(", ") : "";

/** `data 256 GB on F:` */
const diskText = (disk: unknown): string => {
  const [type, letter] = [textAt(disk, "type"), textAt(disk, "letter")];
  const place = letter === "" ? textAt(disk, "mountPath") : `${letter}:`;
  return `${textAt(disk, "name")} ${numberAt(disk, "sizeGB") ?? 0} GB${type === "" ? "" : ` ${type}`} on ${place}`;
};

const launchText = (launch: unknown): string =>
  [
    ...(at(launch, "secureBoot") === true ? ["secure boot"] : []),
    ...(at(launch, "vTpm") === true ? ["vTPM"] : []),
  ].join(", ");

/** `1800 s` */
const secondsText = (value: unknown, key: string): string => {
  const seconds = numberAt(value, key);
  if (seconds === undefined) {
    return "";
  }
  return seconds === 0 ? "no limit" : `${seconds} s`;
};

const pairs = (value: unknown, keys: readonly (readonly [key: string, label: string])[]): string =>
  keys
    .map(([key, label]) => [label, secondsText(value, key)] as const)
    .filter(([, seconds]) => seconds !== "")
    .map(([label, seconds]) => `${label} ${seconds}`)
    .join(", ");

const joined = (texts: readonly string[]): string => texts.filter((one) => one !== "").join(", ");

const healthText = (health: unknown): string => {
  const limit = textAt(health, "unhealthyLessThanOrEqualTo");
  return at(health, "enabled") === false
    ? "off"
    : joined([
        limit === "" ? "" : `up to ${limit} unhealthy`,
        pairs(health, [
          ["nodeStartupTimeoutSeconds", "startup"],
          ["nodeUnknownTimeoutSeconds", "unknown"],
          ["nodeNotReadyTimeoutSeconds", "not ready"],
        ]),
      ]);
};

const deletionText = (deletion: unknown): string =>
  joined([
    at(deletion, "drain") === false ? "no drain" : "",
    at(deletion, "waitForVolumeDetach") === false ? "no wait for volumes" : "",
    pairs(deletion, [
      ["nodeDrainTimeoutSeconds", "drain"],
      ["nodeVolumeDetachTimeoutSeconds", "volumes"],
      ["nodeDeletionTimeoutSeconds", "node"],
    ]),
  ]);

const interfacesText = (interfaces: readonly Readonly<Record<string, unknown>>[]): string =>
  interfaces
    .map(({ subnet, acceleratedNetworking: accelerated }) => {
      const note = typeof accelerated === "boolean" ? ` (accelerated: ${accelerated ? "yes" : "no"})` : "";
      return `${text(subnet)}${note}`;
    })
    .join(", ");

const spotText = (spot: unknown): string => {
  const price = textAt(spot, "maxPrice");
  return isRecord(spot)
    ? `${textAt(spot, "evictionPolicy").toLowerCase()}d when Azure takes them back${price === "" ? "" : `, up to ${price} USD an hour`}`
    : "";
};

const lastSteps = (ids: readonly string[]): string => ids.map(lastPart).join(", ");

const commands = (all: unknown): string => {
  const { length } = strings(all);
  return length === 0 ? "" : `${length} command${length === 1 ? "" : "s"}`;
};

/** Options that the model of a pool has as fields, or `overrides` as a list. */
type InModel =
  | ("autoscale" | "image" | "kind" | "kubernetesVersion" | "overrides" | "replicas" | "rollout")
  | ("vmSize" | "windowsServer" | "zones");

type Detail = readonly [label: string, text: string];

/** What a plan says of an option that is not passed as it is: a label and a text, which is empty if there is nothing to say. */
const details: Readonly<
  Record<Exclude<PoolOptionName, InModel | PassedName>, (inputs: unknown, os: NodeOs) => readonly Detail[]>
> = {
  spot: (inputs) => [["spot machines,", spotText(at(inputs, "spot"))]],
  subnet: (inputs) => {
    const all = list(at(inputs, "networkInterfaces"));
    return [[`network interface${all.length === 1 ? "" : "s"} in`, interfacesText(all)]];
  },
  // With the subnet.
  acceleratedNetworking: () => [],
  additionalNetworkInterfaces: () => [],
  dataDisks: (inputs) => [["data disks", list(at(inputs, "dataDisks")).map(diskText).join(", ")]],
  vmExtensions: (inputs) => [
    ["VM extensions", joined(list(at(inputs, "vmExtensions")).map((one) => textAt(one, "name")))],
  ],
  trustedLaunch: (inputs) => [["Trusted Launch:", launchText(at(inputs, "trustedLaunch"))]],
  osDiskGB: (inputs, os) => {
    const size = numberAt(inputs, "osDiskGB") ?? defaultPool.osDiskGB[os];
    return [["OS disk of", size === defaultPool.osDiskGB[os] ? "" : `${size} GB`]];
  },
  osDiskType: (inputs) => [["OS disk", textAt(inputs, "osDiskType")]],
  ephemeralOsDisk: (inputs) => [["ephemeral OS disk on", textAt(inputs, "ephemeralOsDisk")]],
  diskEncryptionSetId: (inputs) => [
    ["OS disk encrypted by", lastSteps([textAt(inputs, "diskEncryptionSetId")])],
  ],
  identityIds: (inputs) => [
    ["identities", lastSteps(strings(at(inputs, "identityIds")))],
    [
      "pulls from",
      strings(at(inputs, "containerRegistries", "ids"))
        .map((id) => `${registryName(id)}.azurecr.io`)
        .join(", "),
    ],
  ],
  hybridBenefit: (inputs) => [
    [
      "Azure Hybrid Benefit",
      at(inputs, "hybridBenefit") === true ? "by a command of yours, after each rollout" : "",
    ],
  ],
  labels: (inputs) => [
    [
      "labels",
      Object.entries((at(inputs, "labels") ?? {}) as Labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(", "),
    ],
  ],
  taints: (inputs) => [
    ["taints", joined(list(at(inputs, "taints")).map((taint) => taintText(taint as unknown as Taint)))],
  ],
  healthCheck: (inputs) => [["health check", healthText(at(inputs, "healthCheck"))]],
  deletion: (inputs) => [["before deletion", deletionText(at(inputs, "deletion"))]],
  kubelet: (inputs, os) => [
    [
      "kubelet",
      settings(
        kubeletFields(
          deliveredOptions(
            kubeletOptions(at(inputs, "kubelet") as KubeletInputs),
            os,
            platformOf(
              (at(inputs, "flavor") ?? Flavor.containerd) as Flavor,
              textAt(inputs, "clusterVersion") || textAt(inputs, "kubernetesVersion"),
            ),
          ),
          os,
          textAt(inputs, "kubernetesVersion"),
        ),
      ),
    ],
  ],
  files: (inputs) => [["files", joined(list(at(inputs, "files")).map((file) => textAt(file, "path")))]],
  preKubeadmCommands: (inputs) => [["before kubeadm join,", commands(at(inputs, "preKubeadmCommands"))]],
  postKubeadmCommands: (inputs) => [["after kubeadm join,", commands(at(inputs, "postKubeadmCommands"))]],
};

const detailsOf = (inputs: unknown, os: NodeOs, names: readonly PoolOptionName[]): string[] =>
  names.flatMap((name) => {
    if (isPassed(name)) {
      return passedDetail(name, at(inputs, name) as Parameters<typeof passedDetail>[1]) || [];
    }
    const found = name in details ? details[name as keyof typeof details](inputs, os) : [];
    return found.flatMap(([label, said]) => (said === "" ? [] : `${label} ${said}`));
  });

function auditDetails(audit: unknown): string[] {
  if (audit === undefined) {
    return [];
  }
  const policy = at(audit, "policy") === undefined ? "the built-in policy" : "a policy of your own";
  const size = auditLogSize(audit as AuditArgs);
  return [
    `audit log by ${policy}, ${size.maxAgeDays} days or ${formatCount(auditLogMiB(size))} MiB on each machine`,
  ];
}

function encryptionDetails(inputs: unknown): string[] {
  const [resources, [first = "", ...more]] = [
    strings(at(inputs, "resources")).join(" and "),
    strings(at(inputs, "keys")),
  ];
  const id = textAt(inputs, "keyVaultKeys", first);
  if (first === "") {
    return [];
  }
  const where = id === "" ? "" : ` in ${keyVaultKey(id).host}`;
  const also = more.length === 0 ? "" : `, also readable with ${more.join(", ")}`;
  return first === clearText
    ? [`${resources} in clear text in etcd${also}`]
    : [`${resources} encrypted in etcd with the key ${first}${where}${also}`];
}

function podSecurityDetails(inputs: unknown): string[] {
  const [enforce, audit, warn] = ["enforce", "audit", "warn"].map((key) => textAt(inputs, key));
  const exempt = strings(at(inputs, "exemptNamespaces")).join(", ");
  return inputs === undefined
    ? []
    : [
        `Pod Security: enforces ${enforce ?? ""}, audits ${audit ?? ""}, warns of ${warn ?? ""}${exempt === "" ? "" : `; not in ${exempt}`}`,
      ];
}

function kubeletDetails(inputs: unknown): string[] {
  if (at(inputs, "verifiesKubelets") === true) {
    return ["verifies the certificates of kubelets"];
  }
  return at(inputs, "servingCertificate") === true
    ? ["signs the certificates of kubelets, and does not verify them"]
    : [];
}

/** What a component was asked for about its audit log, etcd, login and pods, about lost machines, and about machines that go. */
export const controlPlaneDetails = ({ inputs }: PlanResource): string[] => [
  ...auditDetails(at(inputs, "audit")),
  ...encryptionDetails(at(inputs, "encryption")),
  ...list(at(inputs, "authentication", "issuers")).map(
    (issuer) =>
      `login with tokens of ${textAt(issuer, "issuerUrl")} for ${strings(issuer.audiences).join(", ")}`,
  ),
  ...podSecurityDetails(at(inputs, "podSecurity")),
  ...kubeletDetails(inputs),
  ...detailsOf(inputs, "linux", ["healthCheck", "deletion"]),
];

export const poolDetails = ({ inputs }: PlanResource, os: NodeOs): string[] =>
  detailsOf(
    inputs,
    os,
    optionRows.map(([name]) => name),
  );
