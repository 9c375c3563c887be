import { minor, parse, compare } from "semver";
import type { Problem } from "../problem";
import type { Settings } from "../settings";
import { supportedManagementMinors, supportedMinors } from "../versions";

const supported = `v1.${supportedMinors.oldest}.x to v1.${supportedMinors.newest}.x (what Cluster API 1.13 supports)`;

function clusterProblems({ kubernetesVersion }: Settings): Problem[] {
  const own = minor(kubernetesVersion);
  if (own >= supportedMinors.oldest && own <= supportedMinors.newest) {
    return [];
  }
  return [
    {
      path: "kubernetesVersion",
      value: kubernetesVersion,
      uses: ["kubernetesVersion"],
      problem: `Cluster API 1.13 does not support Kubernetes 1.${own}`,
      allowed: supported,
      write: "capz-windows:kubernetesVersion: v1.35.6",
    },
  ];
}

function poolProblems(settings: Settings): Problem[] {
  const cluster = settings.kubernetesVersion;
  return (["linuxPools", "windowsPools"] as const).flatMap((group) =>
    Object.entries(settings[group]).flatMap(([name, pool]) => {
      const version = pool.kubernetesVersion;
      const newer = compare(version, cluster) > 0;
      const behind = minor(cluster) - minor(version);
      if (!newer && behind <= 3) {
        return [];
      }
      const path = `${group}.${name}.kubernetesVersion`;
      return [
        {
          path,
          value: version,
          uses: [path, "kubernetesVersion"],
          problem: newer
            ? `it is newer than the control plane, ${cluster}: a kubelet must never be`
            : `it is ${behind} minors older than the control plane, ${cluster}`,
          allowed: `v1.${Math.max(supportedMinors.oldest, minor(cluster) - 3)}.x to ${cluster}`,
          write: `kubernetesVersion: ${cluster}, or take it out`,
        },
      ];
    }),
  );
}

function managementProblems({ management, clusterApi }: Settings): Problem[] {
  const problems: Problem[] = [];
  if (management.kind === "aks") {
    const own = Number(management.kubernetesVersion.split(".")[1]);
    const { oldest, newest } = supportedManagementMinors;
    if (own < oldest || own > newest) {
      problems.push({
        path: "management.kubernetesVersion",
        value: management.kubernetesVersion,
        uses: ["management"],
        problem: `Cluster API 1.13 does not run on Kubernetes 1.${own}`,
        allowed: `1.${oldest} to 1.${newest}`,
        write: 'kubernetesVersion: "1.35"',
      });
    }
  }
  const series = [
    ["coreVersion", 1, 13, "v1.13.6", "The objects are written for the v1beta2 types of Cluster API 1.13"],
    ["azureVersion", 1, 26, "v1.26.0", "The objects are written for the defaults of CAPZ 1.26"],
  ] as const;
  for (const [key, major, ownMinor, example, why] of series) {
    const version = parse(clusterApi[key]);
    if (clusterApi.install && (version?.major !== major || version.minor !== ownMinor)) {
      problems.push({
        path: `clusterApi.${key}`,
        value: clusterApi[key],
        uses: [`clusterApi.${key}`],
        problem: why,
        allowed: `v${major}.${ownMinor}.x`,
        write: `${key}: ${example}`,
      });
    }
  }
  return problems;
}

export const versionRules = (settings: Settings): Problem[] => [
  ...clusterProblems(settings),
  ...poolProblems(settings),
  ...managementProblems(settings),
];
