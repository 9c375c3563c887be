import { isIP } from "node:net";
import { publicKeyOf } from "../values";
import { at, isRecord, list, text, textAt } from "../../../tools/untyped";
import { missingIn } from "../variables";
import { commandReason, fileReason, hasSecret, secretReason } from "./boilerplate";
import type { SourceDifference } from "./compare";
import { isSecretExtension } from "./extras";
import { reasonTable, type Reason } from "./reasonTable";

/**
 * Finds the reason why a stack does not have a field of the source: a stack file has another key for it, it follows from
 * others, or controllers write it. A field without a reason becomes an override or is reported.
 */

/** Commands and files, looked up one by one. */
function ofBootstrap({ path, before, after }: SourceDifference): Reason | undefined {
  if (/(pre|post)KubeadmCommands$/.test(path) && Array.isArray(before)) {
    const gone = before.filter((command) => !(Array.isArray(after) && after.includes(command))).map(String);
    return gone.every((command) => commandReason(command) !== undefined || hasSecret(command))
      ? (gone.map(commandReason)[0] ?? { why: "the stack's own commands stand around those of the pool" })
      : undefined;
  }
  if (isRecord(before) && hasSecret(text(before.content))) {
    return secretReason;
  }
  const [, file] = /\.files\[([^\]]*)\]/.exec(path) ?? [];
  return file === undefined ? undefined : fileReason(file);
}

/**
 * The load balancer of an API server that is private, or has a private address beside a public one. CAPZ's webhook writes
 * the latter only with its feature gate APIServerILB (CAPZ v1.27 azurecluster_default.go).
 */
function ofApiServer({ path, before, after, objects }: SourceDifference): Reason | undefined {
  // What the webhook adds is in the table.
  const isDefault =
    after === undefined && /apiServerLB\.(backendPool|sku|idleTimeoutInMinutes|name)/.test(path);
  if (!path.includes("apiServerLB") || isDefault) {
    return undefined;
  }
  const [isPrivate, stays] = objects.map(
    (one) => textAt(one, "spec", "networkSpec", "apiServerLB", "type") === "Internal",
  );
  if (isPrivate === true) {
    const why =
      stays === true
        ? "the program names and zones the internal load balancer itself; its address is network.apiServer.ip"
        : "the rules of the stack file refuse this private API server, so that of this stack has a public address";
    return { why, instead: "network.apiServer" };
  }
  if ([before].flat().every((each) => at(each, "privateIP") === undefined)) {
    return undefined;
  }
  return {
    why: "the API server of a stack has one address; CAPZ gives a public one a private address beside only with its feature gate APIServerILB",
    instead: "network.apiServer, for a private one",
  };
}

/** The interfaces of a machine without their subnets, whose names a stack chooses itself. */
const interfaceKinds = (value: unknown): string =>
  JSON.stringify(
    list(value).map(({ acceleratedNetworking = null, privateIPConfigs = 1 }) => [
      acceleratedNetworking,
      privateIPConfigs,
    ]),
  );

/** Extensions with secrets, and SSH keys and network interfaces that CAPZ's webhook adds. */
function ofMachines({ path, before, after }: SourceDifference): Reason | undefined {
  if (path.includes("vmExtensions") && isRecord(before) && isSecretExtension(before)) {
    return {
      why: "its settings are or may be secrets",
      instead: "vmExtensions of the pool, if the settings are not secret, or files with contentFrom",
    };
  }
  // If there is no key, the webhook adds a random one, which has no comment after it.
  const isRandom = after === undefined && /^ssh-rsa \S+$/.test(publicKeyOf(before) ?? "");
  if (path.endsWith("sshPublicKey") && isRandom) {
    return { why: "CAPZ's webhook writes a random key, which Azure ignores on Windows", byController: true };
  }
  if (!path.endsWith("networkInterfaces") || interfaceKinds(before) !== interfaceKinds(after ?? [{}])) {
    return undefined;
  }
  if (after === undefined) {
    return { why: "CAPZ's webhook writes its default", byController: true };
  }
  return {
    why: "subnets have names of the stack's own",
    instead: "network.poolSubnets, and subnet of the pool",
  };
}

/** The reason for a value with variables that have no value, where a plan cannot do with placeholders. */
export function ofVariables(value: unknown): Reason | undefined {
  const names = missingIn(JSON.stringify(value));
  return names.length === 0
    ? undefined
    : { why: `it depends on ${names.join(", ")}`, instead: "the variable, set, and another import" };
}

/** Whether a value is or has an IPv6 address or network, such as ::1, fd00::/108 or 10.0.0.0/8,2001:db8::/64. */
const hasIpv6 = (value: unknown): boolean =>
  (Array.isArray(value) ? value : [value]).some(
    (one) => typeof one === "string" && one.split(",").some((each) => isIP(each.replace(/\/\d+$/, "")) === 6),
  ) ||
  (isRecord(value) && hasIpv6(value.value));

/**
 * The first reason for a field of the source that a plan has not, or has with another value; `undefined` if none is
 * known.
 * @param taken - paths of the stack file whose values its rules refused
 */
export function reasonFor(difference: SourceDifference, taken: readonly string[]): Reason | undefined {
  const { kind, path, before, after } = difference;
  const [, planned] = difference.objects;
  if (hasIpv6(before)) {
    return { why: "networks of a stack are IPv4 only", instead: "network" };
  }
  if (kind === "MachineHealthCheck" && Object.keys(planned).length === 0) {
    return {
      why: "the stack has no health check here: the only machine of a control plane cannot be replaced",
      instead: "controlPlane.replicas, and controlPlane.healthCheck",
    };
  }
  if (isRecord(before) && Object.keys(before).join() === "name") {
    return { why: "it has no value" };
  }
  if (path === "spec.replicas" && after === undefined) {
    return { why: "the autoscaler sets it", byController: true };
  }
  return (
    (kind.startsWith("AzureMachine") ? ofMachines(difference) : undefined) ??
    (kind === "AzureCluster" ? ofApiServer(difference) : undefined) ??
    (kind.startsWith("Kubeadm") ? ofBootstrap(difference) : undefined) ??
    reasonTable.find(
      (row) =>
        row.kind.test(kind) &&
        row.path.test(path) &&
        (row.value === undefined || row.value === before) &&
        (row.taken === undefined || taken.some((one) => row.taken?.test(one))),
    )?.reason ??
    (typeof before === "string" ? ofVariables(before) : undefined)
  );
}
