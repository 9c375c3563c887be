import type { Case } from "./ruleCases";

const own = { image: { id: "/subscriptions/x" } };
const scaled = { linuxPools: { lin1: { autoscale: { min: 1, max: 3 } } } };
const withVersion = (version: string) => ({ ...scaled, addons: { clusterAutoscaler: { version } } });

/** Settings of the cluster autoscaler that cannot work. */
export const autoscalerCases: readonly Case[] = [
  [
    "an autoscaler for a cluster with the in-tree cloud provider",
    { kubernetesVersion: "v1.25.16", controlPlane: own, addons: { clusterAutoscaler: { enabled: true } } },
    "addons.clusterAutoscaler.enabled: with Kubernetes v1.25.16, volumes and the cloud provider are in-tree, and the add-on has not been tested with them",
    { kubernetesVersion: "v1.26.0", controlPlane: own, addons: { clusterAutoscaler: { enabled: true } } },
  ],
  ...(
    [
      ["v1.30.5", "v1.30.6"],
      ["v1.31.3", "v1.31.4"],
      ["v1.32.2", "v1.32.3"],
      ["v1.33.0", "v1.33.1"],
      ["v1.29.9", "v1.34.0"],
    ] as const
  ).map(([before, since]): Case => [
    `an autoscaler ${before}, which does not read references of v1beta2`,
    withVersion(before),
    "addons.clusterAutoscaler.version: this release does not find a pool's scale set: since v1beta2, Cluster API's references have an API group and no version",
    withVersion(since),
  ]),
];
