import type { BlindFault } from "./blindFault";
import { withoutAddress } from "./pods";

/** Second batch: machines, the control plane, load balancers. */

export const secondMachines: readonly BlindFault[] = [
  {
    name: "the public key is none that Azure takes",
    source: "kubernetes-sigs/cluster-api-provider-azure#1028, Azure/azure-cli#9440",
    make: (p) =>
      p.refused(
        p.get("AzureMachine"),
        "VMRunning",
        'failed to create or update resource sick/sick-control-plane-942cq (service: virtualmachine): PUT https://management.azure.com/x RESPONSE 400: 400 Bad Request ERROR CODE: InvalidParameter { "error": { "code": "InvalidParameter", "message": "The value of parameter linuxConfiguration.ssh.publicKeys.keyData is invalid.", "target": "linuxConfiguration.ssh.publicKeys.keyData" } }',
      ),
    cause: /SSH|key/i,
    remedy: /sshPublicKey/,
  },
  {
    name: "trusted launch with an image that cannot",
    source: "Azure/azure-cli#27975",
    make: (p) =>
      p.refused(
        p.get("AzureMachinePool", "win1"),
        "ScaleSetRunning",
        'failed to create or update resource sick/win1 (service: scalesets): PUT https://management.azure.com/x RESPONSE 400: 400 Bad Request ERROR CODE: BadRequest { "error": { "code": "BadRequest", "message": "Use of TrustedLaunch setting is not supported for the provided image. Please select Trusted Launch Supported Gen2 OS Image. For more information, see https://aka.ms/TrustedLaunch-FAQ." } }',
      ),
    cause: /trusted launch|security type/i,
    remedy: /securityType|trustedLaunch|security|image/i,
  },
  {
    name: "encryption at host is no registered feature",
    source: "learn.microsoft.com, Microsoft.Compute/EncryptionAtHost",
    make: (p) =>
      p.refused(
        p.get("AzureMachinePool", "win1"),
        "ScaleSetRunning",
        "failed to create or update resource sick/win1 (service: scalesets): PUT https://management.azure.com/x RESPONSE 400: 400 Bad Request ERROR CODE: InvalidParameter The property 'securityProfile.encryptionAtHost' is not valid because the 'Microsoft.Compute/EncryptionAtHost' feature is not enabled for this subscription.",
      ),
    cause: /encryption at host|feature/i,
    remedy: /az feature register/i,
  },
  {
    name: "kubeadm join fails on a machine",
    source: "kubernetes-sigs/cluster-api-provider-azure#3903, #5687",
    make: (p) => {
      const machine = p.get("AzureMachine");
      p.remove(
        "workload",
        ({ kind, metadata }) => kind === "Node" && metadata.name === machine.metadata.name,
      );
      p.refused(
        machine,
        "BootstrapSucceeded",
        "extension CAPZ.Linux.Bootstrapping state failed: VM has reported a failure when processing extension 'CAPZ.Linux.Bootstrapping' (publisher 'Microsoft.Azure.ContainerUpstream' and type 'CAPZ.Linux.Bootstrapping'). Error message: 'Enable failed: failed to execute command: command terminated with exit status=1'",
        { reason: "BootstrapFailed", ago: 30 },
      );
    },
    cause: /bootstrap|kubeadm/i,
    remedy: /access|log/i,
  },
  {
    name: "a member of etcd without a machine",
    source: "kubernetes-sigs/cluster-api#2651; Cluster API 1.14.2, workload_cluster_conditions.go",
    make: (p) =>
      p.condition(p.get("KubeadmControlPlane"), "EtcdClusterHealthy", {
        reason: "NotHealthy",
        message: "* Etcd member sick-control-plane-x7k2p does not have a corresponding Machine",
        ago: 30,
      }),
    cause: /member/i,
    remedy: /member remove|etcdctl/i,
  },
  {
    name: "too many machines are unhealthy to replace any",
    source: "Cluster API 1.14.2, MachineHealthCheck, RemediationAllowed",
    make: (p) => {
      const check = p.add("management", {
        apiVersion: "cluster.x-k8s.io/v1beta2",
        kind: "MachineHealthCheck",
        metadata: {
          name: "sick-apps",
          namespace: "sick",
          labels: { "cluster.x-k8s.io/cluster-name": "sick" },
        },
        spec: { clusterName: "sick" },
        status: { expectedMachines: 3, currentHealthy: 0, remediationsAllowed: 0 },
      });
      p.condition(check, "RemediationAllowed", {
        reason: "TooManyUnhealthy",
        message:
          "Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 3, unhealthy: 3, maxUnhealthy: 40%)",
        ago: 20,
      });
    },
    cause: /unhealthy|health check/i,
    remedy: /machine/i,
  },
  {
    name: "an address of the wrong SKU for a Service",
    source: "kubernetes/kubernetes#86686",
    make: (p) =>
      withoutAddress(
        p,
        "PUT https://management.azure.com/x RESPONSE 400: 400 Bad Request ERROR CODE: DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed Standard sku load balancer /subscriptions/x/resourceGroups/sick/providers/Microsoft.Network/loadBalancers/sick cannot reference Basic sku publicIP /subscriptions/x/resourceGroups/net/providers/Microsoft.Network/publicIPAddresses/web.",
      ),
    cause: /SKU|Basic/i,
    remedy: /Standard/,
  },
  {
    name: "a node that is no instance of a scale set",
    source: "kubernetes/kubernetes#103348",
    make: (p) => withoutAddress(p, "not a vmss instance"),
    cause: /scale set/i,
    remedy: /exclude-from-external-load-balancers|vmType|kind/i,
  },
  {
    name: "an address for a Service that is not there",
    source: "kubernetes-sigs/cloud-provider-azure, findMatchedPIP",
    make: (p) =>
      withoutAddress(
        p,
        "findMatchedPIPByLoadBalancerIP: cannot find public IP with IP address 20.61.1.2 in resource group sick",
      ),
    cause: /address/i,
    remedy: /azure-load-balancer-resource-group|resource group/i,
  },
];
