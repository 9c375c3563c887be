import { present } from "capz-windows-kit/present";
import { major, minor, parse } from "semver";
import type { Flavor } from "capz-windows-platform/cluster/platform";
import { isCloudProviderKnown } from "../../addons/cloudProviderAzure";
import type { Problem } from "capz-windows-kit/problem";
import { isDeployment, type Pool, poolsOf } from "../pools";
import type { Settings } from "../settings";
import { patchProblems } from "./releases";
import {
  clusterApiSeries,
  providerPins,
  supportedManagementMinors,
  supportedMinors,
} from "capz-windows-platform/versions";

/** The Kubernetes versions that the providers can create, and which of them they support, in words. */
function possibleVersions(flavor: Flavor): string {
  const { oldestMinor, newestMinor } = providerPins[flavor];
  const { oldest, newest } = supportedMinors;
  const range = `v1.${oldestMinor}.x to v1.${newestMinor}.x`;
  return newestMinor < oldest
    ? range
    : `${range} (Cluster API ${clusterApiSeries} supports v1.${oldest}.x to v1.${newest}.x)`;
}

const unreadable = (kubernetesMinor: number): string =>
  `kubeadm of Kubernetes 1.${kubernetesMinor} cannot read any configuration that Cluster API ${clusterApiSeries} writes`;

function clusterProblems({ flavor, kubernetesVersion }: Settings): Problem[] {
  const clusterMinor = minor(kubernetesVersion);
  const { oldestMinor, newestMinor } = providerPins[flavor];
  if (clusterMinor >= oldestMinor && clusterMinor <= newestMinor) {
    return [];
  }
  if (flavor === "dockershim" && clusterMinor > newestMinor) {
    return [
      {
        path: "flavor",
        value: flavor,
        uses: ["flavor", "kubernetesVersion"],
        problem: `Kubernetes 1.24 removed dockershim: the kubelet of ${kubernetesVersion} cannot run containers with Docker`,
        allowed: `containerd, or dockershim with ${possibleVersions(flavor)}`,
        write: "capz-windows:flavor: containerd",
      },
    ];
  }
  return [
    {
      path: "kubernetesVersion",
      value: kubernetesVersion,
      uses: ["kubernetesVersion", "flavor"],
      problem:
        clusterMinor < oldestMinor
          ? unreadable(clusterMinor)
          : `Cluster API ${clusterApiSeries} does not support Kubernetes 1.${clusterMinor}`,
      allowed: possibleVersions(flavor),
    },
  ];
}

/** Kubelets before 1.25 may be 2 minors behind the API server, later ones 3 (Kubernetes, "Version skew policy"). */
const largestSkew = (kubeletVersion: string): number => (minor(kubeletVersion) < 25 ? 2 : 3);

/**
 * A pool for which Cluster API would create no machine. It compares minors only, so any patch of the same minor will
 * do. MachineSets are stricter than scale sets: their preflight check demands the minor of the control plane, because
 * kubeadm only joins nodes of the same minor (CAPI v1.14.2 core/reconcilers/machineset/machineset_preflight.go,
 * KubeadmVersionSkew).
 */
function poolFault({ kubernetesVersion: cluster, flavor }: Settings, pool: Pool) {
  const version = pool.kubernetesVersion;
  const behind = minor(cluster) - minor(version);
  if (behind !== 0 && isDeployment(pool)) {
    return {
      problem: `a MachineDeployment gets no machines while its minor version is not that of the control plane (${cluster}): Cluster API's KubeadmVersionSkew check holds them back`,
      allowed: `v1.${minor(cluster)}.x`,
    };
  }
  // The cluster's version is reported itself.
  if (version === cluster) {
    return undefined;
  }
  const skew = largestSkew(version);
  const allowed = `the minor version of the control plane (${cluster}), or up to ${skew} older ones that can be created`;
  if (behind < 0) {
    return {
      problem: `a newer minor than the control plane's (${cluster}): a kubelet must not be newer than the API server`,
      allowed,
    };
  }
  if (minor(version) < providerPins[flavor].oldestMinor) {
    return { problem: unreadable(minor(version)), allowed };
  }
  return behind > skew
    ? { problem: `${behind} minor versions older than the control plane (${cluster})`, allowed }
    : undefined;
}

const poolProblems = (settings: Settings): Problem[] =>
  poolsOf(settings).flatMap(({ path: place, pool }) => {
    const path = `${place}.kubernetesVersion`;
    const fault = poolFault(settings, pool);
    return present(
      fault && { path, value: pool.kubernetesVersion, uses: [path, place, "kubernetesVersion"], ...fault },
    );
  });

function managementProblems({ flavor, management, clusterApi }: Settings): Problem[] {
  const { oldest, newest } = supportedManagementMinors;
  const own = management.kind === "aks" ? Number(management.kubernetesVersion.split(".")[1]) : newest;
  const pins = providerPins[flavor];
  return present<Problem>(
    management.kind === "aks" &&
      (own < oldest || own > newest) && {
        path: "management.kubernetesVersion",
        value: management.kubernetesVersion,
        uses: ["management"],
        problem: `Cluster API ${clusterApiSeries} does not run on Kubernetes 1.${own}`,
        allowed: `1.${oldest} to 1.${newest}`,
        write: 'kubernetesVersion: "1.35"',
      },
    ...(
      [
        ["coreVersion", pins.clusterApi, "the generated objects use the v1beta2 types of Cluster API"],
        ["azureVersion", pins.capz, "the generated objects rely on the defaults of CAPZ"],
      ] as const
    ).map(([key, pin, reason]) => {
      const version = parse(clusterApi[key]);
      const pinned = `${major(pin)}.${minor(pin)}`;
      // The previous minor is accepted too, for a step in between: a provider moves one minor in each `up`.
      const previous = `${major(pin)}.${minor(pin) - 1}`;
      return (
        clusterApi.install &&
        ![previous, pinned].includes(`${version?.major}.${version?.minor}`) && {
          path: `clusterApi.${key}`,
          value: clusterApi[key],
          problem: `${reason} ${pinned}`,
          allowed: `v${pinned}.x, or v${previous}.x until the next upgrade`,
        }
      );
    }),
  );
}

/** Kubernetes minors that can be created, but for which no release of the cloud provider is known here. */
function cloudProviderProblems({ kubernetesVersion, flavor, platform, addons }: Settings): Problem[] {
  const clusterMinor = minor(kubernetesVersion);
  return present(
    platform.cloudProvider !== "in-tree" &&
      addons.cloudProviderAzureTag === undefined &&
      !isCloudProviderKnown(clusterMinor) &&
      clusterMinor <= providerPins[flavor].newestMinor && {
        path: "addons.cloudProviderAzureTag",
        value: undefined,
        uses: ["kubernetesVersion", "addons.cloudProviderAzureTag"],
        problem: `no release of cloud-provider-azure is known for Kubernetes 1.${clusterMinor}`,
        allowed: `the tag of a release for 1.${clusterMinor} (https://github.com/kubernetes-sigs/cloud-provider-azure/releases)`,
      },
  );
}

export const versionRules = (settings: Settings): Problem[] => [
  ...clusterProblems(settings),
  ...patchProblems(settings),
  ...cloudProviderProblems(settings),
  ...poolProblems(settings),
  ...managementProblems(settings),
];
