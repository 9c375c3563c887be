import { azure, group } from "../faults/fault";
import type { Loose, Patient } from "../patient";
import type { BlindFault } from "./blindFault";

const pool = (p: Patient, status: number, code: string, message: string): Patient =>
  p.refused(p.get("AzureMachinePool", "win1"), "BootstrapSucceeded", azure(status, code, message));

const aso = (p: Patient, object: Loose, reason: string, message: string): Patient =>
  p.condition(object, "Ready", { reason, message, severity: "Error", ago: 20 });

export const inAzure: readonly BlindFault[] = [
  {
    name: "the disk encryption set may not use its key",
    source: "Azure, KeyVaultAccessForbidden",
    make: (p) =>
      pool(
        p,
        400,
        "KeyVaultAccessForbidden",
        "Unable to access key vault resource 'https://keys.vault.azure.net/keys/disks/1' to enable encryption at rest. Please grant get, wrap and unwrap key permissions to disk encryption set 'disks'. Please visit https://aka.ms/keyvaultaccessssecmk for more information.",
      ),
    cause: /key vault|disk encryption set/i,
    remedy: /key|role|access/i,
  },

  {
    name: "a network interface of somebody else holds the subnet while the cluster is deleted",
    source: "kubernetes-sigs/cluster-api-provider-azure#172",
    make: (p) => {
      const now = p.ago(40);
      for (const object of [
        ...["Cluster", "AzureCluster", "VirtualNetwork", "NatGateway"].map((kind) => p.get(kind)),
        ...p.all("VirtualNetworksSubnet"),
      ]) {
        Object.assign(object.metadata, { deletionTimestamp: now, finalizers: ["x"] });
      }
      for (const kind of ["Machine", "MachinePool", "AzureMachinePool", "AzureMachinePoolMachine"]) {
        p.remove("management", (object) => object.kind === kind);
      }
      p.remove("management", ({ kind }) => /KubeadmC|AzureMachine|ClusterResourceSet/.test(kind));
      p.problem("workload", { what: "noKubeconfig", asked: "cluster", message: "" });
      aso(
        p,
        p.get("VirtualNetworksSubnet", "sick-vnet-node"),
        "InUseSubnetCannotBeDeleted",
        `Subnet node-subnet is in use by ${group}/providers/Microsoft.Network/networkInterfaces/bastion347/ipConfigurations/ipconfig1 and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
      );
    },
    cause: /subnet|in use/i,
    remedy: /delete|networkInterfaces|nic/i,
  },
];
