import type { BlindFault } from "./blindFault";
import { eleventhMore } from "./eleventhMore";
import { eleventhNodes } from "./eleventhNodes";
import { azureSaid, machineOf, nextControlPlane, poolStopped, subscription } from "./eleventhScenes";

/** A held-out list: the failures that a team with such clusters most probably meets. */

const platform: readonly BlindFault[] = [
  {
    name: "CAPZ may not give a pool the identity of another resource group",
    source: "Azure/aad-pod-identity#613, LinkedAuthorizationFailed",
    make: (p) => {
      poolStopped(
        p,
        "403: 403 Forbidden",
        "LinkedAuthorizationFailed",
        `The client '99999999-2222-4333-8444-555555555555' with object id '99999999-2222-4333-8444-555555555555' has permission to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' on scope '${subscription}/resourceGroups/sick/providers/Microsoft.Compute/virtualMachineScaleSets/win1'; however, it does not have permission to perform action(s) 'Microsoft.ManagedIdentity/userAssignedIdentities/assign/action' on the linked scope(s) '${subscription}/resourceGroups/shared/providers/Microsoft.ManagedIdentity/userAssignedIdentities/shop' (respectively) or the linked scope(s) are invalid.`,
      );
    },
    cause: /(may not|permission|role|not allowed).*(identit|assign)|identit.*(may not|permission|role)/i,
    remedy: /role assignment create.*(Managed Identity Operator|shared)/i,
  },

  {
    name: "an upgrade of the control plane exceeds the quota of cores of the region",
    source: "learn.microsoft.com, OperationNotAllowed: Total Regional Cores",
    make: (p) => {
      const { machine, azure } = nextControlPlane(p);
      const text = `virtualmachine failed to create or update. err: failed to create or update resource sick/sick-control-plane-x7k2p (service: virtualmachine): ${azureSaid(
        `PUT https://management.azure.com${subscription}/resourceGroups/sick/providers/Microsoft.Compute/virtualMachines/sick-control-plane-x7k2p`,
        "409: 409 Conflict",
        "OperationNotAllowed",
        "Operation could not be completed as it results in exceeding approved Total Regional Cores quota. Additional details - Deployment Model: Resource Manager, Location: westeurope, Current Limit: 20, Current Usage: 20, Additional Required: 4, (Minimum) New Limit Required: 24. Setup Alerts when Quota reaches threshold. Submit a request for Quota increase at https://aka.ms/ProdportalCRP/ by specifying parameters listed in the 'Details' section for deployment to succeed.",
      )}`;
      p.refused(azure, "VMRunning", text, { ago: 30 });
      p.event(azure, "ReconcileError", `failed to reconcile AzureMachine: ${text}`);
      p.condition(machine, "InfrastructureReady", { reason: "NotReady", message: text, ago: 30 });
    },
    cause: /quota.*(cores|vCPUs).*westeurope/i,
    remedy: /az quota|increase/i,
  },
  {
    name: "the size of a pool boots only images of generation 2",
    source: "gardener/gardener-extension-provider-azure#972",
    make: (p) => {
      p.get("AzureMachinePool", "win1").spec.template = {
        ...(p.get("AzureMachinePool", "win1").spec.template as object),
        vmSize: "Standard_D4s_v6",
      };
      poolStopped(
        p,
        "400: 400 Bad Request",
        "BadRequest",
        "The selected VM size 'Standard_D4s_v6' cannot boot Hypervisor Generation '1'. If this was a Create operation please check that the Hypervisor Generation of the Image matches the Hypervisor Generation of the selected VM Size. If this was an Update operation please select a Hypervisor Generation '1' VM Size. For more information, see https://aka.ms/azuregen2vm",
      );
    },
    cause: /image.*(size|v6).*generation|size.*image.*generation|generation.*(image|size)/i,
    remedy: /vmSize: Standard_D4s_v5|image: \{/i,
  },
  {
    name: "the gallery has no image of the version in the region",
    source: "kubernetes-sigs/cluster-api-provider-azure#5348, GalleryImageNotFound",
    make: (p) => {
      poolStopped(
        p,
        "404: 404 Not Found",
        "GalleryImageNotFound",
        "The gallery image /CommunityGalleries/ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/Images/capi-win-2022-containerd/Versions/1.35.6 is not available in westeurope region. Please contact image owner to replicate to this region, or change your requested region.",
      );
    },
    cause: /image.*not.*(westeurope|region|1\.35\.6)/i,
    remedy: /az sig image-version list|kubernetesVersion|image: \{/i,
  },

  {
    name: "the management cluster no longer reaches the API server",
    source: "CAPI v1.14, cluster_controller_status.go and machine_controller_status.go",
    make: (p) => {
      const text = `Remote connection probe failed, probe last succeeded at ${p.ago(40)}`;
      p.condition(p.get("Cluster"), "RemoteConnectionProbe", {
        reason: "ProbeFailed",
        message: text,
        ago: 35,
      });
      const seen = `Last successful probe at ${p.ago(40)}`;
      for (const name of ["linux1-0", "win1-0", "sick-control-plane"]) {
        machineOf(p, name, "ConnectionDown", seen, 35);
      }
      for (const type of ["EtcdClusterHealthy", "ControlPlaneComponentsHealthy"]) {
        p.condition(p.get("KubeadmControlPlane"), type, {
          status: "Unknown",
          reason: "ConnectionDown",
          message: seen,
          ago: 35,
        });
      }
      p.problem("workload", {
        asked: "cluster",
        what: "unreachable",
        message: "Unable to connect to the server: dial tcp 20.61.4.10:6443: connect: connection timed out",
      });
    },
    cause:
      /(no longer|not|cannot) (reach|connect|answer).*API server|API server.*(not|no longer) (reach|answer)/i,
    remedy: /egressCidrs|az network (nsg|lb)|az vm/i,
  },
  {
    name: "the first machine of the control plane runs but never becomes a node",
    source: "CAPI v1.14, machine_controller_status.go; only states, no error",
    make: (p) => {
      const machine = p.get("Machine", "sick-control-plane");
      const { providerID } = machine.spec as { providerID: string };
      delete machine.status.nodeRef;
      machine.status.phase = "Provisioned";
      const text = `Waiting for a Node with spec.providerID ${providerID} to exist`;
      machineOf(p, "sick-control-plane", "InspectionFailed", text, 45);
      const plane = p.get("KubeadmControlPlane");
      plane.status.initialization = { controlPlaneInitialized: false };
      p.condition(plane, "Initialized", { reason: "NotInitialized", ago: 50 })
        .condition(plane, "Available", {
          reason: "NotAvailable",
          message: "Control plane not yet initialized",
          ago: 50,
        })
        .condition(p.get("Cluster"), "ControlPlaneInitialized", { reason: "NotInitialized", ago: 50 })
        .condition(p.get("Cluster"), "ControlPlaneAvailable", {
          reason: "NotAvailable",
          message: "Control plane not yet initialized",
          ago: 50,
        })
        .condition(p.get("Cluster"), "RemoteConnectionProbe", {
          reason: "ProbeFailed",
          message: "Remote connection not established yet",
          ago: 50,
        });
      for (const name of ["linux1", "win1"]) {
        p.remove("management", (o) => o.kind.endsWith("Machine") && o.metadata.name === `${name}-0`);
        const pool = p.get("MachinePool", name);
        Object.assign(pool.status, { phase: "Pending", nodeRefs: [], replicas: 0, initialization: {} });
        p.condition(pool, "BootstrapReady", {
          reason: "WaitingForControlPlaneAvailable",
          severity: "Info",
          ago: 50,
          former: true,
        });
      }
      p.problem("workload", {
        asked: "cluster",
        what: "unreachable",
        message: "Unable to connect to the server: dial tcp 20.61.4.10:6443: connect: connection timed out",
      });
    },
    cause:
      /(kubeadm|cloud-init|bootstrap).*(control plane|first machine)|(control plane|first machine).*(kubeadm|cloud-init|bootstrap)/i,
    remedy: /cloud-init|boot-diagnostics|run-command|access/i,
  },
];

export const eleventh: readonly BlindFault[] = [...platform, ...eleventhNodes, ...eleventhMore];
