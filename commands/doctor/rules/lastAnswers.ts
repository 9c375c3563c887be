import { conditionNamed, isTrue, stays } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { answered, withAnswer } from "./answers";
import { complaintsOf, conditionProof, hasCondition, isFailedVm, isReady, olderThan } from "./finders";
import { azureDocs, azureKinds, capzSource } from "./kinds";
import { describeObject } from "./commands";
import type { Match, Rule } from "./rule";

/**
 * Azure's answers that are not about one kind of resource, and those that no earlier rule matches, with their own
 * words.
 */

const azure = answered("azure", `${azureDocs}/common-deployment-errors`);

/** CAPZ's error when Azure does not answer within seconds. CAPZ tries again, so it is temporary while Azure is slow. */
const timedOut = /context (?:deadline exceeded|canceled)\s*$/;

/** Objects of CAPZ that have failed, with any answer of Azure. More specific rules come before this one. */
const failed = (world: World): Match[] =>
  azureKinds
    .filter((kind) => kind.startsWith("Azure"))
    .flatMap((kind) => world.all(kind))
    .filter(stays)
    .flatMap((object) => {
      const found = complaintsOf(world, object, "management").find(
        ({ where, text }) =>
          /condition \w+=False \((?:Failed|\w*ProvisionFailed)\)|failureMessage|event (?:ReconcileError|ClusterReconcilerNormalFailed|SKUNotFound|CreateClusterScopeFailed)/.test(
            where,
          ) &&
          text !== "Failed" &&
          !timedOut.test(text),
      );
      return found === undefined ? [] : [{ object, proof: found }];
    });

const asoNotReady = (world: World): Match[] =>
  ["ResourceGroup", "VirtualNetwork", "NatGateway", "VirtualNetworksSubnet"]
    .flatMap((kind) => world.all(kind))
    .flatMap((object) => {
      const ready = conditionNamed(object, "Ready");
      // Every resource is missing in Azure at first; CAPZ then lets the operator create it.
      return ready?.status === "False" &&
        !/^(AzureResourceNotFound|Reconciling|Deleting)$/.test(ready.reason) &&
        (ready.severity === "Error" || olderThan(object, 10, world))
        ? [{ object, proof: conditionProof(object, ready) }]
        : [];
    });

const activity =
  'az monitor activity-log list --resource-group {group} --status Failed --offset 2h --query "[].{time:eventTimestamp, what:operationName.value, why:properties.statusMessage}" -o json';

export const lastAnswers: readonly Rule[] = [
  azure({
    id: "azure-conflict",
    severity: "warning",
    symptom: "409 Conflict, AnotherOperationInProgress",
    cause: "Another operation changes the same resource. The controllers try again by themselves.",
    remedy: [
      "Wait a few minutes. If the error stays: az monitor activity-log list --resource-group {group} --offset 1h -o table",
    ],
    text: /AnotherOperationInProgress|conflict with a concurrent request|RetryableError|OperationPreempted|SupersededDueToAnotherOperation|ReferencedResourceNotProvisioned|PreconditionFailed|AttachDiskWhileBeingDetached|DeploymentActive|CODE: Conflict\b/,
  }),
  azure({
    id: "azure-outage",
    severity: "warning",
    symptom: "5xx from Azure",
    cause: "Azure answers with an internal error, or not in time. The controllers try again by themselves.",
    remedy: [
      "https://azure.status.microsoft",
      'az rest --method get --url "https://management.azure.com/subscriptions/{subscription}/providers/Microsoft.ResourceHealth/events?api-version=2024-02-01"',
    ],
    source: "https://learn.microsoft.com/azure/service-health/overview",
    text: /Internal(?:Server|Execution)Error|(?:Networking)?InternalOperationError|ServiceUnavailable|(?:RESPONSE |\()50[0234]\b|\b50[0234]\b [A-Z]|GatewayTimeout|ServerTimeout|ServerBusy/,
  }),
  azure({
    id: "resource-missing",
    symptom: "ResourceNotFound, InvalidResourceReference or ParentResourceNotFound",
    cause: "A resource of Azure that {name} refers to does not exist: {missing}.",
    remedy: [
      "az resource show --ids {missing}   # was it deleted, or is its name another one?",
      "npx pulumi up --stack {stack} --refresh   # makes again what the program owns",
      "az monitor activity-log list --resource-group {group} --offset 7d --query \"[?contains(operationName.value,'delete')].{who:caller, what:resourceId}\" -o table",
    ],
    source: `${azureDocs}/error-not-found`,
    text: /CODE: (?:ResourceNotFound|InvalidResourceReference|ParentResourceNotFound|NotFound|LinkedInvalidPropertyId)[^]*?"message": "[^"]*?(?<missing>(?:Microsoft\.\w+\/|\/subscriptions\/)[^'"\s]+\w)/,
  }),
  azure({
    id: "azure-limit",
    symptom: "...CountLimitReached, ResourceCountExceedsLimit",
    cause: "A limit of the subscription or the resource group is reached: {why}.",
    remedy: [
      "az network list-usages --location {location} -o table",
      "Delete what nothing uses, or ask for more in the portal under Quotas. A limit of a resource group: use another group.",
    ],
    source:
      "https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits",
    text: /CODE: \w*(?:Limit(?:Reached|Exceeded)|ExceedsLimit\w*|CountLimit\w*)|Cannot create more than \d+/,
  }),
  azure({
    id: "azure-invalid",
    symptom: "InvalidParameter, InvalidRequestContent, InvalidTemplateDeployment or BadRequest",
    cause: "Azure does not accept the description of {kind} {name} ({code}): {why}.",
    remedy: [
      "kubectl get {kind} {name} -n {namespace} -o yaml   # find the value that the message names; then its key in the stack file, docs/config.md",
      "npm run plan -- --stack {stack}   # overrides of your own are not checked against Azure",
      activity,
    ],
    text: /CODE: (?:InvalidParameter|InvalidRequest\w*|InvalidTemplate\w*|InvalidProperty\w*|BadRequest|LinkedInvalid\w*|Missing\w*|PropertyNot\w*|\w*NotSupported\w*|Invalid\w+)\b/,
  }),
  {
    id: "network-not-ready",
    stage: "azure",
    symptom: "a resource of the Azure Service Operator is not Ready",
    cause: "The Azure Service Operator cannot create or read {kind} {name} ({code}): {why}.",
    remedy: [
      describeObject,
      "kubectl logs deploy/azureserviceoperator-controller-manager -n capz-system --tail=50",
    ],
    source: "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
    follows: ["identity", "azure-limits", "providers", "deletion"],
    find: withAnswer(asoNotReady),
  },
  {
    id: "azure-timeout",
    stage: "azure",
    severity: "warning",
    symptom: "context deadline exceeded",
    cause:
      "CAPZ's requests to Azure about {kind} {name} have timed out for 10 minutes: Azure is slow, or the management cluster cannot reach management.azure.com.",
    remedy: [
      "https://azure.status.microsoft",
      "kubectl logs deploy/capz-controller-manager -n capz-system -c manager --tail=50",
    ],
    source: `${capzSource} util/reconciler/defaults.go`,
    find: hasCondition({
      kinds: azureKinds.filter((kind) => kind.startsWith("Azure")),
      type: /./,
      reason: /Failed$/,
      message: timedOut,
      minutes: 10,
    }),
  },
  {
    id: "azure-other",
    stage: "azure",
    symptom: "CAPZ reports an error from Azure",
    cause: "Azure refuses what {kind} {name} needs ({code}): {why}.",
    remedy: [
      describeObject,
      activity,
      "kubectl logs deploy/capz-controller-manager -n capz-system -c manager --tail=50",
    ],
    source: `${azureDocs}/common-deployment-errors`,
    // It is reported only for objects about which no other rule has found anything.
    generic: true,
    find: (world) =>
      withAnswer(failed)(world).filter(
        ({ object }) =>
          object === undefined || !isReady(object) || !isTrue(object, "Ready") || isFailedVm(object, world),
      ),
  },
];
