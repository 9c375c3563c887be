/**
 * Which Windows container images start on which Windows hosts.
 *
 * Source: containerd's platform matching, github.com/containerd/platforms v1.0.0-rc.4 (containerd 2.3) and v0.2.1
 * (containerd 1.7 from 1.7.19 on), and github.com/Microsoft/hcsshim v0.15.0 osversion: a host up to Windows Server 2019
 * starts its own build only; a later one everything from the long-term release before it up to its own build. The host
 * decides when it pulls an image with an index, and Windows when it creates the container.
 */

/** A version of Windows as image indexes have it in `os.version`: 10.0.20348.2700. */
export interface WindowsVersion {
  readonly major: number;
  readonly minor: number;
  readonly build: number;
  /** Monthly patches; it never decides whether a container starts. */
  readonly revision?: number | undefined;
}

/** How a container is kept apart from its host: on the host's kernel, or in its own small virtual machine. */
export const Isolation = { Process: "process", HyperV: "hyperv" } as const;
export type Isolation = (typeof Isolation)[keyof typeof Isolation];

/** First build whose kernel interface later hosts keep (hcsshim osversion, LTSC2022). */
const firstStableBuild = 20348;

/** Long-term releases since then, oldest first. */
const stableBuilds = [firstStableBuild, 26100] as const;

/** The version in a text such as 10.0.20348 or 10.0.20348.2700; `undefined` for anything else. */
export function windowsVersion(text: string): WindowsVersion | undefined {
  const [, major, minor, build, revision] = /^(\d+)\.(\d+)\.(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  return build === undefined
    ? undefined
    : {
        ...{ major: Number(major), minor: Number(minor), build: Number(build) },
        ...(revision === undefined ? {} : { revision: Number(revision) }),
      };
}

/** The oldest build that containers on a host may have. */
function oldestOn(host: number): number {
  if (host < firstStableBuild) {
    return host;
  }
  const own = stableBuilds.findLastIndex((build) => build <= host);
  return stableBuilds[Math.max(0, own - 1)] ?? firstStableBuild;
}

/**
 * Whether a container starts on a host. Hyper-V isolation has a kernel of the container's own build, so that older ones
 * start as well; no isolation makes a newer one start.
 */
export function startsOn(host: WindowsVersion, container: WindowsVersion, isolation: Isolation): boolean {
  const sameSystem = host.major === container.major && host.minor === container.minor;
  const oldest = isolation === "hyperv" ? 0 : oldestOn(host.build);
  return sameSystem && oldest <= container.build && container.build <= host.build;
}

/** The builds that start on a host, in words: "build 17763", "builds 20348 to 26100". */
export function startableBuilds(host: WindowsVersion, isolation: Isolation): string {
  const oldest = oldestOn(host.build);
  if (isolation === "hyperv") {
    return `builds up to ${host.build}`;
  }
  return oldest === host.build ? `build ${host.build}` : `builds ${oldest} to ${host.build}`;
}
