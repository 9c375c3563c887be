import type { Patient } from "../patient";
import { realPod, terminated } from "./objects";

const iis = "mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc2022";

/** An application on Linux and one on Windows, with a volume, a Service and policies. */
export function furnishApplications(p: Patient): void {
  for (const [node, image] of [
    ["linux1", "mcr.microsoft.com/azurelinux/base/nginx:1"],
    ["win1", iis],
  ] as const) {
    realPod(p, { namespace: "shop", name: `web-${node}-6f7d9c-x2x7q`, node, image });
    realPod(p, {
      ...{ namespace: "kube-system", name: `csi-azuredisk-node-${node}-abcde`, node },
      ...{ owner: ["DaemonSet", `csi-azuredisk-node-${node}`] },
      containers: ["liveness-probe", "node-driver-registrar", "azuredisk"],
      // The registrar restarts until the socket of the driver exists.
      restarts: 2,
      lastState: terminated(p, 1, "Error", 290),
    });
  }
  realPod(p, {
    ...{ namespace: "shop", name: "db-0", node: "win1", owner: ["StatefulSet", "db"], image: iis },
    spec: {
      nodeName: p.node("win1").metadata.name,
      volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-db-0" } }],
    },
  });
  p.add("workload", {
    kind: "PersistentVolumeClaim",
    metadata: { name: "data-db-0", namespace: "shop", creationTimestamp: p.ago(900) },
    spec: { storageClassName: "managed-csi", volumeName: "pvc-1" },
    status: { phase: "Bound", capacity: { storage: "32Gi" } },
  });
  // Waits for its first consumer, which is normal.
  p.add("workload", {
    kind: "PersistentVolumeClaim",
    metadata: { name: "unused", namespace: "shop", creationTimestamp: p.ago(900) },
    spec: { storageClassName: "managed-csi" },
    status: { phase: "Pending" },
  });
  p.add("workload", {
    kind: "Service",
    metadata: { name: "web", namespace: "shop", creationTimestamp: p.ago(900) },
    spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" },
    status: { loadBalancer: { ingress: [{ ip: "20.50.1.9" }] } },
  });
  const metrics = p.add("workload", {
    kind: "APIService",
    apiVersion: "apiregistration.k8s.io/v1",
    metadata: { name: "v1beta1.metrics.k8s.io" },
    spec: { service: { name: "metrics-server", namespace: "kube-system", port: 443 } },
  });
  p.condition(metrics, "Available", {
    status: "True",
    reason: "Passed",
    message: "all checks passed",
    ago: 800,
  });
}
