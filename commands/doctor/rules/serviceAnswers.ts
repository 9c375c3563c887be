import { at, list } from "../../../tools/untyped";
import { warned } from "./finders";

/** Further rules of the family `services`: events of the cloud controller manager about a Service. */

/**
 * Events of Services. One that has its address and failed once or twice was tried again with success: the service
 * controller waits 5 s before the first retry and then twice as long each time.
 */
export const syncFails = (text: RegExp) =>
  warned({
    ...{ kinds: ["Service"], side: "workload", text },
    where: (service, world) =>
      list(at(service.status, "loadBalancer", "ingress")).length === 0 ||
      world.eventsOf(service, "workload").some(({ count }) => count > 2),
  });
