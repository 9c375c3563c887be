import { lastPart } from "capz-windows-platform/azure/resourceParts";
import { auditLogSize, type AuditArgs } from "../../../bootstrap/audit";
import { optionRows } from "../../../capi/poolOptions";
import { auditLogMiB } from "capz-windows-platform/audit/log";
import { clearText } from "capz-windows-platform/encryption/keys";
import { keyVaultKey } from "capz-windows-platform/encryption/keyVault";
import { defaultPool } from "capz-windows-platform/machines/defaults";
import type { NodeOs } from "capz-windows-platform/machines/naming";
import { taintText, type Taint } from "capz-windows-platform/machines/nodeLabels";
import { formatCount } from "capz-windows-kit/problem";
import { at, isRecord, list, strings, text, textAt } from "capz-windows-kit/untyped";
import type { PlanResource } from "capz-windows-contract";

/** What a pool's component was asked for beyond what every pool has, by the keys of the stack file. */

/** A value on one line. Of what has a name, only the name: contents of files and settings of extensions may be secret. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) {
    return value.map(valueText).join(", ");
  }
  if (typeof value === "string") {
    return value.startsWith("/subscriptions/") ? lastPart(value) : value;
  }
  if (!isRecord(value)) {
    return String(value);
  }
  const name = value.name ?? value.path ?? value.subnet;
  return typeof name === "string"
    ? name
    : Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => `${key} ${valueText(inner)}`.trim())
        .join(", ");
}

const countText = ({ length }: readonly string[]): string => (length === 0 ? "" : String(length));

/** Options that have a field of their own in the model. */
const inModel: readonly string[] = [
  ...["autoscale", "image", "kind", "kubernetesVersion", "overrides", "replicas", "rollout"],
  ...["vmSize", "windowsServer", "zones"],
];

/** Where an argument has another name than the option. */
const argumentOf: Readonly<Record<string, string>> = { subnet: "networkInterfaces" };

/** What is not shown as it is. */
const texts: Readonly<Record<string, (value: unknown, os: NodeOs) => string>> = {
  osDiskGB: (size, os) => (size === defaultPool.osDiskGB[os] ? "" : String(size)),
  taints: (taints) =>
    list(taints)
      .map((taint) => taintText(taint as unknown as Taint))
      .join(", "),
  dataDisks: (disks) =>
    list(disks)
      .map(({ name, sizeGB }) => `${text(name)} ${String(sizeGB)} GB`)
      .join(", "),
  preKubeadmCommands: (commands) => countText(strings(commands)),
  postKubeadmCommands: (commands) => countText(strings(commands)),
};

const detailsOf = (inputs: unknown, os: NodeOs, names: readonly string[]): string[] =>
  names.flatMap((name) => {
    const value = at(inputs, argumentOf[name] ?? name);
    const shown = value === undefined || value === false ? "" : (texts[name] ?? valueText)(value, os);
    return shown === "" ? [] : [`${name}: ${shown}`];
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
  detailsOf(inputs, os, [
    ...optionRows.map(([name]) => name).filter((name) => !inModel.includes(name)),
    "containerRegistries",
  ]);
