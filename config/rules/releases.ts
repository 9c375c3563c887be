import { present } from "capz-windows-kit/present";
import { compare, minor } from "semver";
import { knownOn, upcoming } from "capz-windows-platform/compatibility";
import {
  kubeProxyFaults,
  latestPatch,
  mendedText,
  oldestMaintainedMinor,
} from "capz-windows-platform/kubernetesReleases";
import { testedMinors } from "capz-windows-platform/machines/windowsReleases";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { clusterApiSeries, providerPins, supportedMinors } from "capz-windows-platform/versions";
import { poolsOf, windowsPoolsOf } from "../pools";
import type { Settings } from "../settings";

/** Versions against the table of Kubernetes releases, and releases of Windows against those of Kubernetes. */

interface Given {
  readonly path: string;
  readonly version: string;
}

/** Every version in the stack file; a pool without one has the cluster's. */
export const versionsOf = (settings: Settings): Given[] => [
  { path: "kubernetesVersion", version: settings.kubernetesVersion },
  ...poolsOf(settings)
    .filter(({ pool }) => pool.kubernetesVersion !== settings.kubernetesVersion)
    .map(({ path, pool }) => ({ path: `${path}.kubernetesVersion`, version: pool.kubernetesVersion })),
];

/** The newest known release of a version's minor, if the version is newer than that. */
function newestBefore({ version }: Given): string | undefined {
  const newest = latestPatch(minor(version));
  return newest !== undefined && compare(version, newest) > 0 ? newest : undefined;
}

const isMaintained = ({ version }: Given): boolean => minor(version) >= oldestMaintainedMinor;

/** Versions that were never released and never will be. */
export const patchProblems = (settings: Settings): Problem[] =>
  versionsOf(settings).flatMap((given): Problem[] => {
    const { path, version } = given;
    const newest = newestBefore(given);
    return present(
      newest !== undefined &&
        !isMaintained(given) &&
        minor(version) >= providerPins[settings.flavor].oldestMinor && {
          path,
          value: version,
          uses: [path, "kubernetesVersion", "flavor"],
          problem: `Kubernetes 1.${minor(version)} ended with ${newest}, so there is no ${version}`,
          allowed: `v1.${minor(version)}.0 to ${newest}`,
        },
    );
  });

/** A minor that the pinned Cluster API does not support yet. */
const upcomingWarnings = ({ kubernetesVersion }: Settings): Warning[] =>
  present(
    minor(kubernetesVersion) === upcoming.minor && {
      path: "kubernetesVersion",
      message: `not checked: Cluster API ${clusterApiSeries} supports Kubernetes up to 1.${supportedMinors.newest}, and 1.${upcoming.minor} comes with ${upcoming.clusterApi}, planned for ${upcoming.planned}; only what this program passes to its programs was held against ${upcoming.preRelease}`,
    },
  );

/** Another patch, or the minor before, is accepted; its managers were never run against this program. */
function providerWarnings({ clusterApi, flavor }: Settings): Warning[] {
  if (!clusterApi.install) {
    return [];
  }
  const pins = providerPins[flavor];
  const given = [
    { key: "coreVersion", name: "Cluster API", pin: pins.clusterApi },
    { key: "azureVersion", name: "CAPZ", pin: pins.capz },
  ] as const;
  return given
    .filter(({ key, pin }) => clusterApi[key] !== pin)
    .map(({ key, name, pin }) => ({
      path: `clusterApi.${key}`,
      message: `not checked: the managers of ${name} ${clusterApi[key]} were never run against this program; those of ${pin} were`,
    }));
}

/** Known faults of kube-proxy in the release of the cluster, which is that of its default image. */
function faultWarnings(settings: Settings): Warning[] {
  const { kubernetesVersion: version, addons } = settings;
  const runsImageOfVersion = addons.kubeProxyWindows && addons.kubeProxyWindowsImage === undefined;
  if (!runsImageOfVersion || windowsPoolsOf(settings).length === 0) {
    return [];
  }
  return kubeProxyFaults.flatMap((fault): Warning[] => {
    const mended = mendedText(fault, version);
    return present(
      mended !== undefined && {
        path: "kubernetesVersion",
        message: `kube-proxy ${version} on Windows nodes ${fault.does}; ${mended} (${fault.source})`,
      },
    );
  });
}

/** Versions that are newer than the table or that nobody judged, releases with known faults, and releases of Windows that are not tested. */
export const releaseWarnings = (settings: Settings): Warning[] => [
  ...upcomingWarnings(settings),
  ...providerWarnings(settings),
  ...faultWarnings(settings),
  ...versionsOf(settings).flatMap((given): Warning[] => {
    const newest = newestBefore(given);
    return present(
      newest !== undefined &&
        isMaintained(given) && {
          path: given.path,
          message: `${given.version} is newer than ${newest}, the newest release of 1.${minor(newest)} that was known on ${knownOn}: check that it exists, with its images`,
        },
    );
  }),
  ...windowsPoolsOf(settings).flatMap(({ path, pool: { windowsServer, kubernetesVersion } }): Warning[] => {
    const { from = 0, to = Infinity } = testedMinors[windowsServer] ?? {};
    const own = minor(kubernetesVersion);
    return present(
      (own < from || own > to) && {
        path: `${path}.windowsServer`,
        message:
          own > to
            ? `Kubernetes 1.${own} is not tested with Windows Server ${windowsServer}: its documentation lists newer releases only`
            : `Kubernetes 1.${own} is not tested with Windows Server ${windowsServer}: the first reference images came with 1.${from}`,
      },
    );
  }),
];
