import { rowOf } from "capz-windows-platform/compatibility";
import type { PinnedManifest } from "./pinnedManifest";

/** The supported Calico releases and the locations of their manifests. */

const pinned = {
  "v3.30.7": { sha256: "bcc9f89c1847ee5237c29c1b7e4a67c86296cb0139619093df6ca98ec14abf18", bytes: 15_019 },
  "v3.31.7": { sha256: "092c10b3d0cb73617aca51367ca59755348f4647e6d2e63fa4e5b81266203214", bytes: 15_635 },
  "v3.32.1": { sha256: "f18e073794207d372606bc3ea6f8fd73972f86d6828f4ba666dfe0d4aa8ab07f", bytes: 19_660 },
} as const;

/** The operators in these manifests. */
const operators: Readonly<Record<keyof typeof pinned, string>> = {
  "v3.30.7": "v1.38.13",
  "v3.31.7": "v1.40.15",
  "v3.32.1": "v1.42.3",
};

/** Calico releases whose operator manifest is pinned. Before v3.30 it contains the CRDs and is too large for a ConfigMap. */
export const calicoVersions = Object.keys(pinned) as readonly (keyof typeof pinned)[];

/** The release whose operator a YAML stream has, be it the manifest or the comment that stands for it in a plan. */
export const calicoReleaseIn = (text: string): string | undefined =>
  calicoVersions.find(
    (version) =>
      text.includes(`# tigera-operator ${version}:`) ||
      text.includes(`/tigera/operator:${operators[version]}`),
  );

/**
 * The operator manifest of a Calico release.
 * @throws Error for a release that is not pinned
 */
export function calicoOperatorManifest(version: string): PinnedManifest {
  const release = calicoVersions.find((candidate) => candidate === version);
  if (release === undefined) {
    throw new Error(`Calico ${version} is not pinned; use one of ${calicoVersions.join(", ")}.`);
  }
  return {
    name: "tigera-operator",
    version: release,
    url: `https://raw.githubusercontent.com/projectcalico/calico/${release}/manifests/tigera-operator.yaml`,
    ...pinned[release],
  };
}

/**
 * The pinned release that is tested with a Kubernetes version (`v1.MINOR.PATCH`, the v is optional).
 * @throws Error if the text is not a Kubernetes version
 */
export function defaultCalicoVersion(kubernetesVersion: string): string {
  const minor = /^v?1\.([0-9]+)\./.exec(kubernetesVersion)?.[1];
  if (minor === undefined) {
    throw new Error(`${kubernetesVersion} is not a Kubernetes version; use v1.MINOR.PATCH.`);
  }
  return rowOf(Number(minor)).calico;
}

/** The release of a cluster: its own, or the default. */
export const calicoRelease = (cluster: {
  readonly calicoVersion?: string | undefined;
  readonly kubernetesVersion: string;
}): string => cluster.calicoVersion ?? defaultCalicoVersion(cluster.kubernetesVersion);
