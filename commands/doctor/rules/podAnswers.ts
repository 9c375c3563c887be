import { textAt } from "../../../tools/untyped";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { withAnswer } from "./answers";
import { anyOf, isNotReady, olderThan, warned } from "./finders";
import { podWith } from "./podFinders";
import { once } from "./pullFinders";
import type { Match, Rule, Stage } from "./rule";

/** Makes rules that differ only in the text that a node or a controller writes about a Pod. */

export interface PodAnswer extends Omit<Rule, "stage" | "find" | "source"> {
  readonly text: RegExp;
  readonly stage?: Stage;
  readonly source?: string;
  /** Least age of the Pod's node in minutes, for what is normal on a new one. */
  readonly nodeMinutes?: number;
}

/** Pods with a text in the state of a waiting container, or in an event while the Pod is not Ready. */
export const tells = (text: RegExp): ((world: World) => Match[]) => {
  const find = anyOf(
    podWith({
      side: "workload",
      text,
      container: ({ waiting, message, endMessage }) =>
        waiting === "" ? undefined : `${waiting}: ${message} ${endMessage}`.trim(),
    }),
    warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text }),
  );
  return (world) => once(find(world));
};

/** {why} is the whole message. */
export const podAnswer =
  (stage: Stage, source: string) =>
  ({ text, nodeMinutes = 0, ...rule }: PodAnswer): Rule => ({
    stage,
    source,
    ...rule,
    find: withAnswer((world) =>
      tells(text)(world).filter(({ object }) => {
        const node = world.find("Node", textAt(object?.spec, "nodeName"));
        return node === undefined || olderThan(node, nodeMinutes, world);
      }),
    ),
  });

/** For events of Pods that are not Ready. Fewer than `times` occurrences are temporary. */
export const podEvent =
  (stage: Stage, source: string, times: number) =>
  ({ text, ...rule }: PodAnswer): Rule => ({
    stage,
    source,
    ...rule,
    find: withAnswer(warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text, times })),
  });

/** For containers of add-ons that exit again and again, by their last message. */
export const lastWords =
  (stage: Stage, source: string, where: (pod: KubeObject) => boolean) =>
  ({ text, ...rule }: PodAnswer): Rule => ({
    stage,
    source,
    ...rule,
    find: withAnswer(
      podWith({
        side: "workload",
        where,
        text,
        // The same text as in the rules that only say that it exits, so that both become one finding.
        container: ({ ready, waiting, ended, endMessage, message }) =>
          ready || ended === ""
            ? undefined
            : `${waiting === "" ? "" : `${waiting}: `}${endMessage || message}`,
      }),
    ),
  });
