import { minor, patch } from "semver";
import { kubernetesRows, knownOn } from "./compatibility";

/** Releases of Kubernetes, from the table of versions. */

/** First minor that still gets patches on the date of the table. */
export const oldestMaintainedMinor = Math.min(
  ...Object.keys(kubernetesRows)
    .map(Number)
    .filter((kubernetesMinor) => kubernetesRows[kubernetesMinor]?.ended === undefined),
);

/** Month of the last patch of a minor, such as 2026-10; `undefined` for one that still gets patches. */
export const endOfLife = (kubernetesMinor: number): string | undefined =>
  kubernetesRows[kubernetesMinor]?.ended;

const release = (kubernetesMinor: number, patch: number | undefined): string | undefined =>
  patch === undefined ? undefined : `v1.${kubernetesMinor}.${patch}`;

/** Newest known release of a minor, with a leading v; `undefined` for minors that are not in the table. */
export const latestPatch = (kubernetesMinor: number): string | undefined =>
  release(kubernetesMinor, kubernetesRows[kubernetesMinor]?.lastPatch);

/** A fault of kube-proxy on Windows nodes that later patches mend. */
export interface KubeProxyFault {
  /** What kube-proxy does, for a sentence that begins with it. */
  readonly does: string;
  /** First patch without the fault, by minor. */
  readonly mendedBy: Readonly<Record<number, number>>;
  /** The newest minor of which no patch without the fault was known; those before it have it, too. */
  readonly unmendedUpTo?: number;
  readonly source: string;
}

/**
 * Faults of released patches. Read in pkg/proxy/winkernel of v1.31.14, v1.33.13, v1.34.4, v1.35.6, v1.35.8, v1.36.3, v1.36.5
 * and v1.37.2; no fix for a branch before 1.36 was found.
 */
export const kubeProxyFaults: readonly KubeProxyFault[] = [
  {
    does: "ends with a panic when HNS lists a load balancer without ports",
    mendedBy: { 36: 5, 37: 1 },
    unmendedUpTo: 35,
    source: "kubernetes #141707, #141681",
  },
  {
    does: "looks at its rules only once an hour, so that those which HNS has lost are missing until then",
    mendedBy: { 34: 4, 35: 1 },
    source: "kubernetes #136123, #136122",
  },
];

/** What mends a fault of a version of Kubernetes, for a sentence that ends with it; `undefined` if it does not have the fault. */
export function mendedText(
  { mendedBy, unmendedUpTo = 0 }: KubeProxyFault,
  version: string,
): string | undefined {
  const own = minor(version);
  const mended = mendedBy[own];
  if (mended !== undefined) {
    return patch(version) < mended ? `v1.${own}.${mended} mends it` : undefined;
  }
  const next = mendedBy[unmendedUpTo + 1];
  return own > unmendedUpTo || next === undefined
    ? undefined
    : `no patch of 1.${own} that mends it was known on ${knownOn}, v1.${unmendedUpTo + 1}.${next} mends it`;
}
