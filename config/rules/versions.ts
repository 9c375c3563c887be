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

/** Patch releases that CAPZ takes from withdrawn Marketplace images (CAPZ v1.26.0 virtualmachineimages/images.go). */
const withdrawn = (version: string): boolean => /^v1\.30\.[0-3]$/.test(version);

/** Regions to which the community gallery is replicated (image-builder, build-azure-sig workflow). */
export const galleryRegions = [
  "australiaeast",
  "canadacentral",
  "eastus",
  "eastus2",
  "francecentral",
  "germanywestcentral",
  "northcentralus",
  "northeurope",
  "switzerlandnorth",
  "uksouth",
  "westeurope",
  "westus2",
] as const;

function imageProblems(settings: Settings): Problem[] {
  const users = [
    { path: "controlPlane", image: settings.controlPlane.image, version: settings.kubernetesVersion },
    ...(["linuxPools", "windowsPools"] as const).flatMap((group) =>
      Object.entries(settings[group]).map(([name, pool]) => ({
        path: `${group}.${name}`,
        image: pool.image,
        version: pool.kubernetesVersion,
      })),
    ),
  ];
  const problems: Problem[] = [];
  const fromGallery = users.filter(({ image }) => image === undefined);
  const { location } = settings.azure;
  if (fromGallery.length > 0 && !(galleryRegions as readonly string[]).includes(location)) {
    problems.push({
      path: "azure.location",
      value: location,
      uses: ["azure.location"],
      problem: `CAPZ's community gallery has no images there, and ${fromGallery.map(({ path }) => path).join(", ")} use it`,
      allowed: galleryRegions.join(", "),
      write: "location: one of these, or an image of your own in each of them",
    });
  }
  for (const { path, image, version } of users) {
    if (image === undefined && withdrawn(version)) {
      problems.push({
        path: `${path}.image`,
        uses: ["kubernetesVersion", path],
        problem: `for ${version} CAPZ takes a Marketplace image that is withdrawn`,
        allowed: "v1.30.4 or newer, or an image of your own",
        write: "capz-windows:kubernetesVersion: v1.30.4",
      });
    }
    const forms = Object.keys(image ?? {});
    if (image !== undefined && forms.length !== 1) {
      problems.push({
        path: `${path}.image`,
        value: image,
        uses: [`${path}.image`],
        problem:
          forms.length === 0 ? "it names no image" : `it names ${forms.length} images: ${forms.join(", ")}`,
        allowed: "exactly one of marketplace, computeGallery, id",
        write: "one of the three, or take image out",
      });
    }
    const gallery = image?.computeGallery;
    if (gallery && (gallery.subscriptionId === undefined) !== (gallery.resourceGroup === undefined)) {
      problems.push({
        path: `${path}.image.computeGallery`,
        value: gallery,
        uses: [`${path}.image`],
        problem: "subscriptionId and resourceGroup belong together",
        allowed: "both for a gallery of your own, none for a community gallery",
        write:
          gallery.subscriptionId === undefined
            ? "subscriptionId: the gallery's"
            : "resourceGroup: the gallery's",
      });
    }
  }
  return problems;
}

export const versionRules = (settings: Settings): Problem[] => [
  ...clusterProblems(settings),
  ...poolProblems(settings),
  ...managementProblems(settings),
  ...imageProblems(settings),
];
