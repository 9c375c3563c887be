import { at, list } from "capz-windows-kit/untyped";

/** What several readers of pods ask of a spec whose shape nobody has checked. */

export const containersOf = (podSpec: unknown): Record<string, unknown>[] => [
  ...list(at(podSpec, "initContainers")),
  ...list(at(podSpec, "containers")),
];

/** A field of the security context of a container, or of its pod. */
export const securityOf = (podSpec: unknown, container: unknown, ...path: string[]): unknown =>
  at(container, "securityContext", ...path) ?? at(podSpec, "securityContext", ...path);

export const isHostProcess = (podSpec: unknown) => (container: unknown) =>
  securityOf(podSpec, container, "windowsOptions", "hostProcess") === true;

export const hasHostProcess = (podSpec: unknown): boolean =>
  [podSpec, ...containersOf(podSpec)].some(isHostProcess(undefined));
