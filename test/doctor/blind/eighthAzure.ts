import type { BlindFault } from "./blindFault";
import { subscription, arm, refusal, refuseCluster, beforeMachines, withoutWindows } from "./eighthScenes";

/**
 * Twenty faults from the calls of an engineer who keeps Windows clusters with CAPZ running. Each has what stands around it
 * as well: what waits, what is evicted, what no longer answers.
 */

export const eighthAzure: readonly BlindFault[] = [
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
];

export const eighthBootstrap: readonly BlindFault[] = [
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
