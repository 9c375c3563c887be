import { textAt } from "capz-windows-kit/untyped";
import { stays, type KubeObject } from "../cluster/objects";
import type { ReadProblem, World } from "../cluster/snapshot";
import { withAnswer, withMinutes } from "./answers";
import { degraded } from "./calico";
import { deletingSays, failedDeletion } from "./deletionFinders";
import { anyOf, hasCondition, isNotReady, isPending, olderThan, says, unread, warned } from "./finders";
import { azureKinds } from "./kinds";
import { creationFails, podWith, tells } from "./podFinders";
import { inProviders } from "./providerFinders";
import type { Find } from "./rule";
import { pull } from "./pullFinders";
import { syncFails } from "./services";
import { unscheduled } from "./unscheduled";

/** The places in which an entry of knowledge/ can look for its text. */

/** Where and what to look for: the fields of an entry beside its texts. */
export interface Pattern {
  /** Names Azure's code or the words that only this cause has. Its named groups are values for the texts of the rule. */
  readonly text?: RegExp | undefined;
  readonly kinds?: readonly string[] | undefined;
  /** Of a condition. */
  readonly type?: string | RegExp | undefined;
  readonly status?: readonly string[] | undefined;
  readonly reason?: RegExp | undefined;
  readonly stays?: boolean | undefined;
  /** Minutes for which a condition has lasted, an object is being deleted, or an object of an event exists. */
  readonly minutes?: number | undefined;
  /** How often an event has occurred. */
  readonly times?: number | undefined;
  /** Names of Pods. */
  readonly pods?: RegExp | undefined;
  /** Least age of the Pod's node in minutes, for what is normal on a new one. */
  readonly nodeMinutes?: number | undefined;
  /** What could not be read. */
  readonly what?: readonly ReadProblem["what"][] | undefined;
}

type Counts = (object: KubeObject) => boolean;

const any = /(?:)/;

const onOldNode = (pod: KubeObject | undefined, minutes: number, world: World): boolean => {
  const node = world.find("Node", textAt(pod?.spec, "nodeName"));
  return node === undefined || olderThan(node, minutes, world);
};

const isOurs = (object: KubeObject, { snapshot }: World): boolean =>
  inProviders(object) || object.metadata.name === `${snapshot.cluster.name}-autoscaler`;

const inEvents = (kinds: readonly string[], { text = any, times, minutes = 0 }: Pattern, counts?: Counts) =>
  warned({
    ...{ kinds, text, side: "workload" },
    ...(times === undefined ? {} : { times }),
    where: (object, world) => (counts?.(object) ?? true) && olderThan(object, minutes, world),
  });

const places = {
  /** Azure's answers, in conditions and events of the objects of Azure. */
  azure: ({ text = any }: Pattern) => says({ kinds: azureKinds, text }),
  /** Those about what is to be made: Azure gives the answer to an earlier request to whoever deletes, too. */
  provisioning: ({ text = any }: Pattern) =>
    says({ kinds: azureKinds, text, where: stays, except: failedDeletion }),
  /** Any bad condition, failure message or warning. */
  complaint: ({ kinds = [], text = any }: Pattern) => says({ kinds, text }),
  condition: ({ kinds = [], type = any, text, stays: staying, ...rest }: Pattern) =>
    hasCondition({ ...rest, kinds, type, message: text, ...(staying === true ? { where: stays } : {}) }),
  /** What Calico's operator says of a part of Calico that is Degraded. */
  operator: ({ text = any, minutes = 0 }: Pattern) => degraded(text, minutes),
  /** Warnings in the workload cluster. */
  event: (pattern: Pattern) => inEvents(pattern.kinds ?? [], pattern),
  /** Events of a Pod that is not Ready. One that is has its network, its volumes and its image. */
  "pod event": (pattern: Pattern) => inEvents(["Pod"], pattern, isNotReady),
  "claim event": (pattern: Pattern) => inEvents(["PersistentVolumeClaim"], pattern, isPending),
  /** Events of a claim without a volume, or of a Pod that is not Ready. */
  volume: (pattern: Pattern) =>
    anyOf(inEvents(["PersistentVolumeClaim"], pattern, isPending), inEvents(["Pod"], pattern, isNotReady)),
  /** A waiting container, or an event while the Pod is not Ready. */
  pod: ({ text = any, nodeMinutes = 0 }: Pattern): Find => {
    const find = tells(text);
    return (world) => find(world).filter(({ object }) => onOldNode(object, nodeMinutes, world));
  },
  /** The last message of a container that exits again and again. */
  "last words": ({ text = any, pods = any }: Pattern) =>
    podWith({
      side: "workload",
      where: ({ metadata }) => pods.test(metadata.name),
      text,
      // The same text as in the rules that only say that it exits, so that both become one finding.
      container: ({ ready, waiting, ended, endMessage, message }) =>
        ready || ended === "" ? undefined : `${waiting === "" ? "" : `${waiting}: `}${endMessage || message}`,
    }),
  pull: ({ text = any }: Pattern) => pull(text),
  scheduling: ({ text = any }: Pattern) => unscheduled(text),
  service: ({ text = any }: Pattern) => syncFails(text),
  /** The API server refuses the Pods of a controller. */
  creation: ({ text = any }: Pattern) => creationFails(text),
  /**
   * The API server of the management cluster refuses Pods of a provider or the autoscaler. Their Deployment says why, while
   * one that still runs is only not replaced.
   */
  provider: ({ text = any }: Pattern) =>
    hasCondition({
      ...{ kinds: ["Deployment"], side: "management", type: "ReplicaFailure", status: ["True"] },
      ...{ message: text, where: isOurs },
    }),
  deletion: ({ kinds = [], text = any, minutes }: Pattern) => deletingSays(kinds, text, minutes),
  /** The management cluster cannot be read. */
  reading: ({ what = [], text }: Pattern) => unread("management", what, text),
};

export type MessagePlace = keyof typeof places;
export const placeNames = Object.keys(places) as MessagePlace[];

/** The finder of a pattern. {why}, {code} and {minutes} are always known. */
export const finderOf = (place: MessagePlace, pattern: Pattern): Find =>
  withAnswer(withMinutes(places[place](pattern)));
