import type { KubeObject } from "../model/objects";
import type { World } from "../model/snapshot";
import { withAnswer } from "./answers";
import { anyOf, isNotReady, warned } from "./finders";
import { podWith } from "./podFinders";
import { once } from "./pullFinders";
import type { Match, Rule, Stage } from "./rule";

/** Rules that differ in the words only which a node or a controller writes about a Pod. */

export interface PodAnswer extends Omit<Rule, "stage" | "proof" | "find" | "source"> {
  readonly text: RegExp;
  readonly stage?: Stage;
  readonly source?: string;
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
  ({ text, ...rule }: PodAnswer): Rule => ({
    stage,
    source,
    ...rule,
    proof: "Pod, state of its container or events",
    find: withAnswer(tells(text)),
  });

/** Events of Pods that are not ready, some times: what happens once passes by itself. */
export const podEvent =
  (stage: Stage, source: string, times: number) =>
  ({ text, ...rule }: PodAnswer): Rule => ({
    stage,
    source,
    ...rule,
    proof: "Pod, events",
    find: withAnswer(warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text, times })),
  });

/** Containers of add-ons that end again and again, by their last words. */
export const lastWords =
  (stage: Stage, source: string, where: (pod: KubeObject) => boolean) =>
  ({ text, ...rule }: PodAnswer): Rule => ({
    stage,
    source,
    ...rule,
    proof: "Pod, last state of its container",
    find: withAnswer(
      podWith({
        side: "workload",
        where,
        text,
        // The same text as of the rules that know only that it ends, so that one finding comes of it.
        container: ({ ready, waiting, ended, endMessage, message }) =>
          ready || ended === ""
            ? undefined
            : `${waiting === "" ? "" : `${waiting}: `}${endMessage || message}`,
      }),
    ),
  });
