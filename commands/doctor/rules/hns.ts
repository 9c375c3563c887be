import { eventProof, isFresh } from "./finders";
import { nodesOf } from "../../cluster/scope";
import type { Detectors, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Nodes that the add-on hns-remediation has repaired, by the number of repairs in a row in the last event. */
const hnsRepaired =
  (isOften: (times: number) => boolean) =>
  (world: World): Match[] =>
    nodesOf(world).flatMap((object) => {
      const [last] = world
        .eventsOf(object, "workload")
        .filter((event) => event.reason === "HnsRemediated" && isFresh(event, world.now))
        .sort((a, b) => b.count - a.count);
      return last === undefined || !isOften(last.count) ? [] : [{ object, proof: eventProof(object, last) }];
    });

/** The host network service of Windows nodes. */
export const hnsRules: Detectors = {
  "hns-again": hnsRepaired((times) => times >= 3),
  "hns-crashed": hnsRepaired((times) => times < 3),
};
