import { at, textAt } from "../../../../tools/untyped";

/** From where a Service can be reached. */
export type Reach = "internet" | "network" | "cluster";

const internal = "service.beta.kubernetes.io/azure-load-balancer-internal";

export const serviceReach = (service: unknown): Reach =>
  textAt(service, "spec", "type") !== "LoadBalancer"
    ? "cluster"
    : textAt(at(service, "metadata", "annotations"), internal) === "true"
      ? "network"
      : "internet";
