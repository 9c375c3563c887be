import { present } from "capz-windows-kit/present";
import { minor } from "semver";
import { mustParseCidr, overlaps } from "capz-windows-platform/network/addressing";
import type { Platform } from "capz-windows-platform/cluster/platform";
import { firstWith2022 } from "capz-windows-platform/machines/windowsReleases";
import type { Problem } from "capz-windows-kit/problem";
import { windowsPoolsOf } from "../../config/pools";
import type { Settings } from "../../config/settings";
import { flannelHostCidr } from "../../config/rules/networkRanges";

/** Why a pool runs Windows Server 2019 only; undefined for one that runs later releases, too. */
function only2019(flavor: Settings["flavor"], kubernetesVersion: string): string | undefined {
  if (flavor === "dockershim") {
    return "images with Docker were built for Windows Server 2019 only";
  }
  return minor(kubernetesVersion) < firstWith2022
    ? "Kubernetes before 1.23 supports only Windows Server 2019"
    : undefined;
}

/** Windows Server releases that the flavor or the Kubernetes version of a pool does not support. */
function windowsProblems(settings: Settings): Problem[] {
  const { flavor } = settings;
  return windowsPoolsOf(settings).flatMap(({ path: place, pool }) => {
    const { windowsServer, kubernetesVersion } = pool;
    const why = only2019(flavor, kubernetesVersion);
    const path = `${place}.windowsServer`;
    return present(
      why !== undefined &&
        windowsServer !== "2019" && {
          path,
          value: windowsServer,
          uses: [path, "flavor", "kubernetesVersion", `${place}.kubernetesVersion`],
          problem: why,
          allowed: "2019",
          write: 'windowsServer: "2019"',
        },
    );
  });
}

/** Options of add-ons that are not installed. They would be ignored silently. */
function unusedOptions({ addons, platform, flavor, kubernetesVersion }: Settings): Problem[] {
  const owners = {
    cni: ({ cni }) => cni !== "flannel",
    calicoVersion: ({ cni }) => cni === "calico",
    calicoBlockSize: ({ cni }) => cni === "calico",
    flannelImage: ({ cni }) => cni === "flannel",
    flannelWindowsImage: ({ cni }) => cni === "flannel",
    kubeProxyWindowsImage: () => addons.kubeProxyWindows,
    cloudProviderAzureTag: ({ cloudProvider }) => cloudProvider === "external",
  } satisfies Partial<Record<keyof Settings["addons"], (platform: Platform) => boolean>>;
  const reasonOf = (key: string): string => {
    if (key === "kubeProxyWindowsImage") {
      return "not used without kube-proxy for Windows (addons.kubeProxyWindows)";
    }
    return key.startsWith("calico") && platform.cni === "none"
      ? "not used with addons.cni: none"
      : `not used with the flavor ${flavor} and Kubernetes ${kubernetesVersion}`;
  };
  return Object.entries(owners)
    .filter(([key, uses]) => addons[key as keyof typeof owners] !== undefined && !uses(platform))
    .map(([key]) => ({
      path: `addons.${key}`,
      value: addons[key as keyof typeof owners],
      uses: [`addons.${key}`, "addons.cni", "addons.kubeProxyWindows", "flavor", "kubernetesVersion"],
      problem: reasonOf(key),
      allowed: Object.entries(owners)
        .filter(([, uses]) => uses(platform))
        .map(([option]) => option)
        .join(", "),
    }));
}

function flannelProblems(settings: Settings): Problem[] {
  const { network, platform } = settings;
  if (platform.cni !== "flannel") {
    return [];
  }
  return (["vnetCidr", "podCidr", "serviceCidr"] as const)
    .filter((key) => overlaps(mustParseCidr(network[key]), mustParseCidr(flannelHostCidr)))
    .map((key) => ({
      path: `network.${key}`,
      value: network[key],
      uses: [`network.${key}`, "flavor"],
      problem: `overlaps ${flannelHostCidr}, which Windows hosts with Flannel use internally`,
      allowed: `a network that does not overlap ${flannelHostCidr}`,
    }));
}

/** Settings that are incompatible with the flavor, or with the add-ons for the Kubernetes version. */
export const flavorRules = (settings: Settings): Problem[] => [
  ...windowsProblems(settings),
  ...unusedOptions(settings),
  ...flannelProblems(settings),
];
