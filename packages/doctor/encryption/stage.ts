import { itemsOf, problemOfAnswer, type Get } from "../cluster/answers";
import type { Send } from "../cluster/connect";
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
import { present } from "capz-windows-kit/present";
import { messageOf } from "capz-windows-kit/messageOf";

/** What a cluster encrypts in etcd now, and what comes next. */

export interface EncryptionState {
  /** What the control plane is to have, by the management cluster. */
  readonly cluster: Encryption | undefined;
  readonly machines: number;
  /** Machines that have it. While others run, an object may still be written by a former key. */
  readonly upToDate: number;
  /** Its KubeadmControlPlane. */
  readonly name: string;
  /** When everything was written again in this stage, as RFC 3339; no field: not known. */
  readonly rewrittenAt?: string;
}

/**
 * An annotation of the KubeadmControlPlane: when everything was written again, and in which stage. No other field tells:
 * the API shows no key of an object, and clear text can be read in every stage.
 */
const recordAnnotation = "capz-windows/rewritten";

const recordOf = (time: string, cluster: Encryption | undefined): string =>
  `${time} ${encryptionText(cluster)}`;

/** The management cluster cannot say it. */
export class StageError extends Error {
  override readonly name = "StageError";
}

const controlPlanesPath = (namespace: string): string =>
  `/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/${namespace}/kubeadmcontrolplanes`;

const machinesPath = (namespace: string): string =>
  `/apis/cluster.x-k8s.io/v1beta2/namespaces/${namespace}/machines`;

/** @throws StageError */
export async function readStage(get: Get, clusterName: string, namespace: string): Promise<EncryptionState> {
  const ofCluster = `cluster.x-k8s.io/cluster-name=${clusterName}`;
  const read = async (path: string, kind: string, labels: string) => {
    const answer = await get(`${path}?labelSelector=${encodeURIComponent(labels)}`);
    const items = itemsOf(answer, kind);
    if ("what" in items) {
      throw new StageError(`The control plane of ${clusterName} cannot be read: ${items.message}`);
    }
    return items;
  };
  const [controlPlane] = await read(controlPlanesPath(namespace), "KubeadmControlPlane", ofCluster);
  if (controlPlane === undefined) {
    throw new StageError(`The management cluster has no control plane of ${clusterName} in ${namespace}.`);
  }
  const status = (key: string): number => numberAt(controlPlane, "status", key) ?? 0;
  const isSeen =
    numberAt(controlPlane, "status", "observedGeneration") ===
    numberAt(controlPlane, "metadata", "generation");
  const cluster = encryptionOf(controlPlane);
  const record = textAt(controlPlane, "metadata", "annotations", recordAnnotation);
  const [recordedAt = ""] = record.split(" ");
  const isOfThisStage =
    record === recordOf(recordedAt, cluster) &&
    // Each stage replaces all machines. So one that is older than the record says that no other stage was in between.
    (await read(machinesPath(namespace), "Machine", `${ofCluster},cluster.x-k8s.io/control-plane`)).some(
      (machine) => textAt(machine, "metadata", "creationTimestamp") < recordedAt,
    );
  return {
    ...{ cluster, name: textAt(controlPlane, "metadata", "name") },
    machines: Math.max(status("replicas"), numberAt(controlPlane, "spec", "replicas") ?? 0),
    // Before its controller has seen a change, the numbers are those of the former template.
    upToDate: isSeen ? status("upToDateReplicas") : 0,
    ...(isOfThisStage ? { rewrittenAt: recordedAt } : {}),
  };
}

/**
 * Notes at the management cluster that everything was written again.
 * @param time - before the first object was, as RFC 3339
 * @returns why it could not be noted
 */
export async function recordRewrite(
  send: Send,
  { name, cluster }: EncryptionState,
  namespace: string,
  time: string,
): Promise<string | undefined> {
  try {
    const answer = await send(`${controlPlanesPath(namespace)}/${name}`, {
      method: "PATCH",
      contentType: "application/merge-patch+json",
      body: { metadata: { annotations: { [recordAnnotation]: recordOf(time, cluster) } } },
    });
    return answer.status < 300 ? undefined : problemOfAnswer(answer, "KubeadmControlPlane").message;
  } catch (error) {
    return messageOf(error);
  }
}

export const isRolling = ({ machines, upToDate }: EncryptionState): boolean => upToDate < machines;

/** What to do after a stage in which the stack file and the cluster agree. */
function nextOf(
  { cluster: encryption, rewrittenAt }: EncryptionState,
  rewriteCommand: string,
): readonly string[] {
  if (encryption === undefined) {
    return [
      `To encrypt: \`${encryptionLine({ resources: ["secrets"], keys: [clearText, "key1"] })}\` in controlPlane, and \`pulumi up\`.`,
    ];
  }
  const { keys } = encryption;
  const line = (...of: string[]): string => `\`${encryptionLine({ ...encryption, keys: of })}\``;
  const [writes = clearText, ...others] = keys;
  const rest = keysOf({ keys: others });
  const rewrite = rewrittenAt === undefined ? `${rewriteCommand}, then ` : "";
  if (writes === clearText) {
    return [
      `To encrypt: ${line(...rest)} and \`pulumi up\`.`,
      `To end encryption: ${rewrite}remove encryption and \`pulumi up\`.`,
    ];
  }
  const [other] = rest;
  return other === undefined
    ? [
        rewrittenAt === undefined
          ? `Nothing, when everything is written with ${writes}: ${rewriteCommand} tells, and may run at any time.`
          : "Nothing.",
      ]
    : [
        `If ${writes} is the new key: ${rewrite}${line(writes)} and \`pulumi up\`.`,
        `If ${other} is the new key: ${line(other, writes, ...rest.slice(1))} and \`pulumi up\`.`,
      ];
}

/** Lines for people. @param wanted - what the stack file has */
export function stageLines(
  stage: EncryptionState,
  wanted: Encryption | undefined,
  rewriteCommand: string,
): string[] {
  const { cluster, machines, upToDate, rewrittenAt } = stage;
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
  return present(
    `Encrypted in etcd  ${encryptionText(cluster)}`,
    `Machines with it   ${upToDate} of ${machines}`,
    `In the stack file  ${encryptionText(wanted)}`,
    cluster !== undefined &&
      `Written again      ${rewrittenAt === undefined ? "not known in this stage" : `all ${cluster.resources.join(" and ")}, ${rewrittenAt}`}`,
    ...next().map((text, index) => `${index === 0 ? "Next               " : "                   "}${text}`),
  );
}
