import { itemsOf, type Get } from "../cluster/answers";
import { numberAt, textAt } from "capz-windows-kit/untyped";
import {
  clearText,
  encryptionLine,
  encryptionOf,
  encryptionText,
  keysOf,
  refusedStep,
  type Encryption,
} from "capz-windows-platform/encryption/keys";
import { stageBetween } from "capz-windows-platform/encryption/stages";

/** What a cluster encrypts in etcd now, and what comes next. */

export interface EncryptionState {
  /** What the control plane is to have, by the management cluster. */
  readonly cluster: Encryption | undefined;
  readonly machines: number;
  /** Machines that have it. While others run, an object may still be written by a former key. */
  readonly upToDate: number;
  /** Its KubeadmControlPlane. */
  readonly name: string;
}

/** The management cluster cannot say it. */
export class StageError extends Error {
  override readonly name = "StageError";
}

/** @throws StageError */
export async function readStage(get: Get, clusterName: string, namespace: string): Promise<EncryptionState> {
  const labels = encodeURIComponent(`cluster.x-k8s.io/cluster-name=${clusterName}`);
  const path = `/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/${namespace}/kubeadmcontrolplanes`;
  const answer = await get(`${path}?labelSelector=${labels}`);
  const items = itemsOf(answer, "KubeadmControlPlane");
  if ("what" in items) {
    throw new StageError(`The control plane of ${clusterName} cannot be read: ${items.message}`);
  }
  const [controlPlane] = items;
  if (controlPlane === undefined) {
    throw new StageError(`The management cluster has no control plane of ${clusterName} in ${namespace}.`);
  }
  const status = (key: string): number => numberAt(controlPlane, "status", key) ?? 0;
  const isSeen =
    numberAt(controlPlane, "status", "observedGeneration") ===
    numberAt(controlPlane, "metadata", "generation");
  return {
    cluster: encryptionOf(controlPlane),
    name: textAt(controlPlane, "metadata", "name"),
    machines: Math.max(status("replicas"), numberAt(controlPlane, "spec", "replicas") ?? 0),
    // Before its controller has seen a change, the numbers are those of the former template.
    upToDate: isSeen ? status("upToDateReplicas") : 0,
  };
}

export const isRolling = ({ machines, upToDate }: EncryptionState): boolean => upToDate < machines;

/** What to do after a stage in which the stack file and the cluster agree. */
function nextOf({ cluster: encryption }: EncryptionState, rewriteCommand: string): readonly string[] {
  if (encryption === undefined) {
    return [
      `To encrypt: \`${encryptionLine({ resources: ["secrets"], keys: [clearText, "key1"] })}\` in controlPlane, and \`pulumi up\`.`,
    ];
  }
  const { keys } = encryption;
  const line = (...of: string[]): string => `\`${encryptionLine({ ...encryption, keys: of })}\``;
  const [writes = clearText, ...others] = keys;
  const rest = keysOf({ keys: others });
  if (writes === clearText) {
    return [
      `To encrypt: ${line(...rest)} and \`pulumi up\`.`,
      `To end encryption: ${rewriteCommand}, then remove encryption and \`pulumi up\`.`,
    ];
  }
  const [other] = rest;
  return other === undefined
    ? [
        `Nothing, when everything is written with ${writes}: ${rewriteCommand} tells, and may run at any time.`,
      ]
    : [
        `If ${writes} is the new key: ${rewriteCommand}, then ${line(writes)} and \`pulumi up\`.`,
        `If ${other} is the new key: ${line(other, writes, ...rest.slice(1))} and \`pulumi up\`.`,
      ];
}

/** Lines for people. @param wanted - what the stack file has */
export function stageLines(
  stage: EncryptionState,
  wanted: Encryption | undefined,
  rewriteCommand: string,
): string[] {
  const { cluster, machines, upToDate } = stage;
  const pending =
    encryptionText(cluster) === encryptionText(wanted) ? undefined : stageBetween(cluster, wanted);
  const refused = refusedStep(cluster, wanted);
  const next = (): readonly string[] => {
    if (isRolling(stage)) {
      return ["Wait until every machine of the control plane is replaced."];
    }
    if (refused !== undefined) {
      return [`The stack file cannot be deployed: ${refused}.`];
    }
    return pending === undefined ? nextOf(stage, rewriteCommand) : [`\`pulumi up\`. ${pending.what}.`];
  };
  return [
    `Encrypted in etcd  ${encryptionText(cluster)}`,
    `Machines with it   ${upToDate} of ${machines}`,
    `In the stack file  ${encryptionText(wanted)}`,
    ...next().map((text, index) => `${index === 0 ? "Next               " : "                   "}${text}`),
  ];
}
