import type { BlindFault } from "./blindFault";
import { app, appWith, crashLoop, unprovisioned, unschedulable, withoutAddress } from "./pods";

/** Faults from threads of users, with the text that they quoted: add-ons, Pods, volumes and Services. */

const globalMapping = (words: string, id: string): string =>
  `MountVolume.MountDevice failed for volume "pvc-files" : rpc error: code = Internal desc = volume(sick#f2a9c#files###shop) mount \\\\f2a9c.file.core.windows.net\\files on \\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\file.csi.azure.com\\bbab9a9f\\globalmount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : ${words} \\r\\nAt line:1 char:190\\r\\n    + FullyQualifiedErrorId : Windows System Error ${id},New-SmbGlobalMapping\\r\\n \\r\\n", err: exit status 1\nPlease refer to http://aka.ms/filemounterror for possible causes and solutions for mount errors.`;

export const ninthReportsMore: readonly BlindFault[] = [
  {
    name: "two user names for one file share on a node",
    source: "Azure/AKS#5612",
    make: (p) =>
      appWith(
        p,
        "FailedMount",
        globalMapping(
          "Multiple connections to a server or shared resource by the same user, using more than one user name, are not allowed. Disconnect all previous connections to the server or shared resource and try again.",
          "1219",
        ),
      ),
    cause: /user name|credential|connection|mapping|(another|other|different) (account|key|user|secret)/i,
    remedy: /SmbGlobalMapping|replace|delete machine|restart|reboot|drain|secret/i,
  },
  {
    name: "the key of the storage account has changed",
    source: "kubernetes-sigs/azurefile-csi-driver#1610",
    make: (p) => appWith(p, "FailedMount", globalMapping("The user name or password is incorrect.", "1326")),
    cause: /key|password|credential/i,
    remedy: /secret|storage account keys|key/i,
  },
  {
    name: "the storage account refuses to make a share",
    source: "Azure/AKS#804",
    make: (p) =>
      unprovisioned(
        p,
        'failed to provision volume with StorageClass "azurefile-csi": rpc error: code = Internal desc = failed to create file share pvc-1c9a under account f2a9c in resource group sick: storage: service returned error: StatusCode=403, ErrorCode=AuthorizationFailure, ErrorMessage=This request is not authorized to perform this operation.',
      ),
    cause: /storage account|firewall|network rule/i,
    remedy: /az storage account|network-rule|firewall|networkEndpointType|role assignment/i,
  },
  {
    name: "a disk is still attached to the node of before",
    source: "kubernetes/kubernetes#97778",
    make: (p) =>
      appWith(
        p,
        "FailedAttachVolume",
        'Multi-Attach error for volume "pvc-734b583d-b7e3-11e7-a957-000d3ab03706" Volume is already exclusively attached to one node and can\'t be attached to another',
      ),
    cause: /(attached|another|other).*/i,
    remedy: /volumeattachment|delete pod|out-of-service|strategy|Recreate/i,
  },
  {
    name: "the cloud node manager finds no certificate of its service account on Windows",
    source: "kubernetes-sigs/cloud-provider-azure#3862",
    make: (p) =>
      p.pod(
        "workload",
        "kube-system",
        "cloud-node-manager-windows-2",
        crashLoop(
          "cloud-node-manager",
          "Running C:\\hpc\\/cloud-node-manager.exe  --node-name=win1000000 --use-instance-metadata=true --kubeconfig=C:\\hpc\\/var/lib/cpaw/kubeconfig.conf\ninvalid configuration: unable to read certificate-authority C:\\hpc\\var\\lib\\cpaw\\var\\run\\secrets\\kubernetes.io\\serviceaccount\\ca.crt for default due to open C:\\hpc\\var\\lib\\cpaw\\var\\run\\secrets\\kubernetes.io\\serviceaccount\\ca.crt: The system cannot find the path specified.",
        ),
      ),
    cause: /service ?account|ca\.crt|certificate|HostProcess|mount/i,
    remedy: /containerd|image|delete pod|restart|version|cloudProviderAzureTag/i,
  },
  {
    name: "CoreDNS asks itself",
    source: "kubernetes/kubeadm#1688",
    make: (p) =>
      p.pod(
        "workload",
        "kube-system",
        "coredns-5d78c9869d-aaaaa",
        crashLoop(
          "coredns",
          '[FATAL] plugin/loop: Loop (127.0.0.1:37926 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 6687652606367193539.3502358703036269394."',
        ),
      ),
    cause: /loop|itself|circle/i,
    remedy: /resolv|configmap coredns|cm coredns|forward|Corefile/i,
  },
  {
    name: "the registry does not know the node",
    source: "Azure/AKS#4459",
    make: (p) =>
      app(
        p,
        "ImagePullBackOff",
        'Back-off pulling image "shop.azurecr.io/main/web:v5.0.0": ErrImagePull: failed to pull and unpack image "shop.azurecr.io/main/web:v5.0.0": failed to resolve reference "shop.azurecr.io/main/web:v5.0.0": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://shop.azurecr.io/oauth2/token?scope=repository%3Amain%2Fweb%3Apull&service=shop.azurecr.io: 401 Unauthorized',
        "shop.azurecr.io/main/web:v5.0.0",
      ),
    cause: /registry|log ?in|AcrPull|unauthori[sz]ed|password|credential/i,
    remedy: /azureContainerRegistries|AcrPull|role assignment|docker-registry|imagePullSecret/i,
  },
  {
    name: "a container gets no namespace of the network",
    source: "Azure/AKS#3627",
    make: (p) => {
      const pod = app(
        p,
        "CrashLoopBackOff",
        "back-off 5m0s restarting failed container=web pod=web-6f7d9c-x2x7q_shop",
      );
      const [status] = pod.status.containerStatuses as Record<string, unknown>[];
      Object.assign(status!, {
        restartCount: 14,
        lastState: {
          terminated: {
            reason: "StartError",
            exitCode: 128,
            message:
              "failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The requested operation for attach namespace failed.: unknown",
          },
        },
      });
    },
    cause: /network|namespace|HNS|endpoint/i,
    remedy: /delete pod|restart|HNS|replace|delete machine|drain/i,
  },
  {
    name: "Windows has no memory left to start the probe",
    source: "Azure/AKS#1941",
    make: (p) => {
      const pod = p.pod("workload", "shop", "web-6f7d9c-x2x7q", { restarts: 7 });
      pod.spec.nodeName = p.node("win1").metadata.name;
      p.condition(pod, "Ready", { reason: "ContainersNotReady", ago: 15 }).event(
        pod,
        "Unhealthy",
        "Readiness probe errored: rpc error: code = Unknown desc = container 70b25a2888a4 encountered an error during hcs::System::CreateProcess: failure in a Windows system call: The paging file is too small for this operation to complete. (0x5af)",
        { side: "workload", count: 40 },
      );
    },
    cause: /memory|paging|page ?file/i,
    remedy: /memory|limits|vmSize|requests|page ?file/i,
  },
  {
    name: "calico cannot log in at the API server",
    source: "projectcalico/calico#8379",
    make: (p) =>
      appWith(
        p,
        "FailedCreatePodSandBox",
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "d9f4c91394d548cca1b189e665fd0532f158bb5bb4407153aa48e1af40afe2f0": plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
      ),
    cause: /token|unauthori[sz]ed|log ?in|credential/i,
    remedy: /calico-node/i,
  },
  {
    name: "the autoscaler has reached its maximum",
    source: "kubernetes/autoscaler#5692",
    make: (p) => {
      const pod = p.add("workload", {
        kind: "Pod",
        metadata: { name: "web-6f7d9c-q9q2z", namespace: "shop" },
      });
      unschedulable(
        p,
        pod,
        "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
      );
      p.event(
        pod,
        "NotTriggerScaleUp",
        "pod didn't trigger scale-up: 1 node(s) didn't match Pod's node affinity/selector, 1 max node group size reached",
        { side: "workload", count: 30 },
      );
      Object.assign(p.all("Event", "workload").at(-1)!, { type: "Normal" });
    },
    cause: /max/i,
    remedy: /autoscale|max/i,
  },
  {
    name: "an autoscaler of Pods gets no measurements",
    source: "MicrosoftDocs/azure-docs#13306",
    make: (p) => {
      const autoscaler = p.add("workload", {
        kind: "HorizontalPodAutoscaler",
        apiVersion: "autoscaling/v2",
        metadata: { name: "web", namespace: "shop" },
        spec: { minReplicas: 2, maxReplicas: 10, scaleTargetRef: { kind: "Deployment", name: "web" } },
      });
      const message =
        "unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)";
      p.condition(autoscaler, "ScalingActive", {
        reason: "FailedGetResourceMetric",
        message: `the HPA was unable to compute the replica count: ${message}`,
        ago: 50,
      }).event(autoscaler, "FailedGetResourceMetric", message, { side: "workload", count: 211 });
    },
    cause: /metrics/i,
    remedy: /metrics-server|metrics\.k8s\.io|metricsServer/i,
  },
  {
    name: "a namespace does not end because of an API that is not served",
    source: "kubernetes/kubernetes#60807",
    make: (p) => {
      const group = "external.metrics.k8s.io";
      const service = p.add("workload", {
        kind: "APIService",
        apiVersion: "apiregistration.k8s.io/v1",
        metadata: { name: `v1beta1.${group}` },
        spec: { group, service: { namespace: "keda", name: "keda-operator-metrics-apiserver" } },
      });
      const namespace = p.add("workload", {
        kind: "Namespace",
        metadata: { name: "shop-old", deletionTimestamp: p.ago(90) },
        status: { phase: "Terminating" },
      });
      p.condition(service, "Available", {
        reason: "ServiceNotFound",
        message: 'service/keda-operator-metrics-apiserver in "keda" is not present',
        ago: 120,
      }).condition(namespace, "NamespaceDeletionDiscoveryFailure", {
        status: "True",
        reason: "DiscoveryFailed",
        message: `Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: ${group}/v1beta1: the server is currently unable to handle the request`,
        ago: 89,
      });
    },
    cause: /external\.metrics|keda/i,
    remedy: /apiservice/i,
  },
  {
    name: "an internal load balancer in a subnet that the cloud controller may not read",
    source: "MicrosoftDocs/azure-docs#62754",
    make: (p) =>
      withoutAddress(
        p,
        'Retriable: false, RetryAfter: 0s, HTTPStatusCode: 403, RawError: {"error":{"code":"AuthorizationFailed","message":"The client \'d3c30ad5\' with object id \'d3c30ad5\' does not have authorization to perform action \'Microsoft.Network/virtualNetworks/subnets/read\' over scope \'/subscriptions/1/resourceGroups/hub/providers/Microsoft.Network/virtualNetworks/hub/subnets/frontends\' or the scope is invalid. If access was recently granted, please refresh your credentials."}}',
      ),
    cause: /subnet|role|permission|may not|not allowed|authori/i,
    remedy: /role assignment/i,
  },
  {
    name: "a Service without an address and without an event",
    source: "Azure/AKS#1392; kubernetes/kubernetes#94590 (only a state)",
    make: (p) =>
      p.add("workload", {
        kind: "Service",
        metadata: { name: "web", namespace: "shop", creationTimestamp: p.ago(180) },
        spec: { type: "LoadBalancer", ports: [{ port: 80, targetPort: 80 }], selector: { app: "web" } },
        status: { loadBalancer: {} },
      }),
    cause: /(address|load balancer)/i,
    remedy: /cloud-controller-manager/i,
  },
];
