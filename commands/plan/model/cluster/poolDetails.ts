import { registryName } from "../../../../platform/azure/containerRegistries";
import { kubeletFields, kubeletOptions } from "../../../../bootstrap/kubeletConfig";
import type { NodeOs } from "../../../../platform/machines/naming";
import { taintText, type Taint } from "../../../../platform/machines/nodeLabels";
import { at, isRecord, list, numberAt, strings, textAt } from "../../../../tools/untyped";
import type { PlanResource } from "../planDocument";

type KubeletInputs = Parameters<typeof kubeletOptions>[0];

/** What a pool's component was asked for beyond what every pool has, in words. */

/** `maxPods 60`, `reserved cpu 1, memory 2Gi` */
const settingText = ([key, value]: [string, unknown]): string =>
  isRecord(value)
    ? `${key} ${Object.entries(value)
        .map(([inner, text]) => `${inner} ${String(text)}`)
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
  return seconds === undefined ? "" : seconds === 0 ? "no limit" : `${seconds} s`;
};

const pairs = (value: unknown, keys: readonly (readonly [key: string, label: string])[]): string =>
  keys
    .map(([key, label]) => [label, secondsText(value, key)] as const)
    .filter(([, text]) => text !== "")
    .map(([label, text]) => `${label} ${text}`)
    .join(", ");

/** What a component was asked for about lost machines, and about machines that go. */
export function healthTexts(inputs: unknown): [label: string, text: string][] {
  const [health, deletion] = [at(inputs, "healthCheck"), at(inputs, "deletion")];
  const limit = textAt(health, "unhealthyLessThanOrEqualTo");
  return [
    [
      "health check",
      at(health, "enabled") === false
        ? "off"
        : [
            ...(limit === "" ? [] : [`up to ${limit} unhealthy`]),
            pairs(health, [
              ["nodeStartupTimeoutSeconds", "startup"],
              ["nodeUnknownTimeoutSeconds", "unknown"],
              ["nodeNotReadyTimeoutSeconds", "not ready"],
            ]),
          ]
            .filter((text) => text !== "")
            .join(", "),
    ],
    [
      "before deletion",
      [
        ...(at(deletion, "drain") === false ? ["no drain"] : []),
        ...(at(deletion, "waitForVolumeDetach") === false ? ["no wait for volumes"] : []),
        pairs(deletion, [
          ["nodeDrainTimeoutSeconds", "drain"],
          ["nodeVolumeDetachTimeoutSeconds", "volumes"],
          ["nodeDeletionTimeoutSeconds", "node"],
        ]),
      ]
        .filter((text) => text !== "")
        .join(", "),
    ],
  ];
}

/** Texts with their labels, without those that say nothing. */
export const labelled = (found: readonly (readonly [label: string, text: string])[]): string[] =>
  found.filter(([, text]) => text !== "").map(([label, text]) => `${label} ${text}`);

export function poolDetails({ inputs }: PlanResource, os: NodeOs): string[] {
  const labels = at(inputs, "labels");
  const spot = at(inputs, "spot");
  const price = textAt(spot, "maxPrice");
  const minutes = numberAt(inputs, "terminationNoticeMinutes");
  const interfaces = list(at(inputs, "networkInterfaces")).map((one) => {
    const accelerated = at(one, "acceleratedNetworking");
    return `${textAt(one, "subnet")}${typeof accelerated === "boolean" ? ` (accelerated: ${accelerated ? "yes" : "no"})` : ""}`;
  });
  const found: [label: string, text: string][] = [
    [
      "spot machines,",
      isRecord(spot)
        ? `${textAt(spot, "evictionPolicy").toLowerCase()}d when Azure takes them back${price === "" ? "" : `, up to ${price} USD an hour`}`
        : "",
    ],
    [`network interface${interfaces.length === 1 ? "" : "s"} in`, interfaces.join(", ")],
    ["data disks", list(at(inputs, "dataDisks")).map(diskText).join(", ")],
    [
      "VM extensions",
      list(at(inputs, "vmExtensions"))
        .map((one) => textAt(one, "name"))
        .join(", "),
    ],
    ["Trusted Launch:", launchText(at(inputs, "trustedLaunch"))],
    ["OS disk", textAt(inputs, "osDiskType")],
    ["ephemeral OS disk on", textAt(inputs, "ephemeralOsDisk")],
    ["encryption", at(inputs, "encryptionAtHost") === true ? "at host" : ""],
    ["OS disk encrypted by", textAt(inputs, "diskEncryptionSetId").split("/").at(-1) ?? ""],
    [
      "identities",
      strings(at(inputs, "identityIds"))
        .map((id) => id.split("/").at(-1) ?? "")
        .join(", "),
    ],
    [
      "pulls from",
      strings(at(inputs, "containerRegistries", "ids"))
        .map((id) => `${registryName(id)}.azurecr.io`)
        .join(", "),
    ],
    [
      "Azure Hybrid Benefit",
      at(inputs, "hybridBenefit") === true ? "by a command of yours, after each rollout" : "",
    ],
    ["notice of", minutes === undefined ? "" : `${minutes} minutes before Azure deletes a machine`],
    [
      "labels",
      isRecord(labels)
        ? Object.entries(labels)
            .map(([key, value]) => `${key}=${String(value)}`)
            .join(", ")
        : "",
    ],
    [
      "taints",
      list(at(inputs, "taints"))
        .map((taint) => taintText(taint as unknown as Taint))
        .join(", "),
    ],
    ...healthTexts(inputs),
    ["kubelet", settings(kubeletFields(kubeletOptions(at(inputs, "kubelet") as KubeletInputs), os))],
  ];
  return labelled(found);
}
