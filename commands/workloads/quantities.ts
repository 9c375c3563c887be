import { at, list, text } from "../../tools/untyped";

/** Requests of pods in Kubernetes notation (apimachinery, resource.Quantity), as numbers. */

const suffixes: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** A quantity as a number, such as bytes or CPUs; `undefined` for a value that is no quantity. */
export function quantity(value: unknown): number | undefined {
  const [, number, suffix = ""] =
    /^([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(
      typeof value === "number" ? String(value) : text(value),
    ) ?? [];
  const factor = suffixes[suffix];
  return number === undefined || factor === undefined ? undefined : Number(number) * factor;
}

export type PodResource = "cpu" | "memory";

/** What Kubernetes reserves for a container: its request, or its limit where it has no request. */
const requestOf = (container: unknown, resource: PodResource): number =>
  quantity(
    at(container, "resources", "requests", resource) ?? at(container, "resources", "limits", resource),
  ) ?? 0;

/**
 * What the scheduler reserves for a pod: the sum of containers and sidecars (init containers that keep running), or an init
 * container with the sidecars that were started before it, if that is more (Kubernetes, "Resource sharing within
 * containers").
 * @param overhead - quantity that the RuntimeClass adds
 */
export function podRequest(podSpec: unknown, resource: PodResource, overhead: unknown): number {
  let sidecars = 0;
  let mostAtStart = 0;
  for (const init of list(at(podSpec, "initContainers"))) {
    const request = requestOf(init, resource);
    mostAtStart = Math.max(mostAtStart, sidecars + request);
    if (at(init, "restartPolicy") === "Always") {
      sidecars += request;
    }
  }
  const running = list(at(podSpec, "containers")).reduce<number>(
    (total, container) => total + requestOf(container, resource),
    sidecars,
  );
  return Math.max(running, mostAtStart) + (quantity(overhead) ?? 0);
}
