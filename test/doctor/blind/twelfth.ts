import type { BlindFault } from "./blindFault";
import { azureSaid, nextControlPlane, subscription } from "./eleventhScenes";
import { app, appWith } from "./pods";

/** A twelfth list: what to do must be ready to be pasted, with the names that the messages have. */

export const twelfth: readonly BlindFault[] = [
  {
    name: "the subnet of the control plane is full during an upgrade",
    source: "karpenter-provider-azure#734; CAPZ v1.27 azure/services/networkinterfaces",
    make: (p) => {
      const { machine, azure } = nextControlPlane(p);
      const nic = `${azure.metadata.name}-nic`;
      const text = `networkinterfaces failed to create or update. err: failed to create or update resource sick/${nic} (service: interfaces): ${azureSaid(`PUT https://management.azure.com${subscription}/resourceGroups/sick/providers/Microsoft.Network/networkInterfaces/${nic}`, "400: 400 Bad Request", "SubnetIsFull", "Subnet control-plane-subnet with address prefix 10.0.0.0/29 does not have enough capacity for 1 IP addresses.")}`;
      p.refused(azure, "NetworkInterfacesReady", text, { ago: 34 });
      p.condition(machine, "InfrastructureReady", { reason: "NotReady", message: text, ago: 34 });
    },
    cause: /control-plane-subnet.*no free address/,
    remedy: /^az network vnet subnet show .*--name control-plane-subnet .*ipConfigurations/,
  },
  {
    name: "the only machine of the control plane is unhealthy",
    source: "Cluster API v1.14.2, kubeadmcontrolplane/remediation.go",
    make: (p) => {
      p.condition(p.get("Machine", "sick-control-plane"), "OwnerRemediated", {
        reason: "CannotBeRemediated",
        message: "KubeadmControlPlane can't remediate if current replicas are less or equal to 1",
        ago: 50,
      });
    },
    cause: /does not replace the machine sick-control-plane-942cq/,
    remedy: /^az vm restart --resource-group sick --name sick-control-plane-942cq /,
  },
  {
    name: "the key of a storage account was rotated",
    source: "azurefile-csi-driver#1610",
    make: (p) =>
      appWith(
        p,
        "FailedMount",
        'MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = volume(sick#acme#pvc-1) mount \\\\acme.file.core.windows.net\\pvc-1 on \\var\\lib\\kubelet\\globalmount failed with NewSmbGlobalMapping failed. output: "New-SmbGlobalMapping : The user name or password is incorrect. FullyQualifiedErrorId : Windows System Error 1326,New-SmbGlobalMapping", err: exit status 1',
      ),
    cause: /refuses the key/,
    remedy: /^az storage account keys list --account-name acme .*azure-storage-account-acme-secret$/,
  },
  {
    name: "a private registry asks for a login",
    source: "containerd, core/remotes/docker/authorizer.go",
    make: (p) => {
      const image = "acme.azurecr.io/shop/api:3.2.1";
      const why = `failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://acme.azurecr.io/oauth2/token: 401 Unauthorized`;
      app(p, "ImagePullBackOff", `Back-off pulling image "${image}": ErrImagePull: ${why}`, image);
    },
    cause: /acme.*without a login/,
    remedy: /create secret docker-registry .*--docker-server=acme\.azurecr\.io /,
  },
  {
    name: "a taint of maintenance on the control plane keeps the cloud controller manager away",
    source: "kube-scheduler v1.36, tainttoleration",
    make: (p) => {
      const { spec } = p.node("sick-control-plane");
      spec.taints = [
        ...(spec.taints as object[]),
        { key: "maintenance", value: "yes", effect: "NoSchedule" },
      ];
      const pod = p.get("Pod", "cloud-controller-manager", "workload");
      pod.status = { phase: "Pending" };
      p.condition(pod, "PodScheduled", {
        reason: "Unschedulable",
        message:
          "0/3 nodes are available: 1 node(s) had untolerated taint {maintenance: yes}, 2 node(s) didn't match Pod's node affinity/selector.",
        ago: 20,
      });
    },
    cause: /cloud-controller-manager.*taint maintenance=yes/,
    remedy: /taint node sick-control-plane-942cq maintenance:NoSchedule- /,
  },
  {
    name: "the object of a machine in Azure was deleted by hand",
    source: "Cluster API v1.14.2, core/reconcilers/machine/machine_controller_status.go",
    make: (p) => {
      p.condition(p.get("Machine", "win1-0"), "InfrastructureReady", {
        reason: "Deleted",
        message: "AzureMachinePoolMachine has been deleted while the Machine still exists",
        ago: 30,
      });
    },
    cause: /Machine win1-0 has lost/,
    remedy: /^kubectl delete machine win1-0 -n sick /,
  },
];
