import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

/**
 * Twenty faults from the calls of an engineer who keeps Windows clusters with CAPZ running. Each has what stands around it
 * as well: what waits, what is evicted, what no longer answers.
 */

const subscription = "/subscriptions/11111111-2222-4333-8444-555555555555";
const arm = `https://management.azure.com${subscription}/resourceGroups/sick/providers`;
const line = "-".repeat(80);

/** A refusal of Azure as its SDK for Go writes it and CAPZ passes it on. */
const refusal = (
  [service, resource]: readonly [string, string],
  [call, status, code]: readonly [string, string, string],
  message: string,
): string =>
  `failed to create or update resource sick/${resource} (service: ${service}): ${call}\n${line}\nRESPONSE ${status}\n` +
  `ERROR CODE: ${code}\n${line}\n{\n  "error": {\n    "code": "${code}",\n    "message": "${message}",\n    "details": []\n  }\n}\n${line}\n`;

const refuseCluster = (p: Patient, condition: string, message: string): void => {
  const cluster = p.get("AzureCluster");
  p.refused(cluster, condition, message)
    .refused(cluster, "NetworkInfrastructureReady", message)
    .event(cluster, "ClusterReconcilerNormalFailed", `failed to reconcile cluster services: ${message}`);
};

const noWorkload = (p: Patient): Patient =>
  p.problem("workload", {
    what: "noKubeconfig",
    asked: "cluster",
    message: 'secrets "sick-kubeconfig" not found',
  });

/** The first `up`: nothing but the objects that Pulumi applied. */
function beforeMachines(p: Patient): Patient {
  const machines = ["Machine", "AzureMachine", "AzureMachinePoolMachine", "ClusterResourceSetBinding"];
  p.remove("management", ({ kind }) => machines.includes(kind));
  const waits = { reason: "WaitingForClusterInfrastructure", message: "", severity: "Info", ago: 30 };
  for (const pool of p.all("AzureMachinePool")) {
    pool.status = { ready: false, replicas: 0 };
    p.condition(pool, "ScaleSetRunning", waits).condition(pool, "Ready", waits);
  }
  for (const config of p.all("KubeadmConfig")) {
    config.status = {};
    p.condition(config, "DataSecretAvailable", {
      reason: "NotAvailable",
      message: "Waiting for Cluster status.infrastructureReady to be true",
      ago: 30,
    });
  }
  for (const pool of p.all("MachinePool")) {
    pool.status = { phase: "Pending", replicas: 0 };
  }
  const controlPlane = p.get("KubeadmControlPlane");
  controlPlane.status = {};
  p.condition(controlPlane, "Initialized", { reason: "NotInitialized", ago: 30 }).condition(
    controlPlane,
    "Available",
    { reason: "NotAvailable", message: "Control plane not yet initialized", ago: 30 },
  );
  const cluster = p.get("Cluster");
  cluster.status = { phase: "Provisioning" };
  p.condition(cluster, "InfrastructureReady", {
    reason: "NotReady",
    message: "AzureCluster status.initialization.provisioned is false",
    ago: 30,
  });
  return noWorkload(p);
}

/** The machines of the Windows pool are not there. */
function withoutWindows(p: Patient): Patient {
  p.remove(
    "management",
    ({ kind, metadata }) =>
      ["Machine", "AzureMachinePoolMachine"].includes(kind) && metadata.name.startsWith("win1"),
  ).remove(
    "workload",
    ({ kind, metadata, spec }) =>
      (kind === "Node" && metadata.name.startsWith("win1")) ||
      (kind === "Pod" && String(spec.nodeName).startsWith("win1")),
  );
  const azure = p.get("AzureMachinePool", "win1");
  azure.status = { ready: false, replicas: 0, provisioningState: "Creating" };
  const pool = p.get("MachinePool", "win1");
  pool.status = { phase: "Provisioning", replicas: 0 };
  p.condition(pool, "InfrastructureReady", {
    reason: "NotReady",
    message: "AzureMachinePool status.ready is false",
    ago: 30,
  });
  return p;
}

const windowsNode = "win1000000";

/** A Pod on the Windows node that does not get beyond ContainerCreating, or the given state. */
function application(
  p: Patient,
  name: string,
  waiting: readonly [string, string] = ["ContainerCreating", ""],
  image?: string,
): Loose {
  const pod = p.pod("workload", "shop", name, { waiting, ...(image === undefined ? {} : { image }) }, 12);
  Object.assign(pod.spec, { nodeName: windowsNode, nodeSelector: { "kubernetes.io/os": "windows" } });
  return pod;
}

const sandboxFails = (p: Patient, pods: readonly Loose[], text: string): void => {
  for (const pod of pods) {
    p.event(
      pod,
      "FailedCreatePodSandBox",
      `Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "b6385006e8b3eedeaa1fd60e3e69afc9fb758a27666c93708a9211b3c988ab34": ${text}`,
      { side: "workload", count: 37 },
    );
  }
};

const inAzure: readonly BlindFault[] = [
  {
    name: "the subscription has no public IP address left",
    source: "Microsoft Learn, AKS error codes: PublicIPCountLimitReached",
    make: (p) => {
      refuseCluster(
        beforeMachines(p),
        "PublicIPsReady",
        refusal(
          ["publicips", "pip-sick-apiserver"],
          [
            `PUT ${arm}/Microsoft.Network/publicIPAddresses/pip-sick-apiserver`,
            "400: 400 Bad Request",
            "PublicIPCountLimitReached",
          ],
          "Cannot create more than 20 public IP addresses for this subscription in this region.",
        ),
      );
    },
    cause: /public IP.*(limit|quota)|(limit|quota).*public IP/i,
    remedy: /quota|delete|release/i,
  },
  {
    name: "the ephemeral OS disk of Windows is larger than the cache of the size",
    source: "cloudfoundry/bosh-azure-cpi-release#674",
    make: (p) => {
      withoutWindows(p).refused(
        p.get("AzureMachinePool", "win1"),
        "ScaleSetRunning",
        refusal(
          ["scalesets", "win1"],
          [
            `PUT ${arm}/Microsoft.Compute/virtualMachineScaleSets/win1`,
            "409: 409 Conflict",
            "OperationNotAllowed",
          ],
          "OS disk of Ephemeral VM with size greater than 100 GB is not allowed for VM size Standard_D4ds_v4 when the DiffDiskPlacement is CacheDisk.",
        ),
      );
    },
    cause: /ephemeral.*(cache|larger|big|fit|size)|(cache|larger|big|fit).*ephemeral/i,
    remedy: /disk|size/i,
  },
  {
    name: "encryption at host is not registered in the subscription",
    source: "hashicorp/terraform-provider-azurerm#17185",
    make: (p) => {
      const message = refusal(
        ["virtualmachine", "sick-control-plane-942cq"],
        [
          `PUT ${arm}/Microsoft.Compute/virtualMachines/sick-control-plane-942cq`,
          "400: 400 Bad Request",
          "InvalidParameter",
        ],
        "The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
      );
      const machine = p.get("AzureMachine");
      noWorkload(p)
        .refused(machine, "VMRunning", message)
        .event(
          machine,
          "ReconcileError",
          `failed to reconcile AzureMachine service virtualmachine: ${message}`,
        );
      p.condition(p.get("KubeadmControlPlane"), "Initialized", { reason: "NotInitialized", ago: 20 });
      p.condition(p.get("Machine", "sick-control-plane"), "InfrastructureReady", {
        reason: "NotReady",
        message: "AzureMachine status.ready is false",
        ago: 20,
      });
    },
    cause: /encryption ?at ?host/i,
    remedy: /az feature register/i,
  },
  {
    name: "the subscription was disabled, and its virtual machines were stopped",
    source: "Microsoft Learn, Reactivate a disabled Azure subscription: ReadOnlyDisabledSubscription",
    make: (p) => {
      const text =
        "The subscription '11111111-2222-4333-8444-555555555555' is disabled and therefore marked as read only. You cannot perform any write actions on this subscription until it is re-enabled.";
      p.condition(p.get("ResourceGroup"), "Ready", {
        reason: "ReadOnlyDisabledSubscription",
        message: text,
        severity: "Warning",
        ago: 40,
      });
      const put = (path: string): readonly [string, string, string] => [
        `PUT ${arm}/${path}`,
        "409: 409 Conflict",
        "ReadOnlyDisabledSubscription",
      ];
      refuseCluster(
        p,
        "LoadBalancersReady",
        refusal(
          ["loadbalancers", "sick-public-lb"],
          put("Microsoft.Network/loadBalancers/sick-public-lb"),
          text,
        ),
      );
      for (const pool of p.all("AzureMachinePool")) {
        const path = `Microsoft.Compute/virtualMachineScaleSets/${pool.metadata.name}`;
        p.refused(pool, "ScaleSetRunning", refusal(["scalesets", pool.metadata.name], put(path), text));
      }
      p.condition(p.get("Cluster"), "RemoteConnectionProbe", {
        reason: "ProbeFailed",
        message: "Remote connection probe failed, probe last succeeded at 2026-11-22T05:10:00Z",
        ago: 40,
      }).problem("workload", {
        what: "timeout",
        asked: "cluster",
        message: "connect ETIMEDOUT 20.50.1.2:6443",
      });
    },
    cause: /subscription.*disabled/i,
    remedy: /enable|billing|reactivate|payment|spending/i,
  },
  {
    name: "a new subnet overlaps one that somebody made by hand",
    source: "MicrosoftDocs/azure-docs#123869",
    make: (p) => {
      const text =
        "Subnet 'win-subnet' is not valid because its IP address range overlaps with that of an existing subnet in virtual network 'sick-vnet'.";
      const subnet = p.add("management", {
        apiVersion: "network.azure.com/v1api20201101",
        kind: "VirtualNetworksSubnet",
        metadata: { name: "sick-vnet-win-subnet", namespace: "sick" },
        spec: {
          azureName: "win-subnet",
          addressPrefixes: ["10.10.16.0/20"],
          owner: { name: "sick-vnet" },
        },
      });
      p.condition(subnet, "Ready", {
        reason: "NetcfgSubnetRangesOverlap",
        message: `${text}: PUT ${arm}/Microsoft.Network/virtualNetworks/sick-vnet/subnets/win-subnet\n${line}\nRESPONSE 400: 400 Bad Request\nERROR CODE: NetcfgSubnetRangesOverlap\n${line}`,
        severity: "Error",
        ago: 15,
      });
      refuseCluster(
        p,
        "SubnetsReady",
        `failed to create or update resource sick/sick-vnet-win-subnet (service: subnets): resource is not Ready: ${text}`,
      );
    },
    cause: /subnet.*overlap|overlap.*subnet/i,
    remedy: /range|address|cidr|delete/i,
  },
];

const bootstrap: readonly BlindFault[] = [
  {
    name: "the Windows image was not generalized",
    source: "kubernetes-sigs/cluster-api-provider-azure#5038, #5657",
    make: (p) => {
      const message = refusal(
        ["scalesets", "win1"],
        [
          `GET https://management.azure.com${subscription}/providers/Microsoft.Compute/locations/westeurope/operations/6c2b9333-cf6e-4197-b4a8-40e16dcf065e`,
          "200: 200 OK",
          "OSProvisioningClientError",
        ],
        "OS Provisioning for VM 'win1_0' did not finish in the allotted time. However, the VM guest agent was detected running. This suggests the guest OS has not been properly prepared to be used as a VM image (with CreateOption=FromImage). To resolve this issue, either use the VHD as is with CreateOption=Attach or prepare it properly for use as an image.",
      );
      withoutWindows(p).refused(p.get("AzureMachinePool", "win1"), "ScaleSetRunning", message);
    },
    cause: /image.*(generali[sz]ed|sysprep|prepared)|(generali[sz]ed|sysprep|prepared).*image/i,
    remedy: /image|sysprep/i,
  },
  {
    name: "a firewall keeps the VM agent of a Windows machine from Azure",
    source: "Azure/azure-xplat-cli#2794, Azure/azure-powershell#5741",
    make: (p) => {
      const azure = p.get("AzureMachinePool", "win1");
      const text = refusal(
        ["vmssextensions", "CAPZ.Windows.Bootstrapping"],
        [
          `GET https://management.azure.com${subscription}/providers/Microsoft.Compute/locations/westeurope/operations/dea4e29d-3d9c-4c31-9c1c-c2da092c2d4e`,
          "200: 200 OK",
          "VMAgentStatusCommunicationError",
        ],
        "VM 'win1_0' has not reported status for VM agent or extensions. Verify that the OS is up and healthy, the VM has a running VM agent, and that it can establish outbound connections to Azure storage. Please refer to https://aka.ms/vmextensionwindowstroubleshoot for additional VM agent troubleshooting information.",
      );
      withoutWindows(p).refused(
        azure,
        "BootstrapSucceeded",
        `extension state failed. This likely means the Kubernetes node bootstrapping process failed or timed out. Check VM boot diagnostics logs to learn more: ${text}`,
        { reason: "BootstrapFailed" },
      );
    },
    cause: /agent/i,
    remedy: /168\.63\.129\.16|outbound|boot diagnostics|boot-diagnostics/i,
  },
  {
    name: "a file of the bootstrap data names a Secret that is not there",
    source: "kubernetes-sigs/cluster-api, kubeadmconfig_controller.go: resolveFiles",
    make: (p) => {
      const config = p.get("KubeadmConfig", "win1");
      config.status = {};
      withoutWindows(p)
        .condition(config, "DataSecretAvailable", {
          reason: "NotAvailable",
          message: "Failed to read content from secrets for spec.files",
          ago: 25,
        })
        .condition(config, "DataSecretAvailable", {
          reason: "DataSecretGenerationFailed",
          message:
            'failed to resolve file source: secret not found: sick/win1-azure-json: secrets "win1-azure-json" not found',
          severity: "Warning",
          former: true,
          ago: 25,
        })
        .condition(config, "Ready", {
          reason: "NotReady",
          message: "* DataSecretAvailable: Failed to read content from secrets for spec.files",
          ago: 25,
        })
        .condition(p.get("MachinePool", "win1"), "BootstrapConfigReady", {
          reason: "NotReady",
          message: "KubeadmConfig status.initialization.dataSecretCreated is false",
          ago: 25,
        })
        .condition(p.get("AzureMachinePool", "win1"), "ScaleSetRunning", {
          reason: "WaitingForBootstrapData",
          severity: "Info",
          ago: 25,
        });
    },
    cause: /win1-azure-json/,
    remedy: /win1-azure-json|secret/i,
  },
];

const onWindows: readonly BlindFault[] = [
  {
    name: "the disk of a Windows node is full",
    source: "rancher/rke2#3090, llmos-ai/llmos#21",
    make: (p) => {
      const node = p.node(windowsNode);
      node.spec.taints = [{ key: "node.kubernetes.io/disk-pressure", effect: "NoSchedule" }];
      p.nodeCondition(windowsNode, "DiskPressure", {
        status: "True",
        reason: "KubeletHasDiskPressure",
        message: "kubelet has disk pressure",
        ago: 25,
      })
        .event(node, "EvictionThresholdMet", "Attempting to reclaim ephemeral-storage", {
          side: "workload",
          count: 300,
        })
        .event(
          node,
          "FreeDiskSpaceFailed",
          "Failed to garbage collect required amount of images. Attempted to free 17275608268 bytes, but only found 0 bytes eligible to free.",
          { side: "workload", count: 5 },
        );
      for (const name of ["web-6c559f5868-aaaaa", "web-6c559f5868-bbbbb"]) {
        const pod = application(p, name);
        pod.status = {
          phase: "Failed",
          reason: "Evicted",
          message:
            "The node was low on resource: ephemeral-storage. Threshold quantity: 12739452Ki, available: 8123456Ki.",
        };
      }
      const next = p.pod("workload", "shop", "web-6c559f5868-ccccc", {}, 20);
      const message =
        "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }, 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
      next.status = { phase: "Pending" };
      p.condition(next, "PodScheduled", { reason: "Unschedulable", message, ago: 20 }).event(
        next,
        "FailedScheduling",
        message,
        { side: "workload" },
      );
    },
    cause: /disk/i,
    remedy: /diskSize|osDisk|larger disk|images|prune/i,
  },
  {
    name: "the token that Calico's CNI plugin uses on a Windows node is no longer valid",
    source: "projectcalico/calico#9215, #8379, #5712",
    make: (p) => {
      const pods = ["web-6c559f5868-aaaaa", "api-7d4b9c6f5-bbbbb"].map((name) => application(p, name));
      sandboxFails(
        p,
        pods,
        'plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized: Unauthorized',
      );
    },
    cause: /token|credential|kubeconfig/i,
    remedy: /calico-node/i,
  },
  {
    name: "HNS does not run on a Windows node",
    source: "kubernetes/kubernetes#80288 and the error 0x6d9 of RPC in hcsshim",
    make: (p) => {
      const proxy = p
        .all("Pod", "workload")
        .find(({ metadata }) => metadata.name.startsWith("kube-proxy-windows"));
      p.pod("workload", "kube-system", proxy?.metadata.name ?? "", {
        waiting: [
          "CrashLoopBackOff",
          "back-off 5m0s restarting failed container=kube-proxy pod=kube-proxy-windows-2_kube-system",
        ],
        ended: ["Error", ""],
        restarts: 9,
      });
      sandboxFails(
        p,
        [application(p, "web-6c559f5868-aaaaa"), application(p, "api-7d4b9c6f5-bbbbb")],
        'plugin type="calico" failed (add): hnsCall failed in Win32: There are no more endpoints available from the endpoint mapper. (0x6d9)',
      );
    },
    cause: /HNS|Host Network/i,
    remedy: /hns|reboot|restart/i,
  },
  {
    name: "containerd does not answer on a Windows node",
    source: "kubelet, runtime.go: container runtime is down; kubernetes/kubernetes issues on PLEG",
    make: (p) => {
      p.node(windowsNode).spec.taints = [
        { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" },
        { key: "node.kubernetes.io/not-ready", effect: "NoExecute" },
      ];
      p.nodeCondition(windowsNode, "Ready", {
        reason: "KubeletNotReady",
        message:
          "[container runtime is down, PLEG is not healthy: pleg was last seen active 12m3.2184617s ago; threshold is 3m0s]",
        ago: 12,
      })
        .condition(p.get("Machine", "win1"), "NodeHealthy", {
          reason: "NodeNotHealthy",
          message: "* Node.Ready: container runtime is down, PLEG is not healthy",
          ago: 12,
        })
        .condition(p.get("AzureMachinePoolMachine", "win1"), "NodeHealthy", {
          reason: "NodeConditionsFailed",
          severity: "Warning",
          ago: 12,
        });
      const daemons = p.all("Pod", "workload").filter(({ spec }) => spec.nodeName === windowsNode);
      for (const pod of daemons) {
        p.condition(pod, "Ready", { reason: "NodeNotReady", ago: 12 });
      }
    },
    cause: /containerd|container runtime/i,
    remedy: /containerd/i,
  },
  {
    name: "the image of kube-proxy for Windows does not exist in this version",
    source: "kubernetes-sigs/sig-windows-tools, images of kube-proxy; containerd's message",
    make: (p) => {
      const image = "docker.io/sigwindowstools/kube-proxy:v1.35.6-calico-hostprocess";
      const text = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`;
      const proxy = p
        .all("Pod", "workload")
        .find(({ metadata }) => metadata.name.startsWith("kube-proxy-windows"));
      const pod = p.pod("workload", "kube-system", proxy?.metadata.name ?? "", {
        waiting: ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${text}`],
        image,
      });
      p.event(
        pod,
        "Failed",
        `Failed to pull image "${image}": rpc error: code = NotFound desc = ${text}`,
        { side: "workload" },
      );
    },
    cause: /kube-proxy.*(tag|exist|not found|no image|missing)|(tag|exist|not found|no image).*kube-proxy/i,
    remedy: /image|tag|version/i,
  },
];

const inManagement: readonly BlindFault[] = [
  {
    name: "the API server does not trust the certificate of CAPZ's webhook",
    source: "kubernetes-sigs/cluster-api-provider-azure#5690",
    make: (p) => {
      const message =
        'failed to create AzureMachine: failed to create AzureMachine sick/sick-control-plane-x7k2p: Internal error occurred: failed calling webhook "default.azuremachine.infrastructure.cluster.x-k8s.io": failed to call webhook: Post "https://capz-webhook-service.capz-system.svc:443/mutate-infrastructure-cluster-x-k8s-io-v1beta1-azuremachine?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority';
      const controlPlane = p.get("KubeadmControlPlane");
      controlPlane.spec.replicas = 3;
      p.condition(controlPlane, "MachinesCreated", {
        reason: "InfrastructureTemplateCloningFailed",
        message,
        severity: "Error",
        former: true,
        ago: 20,
      })
        .condition(controlPlane, "ScalingUp", {
          status: "True",
          reason: "ScalingUp",
          message: "Scaling up from 1 to 3 replicas",
          ago: 20,
        })
        .event(
          controlPlane,
          "FailedScaleUp",
          `Failed to create control plane Machine for cluster sick/sick control plane: ${message}`,
        );
    },
    cause: /webhook.*(certificate|CA\b)|(certificate|CA\b).*webhook/i,
    remedy: /cainjector|cert-manager/i,
  },
  {
    name: "the client secret of the service principal has expired",
    source: "prisma/ecosystem-tests#3437, kubernetes-sigs/cluster-api-provider-azure#2785",
    make: (p) => {
      const identity = p.get("AzureClusterIdentity");
      Object.assign(identity.spec, {
        type: "ServicePrincipal",
        clientSecret: { name: "sick-identity-secret", namespace: "sick" },
      });
      const text = `ClientSecretCredential authentication failed. \nPOST https://login.microsoftonline.com/11111111-2222-4333-8444-666666666666/oauth2/v2.0/token\n${line}\nRESPONSE 401: 401 Unauthorized\n${line}\n{\n  "error": "invalid_client",\n  "error_description": "AADSTS7000222: The provided client secret keys for app '1d97f845-8723-8881-89c7-a725cc1a93ec' are expired. Visit the Azure portal to create new keys for your app: https://aka.ms/NewClientSecret, or consider using certificate credentials for added security: https://aka.ms/certCreds. Trace ID: 200c87cc-3017-476c-8ce7-c8d455a71900",\n  "error_codes": [\n    7000222\n  ]\n}\n${line}`;
      for (const kind of ["ResourceGroup", "VirtualNetwork", "VirtualNetworksSubnet", "NatGateway"]) {
        for (const object of p.all(kind)) {
          p.condition(object, "Ready", { reason: "Failed", message: text, severity: "Warning", ago: 60 });
        }
      }
      refuseCluster(
        p,
        "ResourceGroupReady",
        `failed to create or update resource sick/sick (service: group): resource is not Ready: ${text}`,
      );
      for (const pool of p.all("AzureMachinePool")) {
        p.refused(
          pool,
          "ScaleSetRunning",
          `failed to get existing resource sick/${pool.metadata.name} (service: scalesets): ${text}`,
        );
      }
    },
    cause: /(client )?secret.*expired|expired.*secret/i,
    remedy: /secret|credential/i,
  },
  {
    name: "the certificates of the control plane have expired",
    source: "kubernetes.io, Certificate Management with kubeadm; message of Node.js for TLS",
    make: (p) => {
      const probe = "Remote connection probe failed, probe last succeeded at 2026-11-22T05:02:00Z";
      p.condition(p.get("Cluster"), "RemoteConnectionProbe", {
        reason: "ProbeFailed",
        message: probe,
        ago: 55,
      });
      const unknown = {
        status: "Unknown",
        reason: "ConnectionDown",
        message: probe,
        ago: 50,
      } as const;
      const controlPlane = p.get("KubeadmControlPlane");
      p.condition(controlPlane, "ControlPlaneComponentsHealthy", unknown).condition(
        controlPlane,
        "EtcdClusterHealthy",
        unknown,
      );
      for (const machine of p.all("Machine")) {
        p.condition(machine, "NodeHealthy", unknown);
      }
      p.get("Machine", "sick-control-plane").metadata.annotations = {
        "machine.cluster.x-k8s.io/certificates-expiry": p.ago(60),
      };
      p.problem("workload", { what: "certificate", asked: "cluster", message: "certificate has expired" });
    },
    cause: /certificate.*expired|expired.*certificate/i,
    remedy: /renew|roll/i,
  },
];

const ofApplications: readonly BlindFault[] = [
  {
    name: "a Windows Pod does not tolerate the taint of the Windows nodes",
    source: "kubernetes.io, Guide for Running Windows Containers: taints; message of the scheduler",
    make: (p) => {
      p.node(windowsNode).spec.taints = [{ key: "os", value: "windows", effect: "NoSchedule" }];
      const pod = p.pod("workload", "shop", "web-6c559f5868-aaaaa", {}, 20);
      pod.spec.nodeSelector = { "kubernetes.io/os": "windows" };
      pod.status = { phase: "Pending" };
      const message =
        "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 1 node(s) had untolerated taint {os: windows}, 1 node(s) didn't match Pod's node affinity/selector. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
      p.condition(pod, "PodScheduled", { reason: "Unschedulable", message, ago: 20 }).event(
        pod,
        "FailedScheduling",
        message,
        { side: "workload" },
      );
    },
    cause: /taint|tolerat/i,
    remedy: /toleration/i,
  },
  {
    name: "a chart puts an image of Linux on a Windows node",
    source: "containerd's message: no match for platform in manifest",
    make: (p) => {
      const image = "docker.io/library/redis:7-alpine";
      const text = `failed to pull and unpack image "${image}": no match for platform in manifest: not found`;
      const pod = application(
        p,
        "redis-master-0",
        ["ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${text}`],
        image,
      );
      delete pod.spec.nodeSelector;
      p.event(
        pod,
        "Failed",
        `Failed to pull image "${image}": rpc error: code = NotFound desc = ${text}`,
        { side: "workload" },
      );
    },
    cause: /image.*(Windows|platform|Linux)/i,
    remedy: /nodeSelector/i,
  },
  {
    name: "the key of a storage account was rotated, and Windows cannot mount its share",
    source: "kubernetes-sigs/azurefile-csi-driver#1610",
    make: (p) => {
      const pod = application(p, "reports-5f6d7c8b9-aaaaa");
      p.event(
        pod,
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-3c1f" : rpc error: code = Internal desc = volume(sick#stsick#reports###shop) mount \\\\stsick.file.core.windows.net\\reports on \\var\\lib\\kubelet\\plugins\\kubernetes.io\\csi\\file.csi.azure.com\\bbab9a9f\\globalmount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : The user name or password is incorrect. \\r\\nAt line:1 char:190\\r\\n    + CategoryInfo          : AuthenticationError: (MSFT_SmbGlobalMapping:ROOT/Microsoft/...mbGlobalMapping) [New-SmbGlobalMapping], CimException\\r\\n    + FullyQualifiedErrorId : Windows System Error 1326,New-SmbGlobalMapping\\r\\n \\r\\n", err: exit status 1\nPlease refer to http://aka.ms/filemounterror for possible causes and solutions for mount errors.',
        { side: "workload", count: 12 },
      );
    },
    cause: /key|password|credential/i,
    remedy: /secret|key/i,
  },
  {
    name: "a service account may not use the gMSA of its Pod",
    source: "kubernetes-sigs/windows-gmsa, admission-webhook/webhook.go",
    make: (p) => {
      const text =
        'admission webhook "admission-webhook.windows-gmsa.sigs.k8s.io" denied the request: service account "web" is not authorized to `use` GMSA cred spec "webapp01"';
      const set = p.add("workload", {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: { name: "web-6c559f5868", namespace: "shop" },
        status: { replicas: 0 },
      });
      p.condition(set, "ReplicaFailure", {
        status: "True",
        reason: "FailedCreate",
        message: text,
        ago: 10,
      }).event(set, "FailedCreate", `Error creating: ${text}`, { side: "workload", count: 14 });
    },
    cause: /service account.*(use|role|permission|allowed|authori)/i,
    remedy: /rolebinding|clusterrole|\brole\b/i,
  },
];

export const eighth: readonly BlindFault[] = [
  ...inAzure,
  ...bootstrap,
  ...onWindows,
  ...inManagement,
  ...ofApplications,
];
