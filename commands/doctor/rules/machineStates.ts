import { conditionAnswer, withAnswer } from "./answers";
import { anyOf, hasCondition, isFailedVm, warned } from "./finders";
import { capiSource, capzSource } from "./kinds";
import { conditionNamed, stays, title, type KubeObject } from "../../cluster/objects";
import type { Rule } from "./rule";

/** Further rules of the family `machines`: what Cluster API and CAPZ report about machines and their parts. */

const replaced = "kubectl delete machine {name} -n {namespace}   # its owner makes a new one";

/** Whether a health check has handed a machine over to its owner, and that has not refused to replace it. */
const isHandedOver = (machine: KubeObject | undefined): boolean => {
  const { reason = "CannotBeRemediated" } = (machine && conditionNamed(machine, "OwnerRemediated")) ?? {};
  return !/^(?:CannotBeRemediated|RemediationDeferred)$/.test(reason);
};

export const machineStates: readonly Rule[] = [
  {
    id: "infrastructure-deleted",
    stage: "machines",
    symptom: "... has been deleted while the Machine (or the cluster) still exists; ... does not exist",
    cause:
      "{kind} {name} has lost an object that belongs to it: {why}. Somebody has deleted it by itself, and nothing makes it again.",
    remedy: [
      "kubectl delete machine {machineName} -n {namespace}   # of a Machine: its owner makes a new one with all that belongs to it",
      "npx pulumi up --stack {stack} --refresh   # of the Cluster or a pool: makes again what the program owns",
    ],
    source: `${capiSource} core/reconcilers/machine and cluster, status`,
    follows: ["deletion", "machine-gone"],
    find: withAnswer(
      anyOf(
        hasCondition({
          kinds: ["Cluster", "Machine", "MachinePool"],
          type: /^(?:InfrastructureReady|BootstrapConfigReady|BootstrapReady|ControlPlaneAvailable)$/,
          reason: /^(?:Deleted|DoesNotExist|ObjectDeleted|ObjectDoesNotExist)$/,
          minutes: 10,
          where: stays,
        }),
        warned({
          kinds: ["MachinePool", "Machine"],
          text: /has been deleted after (?:being ready|provisioning was completed)/,
          where: stays,
        }),
      ),
    ),
  },
  {
    id: "vm-failed",
    stage: "machines",
    symptom: "AzureMachine: vmState Failed, and the machine is no node",
    cause:
      "Azure could not make the virtual machine {name} and keeps it in the state Failed. CAPZ tries it only once and is content with the failed one, so the machine never becomes a node.",
    remedy: [
      'az vm get-instance-view --resource-group {group} --name {vm} --query "instanceView.statuses"',
      "az vm boot-diagnostics get-boot-log --resource-group {group} --name {vm}",
      "kubectl delete machine {machineName} -n {namespace}   # its owner makes a new one",
    ],
    source: `${capzSource} azure/services/virtualmachines/spec.go, Parameters; virtualmachines.go, Reconcile`,
    follows: ["images", "azure-limits", "identity", "azure-resources", "bootstrap"],
    find: (world) =>
      world
        .all("AzureMachine")
        .filter((object) => isFailedVm(object, world))
        .map((object) => ({ object, proof: { where: `${title(object)}, status.vmState`, text: "Failed" } })),
  },
  {
    id: "node-object-deleted",
    stage: "machines",
    symptom: "Node ... has been deleted while the Machine still exists",
    cause:
      "The node of the machine {name} was deleted in the workload cluster, and its machine runs on without it: {why}.",
    remedy: [
      replaced,
      "npm run access -- --stack {stack}   # or log in and restart kubelet, which registers again: Restart-Service kubelet, sudo systemctl restart kubelet",
    ],
    source: `${capiSource} core/reconcilers/machine/machine_controller_status.go`,
    // Without its virtual machine it does not run on.
    follows: ["infrastructure-deleted"],
    find: conditionAnswer({
      kinds: ["Machine"],
      type: /^Node(?:Healthy|Ready)$/,
      reason: /^(?:NodeDeleted|Deleted)$/,
      minutes: 5,
    }),
  },
  {
    id: "node-not-found",
    stage: "machines",
    symptom: "Waiting for a Node with spec.providerID ... to exist",
    cause:
      "The machine {name} exists in Azure, and no node of the workload cluster has its provider ID: {why}.",
    remedy: [
      "npm run access -- --stack {stack}   # the command that collects the machine's logs: did kubeadm join?",
      "kubectl --kubeconfig workload.kubeconfig get nodes -o custom-columns=NAME:.metadata.name,ID:.spec.providerID   # a node without one: the cloud provider has not initialized it",
    ],
    source: `${capiSource} core/reconcilers/machine/machine_controller_status.go`,
    generic: true,
    follows: ["*"],
    find: conditionAnswer({
      kinds: ["Machine"],
      type: /^Node(?:Healthy|Ready)$/,
      message: /Waiting for a Node with spec\.providerID|no matching Node for Machine/,
      status: ["False", "Unknown"],
      minutes: 25,
    }),
  },
  {
    id: "health-check-failed",
    stage: "machines",
    severity: "warning",
    symptom: "Machine: HealthCheckSucceeded is False",
    cause: "The machine {name} has failed its health check, {then}: {why}.",
    remedy: [
      "kubectl describe machine {name} -n {namespace}",
      "kubectl get machinehealthchecks -n {namespace} -o wide   # when the next one fails, too: collect its logs before it is deleted (npm run access)",
    ],
    source: `${capiSource} core/reconcilers/machinehealthcheck/machinehealthcheck_targets.go`,
    generic: true,
    follows: ["*"],
    find: (world) =>
      conditionAnswer({ kinds: ["Machine"], type: "HealthCheckSucceeded" })(world).map((match) => ({
        ...match,
        vars: {
          ...match.vars,
          ...(isHandedOver(match.object) ? { then: "and Cluster API replaces it" } : {}),
        },
      })),
  },
  {
    id: "remediation-template",
    stage: "machines",
    symptom: "ExternallyRemediated is False: RemediationTemplateNotFound",
    cause: "The MachineHealthCheck names a template for external remediation that does not exist: {why}.",
    remedy: ["kubectl get machinehealthchecks -n {namespace} -o yaml   # spec.remediation.templateRef"],
    source: `${capiSource} core/reconcilers/machinehealthcheck`,
    find: conditionAnswer({
      kinds: ["Machine"],
      type: /^Externally\w+$/,
      reason: /Remediation\w*(?:NotFound|Failed)$/,
    }),
  },
  {
    id: "resource-health",
    stage: "machines",
    symptom: "AzureMachine: AzureResourceAvailable is False",
    cause: "Azure's resource health says that the machine {name} is not available: {why}.",
    remedy: [
      'az vm get-instance-view --resource-group {group} --name {vm} --query "instanceView.statuses[].displayStatus"',
      "az vm start --resource-group {group} --name {vm}   # when it was stopped; az vm redeploy, when its host is broken",
      replaced,
    ],
    source: `${capzSource} azure/services/resourcehealth`,
    find: conditionAnswer({ kinds: ["AzureMachine"], type: "AzureResourceAvailable" }),
  },
];
