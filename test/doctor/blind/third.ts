import type { BlindFault } from "./blindFault";
import { app, unprovisioned, withoutAddress } from "./pods";

/** Third batch, written after the rules for the second one, and again before a look at what they say of these. */

export const third: readonly BlindFault[] = [
  {
    name: "a registry whose certificate the nodes do not trust",
    source: "containerd; docs of private registries",
    make: (p) =>
      app(
        p,
        "ErrImagePull",
        'failed to pull and unpack image "registry.corp.example/shop:1": failed to resolve reference "registry.corp.example/shop:1": failed to do request: Head "https://registry.corp.example/v2/shop/manifests/1": tls: failed to verify certificate: x509: certificate signed by unknown authority',
        "registry.corp.example/shop:1",
      ),
    cause: /certificate/i,
    remedy: /trustedCertificates|certificate/i,
  },
  {
    name: "the autoscaler of Pods has no metrics",
    source: "kubernetes, horizontal Pod autoscaler; kubernetes-sigs/metrics-server, FAQ",
    make: (p) => {
      const scaler = p.add("workload", {
        kind: "HorizontalPodAutoscaler",
        apiVersion: "autoscaling/v2",
        metadata: { name: "web", namespace: "shop" },
      });
      p.event(
        scaler,
        "FailedGetResourceMetric",
        "failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)",
        { side: "workload", count: 120 },
      );
    },
    cause: /metrics/i,
    remedy: /metricsServer|metrics-server/i,
  },
  {
    name: "the driver may not make disks",
    source: "kubernetes-sigs/azuredisk-csi-driver, csi-debug.md",
    make: (p) =>
      unprovisioned(
        p,
        "failed to provision volume with StorageClass \"managed-csi\": rpc error: code = Internal desc = PUT https://management.azure.com/x RESPONSE 403: 403 Forbidden ERROR CODE: AuthorizationFailed The client 'x' with object id 'x' does not have authorization to perform action 'Microsoft.Compute/disks/write' over scope '/subscriptions/x/resourceGroups/sick/providers/Microsoft.Compute/disks/pvc-1'",
      ),
    cause: /role|may not|right/i,
    remedy: /role assignment/i,
  },
  {
    name: "a kind of disk that the region does not have",
    source: "kubernetes-sigs/azuredisk-csi-driver, driver-parameters.md; Azure error codes",
    make: (p) =>
      unprovisioned(
        p,
        'failed to provision volume with StorageClass "zrs": rpc error: code = Internal desc = PUT https://management.azure.com/x RESPONSE 400: 400 Bad Request ERROR CODE: InvalidParameter { "error": { "code": "InvalidParameter", "message": "SKU Premium_ZRS is not supported for resource type Disk in this region. Supported SKUs for this region are Premium_LRS,StandardSSD_LRS,Standard_LRS" } }',
      ),
    cause: /region|sku/i,
    remedy: /skuName|storage ?class/i,
  },
  {
    name: "a user that the image does not have",
    source: "kubernetes.io, runAsUserName; hcsshim",
    make: (p) =>
      app(
        p,
        "RunContainerError",
        "failed to create containerd task: failed to start: hcs::System::CreateProcess web: The user name or password is incorrect.: unknown",
      ),
    cause: /user/i,
    remedy: /runAsUserName/,
  },
  {
    name: "a program that the image does not have",
    source: "hcsshim, ERROR_FILE_NOT_FOUND; microsoft/Windows-Containers",
    make: (p) =>
      app(
        p,
        "RunContainerError",
        'failed to create containerd task: failed to start: hcs::System::CreateProcess web: The system cannot find the file specified.: unknown (extra info: {"CommandLine":"/bin/sh -c run"})',
      ),
    cause: /program|command|entry/i,
    remedy: /command|image/i,
  },
  {
    name: "containers whose creation takes longer than kubelet waits",
    source: "containerd/containerd#4604; Azure/AKS#2491",
    make: (p) =>
      app(
        p,
        "CreateContainerError",
        'failed to reserve container name "web_web-6f7d9c-x2x7q_shop_1_0": name "web_web-6f7d9c-x2x7q_shop_1_0" is reserved for "9d2a"',
      ),
    cause: /containerd|disk|slow|long/i,
    remedy: /containerd|disk|size/i,
  },
  {
    name: "a Cluster that somebody has paused",
    source: "Cluster API, spec.paused; clusterctl move",
    make: (p) => {
      const cluster = p.get("Cluster");
      cluster.spec.paused = true;
      for (const kind of ["KubeadmControlPlane", "MachinePool", "AzureMachinePool"]) {
        p.condition(p.get(kind), "Paused", {
          status: "True",
          reason: "Paused",
          message: "Cluster spec.paused is set to true",
          ago: 120,
        });
      }
    },
    cause: /paused/i,
    remedy: /paused/i,
  },
  {
    name: "Pods that were evicted from a full node",
    source: "kubernetes, node-pressure eviction",
    make: (p) => {
      const pod = p.pod("workload", "shop", "web-6f7d9c-x2x7q");
      pod.spec = { nodeName: p.node("win1").metadata.name };
      pod.status = {
        phase: "Failed",
        reason: "Evicted",
        message:
          "The node was low on resource: ephemeral-storage. Threshold quantity: 13Gi, available: 9Gi. Container web was using 22Gi, request is 0, has larger consumption of ephemeral-storage.",
      };
      p.event(pod, "Evicted", "The node was low on resource: ephemeral-storage.", {
        side: "workload",
        count: 1,
      });
    },
    cause: /evict|disk/i,
    remedy: /ephemeral-storage|osDiskGB/,
  },
  {
    name: "no more public addresses for Services",
    source: "Azure error codes; cloud-provider-azure",
    make: (p) =>
      withoutAddress(
        p,
        "PUT https://management.azure.com/x RESPONSE 400: 400 Bad Request ERROR CODE: PublicIPCountLimitReached Cannot create more than 20 public IP addresses for this subscription in this region.",
      ),
    cause: /quota|limit|addresses/i,
    remedy: /quota|usage|internal/i,
  },
  {
    name: "an internal load balancer in a subnet that does not exist",
    source: "cloud-provider-azure, azure-load-balancer-internal-subnet",
    make: (p) =>
      withoutAddress(
        p,
        "ensure(shop/web): lb(sick-internal) - failed to get subnet: sick-vnet/apps: GET https://management.azure.com/x RESPONSE 404: 404 Not Found ERROR CODE: NotFound Resource apps not found.",
      ),
    cause: /subnet/i,
    remedy: /internal-subnet|subnet/i,
  },
];
