import type { KubernetesObject } from "capz-types";
import type { NodeProxy } from "../bootstrap/egress";
import type { addonLabels } from "capz-windows-platform/cluster/addonLabels";
import type { ServingCertificates } from "capz-windows-platform/cluster/kubeletCertificates";
import type { Platform } from "capz-windows-platform/cluster/platform";
import type { LoginRights } from "capz-windows-platform/login/issuers";
import type { ImageDigests } from "capz-windows-platform/workloads/imageDigests";
import type { AzureMetadataArgs } from "./azureMetadata";
import type { PinnedManifest } from "./pinnedManifest";
import type { DefaultStorageClass } from "./storage/csi";
import type { WindowsWorkloadsArgs } from "./windowsWorkloads";

/** What an add-on may know of the cluster that it is for. */
export interface AddonCluster {
  /** Download nothing; a placeholder stands for what the cache does not have. */
  readonly offline: boolean;
  /** Folder in which verified manifests are kept. Default: none, so each run downloads them. */
  readonly manifestCache?: string | undefined;
  readonly clusterName: string;
  readonly namespace: string;
  readonly platform: Platform;
  /** With leading v. */
  readonly kubernetesVersion: string;
  readonly controlPlaneReplicas: number;
  /** Nodes beside the control plane on which a Linux pod without tolerations always finds a place. Default: 0. */
  readonly linuxWorkers?: number | undefined;
  /** FQDN of the workload API server, by which nodes reach it from outside the cluster network. */
  readonly apiServerHost: string;
  readonly apiServerPort: number;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** MTU of the VNET in bytes. */
  readonly networkMtu: number;
  /** Proxy of the add-ons that call Azure's API. Default: none. */
  readonly proxy?: NodeProxy | undefined;
  readonly calicoVersion?: string | undefined;
  /** Digests of images by reference with tag. Default: none, so that images have only their tags. */
  readonly imageDigests?: ImageDigests | undefined;
  /** Prefix length of the blocks that Calico's operator has nodes get. Default: calicoBlock. */
  readonly calicoBlockSize?: number | undefined;
  /** Whether machines have more than one network interface. Default: false. */
  readonly severalInterfaces?: boolean | undefined;
  /** With Calico's operator. Default: no policy. */
  readonly azureMetadata?: AzureMetadataArgs | undefined;
  /** kube-proxy for Windows. Default: true. */
  readonly kubeProxyWindows?: boolean | undefined;
  readonly flannelImage?: string | undefined;
  readonly flannelWindowsImage?: string | undefined;
  readonly kubeProxyWindowsImage?: string | undefined;
  readonly cloudProviderAzureTag?: string | undefined;
  /** RuntimeClasses and policies for workloads on Windows nodes. Default: none. */
  readonly windowsWorkloads?: WindowsWorkloadsArgs | undefined;
  /** Rights of those who log in with tokens. Default: no such login. */
  readonly loginRights?: LoginRights | undefined;
  /** Serving certificates of kubelets, signed by the cluster's CA. Default: kubelets sign their own. */
  readonly servingCertificates?: ServingCertificates | undefined;
  /** Default: none. */
  readonly defaultStorageClass?: DefaultStorageClass | undefined;
}

/** Objects, or a YAML stream where some of them are read from a published manifest. */
export type Delivered = readonly KubernetesObject[] | Promise<string>;

interface AddonRow {
  /** Which label of a cluster selects it. */
  readonly label: keyof ReturnType<typeof addonLabels>;
  /** Names and contents by which `npm run import` recognizes it in another cluster. */
  readonly known: RegExp;
  /** What the import says about it: "the stack delivers ...". */
  readonly delivers: string;
  /** The published manifest that is part of a release of it. */
  readonly pinned?: (version: string) => PinnedManifest | undefined;
}

/** An add-on that follows from the cluster. */
export interface Addon extends AddonRow {
  /** Its logical name, the same in every stack whatever the cluster is called, and the end of its name in Azure. */
  readonly role: string;
  /** The key of the stack file that changes it, for the import. */
  readonly instead: string;
  /** Whether a cluster has it. */
  readonly in: (cluster: AddonCluster) => boolean;
  /** Whether its objects need others that come with the same set, so that the API server must answer before. */
  readonly late?: boolean;
  /** Release of its contents, for readers of a plan. */
  readonly version?: (cluster: AddonCluster) => string;
  readonly objects: (cluster: AddonCluster) => Delivered;
}

/** The key `version` of an add-on. */
export type Release =
  | { readonly description: string; readonly pinned: readonly string[] }
  | {
      readonly description: string;
      readonly pattern: RegExp;
      readonly allowed: string;
      /** One for all clusters, or one for each Kubernetes minor. */
      readonly byDefault: string | ((minor: number) => string);
    };

/**
 * An add-on that a stack turns on and off with `addons.KEY.enabled`. It needs the external cloud provider, whose control
 * plane machines have an identity for it.
 */
export interface OptionalAddon extends AddonRow {
  /** For the schema and docs/config.md. */
  readonly description: string;
  /** Whether clusters with the external cloud provider have it unless the stack says otherwise. */
  readonly byDefault: boolean;
  readonly release: Release;
  /** From the options in the stack file. */
  readonly objects: (options: never, cluster: AddonCluster) => Delivered;
}
