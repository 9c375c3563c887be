import { publicKeyOf } from "../../config/foreignKeys/values";
import { at, isRecord, list, text } from "../../domain/untyped";
import { missingIn } from "../variables";
import { commandReason, fileReason, hasSecret, secretReason } from "./boilerplate";
import type { Difference } from "./compare";
import { pathOf } from "./compare";
import { isSecretExtension } from "./extras";
import { added, others, type Reason, type Row } from "./reasonTable";
import { written } from "./writtenFields";

/**
 * Finds the reason for a difference between a plan and a source: a stack file has another key for the field, the field
 * follows from others, or controllers write it. A difference without a reason becomes an override or is reported.
 */

/** Reasons for commands and files, each of which is looked up by itself. */
function ofBootstrap({ path, before, after }: Difference): Reason | undefined {
  const last = path.at(-1) ?? "";
  if (/^(pre|post)KubeadmCommands$/.test(last) && Array.isArray(before)) {
    const gone = before.filter((command) => !(Array.isArray(after) && after.includes(command)));
    const [first] = gone.map((command) => commandReason(String(command)));
    return gone.every((command) => commandReason(String(command)) !== undefined || hasSecret(String(command)))
      ? (first ?? { why: "the stack's own commands stand around those of the pool" })
      : undefined;
  }
  if (isRecord(before) && hasSecret(text(before.content))) {
    return secretReason;
  }
  const file = path.find((step) => /^\[.*[/\\]/.test(step));
  return file === undefined || !path.includes("files")
    ? undefined
    : (fileReason({ path: file.slice(1, -1), ...(isRecord(before) ? before : {}) }) ??
        (last === "owner" ? { why: "files belong to the administrator" } : undefined) ??
        (last === "permissions" ? { why: "a default, written out" } : undefined) ??
        (path.includes("registerWithTaints")
          ? { why: "taints of a pool reach kubelets of every image", instead: "taints" }
          : undefined));
}

/**
 * A private address of the API server. CAPZ's webhook writes one only for an internal load balancer and with its feature
 * gate APIServerILB (CAPZ v1.27 azurecluster_default.go), and a stack has neither.
 */
function ofApiServer({ kind, path, before }: Difference): Reason | undefined {
  const isPrivate =
    (path.at(-1) === "type" && before === "Internal") ||
    (Array.isArray(before) ? list(before) : [before]).some((each) => at(each, "privateIP") !== undefined);
  return kind === "AzureCluster" && path.includes("apiServerLB") && isPrivate
    ? {
        why: "the API server has a public address, behind a security group, and no private one",
        instead: "access.allowedCidrs",
      }
    : undefined;
}

/** The interfaces of a machine without their subnets, whose names a stack chooses itself. */
const interfaceKinds = (value: unknown): string =>
  JSON.stringify(
    list(value).map(({ acceleratedNetworking, privateIPConfigs }) => [
      acceleratedNetworking ?? null,
      privateIPConfigs ?? 1,
    ]),
  );

/** Reasons for extensions with secrets, and for SSH keys and network interfaces that CAPZ's webhook adds. */
function ofMachines({ path, before, after }: Difference): Reason | undefined {
  if (path.includes("vmExtensions") && isRecord(before) && isSecretExtension(before)) {
    return {
      why: "its settings are or may be secrets",
      instead: "vmExtensions of the pool, with settings that are none, or files with contentFrom",
    };
  }
  // If there is no key, the webhook adds a random one, which has no comment after it.
  if (
    path.at(-1) === "sshPublicKey" &&
    after === undefined &&
    /^ssh-rsa \S+$/.test(publicKeyOf(before) ?? "")
  ) {
    return { why: "CAPZ's webhook writes a random key, which Azure ignores on Windows", byController: true };
  }
  if (path.at(-1) !== "networkInterfaces" || before === undefined) {
    return undefined;
  }
  if (after === undefined) {
    return interfaceKinds(before) === interfaceKinds([{}])
      ? { why: "CAPZ's webhook writes its default", byController: true }
      : undefined;
  }
  return interfaceKinds(before) === interfaceKinds(after)
    ? { why: "subnets have names of the stack's own", instead: "network.poolSubnets, and subnet of the pool" }
    : undefined;
}

/**
 * The first reason for a difference; `undefined` if none is known.
 * @param taken - paths of the stack file whose values its rules refused
 */
export function reasonFor(difference: Difference, taken: readonly string[]): Reason | undefined {
  const { kind, before, after } = difference;
  const path = pathOf(difference);
  const isIn = (row: Row): boolean =>
    row.kind.test(kind) &&
    row.path.test(path) &&
    (row.value === undefined || row.value === before) &&
    (row.taken === undefined || taken.some((one) => row.taken?.test(one)));
  if (typeof before === "string" && missingIn(before).length > 0 && !path.includes("files[")) {
    return { why: `only you know it: ${missingIn(before).join(", ")}` };
  }
  const ofAzure = kind.startsWith("AzureMachine") ? ofMachines(difference) : ofApiServer(difference);
  if (ofAzure !== undefined) {
    return ofAzure;
  }
  if (isRecord(before) && Object.keys(before).join() === "name") {
    return { why: "it has no value" };
  }
  if (path === "spec.replicas" && after === undefined) {
    return { why: "the autoscaler sets it", byController: true };
  }
  const own = kind.startsWith("Kubeadm") && before !== undefined ? ofBootstrap(difference) : undefined;
  const byController = before === undefined ? undefined : written.find(isIn);
  if (byController !== undefined) {
    return { why: byController.why, byController: true };
  }
  const row = own ?? (before === undefined ? added : others).find(isIn);
  return row === undefined
    ? undefined
    : { why: row.why, ...(row.instead === undefined ? {} : { instead: row.instead }) };
}
