import { proxyVariables, type NodeProxy } from "../../bootstrap/egress";
import type { KubernetesObject } from "capz-types";
import { disruptionBudget } from "../disruption";
import { hostPortRollout, tolerateControlPlane } from "../linuxPods";
import type { CsiDriver } from "./csiDriver";
import {
  azureJsonMount,
  azureJsonVolume,
  controllerAccount,
  healthz,
  livenessProbe,
  metricsPort,
  resources,
  socketMount,
  unprivileged,
} from "./csiDriver";

/** For all sidecars: the address of the driver, and leader election. */
const common = [
  "--csi-address=/csi/csi.sock",
  "--leader-election",
  "--leader-election-namespace=kube-system",
];

const sidecar = (name: string, image: string, args: readonly string[]) => ({
  name,
  image,
  args: ["--v=2", ...common, ...args],
  volumeMounts: [socketMount],
  ...resources("500Mi"),
  ...unprivileged,
});

/**
 * The sidecars that call the driver. The feature gates Topology and RecoverVolumeExpansionFailure are on for good, and a
 * later sidecar ends on a gate that it no longer knows. VolumeAttributesClass is not among the arguments either: without
 * it, each asks the API server whether it knows that class (external-resizer v2.2.0 cmd/csi-resizer/main.go,
 * external-provisioner v6.3.0); if the gate were on, the sidecar would wait forever on Kubernetes before 1.34. There is
 * no snapshotter: it exits if the CRDs of snapshots are missing.
 */
const sidecars = (driver: CsiDriver) => [
  sidecar("csi-provisioner", driver.images.provisioner, [
    // With disks, a volume is created in the zone of the node that the scheduler chose.
    ...(driver.attaches ? ["--strict-topology=true", "--worker-threads=100"] : []),
    `--timeout=${driver.timeouts.provisioner}s`,
    "--extra-create-metadata=true",
    "--retry-interval-max=30m",
    "--kube-api-qps=50",
    "--kube-api-burst=100",
  ]),
  ...(driver.attaches
    ? [
        sidecar("csi-attacher", driver.images.attacher, [
          // Azure may take minutes to attach a disk.
          "--timeout=1200s",
          "--worker-threads=1000",
          "--kube-api-qps=200",
          "--kube-api-burst=400",
        ]),
      ]
    : []),
  sidecar("csi-resizer", driver.images.resizer, [
    // A volume in Azure can grow while it is in use.
    "--handle-volume-inuse-error=false",
    `--timeout=${driver.timeouts.resizer}s`,
    "--retry-interval-max=30m",
  ]),
];

/**
 * The controller, on control plane nodes: only their azure.json has an identity that may change Azure. Of its
 * containers only the driver calls Azure, through the proxy if there is one.
 */
export function csiController(
  driver: CsiDriver,
  { replicas, proxy }: { readonly replicas: number; readonly proxy?: NodeProxy | undefined },
): KubernetesObject[] {
  const name = `csi-${driver.short}-controller`;
  const labels = { app: name };
  const { health, metrics } = driver.controllerPorts;
  const env = [...(driver.controllerEnv ?? []), ...(proxy === undefined ? [] : proxyVariables(proxy))];
  const folders = driver.controllerFolders ?? {};
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace: "kube-system", labels },
      spec: {
        replicas,
        selector: { matchLabels: labels },
        strategy: hostPortRollout,
        template: {
          metadata: { labels },
          spec: {
            // The metadata service, which issues the identity's tokens, is reached from the host's network.
            hostNetwork: true,
            priorityClassName: "system-cluster-critical",
            serviceAccountName: controllerAccount(driver),
            nodeSelector: { [tolerateControlPlane.key]: "" },
            tolerations: [tolerateControlPlane],
            securityContext: { seccompProfile: { type: "RuntimeDefault" } },
            containers: [
              ...sidecars(driver),
              livenessProbe(driver, health, 3),
              {
                name: driver.short,
                image: driver.images.driver,
                args: [
                  "--v=2",
                  "--endpoint=unix:///csi/csi.sock",
                  `--metrics-address=0.0.0.0:${metrics}`,
                  ...driver.controllerArgs,
                ],
                ...(env.length === 0 ? {} : { env }),
                ...metricsPort(metrics),
                ...healthz(health, 10),
                volumeMounts: [
                  socketMount,
                  azureJsonMount,
                  ...Object.entries(folders).map(([folder, mountPath]) => ({ name: folder, mountPath })),
                ],
                ...resources(driver.memory.controller),
                ...unprivileged,
              },
            ],
            volumes: [
              { name: "socket-dir", emptyDir: {} },
              azureJsonVolume,
              ...Object.keys(folders).map((folder) => ({ name: folder, emptyDir: {} })),
            ],
          },
        },
      },
    },
    disruptionBudget(name, labels),
  ];
}
