import { components } from "capz-windows-platform/compatibility";
import { vxlanMtu } from "capz-windows-platform/network/mtu";
import type { Addon, OptionalAddon } from "./addon";
import { calicoResources } from "./calico";
import { calicoImageSet } from "./calicoImages";
import { calicoOperatorManifest, calicoRelease } from "./calicoReleases";
import { cloudProviderAzureObjects } from "./cloudProviderAzure";
import { kubeletCsrApproverObjects } from "./kubeletCsrApprover";
import { kubeProxyWindowsObjects } from "./kubeProxyWindows";
import { loginRightsObjects } from "./loginRights";
import { olderAddons } from "./olderAddons";
import { manifestText, type PinnedManifest } from "./pinnedManifest";
import { windowsMtuObjects } from "./windowsMtu";
import { windowsWorkloadObjects } from "./windowsWorkloads";
import { optionalAddons, type OptionalKey, optionalKeys, replicasOf, switchedKeys } from "./optionalAddons";

/** The catalogue of add-ons, those of optionalAddons.ts and those that follow from the cluster: one row for each. */

/** Add-ons as a stack configures them. Default: not installed. */
export type AddonOptions = {
  readonly [Key in OptionalKey]?:
    ({ readonly enabled: boolean } & Parameters<(typeof optionalAddons)[Key]["objects"]>[0]) | undefined;
};

/** "azureDisk" is delivered as azure-disk. */
const roleOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The line of the stack file that leaves an add-on out, by its logical name; `undefined` for one that is required. */
export function lineWithoutAddon(role: string): string | undefined {
  const key = switchedKeys.find((each) => roleOf(each) === role);
  return key === undefined ? undefined : `addons.${key}.enabled: false`;
}

const optionalRow = (key: OptionalKey, stack: AddonOptions): Addon => {
  const { objects, ...row }: OptionalAddon = optionalAddons[key];
  const options = stack[key];
  return {
    ...{ ...row, role: roleOf(key), instead: `addons.${key}` },
    in: ({ platform }) => options?.enabled === true && platform.cloudProvider === "external",
    version: () => options?.version ?? "",
    objects: (cluster) => objects(options as never, cluster),
  };
};

/** All add-ons, in the order in which they are delivered. */
export const addonsOf = (stack: AddonOptions): readonly Addon[] => [
  ...olderAddons.read(),
  {
    role: "calico",
    label: "cni",
    known: /calico|tigera/i,
    delivers: "Calico, with the MTU of Azure's network",
    instead: "addons.calicoVersion",
    in: ({ platform }) => platform.cni === "calico",
    late: true,
    version: calicoRelease,
    pinned: calicoOperatorManifest,
    objects: async (cluster) =>
      calicoResources({
        ...cluster,
        podMtu: vxlanMtu(cluster.networkMtu),
        blockSize: cluster.calicoBlockSize,
        imageSet: calicoImageSet(calicoRelease(cluster), cluster.imageDigests),
        operatorManifest: await manifestText(calicoOperatorManifest(calicoRelease(cluster)), cluster),
      }),
  },
  {
    role: "kube-proxy-windows",
    label: "cniWindows",
    known: /kube-?proxy/i,
    delivers: "kube-proxy for Windows",
    instead: "addons.kubeProxyWindowsImage",
    in: ({ platform, kubeProxyWindows = true }) => kubeProxyWindows && platform.flavor === "containerd",
    objects: (cluster) => kubeProxyWindowsObjects({ ...cluster, image: cluster.kubeProxyWindowsImage }),
  },
  {
    role: "windows-mtu",
    label: "cniWindows",
    known: /windows-mtu/i,
    delivers: "the MTU of Windows nodes",
    instead: "network.mtu",
    in: ({ platform }) => platform.flavor === "containerd",
    objects: windowsMtuObjects,
  },
  {
    role: "cloud-provider-azure",
    label: "cloudProvider",
    known: /cloud-provider-azure/i,
    delivers: "the cloud provider",
    instead: "addons.cloudProviderAzureTag",
    in: ({ platform }) => platform.cloudProvider === "external",
    objects: (cluster) =>
      cloudProviderAzureObjects({
        ...cluster,
        replicas: replicasOf(cluster),
        imageTag: cluster.cloudProviderAzureTag,
      }),
  },
  ...optionalKeys.map((key) => optionalRow(key, stack)),
  {
    role: "windows-workloads",
    label: "cniWindows",
    known: /windows-workloads/i,
    delivers: "RuntimeClasses and policies",
    instead: "workloads",
    in: () => true,
    late: true,
    objects: ({ windowsWorkloads }) =>
      windowsWorkloads === undefined ? [] : windowsWorkloadObjects(windowsWorkloads),
  },
  {
    role: "kubelet-csr-approver",
    label: "cloudProvider",
    known: /kubelet-?(csr|serving-cert)-approver|kubelet-rubber-stamp/i,
    delivers: "the approver of kubelets' serving certificates",
    instead: "kubeletCertificates",
    in: ({ servingCertificates, platform }) =>
      servingCertificates !== undefined && platform.cloudProvider === "external",
    version: () => components.kubeletCsrApprover.version,
    objects: ({ servingCertificates, ...cluster }) =>
      servingCertificates === undefined
        ? []
        : kubeletCsrApproverObjects({
            ...servingCertificates,
            replicas: replicasOf({ servingCertificates, ...cluster }),
          }),
  },
  {
    role: "login-rights",
    label: "cni",
    known: /login-rights/i,
    delivers: "the bindings of administrators and readers",
    instead: "controlPlane.authentication",
    in: ({ loginRights }) => loginRights !== undefined,
    objects: ({ loginRights }) => (loginRights === undefined ? [] : loginRightsObjects(loginRights)),
  },
];

/** The published manifest in a release of an add-on, by its logical name; most have none. */
export function pinnedManifestOf(role: string, version: string): PinnedManifest | undefined {
  for (const addon of addonsOf({}).filter((one) => one.role === role)) {
    const found = addon.pinned?.(version);
    if (found !== undefined) return found;
  }
  return undefined;
}
