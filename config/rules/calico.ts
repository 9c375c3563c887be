import { calicoBlock, windowsPodAddresses } from "capz-windows-platform/network/defaults";
import { typhaReplicas } from "../../addons/typha";
import type { Problem, Warning } from "capz-windows-kit/problem";
import { type Pool, windowsPoolsOf } from "../pools";
import type { Settings } from "../settings";

/** Default of kubelet (Kubernetes v1.35 pkg/kubelet/apis/config/v1beta1/defaults.go). */
const kubeletMaxPods = 110;

const sum = (pools: Readonly<Record<string, Pool>>, nodesOf: (pool: Pool) => number): number =>
  Object.values(pools).reduce((nodes, pool) => nodes + nodesOf(pool), 0);

/** The fewest Linux nodes that a cluster may have, and the most Windows nodes beside them. */
const nodesOf = ({ controlPlane, linuxPools, windowsPools }: Settings) => ({
  linux: controlPlane.replicas + sum(linuxPools, ({ autoscale, replicas }) => autoscale?.min ?? replicas),
  windows: sum(windowsPools, ({ autoscale, replicas }) => autoscale?.max ?? replicas),
});

const hasRoom = (linux: number, windows: number): boolean => linux >= typhaReplicas(linux + windows);

/**
 * Calico's operator wants more Linux nodes for Typha the more nodes of any kind there are. With too few it stops before
 * it renders anything: no network if it was not there yet, no change of it ever after if it was (tigera/operator
 * v1.42.3 pkg/controller/installation: typha_autoscaler.go, core_controller.go).
 */
export function calicoRules(settings: Settings): Problem[] {
  const { linux, windows } = nodesOf(settings);
  if (settings.platform.cni !== "calico" || hasRoom(linux, windows)) {
    return [];
  }
  let more = 1;
  while (!hasRoom(linux + more, windows)) {
    more += 1;
  }
  const wanted = typhaReplicas(linux + windows);
  return [
    {
      path: "linuxPools",
      code: "linux-nodes",
      missing: more,
      uses: ["controlPlane", "linuxPools", "windowsPools", "flavor", "kubernetesVersion"],
      problem: `with up to ${linux + windows} nodes, ${windows} of them Windows, Calico's operator wants ${wanted} Linux nodes for Typha, and there may be only ${linux}: it would install no network, or never change it again`,
      allowed: `at least ${linux + more} Linux nodes: control plane machines and nodes of Linux pools (with autoscale their min)`,
    },
  ];
}

/** Pods that kubelet takes on a Windows node and Calico has no address for. */
export function calicoWarnings(settings: Settings): Warning[] {
  const { calicoBlockSize: blockSize = calicoBlock.default } = settings.addons;
  const addresses = windowsPodAddresses(blockSize);
  if (settings.platform.cni !== "calico") {
    return [];
  }
  return windowsPoolsOf(settings)
    .map(({ path, pool }) => [path, pool.kubelet?.maxPods ?? kubeletMaxPods] as const)
    .filter(([, pods]) => pods > addresses)
    .map(([path, pods]) => ({
      path: `${path}.kubelet.maxPods`,
      message: `kubelet takes ${pods} pods on a node, and Calico has ${addresses} addresses for them (a /${blockSize} less 4, addons.calicoBlockSize): more pods than that, not counting those in the network of the node, stay in ContainerCreating; maxPods: ${addresses} keeps them off nodes that are made from then on`,
    }));
}
