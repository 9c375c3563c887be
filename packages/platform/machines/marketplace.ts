import { ownValue } from "capz-windows-kit/untyped";
import { bash, verbatim } from "capz-windows-kit/shell";
import type { Flavor } from "../cluster/platform";

/**
 * Names of the reference images that the Cluster API projects published in the Azure Marketplace until July 2024.
 * Sources: CAPZ v1.0–v1.17 and v1.27.0 azure/services/virtualmachineimages, and the lists in CAPZ's book.
 */

import type { ImageForms } from "capz-types";

export const marketplacePublisher = "cncf-upstream";

/** The four parts of a Marketplace image, as CAPZ and Azure call them. */
export type MarketplaceImage = Pick<ImageForms["marketplace"], "publisher" | "offer" | "sku" | "version">;

export type ContainerRuntime = Flavor;

/** The kind of node that a Marketplace image is for. Releases are years ("2019"), for Ubuntu four digits ("2004"). */
export type MarketplaceNode =
  | { readonly os: "linux"; readonly ubuntu: string }
  | { readonly os: "windows"; readonly windowsServer: string; readonly runtime: ContainerRuntime };

/** The newest Kubernetes version with an image in the Marketplace; newer ones are in the community gallery. */
export const newestInMarketplace = "v1.30.3";

export const marketplaceOffer = (os: MarketplaceNode["os"]): string =>
  os === "windows" ? "capi-windows" : "capi";

interface Release {
  readonly minor: number;
  readonly patch: number;
}

function releaseOf(kubernetesVersion: string): Release {
  const [, minor, patch] = /^v?1\.(\d+)\.(\d+)$/.exec(kubernetesVersion) ?? [];
  if (minor === undefined || patch === undefined) {
    throw new RangeError(`${kubernetesVersion} is not a Kubernetes version such as v1.22.1`);
  }
  return { minor: Number(minor), patch: Number(patch) };
}

/** Last patch of each minor whose SKU contains the Kubernetes version; for later ones the image version contains it. */
const lastPatchInSku: Readonly<Record<number, number>> = { 21: 12, 22: 9, 23: 6 };

const versionInSku = ({ minor, patch }: Release): boolean =>
  minor < 21 || patch <= (lastPatchInSku[minor] ?? -1);

/** First patch of each minor on Ubuntu 20.04. Older minors are on 18.04, newer ones on 20.04 or later. */
const firstPatchOnUbuntu2004: Readonly<Record<number, number>> = { 18: 20, 19: 12, 20: 8, 21: 2 };

/** The Ubuntu release that CAPZ chose for a Kubernetes version: "1804", "2004" or, from v1.25.3 on, "2204". */
export function marketplaceUbuntu(kubernetesVersion: string): string {
  const { minor, patch } = releaseOf(kubernetesVersion);
  if (minor < 18 || patch < (firstPatchOnUbuntu2004[minor] ?? 0)) {
    return "1804";
  }
  return minor < 25 || (minor === 25 && patch < 3) ? "2004" : "2204";
}

const operatingSystem = (node: MarketplaceNode): string =>
  node.os === "linux"
    ? `ubuntu-${node.ubuntu}`
    : `windows-${node.windowsServer}${node.runtime === "containerd" ? "-containerd" : ""}`;

/**
 * SKU of the image for a Kubernetes version, for instance `k8s-1dot22dot1-windows-2019-containerd`, or
 * `windows-2019-containerd-gen1` for versions after v1.21.12, v1.22.9 and v1.23.6.
 * @throws RangeError if the text is not a Kubernetes version
 */
export function marketplaceSku(node: MarketplaceNode, kubernetesVersion: string): string {
  const release = releaseOf(kubernetesVersion);
  return versionInSku(release)
    ? `k8s-1dot${release.minor}dot${release.patch}-${operatingSystem(node)}`
    : `${operatingSystem(node)}-gen1`;
}

export interface ParsedSku {
  readonly node: MarketplaceNode;
  /** With a leading v; missing if the SKU does not contain it. */
  readonly kubernetesVersion?: string;
}

/** The parts of a SKU; `undefined` for a SKU that follows another naming scheme. */
export function parseMarketplaceSku(sku: string): ParsedSku | undefined {
  const found = /^(?:k8s-1dot(?<minor>0|[1-9]\d*)dot(?<patch>0|[1-9]\d*)-(?<old>.+)|(?<gen1>.+)-gen1)$/.exec(
    sku,
  )?.groups;
  const node = parseOperatingSystem(found?.old ?? found?.gen1 ?? "");
  return (
    node && {
      node,
      ...(found?.minor === undefined
        ? {}
        : ({ kubernetesVersion: `v1.${found.minor}.${found.patch ?? ""}` } satisfies Partial<ParsedSku>)),
    }
  );
}

function parseOperatingSystem(text: string): MarketplaceNode | undefined {
  const { ubuntu, year, containerd } =
    /^(?:ubuntu-(?<ubuntu>\d{4})|windows-(?<year>\d{4})(?<containerd>-containerd)?)$/.exec(text)?.groups ??
    {};
  if (ubuntu !== undefined) {
    return { os: "linux", ubuntu };
  }
  return year === undefined
    ? undefined
    : {
        os: "windows",
        windowsServer: year,
        runtime: containerd === undefined ? "dockershim" : "containerd",
      };
}

/** Kubernetes version in the version of a `-gen1` image: "130.3.20240717" is v1.30.3, built on July 17, 2024. */
export function kubernetesVersionOfImage(version: string): string | undefined {
  const [, minor, patch] = /^1([1-9]\d*)\.(\d+)\.\d{8}$/.exec(version) ?? [];
  return minor === undefined || patch === undefined ? undefined : `v1.${minor}.${patch}`;
}

/** Image versions that are known to have been published, by SKU. */
const published: Readonly<Record<string, readonly string[]>> = {
  "k8s-1dot18dot13-windows-2019": ["2020.12.11"],
  "k8s-1dot19dot5-windows-2019": ["2020.12.11"],
  "k8s-1dot20dot0-windows-2019": ["2020.12.11"],
  "k8s-1dot22dot1-windows-2019-containerd": ["2021.10.15"],
  "k8s-1dot22dot2-windows-2019-containerd": ["2021.10.15"],
  "windows-2019-containerd-gen1": ["130.0.20240418", "130.1.20240515", "130.2.20240612", "130.3.20240717"],
  "ubuntu-2204-gen1": ["130.0.20240506", "130.1.20240517", "130.2.20240612", "130.3.20240717"],
};

/**
 * Image version for a Kubernetes version: the published version if it is known, else "latest" if the SKU contains the
 * Kubernetes version, as in CAPZ. `undefined` otherwise, because the build date in the version is not known.
 */
export function marketplaceVersion(sku: string, kubernetesVersion: string): string | undefined {
  const inSku = parseMarketplaceSku(sku)?.kubernetesVersion;
  const matches = (version: string) => (inSku ?? kubernetesVersionOfImage(version)) === kubernetesVersion;
  return ownValue(published, sku)?.find(matches) ?? (inSku === kubernetesVersion ? "latest" : undefined);
}

/** `publisher:offer:sku:version`, as the Azure CLI prints it under Urn. */
export const urnOf = ({ publisher, offer, sku, version }: MarketplaceImage): string =>
  [publisher, offer, sku, version].join(":");

/** The parts of a URN; `undefined` unless it has exactly four non-empty parts. */
export function parseUrn(urn: string): MarketplaceImage | undefined {
  const [publisher = "", offer = "", sku = "", version = "", ...rest] = urn.split(":");
  const parts = { publisher, offer, sku, version };
  return rest.length === 0 && Object.values(parts).every((part) => /^[\w.-]+$/.test(part))
    ? parts
    : undefined;
}

/** Azure CLI command that lists the images of a Marketplace offer, or of one of its SKUs. */
export const listMarketplaceCommand = (
  offer: string,
  sku?: string,
  publisher = marketplacePublisher,
): string =>
  bash`az vm image list --publisher ${publisher} --offer ${offer}${verbatim(sku === undefined ? "" : bash` --sku ${sku}`)} --all -o table`;
