import { withAnswer } from "./answers";
import { hasCondition, says } from "./finders";
import { azureKinds, capzSource } from "./kinds";
import { stays } from "../../cluster/objects";
import { describeObject } from "./commands";
import type { Match, Rule } from "./rule";
import type { World } from "../../cluster/snapshot";

/** What CAPZ and the Azure Service Operator refuse by themselves, before or without asking Azure. */

/** Rules about the bootstrap data of machines; they belong to the family `azure-resources`. */
export const bootstrapStates: readonly Rule[] = [
  {
    id: "bootstrap-secret-empty",
    stage: "bootstrap",
    symptom: "failed to retrieve bootstrap data secret; error retrieving bootstrap data",
    cause:
      "CAPZ cannot read the bootstrap data of {name}, because its Secret was deleted or lacks the key `value`: {why}.",
    remedy: [
      "kubectl get kubeadmconfigs,secrets -n {namespace}   # the Secret has the name of the KubeadmConfig",
      "kubectl delete machine {machineName} -n {namespace}   # a single machine gets a new one with its own data; for a pool: npx pulumi up --stack {stack} --refresh",
    ],
    source: `${capzSource} azure/scope/machine.go, GetBootstrapData`,
    find: withAnswer(
      says({
        kinds: azureKinds,
        text: /error retrieving bootstrap data: secret value key|failed to retrieve bootstrap data secret/,
      }),
    ),
  },
  {
    id: "default-image",
    stage: "image",
    symptom: "failed to get default OS image",
    cause: "CAPZ has no image for this operating system and Kubernetes version: {why}.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {image: {marketplace: {version: A-VERSION}}}}   # docs/images.md; npm run images lists them",
    ],
    source: `${capzSource} azure/services/virtualmachineimages`,
    find: withAnswer(
      says({
        kinds: azureKinds,
        text: /failed to get default OS image|unsupported osAndVersion|vm image is nil/,
      }),
    ),
  },
];

/** What CAPZ and the Azure Service Operator themselves refuse. */
export const azureStates: readonly Rule[] = [
  {
    id: "security-profile",
    stage: "azure",
    symptom: "securityType should be set to ... when ...",
    cause:
      "The parts of the machine's security profile contradict each other, and CAPZ does not make the machine: {why}.",
    remedy: [
      "capz-windows:windowsPools: {{pool}: {trustedLaunch: {secureBoot: true, vTpm: true}}}   # sets all of them; or take securityProfile out of the overrides",
    ],
    source: `${capzSource} azure/services/virtualmachines/spec.go`,
    find: withAnswer(
      says({
        kinds: azureKinds,
        text: /securityType should be set to|(?:secureBootEnabled|vTpmEnabled) should be true|encryption at host is not supported when/,
      }),
    ),
  },
  {
    id: "ssh-ports",
    stage: "azure",
    symptom: "failed to find available SSH Frontend port for NAT Rule",
    cause:
      "The load balancer of the API server has no free port for the ssh of another control plane machine: {why}.",
    remedy: [
      "az network lb inbound-nat-rule list --resource-group {group} --lb-name {cluster}-public-lb -o table   # rules of machines that are gone: az network lb inbound-nat-rule delete",
    ],
    source: `${capzSource} azure/services/inboundnatrules: ports 22 and 2201 to 2220`,
    find: withAnswer(says({ kinds: azureKinds, text: /failed to find available SSH Frontend port/ })),
  },
  {
    id: "aso-reference",
    stage: "azure",
    symptom: "ReferenceNotFound or WaitingForOwner",
    cause:
      "{kind} {name} belongs to another object, or refers to one, that is not there or not Ready: {why}.",
    remedy: [
      "kubectl get resourcegroups,virtualnetworks,virtualnetworkssubnets,natgateways -n {namespace}",
      describeObject,
      "npx pulumi up --stack {stack} --refresh",
    ],
    source: "Azure Service Operator v2, pkg/genruntime/conditions",
    follows: ["identity", "azure-limits", "azure-resources"],
    find: withAnswer((world: World): Match[] =>
      hasCondition({
        kinds: azureKinds.filter((kind) => !kind.startsWith("Azure")),
        type: "Ready",
        reason: /^(?:ReferenceNotFound|WaitingForOwner)$/,
        minutes: 10,
        where: stays,
      })(world),
    ),
  },
  {
    id: "aso-secret",
    stage: "identity",
    symptom: "SecretNotFound or ConfigMapNotFound: credential secret",
    cause: "The Azure Service Operator does not find the secret with the login of {kind} {name}: {why}.",
    remedy: [
      "kubectl get secrets -n {namespace}   # CAPZ writes CLUSTER-aso-secret from the AzureClusterIdentity",
      "kubectl rollout restart deployment/capz-controller-manager -n capz-system",
    ],
    source: `${capzSource} controllers/asosecret_controller.go`,
    find: withAnswer(
      hasCondition({
        kinds: azureKinds.filter((kind) => !kind.startsWith("Azure")),
        type: "Ready",
        reason: /^(?:SecretNotFound|ConfigMapNotFound)$/,
        minutes: 2,
      }),
    ),
  },
  {
    id: "identity-secret-missing",
    stage: "identity",
    symptom: "failed to get client secret; failed to fetch AzureClusterIdentity secret",
    cause: "The Secret that the AzureClusterIdentity names does not exist or has no key clientSecret: {why}.",
    remedy: [
      "kubectl get azureclusteridentity -n {namespace} -o jsonpath='{.items[*].spec.clientSecret}'   # then: kubectl get secret NAME -n NAMESPACE",
      "Use workload identity, which needs no secret: this program sets it up.",
    ],
    source: `${capzSource} azure/scope/identity.go`,
    find: withAnswer(
      says({
        kinds: azureKinds,
        text: /failed to (?:get client secret|fetch AzureClusterIdentity secret|read certificate file)/,
      }),
    ),
  },
];
