import {
  pausedAnnotation as annotation,
  scaleDownAnnotation,
} from "capz-windows-platform/machines/scaleDown";
import { at } from "capz-windows-kit/untyped";
import { conditionNamed, minutesBetween, stays, title, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { conditionProof } from "./finders";
import type { Detectors, Match } from "./rule";

/** Objects that are paused individually, while the Cluster is not: by hand, or by an `up` that lowers a number of nodes. */

/** Without MachineSets, which get the annotations of their MachineDeployment. */
const kinds = [
  ...["KubeadmControlPlane", "MachineDeployment", "MachinePool", "AzureCluster", "AzureMachinePool"],
  ...["Machine", "AzureMachine", "AzureMachinePoolMachine", "KubeadmConfig"],
  ...["MachineHealthCheck", "ClusterResourceSet"],
];

/** A manual repair may take this long. Only some kinds say since when they are paused. */
const repairMinutes = 15;

const hasAnnotation = ({ metadata }: KubeObject): boolean => metadata.annotations?.[annotation] !== undefined;

/** @param minutes - for which a condition must have said so */
const proofOf = (object: KubeObject, world: World, minutes = 0): Match["proof"] | undefined => {
  const condition = conditionNamed(object, "Paused");
  if (condition?.status === "True") {
    return minutesBetween(condition.since, world.now) < minutes
      ? undefined
      : conditionProof(object, condition);
  }
  // CAPZ writes no condition. A MachineDeployment with this field makes no new machines, and has no condition either.
  if (hasAnnotation(object)) {
    return { where: `${title(object)}, metadata.annotations`, text: annotation };
  }
  return at(object.spec, "paused") === true
    ? { where: `${title(object)}, spec.paused`, text: "true" }
    : undefined;
};

/** The command that ends the pause, by the annotation or by the field of a MachineDeployment. */
const resume = (object: KubeObject, world: World): string => {
  const { name, namespace = world.snapshot.cluster.namespace } = object.metadata;
  const which = `${object.kind.toLowerCase()} ${name} -n ${namespace}`;
  return at(object.spec, "paused") === true && !hasAnnotation(object)
    ? `patch ${which} --type merge -p '{"spec":{"paused":false}}'`
    : `annotate ${which} ${annotation}-`;
};

/** An `up` waits this long for CAPZ, and longer only for drains; the annotation says since when (components/scaleDown). */
const upMinutes = 15;

const beganOf = ({ metadata }: KubeObject): string | undefined => metadata.annotations?.[scaleDownAnnotation];

/** `clusterctl move` pauses the Cluster, and with it all objects that belong to it. */
function pausedCluster(world: World): Match[] {
  const { cluster } = world;
  const proof = cluster && proofOf(cluster, world);
  return proof === undefined ? [] : [{ object: cluster, proof }];
}

const interrupted = (world: World): Match[] =>
  pausedCluster(world).length > 0
    ? []
    : world.all("AzureMachinePool", "management").flatMap((object) => {
        const began = beganOf(object);
        const since = began?.split(" ")[1];
        if (began === undefined || (since !== undefined && minutesBetween(since, world.now) < upMinutes)) {
          return [];
        }
        const proof = {
          where: `${title(object)}, metadata.annotations`,
          text: `${scaleDownAnnotation}: ${began}`,
        };
        return [{ object, proof, vars: { waits: waitsOf(object) } }];
      });

const waitsOf = (object: KubeObject): string =>
  stays(object) ? "it neither rolls nor grows" : "its deletion waits, too";

const paused = (world: World): Match[] =>
  pausedCluster(world).length > 0
    ? []
    : kinds
        .flatMap((kind) => world.all(kind, "management"))
        .filter((object) => beganOf(object) === undefined)
        .flatMap((object) => {
          const proof = proofOf(object, world, repairMinutes);
          const waits = stays(object) ? "what is changed of it is not done" : "its deletion waits, too";
          return proof === undefined
            ? []
            : [{ object, proof, vars: { waits, resume: resume(object, world) } }];
        });

export const pausedObjects: Detectors = {
  paused: pausedCluster,
  "object-paused": paused,
  "scale-down-interrupted": interrupted,
};
