import type { AddonSetsArgs } from "../components/clusterResourceSet/addonSets";
import type { WindowsWorkloadsArgs } from "../addons/windowsWorkloads";
import type { Network } from "../components/virtualNetwork/network";
import { egressOf, type Settings } from "../config/settings";
import { apiServerHostOf } from "../config/apiServer";
import { isDeployment, poolsOf } from "../config/pools";
import { nodeNamePattern, type ServingCertificates } from "capz-windows-platform/cluster/kubeletCertificates";
import { apiServerPort } from "capz-windows-platform/cluster/naming";
import { at, list } from "capz-windows-kit/untyped";
import { subnetCidrs } from "./networkArgs";
import type { Run } from "./run";

/** What the cluster offers and refuses to workloads on its Windows nodes. */
const windowsWorkloads = ({ workloads, windowsPools }: Settings): WindowsWorkloadsArgs => ({
  windowsServers: Object.values(windowsPools).map(({ windowsServer }) => windowsServer),
  ...workloads,
});

/** Nodes of Linux pools on which pods without tolerations always find a place. */
const linuxWorkers = ({ linuxPools }: Settings): number =>
  Object.values(linuxPools)
    .filter(({ taints, spot }) => taints.length === 0 && spot === undefined)
    .reduce((nodes, { autoscale, replicas }) => nodes + (autoscale?.min ?? replicas), 0);

/** Network interfaces beside the first, by the key for them or by a patch. */
const severalInterfaces = ({ linuxPools, windowsPools }: Settings): boolean =>
  [...Object.values(linuxPools), ...Object.values(windowsPools)].some(
    ({ additionalNetworkInterfaces, overrides }) =>
      additionalNetworkInterfaces.length > 0 ||
      [
        at(overrides, "AzureMachinePool", "spec", "template", "networkInterfaces"),
        at(overrides, "AzureMachineTemplate", "spec", "template", "spec", "networkInterfaces"),
      ].some((interfaces) => list(interfaces).length > 1),
  );

/** What the approver of serving certificates compares requests with. */
function servingCertificates(settings: Settings): ServingCertificates | undefined {
  const { clusterName, kubeletCertificates } = settings;
  return kubeletCertificates === "selfSigned"
    ? undefined
    : {
        nodeNames: nodeNamePattern(
          clusterName,
          poolsOf(settings).map(({ name, os, pool }) => ({
            name,
            os,
            kind: isDeployment(pool) ? "MachineDeployment" : "MachinePool",
          })),
        ),
        nodeRanges: [...new Set(subnetCidrs(settings))].sort(),
        verified: kubeletCertificates === "verified",
      };
}

export const addonSets = (settings: Settings, { mtu }: Network, run: Run): AddonSetsArgs => ({
  ...run,
  clusterName: settings.clusterName,
  namespace: settings.namespace,
  platform: settings.platform,
  kubernetesVersion: settings.kubernetesVersion,
  controlPlaneReplicas: settings.controlPlane.replicas,
  linuxWorkers: linuxWorkers(settings),
  apiServerHost: apiServerHostOf(settings),
  apiServerPort,
  podCidr: settings.network.podCidr,
  serviceCidr: settings.network.serviceCidr,
  networkMtu: mtu,
  severalInterfaces: severalInterfaces(settings),
  wait: settings.wait !== "none",
  windowsWorkloads: windowsWorkloads(settings),
  loginRights: settings.controlPlane.authentication,
  servingCertificates: servingCertificates(settings),
  proxy: egressOf(settings)?.proxy,
  extraManifests: settings.extraManifests,
  imageDigests: settings.imageDigests,
  ...settings.addons,
});
