import type { BlindFault } from "./blindFault";
import { app, appWith, unschedulable, withoutAddress } from "./pods";

/** Faults of applications: images, disks, load balancers, room. */

export const inApplications: readonly BlindFault[] = [
  {
    name: "a pod's network: its HNS endpoint cannot be made",
    source: "projectcalico/calico#8465",
    make: (p) =>
      appWith(
        p,
        "FailedCreatePodSandBox",
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "9f20": plugin type="calico" name="Calico" failed (add): failed to create the new HostComputeEndpoint: hcnCreateEndpoint failed in Win32: The provided policy configuration is invalid or missing parameters. (0x803b000d)',
        4,
      ),
    cause: /network|HNS|endpoint/i,
    remedy: /calico|HNS|restart|node/i,
  },
  {
    name: "Docker Hub's rate limit",
    source: "Docker Hub, toomanyrequests",
    make: (p) =>
      app(
        p,
        "ErrImagePull",
        'rpc error: code = Unknown desc = failed to pull and unpack image "docker.io/library/web:1": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/library/web/manifests/sha256:x: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
        "web:1",
      ),
    cause: /rate limit|limit|too many/i,
    remedy: /secret|mirror|login|credential|wait/i,
  },
  {
    name: "a Linux image on a Windows node",
    source: "containerd, platform matching",
    make: (p) =>
      app(
        p,
        "ErrImagePull",
        'rpc error: code = NotFound desc = failed to pull and unpack image "docker.io/library/nginx:latest": no match for platform in manifest: not found',
        "nginx:latest",
      ),
    cause: /Linux|Windows|operating system|platform/i,
    remedy: /nodeSelector|os|image/i,
  },
  {
    name: "an image of another Windows release",
    source: "kubernetes/kubernetes#74019, hcsshim",
    make: (p) =>
      app(
        p,
        "RunContainerError",
        "failed to create containerd task: failed to create shim task: hcs::CreateComputeSystem web: The container operating system does not match the host operating system.: unknown",
        "mcr.microsoft.com/windows/servercore:ltsc2025",
      ),
    cause: /release|build|Windows Server|operating system/i,
    remedy: /image|tag|ltsc|build/i,
  },
  {
    name: "no storage class",
    source: "Kubernetes, persistent volume controller",
    make: (p) => {
      p.remove("workload", ({ kind }) => kind === "StorageClass");
      const claim = p.add("workload", {
        kind: "PersistentVolumeClaim",
        metadata: { name: "data", namespace: "shop" },
        spec: { accessModes: ["ReadWriteOnce"] },
        status: { phase: "Pending" },
      });
      p.event(
        claim,
        "FailedBinding",
        "no persistent volumes available for this claim and no storage class is set",
        { side: "workload" },
      );
    },
    cause: /storage ?class/i,
    remedy: /storage|azureDisk|addons/i,
  },
  {
    name: "more data disks than the size can have",
    source: "kubernetes-sigs/azuredisk-csi-driver#2851",
    make: (p) =>
      appWith(
        p,
        "FailedAttachVolume",
        'AttachVolume.Attach failed for volume "pvc-54c55671" : rpc error: code = Internal desc = Attach volume failed with Retriable: false, RetryAfter: 0s, HTTPStatusCode: 409, RawError: {"error": {"code": "OperationNotAllowed", "message": "The maximum number of data disks allowed to be attached to a VM of this size is 8."}}',
        4,
      ),
    cause: /disks/i,
    remedy: /size|vmSize|spread|volume/i,
  },
  {
    name: "a disk is still attached to a node that is gone",
    source: "kubernetes/kubernetes#76076",
    make: (p) =>
      appWith(
        p,
        "FailedAttachVolume",
        'Multi-Attach error for volume "pvc-d753c830" Volume is already used by pod(s) web-6f7d9c-9x8cr',
        4,
      ),
    cause: /volume|disk/i,
    remedy: /pod|StatefulSet|Recreate|volumeattachment/i,
  },
  {
    name: "a load balancer without rights on the subnet",
    source: "cloud-provider-azure, LinkedAuthorizationFailed",
    make: (p) =>
      withoutAddress(
        p,
        "PUT https://management.azure.com/x RESPONSE 403: 403 Forbidden ERROR CODE: LinkedAuthorizationFailed The client 'x' with object id 'x' has permission to perform action 'Microsoft.Network/loadBalancers/write' on scope 'x'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '/subscriptions/x/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/hub/subnets/nodes'",
      ),
    cause: /role|permission|author|right/i,
    remedy: /role/i,
  },
  {
    name: "no room for a pod",
    source: "Kubernetes, scheduler",
    make: (p) =>
      unschedulable(
        p,
        p.pod("workload", "shop", "web-6f7d9c-x2x7q"),
        "0/3 nodes are available: 1 Insufficient memory, 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }. preemption: 0/3 nodes are available: 1 No preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling.",
      ),
    cause: /memory|room|fit/i,
    remedy: /replicas|size|request/i,
  },
];
