import { withAnswer } from "./answers";
import { capacityAnswers } from "./capacityAnswers";
import { says } from "./finders";
import { azureDocs, azureKinds, capzSource } from "./kinds";
import { descriptionAnswers, stateAnswers } from "./machineAnswers";
import type { Family, Rule } from "./rule";

/** Quotas, sizes, policies and limits, for which Azure refuses a machine that is described correctly. */

/** Makes a rule of this family; they differ only in the text of Azure's answer. */
const refused = (
  rule: Omit<Rule, "stage" | "find"> & {
    readonly text: RegExp;
    readonly kinds?: readonly string[];
  },
): Rule => {
  const { text, kinds = azureKinds, ...rest } = rule;
  return {
    ...rest,
    stage: "azure",
    find: withAnswer(says({ kinds, text })),
  };
};

/** Adds the namespace that is not registered, from the message or from the URL of the request. */
const namespaced =
  (find: Rule["find"]): Rule["find"] =>
  (world) =>
    find(world).map((match) => ({
      ...match,
      vars: {
        provider: /\/providers\/(Microsoft\.\w+)/.exec(match.proof.text)?.[1] ?? "Microsoft.Network",
        ...match.vars,
      },
    }));

const usage =
  "az vm list-usage --location {location} --query \"[?limit!='0'].{name:localName, used:currentValue, limit:limit}\" -o table";

export const azureLimits: Family = {
  name: "azure-limits",
  title: "Quotas, sizes and policies of Azure",
  intro:
    "Azure refuses what the stack asks for. `npm run preflight` finds most of these before a deployment.",
  rules: [
    ...capacityAnswers,
    ...descriptionAnswers,
    ...stateAnswers,
    refused({
      id: "throttled",
      severity: "warning",
      symptom: "429, too many requests",
      cause:
        "Azure throttles the subscription. The controllers continue by themselves after the time that Azure tells them.",
      remedy: [
        "Wait a few minutes; do not restart the controllers, which would request everything again.",
        "If it does not pass, find the client that sends so many requests: in the portal under Monitor, Metrics, with the subscription as scope.",
      ],
      source:
        "https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling",
      text: /\b429\b|TooManyRequests|too many requests|SubscriptionRequestsThrottled|HighCostGet/i,
    }),
    refused({
      id: "quota-spot",
      symptom: "OperationNotAllowed: exceeding approved LowPriorityCores quota",
      cause:
        "The quota of spot cores in {location}, one for all sizes together, is used up: {limit} are approved, {used} in use, {required} more needed.",
      remedy: [
        "az quota update --resource-name lowPriorityCores --scope /subscriptions/{subscription}/providers/Microsoft.Compute/locations/{location} --limit-object value={newLimit}   # or in the portal: Quotas",
        "capz-windows:windowsPools: {{pool}: {replicas: FEWER}}",
        usage,
      ],
      source: "https://learn.microsoft.com/azure/quotas/spot-quota",
      text: /exceeding approved LowPriorityCores quota(?:.*?Current Limit: (?<limit>\d+))?(?:.*?Current Usage: (?<used>\d+))?(?:.*?Additional Required: (?<required>\d+))?(?:.*?New Limit Required: (?<newLimit>\d+))?/s,
    }),
    refused({
      id: "quota-cores",
      symptom: "OperationNotAllowed: exceeding approved ... Cores quota",
      cause:
        "The quota of {family} cores in {location} is used up: {limit} are approved, {used} in use, {required} more needed.",
      remedy: [
        "az quota update --resource-name {family} --scope /subscriptions/{subscription}/providers/Microsoft.Compute/locations/{location} --limit-object value={newLimit}   # or in the portal: Quotas",
        "capz-windows:windowsPools: {{pool}: {replicas: FEWER, vmSize: A-SIZE-OF-ANOTHER-FAMILY}}",
        usage,
      ],
      source: `${azureDocs}/error-resource-quota`,
      text: /exceeding approved (?<family>.+?) Cores quota(?:.*?Current Limit: (?<limit>\d+))?(?:.*?Current Usage: (?<used>\d+))?(?:.*?Additional Required: (?<required>\d+))?(?:.*?New Limit Required: (?<newLimit>\d+))?/s,
    }),
    refused({
      id: "quota-public-ip",
      symptom: "PublicIPCountLimitReached",
      cause: "The subscription has reached its limit of public IP addresses in {location}.",
      remedy: [
        "az network list-usages --location {location} --query \"[?contains(name.value,'PublicIP')]\" -o table",
        "Delete addresses that nothing uses, or ask for more in the portal under Quotas, Networking.",
      ],
      source:
        "https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits",
      text: /PublicIPCountLimitReached|StandardSkuPublicIPCountLimitReached|Cannot create more than \d+ public IP/,
    }),
    refused({
      id: "quota-other",
      symptom: "QuotaExceeded",
      cause: "A quota of the subscription in {location} is used up: {why}.",
      remedy: [usage, "Ask for more in the portal under Quotas."],
      source: `${azureDocs}/error-resource-quota`,
      text: /QuotaExceeded|exceed(?:ing|s)? (?:the )?(?:maximum )?(?:approved )?[^.]*quota/i,
    }),
    refused({
      id: "size-not-available",
      symptom: "SkuNotAvailable",
      cause:
        "The size {size} is not available to this subscription in {location}, or Azure has no capacity for it.",
      remedy: [
        'az vm list-skus --location {location} --size {size} --query "[].{name:name, restrictions:restrictions[].reasonCode}" -o json',
        "capz-windows:windowsPools: {{pool}: {vmSize: ANOTHER-SIZE}}",
      ],
      source: `${azureDocs}/error-sku-not-available`,
      text: /SkuNotAvailable(?:.*?(?:Capacity Restrictions: |size |VM size[^']*')'?(?<size>Standard_\w+))?/s,
    }),
    refused({
      id: "zone",
      symptom: "availability zone ... is not available",
      cause: "The size is not offered in a zone that the stack names, or the region has no zones.",
      remedy: [
        'az vm list-skus --location {location} --zone --query "[].{name:name, zones:locationInfo[0].zones}" -o table',
        'capz-windows:windowsPools: {{pool}: {zones: ["1", "2"]}}',
      ],
      source: `${capzSource} azure/services/scalesets/scalesets.go`,
      text: /availability zone \S+ is not available for VM type|AvailabilityZoneNotSupported|(?:ResourceType|Location)NotSupportAvailabilityZones|does not support availability zones|zone\(s\) '[^']*' for resource '[^']*' (?:is|are) not supported/,
    }),
    refused({
      id: "allocation",
      symptom: "AllocationFailed or ZonalAllocationFailed",
      cause:
        "Azure has no capacity for this size in {location} at the moment. This is not about quota, so raising a quota does not help.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {vmSize: ANOTHER-SIZE, zones: [ANOTHER-ZONE]}}",
        "Wait: CAPZ replaces failed instances of scale sets by itself, and each new one asks Azure again.",
        "kubectl delete machine {vm} -n {namespace}   # a single machine is not tried again. Its owner makes another one, of the control plane in the same zone, and that one asks Azure again",
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/allocation-failure",
      text: /(?:Zonal)?AllocationFailed/,
    }),
    refused({
      id: "policy",
      symptom: "RequestDisallowedByPolicy",
      cause: "An Azure policy denies the request: {policy}.",
      remedy: [
        'az policy assignment list --disable-scope-strict-match --query "[].{name:displayName, effect:parameters.effect.value}" -o table',
        "Ask for an exemption for the resource group {group}, or set what the policy requires (tags: capz-windows:tags).",
      ],
      source: `${azureDocs}/error-policy-requestdisallowedbypolicy`,
      text: /RequestDisallowedByPolicy(?:.*?policyAssignment[^{]*\{[^}]*?name\\?":\s*\\?"(?<policy>[^"\\]+))?/s,
    }),
    {
      id: "provider-not-registered",
      stage: "azure",
      symptom: "MissingSubscriptionRegistration, MissingRegistrationForLocation, SubscriptionNotRegistered",
      cause: "The resource provider {provider} is not registered in the subscription, or not for {location}.",
      remedy: [
        "az provider register --namespace {provider} --wait   # again, too, when it is registered: new locations come by that",
      ],
      source: `${azureDocs}/error-register-resource-provider`,
      find: namespaced(
        says({
          kinds: azureKinds,
          text: /(?:MissingSubscriptionRegistration|MissingRegistrationForLocation|InvalidSubscriptionRegistrationState|SubscriptionNotRegistered\b)(?:.*?namespace '(?<provider>[^']+)')?/s,
        }),
      ),
    },
    refused({
      id: "feature-not-registered",
      symptom: "a feature is not enabled for this subscription",
      cause: "The feature {feature} is not registered in the subscription.",
      remedy: [
        "az feature register --namespace {featureNamespace} --name {feature}   # takes a few minutes: az feature show",
        "az provider register --namespace {featureNamespace}   # once the feature is Registered",
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/disks-enable-host-based-encryption-portal",
      text: /(?:not registered for feature |')?(?<featureNamespace>Microsoft\.\w+)\/(?<feature>\w+)'? (?:(?:feature )?is not (?:enabled|registered)[^.]*subscription|required to carry out)|FeatureNotRegistered/i,
    }),
    refused({
      id: "locked",
      symptom: "ScopeLocked",
      cause: "A lock on the resource group or the subscription forbids the change.",
      remedy: ["az lock list --resource-group {group} -o table", "az lock delete --ids LOCK-ID"],
      source: "https://learn.microsoft.com/azure/azure-resource-manager/management/lock-resources",
      text: /ScopeLocked/,
    }),
    refused({
      id: "size-too-small",
      symptom: "VM size should be bigger or equal to at least 2 vCPUs",
      cause: "CAPZ refuses sizes with fewer than 2 vCPUs or 2 GiB, and the machine stays failed.",
      remedy: ["capz-windows:windowsPools: {{pool}: {vmSize: Standard_D2s_v5}}"],
      source: `${capzSource} azure/services/virtualmachines/spec.go`,
      text: /should be bigger or equal to at least 2/i,
    }),
    refused({
      id: "size-without-feature",
      symptom: "VM size does not support ephemeral os, encryption at host, ultra disks, secure boot or vTPM",
      cause: "The VM size does not support an option that the stack uses.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {vmSize: A-SIZE-THAT-CAN}}",
        'az vm list-skus --location {location} --size SIZE --query "[0].capabilities" -o table',
      ],
      source: `${capzSource} azure/services/virtualmachines/spec.go, scalesets.go`,
      text: /does not support (?:ephemeral os|confidential computing|ultra disks)|encryption at host is not supported|secure boot is not supported|vTPM is not supported|is not supported for security type/i,
    }),
    refused({
      id: "ephemeral-disk",
      symptom: "OS disk of Ephemeral VM with size greater than ... GB is not allowed",
      cause:
        "The ephemeral OS disk is larger than the space that the VM size has for it; Windows needs at least 127 GB there.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {vmSize: A-SIZE-WITH-A-LARGER-CACHE-OR-TEMPORARY-DISK}}",
        "az vm list-skus --location {location} --size SIZE --query \"[0].capabilities[?contains(name, 'Ephemeral') || contains(name, 'CachedDiskBytes') || name=='MaxResourceVolumeMB']\"",
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/ephemeral-os-disks",
      text: /OS disk of Ephemeral VM|[Ee]phemeral OS disk[^.]*not (?:supported|allowed)/,
    }),
    refused({
      id: "disk-key",
      symptom: "KeyVaultAccessForbidden, or another error about the key of a disk encryption set",
      cause:
        "The disk encryption set has no access to its key: its identity lacks a role on the key vault, or the key is disabled, expired or deleted.",
      remedy: [
        "az disk-encryption-set list --query \"[?name=='{set}'].{id:id, identity:identity.principalId, key:activeKey.keyUrl}\" -o json",
        'az role assignment create --role "Key Vault Crypto Service Encryption User" --assignee-object-id PRINCIPAL-ID --assignee-principal-type ServicePrincipal --scope "$(az keyvault show --name {vault} --query id -o tsv)"',
      ],
      source: "https://learn.microsoft.com/azure/virtual-machines/disks-enable-customer-managed-keys-portal",
      text: /(?:DiskEncryptionKeySecret\w+|KeyVault(?:AccessForbidden|KeyNotFound|SecretUnavailable|\w*NotFound)|Unable to access key vault resource|KeyVaultAndDiskIn)(?:[^]*?'https:\/\/(?<vault>[\w-]+)\.[^']*'(?:[^]*?disk encryption set '(?<set>[\w.-]+)')?)?/,
    }),
  ],
};
