import { stringify } from "yaml";
import type { NodeDisk } from "./dataDisks";

/**
 * How kubelet logs in to Azure container registries: by a program of the image, which reads azure.json and asks the
 * metadata service for a token of the first identity in it.
 *
 * image-builder puts the program into its images for Azure since v0.1.24 of February 2024 (6090a9c5c,
 * roles/providers/tasks/azure.yml of both operating systems). kubelet does not start if it is missing (Kubernetes v1.35.6 pkg/credentialprovider/plugin).
 */

interface Place {
  /** Folder with the program, on the image. */
  readonly binDir: string;
  readonly config: string;
  readonly azureJson: string;
}

const kubeletFolder = "/var/lib/kubelet";

const places: Readonly<Record<"linux" | "windows", Place>> = {
  linux: {
    binDir: `${kubeletFolder}/credential-provider`,
    config: "/etc/kubernetes/credential-provider.yaml",
    azureJson: "/etc/kubernetes/azure.json",
  },
  windows: {
    binDir: "C:/var/lib/kubelet/credential-provider",
    config: "C:/k/credential-provider.yaml",
    azureJson: "c:/k/azure.json",
  },
};

/** Name of the program; on Windows kubelet adds .exe. */
const provider = "acr-credential-provider";

/** First minor whose kubelet reads version v1 of the file (Kubernetes 1.26 release notes, KEP-2133). */
export const firstWithCredentialProvider = 26;

/**
 * A data disk on kubelet's folder hides the program that the image has there. A second mount of the root file system
 * still shows it.
 */
const fromBelow = [
  "mkdir -p /run/below",
  "mount --bind / /run/below",
  `cp -a /run/below${kubeletFolder}/credential-provider ${kubeletFolder}/`,
  "umount /run/below",
].join(" && ");

/**
 * @param hosts - hosts from which kubelet pulls with the identity of the machine, as kubelet matches them; empty for a
 *   node that pulls without an identity
 */
export function registryCredentials(
  os: "linux" | "windows",
  hosts: readonly string[] = [],
  disks: readonly NodeDisk[] = [],
) {
  if (hosts.length === 0) {
    return { files: [], kubeletExtraArgs: [], preKubeadmCommands: [] };
  }
  const { binDir, config, azureJson } = places[os];
  const content = stringify({
    apiVersion: "kubelet.config.k8s.io/v1",
    kind: "CredentialProviderConfig",
    providers: [
      {
        name: provider,
        apiVersion: "credentialprovider.kubelet.k8s.io/v1",
        matchImages: hosts,
        defaultCacheDuration: "10m",
        args: [azureJson],
      },
    ],
  });
  return {
    files: [{ path: config, permissions: "0644", content }],
    kubeletExtraArgs: [
      { name: "image-credential-provider-bin-dir", value: binDir },
      { name: "image-credential-provider-config", value: config },
    ],
    preKubeadmCommands: disks.some(({ mountPath }) => mountPath === kubeletFolder) ? [fromBelow] : [],
  };
}
