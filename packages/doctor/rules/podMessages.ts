import type { World } from "../cluster/snapshot";
import { anyOf, podWarns } from "./finders";
import { podWith } from "./podFinders";
import { once } from "./pullFinders";
import type { Match } from "./rule";

/** Pods with a text in the state of a waiting container, or in an event while the Pod is not Ready. */
export const tells = (text: RegExp): ((world: World) => Match[]) => {
  const find = anyOf(
    podWith({
      side: "workload",
      text,
      container: ({ waiting, message, endMessage }) =>
        waiting === "" ? undefined : `${waiting}: ${message} ${endMessage}`.trim(),
    }),
    podWarns(text),
  );
  return (world) => once(find(world));
};
