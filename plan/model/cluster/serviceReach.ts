import { at, textAt } from "capz-windows-kit/untyped";

/** From where a Service can be reached. */
export type Reach = "internet" | "network" | "cluster";

const internal = "service.beta.kubernetes.io/azure-load-balancer-internal";

export function serviceReach(service: unknown): Reach {
  if (textAt(service, "spec", "type") !== "LoadBalancer") {
    return "cluster";
  }
  return textAt(at(service, "metadata", "annotations"), internal) === "true" ? "network" : "internet";
}
