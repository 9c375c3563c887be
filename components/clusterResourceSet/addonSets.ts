import { addonLabels } from "../workloadCluster/manifests";
import { calicoOperatorManifest, calicoResources, defaultCalicoVersion } from "./addons/calico";
import { cloudProviderAzureObjects } from "./addons/cloudProviderAzure";
import { kubeProxyWindowsObjects } from "./addons/kubeProxyWindows";
import type { PackArgs } from "./manifests";
import { toYamlStream } from "./manifests";
import { loadPinnedManifest, manifestCacheVariable } from "./pinnedManifest";

export interface AddonSetsArgs {
  /** Download nothing; what the cache does not have is a placeholder. */
  readonly offline: boolean;
  readonly clusterName: string;
  readonly namespace: string;
  /** With leading v. */
  readonly kubernetesVersion: string;
  readonly controlPlaneReplicas: number;
  readonly apiServerHost: string;
  readonly apiServerPort: number;
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** Bytes inside the VXLAN. */
  readonly podMtu: number;
  readonly calicoVersion?: string | undefined;
  readonly kubeProxyWindowsImage?: string | undefined;
  readonly cloudProviderAzureTag?: string | undefined;
}

/** One add-on. The role is its logical name: the same in every stack, whatever the cluster is called. */
export interface AddonSet extends PackArgs {
  readonly role: "calico" | "kube-proxy-windows" | "cloud-provider-azure";
}

/**
 * The add-ons of a cluster, one ClusterResourceSet each. Calico's operator manifest is downloaded and verified, or
 * taken from the folder that CAPZ_WINDOWS_MANIFEST_CACHE names; an offline plan does without it.
 * @throws ManifestMismatchError when what came is not what was pinned
 */
export async function addonSets(args: AddonSetsArgs): Promise<AddonSet[]> {
  const { clusterName, namespace, kubernetesVersion } = args;
  const labels = addonLabels(clusterName);
  const operator = await loadPinnedManifest(
    calicoOperatorManifest(args.calicoVersion ?? defaultCalicoVersion(kubernetesVersion)),
    {
      // A deployment runs the program twice, for its preview and for itself: one download is enough.
      cacheDir: process.env[manifestCacheVariable] ?? (args.offline ? undefined : ".cache/manifests"),
      offline: args.offline,
    },
  );
  const set = (role: AddonSet["role"], clusterSelector: Record<string, string>, yaml: string): AddonSet => ({
    role,
    name: `${clusterName}-${role}`,
    namespace,
    clusterSelector,
    entries: [{ key: `${role}.yaml`, yaml }],
  });
  return [
    set("calico", labels.cni, calicoResources({ ...args, operatorManifest: operator.text })),
    set(
      "kube-proxy-windows",
      labels.cniWindows,
      toYamlStream(kubeProxyWindowsObjects({ kubernetesVersion, image: args.kubeProxyWindowsImage })),
    ),
    set(
      "cloud-provider-azure",
      labels.cloudProvider,
      toYamlStream(
        cloudProviderAzureObjects({
          clusterName,
          kubernetesVersion,
          podCidr: args.podCidr,
          replicas: args.controlPlaneReplicas > 1 ? 2 : 1,
          imageTag: args.cloudProviderAzureTag,
        }),
      ),
    ),
  ];
}
