import { conditionNamed, isTrue } from "../model/objects";
import { complaintsOf, conditionProof, hasCondition, isReady, olderThan, says } from "./finders";
import { azureDocs, azureKinds, capzSource } from "./kinds";
import type { Family, Match } from "./rule";
import type { World } from "../model/snapshot";

/** Networks, addresses and names, and everything else that Azure says no to. */

const network =
  "AzureCluster, VirtualNetwork, VirtualNetworksSubnet, AzureMachinePool: conditions and events";

/** CAPZ waits seconds for an answer, then says so, and asks again; with a slow Azure that comes and goes. */
const timedOut = /context (?:deadline exceeded|canceled)\s*$/;

/** CAPZ says Failed, with whatever Azure answered. The specific rules come before and take what they know. */
const failed = (world: World): Match[] =>
  azureKinds
    .filter((kind) => kind.startsWith("Azure"))
    .flatMap((kind) => world.all(kind))
    .filter((object) => object.metadata.deletionTimestamp === undefined)
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
      // Missing in Azure is how each one begins: CAPZ tells the operator to make it then.
      return ready?.status === "False" &&
        !/^(AzureResourceNotFound|Reconciling|Deleting)$/.test(ready.reason) &&
        (ready.severity === "Error" || olderThan(object, 10, world))
        ? [{ object, proof: conditionProof(object, ready) }]
        : [];
    });

export const azureResources: Family = {
  name: "azure-resources",
  title: "Networks, names and other resources of Azure",
  intro: "The Azure resources that the AzureCluster and its machines depend on.",
  rules: [
    {
      id: "subnet-full",
      stage: "azure",
      symptom: "SubnetIsFull",
      cause:
        "The subnet {subnet} has no free address left; each node needs one, and so does each node of a surge.",
      proof: network,
      remedy: [
        'az network vnet subnet list --resource-group {group} --vnet-name VNET --query "[].{name:name, prefix:addressPrefix, used:length(ipConfigurations || `[]`)}" -o table',
        "capz-windows:network: {nodeSubnetCidr: A-LARGER-RANGE}   # before the first deployment: a subnet in use cannot grow into its neighbor",
        "capz-windows:windowsPools: {{pool}: {replicas: FEWER}}",
      ],
      source: "https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq",
      find: says({
        kinds: azureKinds,
        text: /SubnetIsFull(?:.*?[Ss]ubnet (?<subnet>[\w-]+))?|not enough (?:free )?(?:IP )?addresses/s,
      }),
    },
    {
      id: "dns-name-taken",
      stage: "azure",
      symptom: "DnsRecordInUse",
      cause:
        "The DNS name of the API server is taken in {location}, by another subscription or by a cluster that is being deleted.",
      proof: network,
      remedy: [
        "capz-windows:clusterName: ANOTHER-NAME",
        'az network public-ip list --query "[?dnsSettings].{name:name, fqdn:dnsSettings.fqdn}" -o table',
      ],
      source: "https://learn.microsoft.com/azure/virtual-network/ip-services/public-ip-addresses",
      find: says({ kinds: azureKinds, text: /DnsRecordInUse|DNS record \S+ is already used/ }),
    },
    {
      id: "group-missing",
      stage: "azure",
      symptom: "ResourceGroupNotFound or ResourceGroupBeingDeleted",
      cause: "The resource group {missing} does not exist in Azure, or is being deleted.",
      proof: network,
      remedy: [
        "az group show --name {missing}",
        "npx pulumi up --stack {stack} --refresh   # makes it and what was in it again",
      ],
      source: `${azureDocs}/error-not-found`,
      find: says({
        kinds: azureKinds,
        text: /ResourceGroup(?:NotFound|BeingDeleted)(?:.*?[Rr]esource group '(?<missing>[^']+)')?/s,
      }),
    },
    {
      id: "network-missing",
      stage: "azure",
      symptom: "a VNET, subnet, security group or route table was not found",
      cause: "An Azure resource that the cluster refers to does not exist: {missing}.",
      proof: network,
      remedy: [
        'az network vnet list --query "[].{name:name, group:resourceGroup, subnets:subnets[].name}" -o json',
        "npx pulumi up --stack {stack} --refresh   # makes again what the program owns",
      ],
      source: `${azureDocs}/error-not-found`,
      find: says({
        kinds: azureKinds,
        text: /(?:ResourceNotFound|NotFound|InvalidResourceReference)[^]*?(?<missing>(?:Microsoft\.Network\/|\/)(?:virtualNetworks|networkSecurityGroups|routeTables|natGateways|subnets)\/[^'"\s]+)/,
      }),
    },
    {
      id: "ssh-key-invalid",
      stage: "azure",
      symptom: "The value of parameter linuxConfiguration.ssh.publicKeys.keyData is invalid",
      cause:
        "Azure does not accept the public key of the machines: it must be one line in OpenSSH's format, of type ssh-rsa with 2048 bits or more, or ssh-ed25519.",
      proof: "AzureMachine or AzureMachinePool: conditions and events",
      remedy: [
        "ssh-keygen -t ed25519 -f .sshkey   # or: ssh-keygen -y -f PRIVATE-KEY, for the public key of an existing private key",
        'capz-windows:access: {sshPublicKey: "ssh-ed25519 AAAA..."}',
      ],
      source: "CAPZ #1028; https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys",
      find: says({
        kinds: azureKinds,
        text: /ssh\.publicKeys\S* is invalid|The Ssh public key is invalid|ssh public key .* is (?:invalid|not in the correct format)/i,
      }),
    },
    {
      id: "network-overlap",
      stage: "azure",
      symptom: "NetcfgInvalidSubnet or an overlap of address ranges",
      cause: "A range of the stack lies outside of the VNET, or overlaps an existing one.",
      proof: network,
      remedy: [
        'az network vnet list --query "[].{name:name, ranges:addressSpace.addressPrefixes}" -o json',
        "capz-windows:network: {vnetCidr: A-FREE-RANGE}",
      ],
      source: "https://learn.microsoft.com/azure/virtual-network/manage-virtual-network",
      find: says({
        kinds: azureKinds,
        text: /NetcfgInvalidSubnet|NetcfgSubnetRangesOverlap|overlaps with (?:an)?other|VnetAddressSpacesOverlap|VnetAddressSpaceOverlaps/,
      }),
    },
    {
      id: "network-not-ready",
      stage: "azure",
      symptom: "a resource of the Azure Service Operator is not Ready",
      cause: "The Azure Service Operator cannot create or read {kind} {name}.",
      proof: "ResourceGroup, VirtualNetwork, NatGateway, VirtualNetworksSubnet: condition Ready",
      remedy: [
        "kubectl describe {kind} {name} -n {namespace}",
        "kubectl logs deploy/azureserviceoperator-controller-manager -n capz-system --tail=50",
      ],
      source: "https://azure.github.io/azure-service-operator/guide/diagnosing-problems/",
      follows: ["identity", "azure-limits", "providers", "deletion"],
      find: asoNotReady,
    },
    {
      id: "machine-gone",
      stage: "machines",
      symptom: "AzureMachine: VMDeleted",
      cause:
        "Somebody has deleted the virtual machine in Azure. CAPZ does not create it again; a health check replaces the Machine.",
      proof: "AzureMachine, event VMDeleted and failureMessage",
      remedy: [
        "kubectl delete machine {name} -n {namespace}   # makes a new one",
        "az monitor activity-log list --resource-group {group} --offset 7d --query \"[?contains(operationName.value,'delete')].{who:caller, what:resourceId}\" -o table",
      ],
      source: `${capzSource} controllers/azuremachine_controller.go`,
      find: says({ kinds: ["AzureMachine"], text: /VMDeleted|VM with provider id "?\S+"? has been deleted/ }),
    },
    {
      id: "instance-failed",
      stage: "machines",
      symptom: "an instance of a scale set is in the state Failed",
      cause:
        "Azure could not provision or update the instance {name}; CAPZ replaces it when its pool rolls or scales.",
      proof: "AzureMachinePoolMachine, event FailedVMState",
      remedy: [
        "az vmss get-instance-view --resource-group {group} --name {pool} --instance-id '*' --query \"[].statuses\" -o json",
        "kubectl delete machine {machine} -n {namespace}   # deletes this instance, and CAPZ makes a new one",
      ],
      source: `${capzSource} exp/controllers/azuremachinepoolmachine_controller.go`,
      follows: ["images"],
      find: (world) =>
        world
          .all("AzureMachinePoolMachine")
          .filter(
            ({ status }) =>
              (status as { provisioningState?: string } | undefined)?.provisioningState === "Failed",
          )
          .map((object) => ({
            object,
            proof: complaintsOf(world, object, "management").find(({ where }) =>
              where.includes("FailedVMState"),
            ) ?? {
              where: `AzureMachinePoolMachine ${object.metadata.name}, status.provisioningState`,
              text: "Failed",
            },
          })),
    },
    {
      id: "scale-set-failed",
      stage: "machines",
      symptom: "ScaleSetProvisionFailed",
      cause: "The scale set {name} is in the state Failed in Azure.",
      proof: "AzureMachinePool, condition ScaleSetRunning",
      remedy: [
        "az vmss show --resource-group {group} --name {name} --query provisioningState",
        "az vmss get-instance-view --resource-group {group} --name {name} -o json",
      ],
      source: `${capzSource} azure/scope/machinepool.go, setProvisioningStateAndConditions`,
      follows: ["azure-limits", "images", "instance-failed", "identity"],
      find: hasCondition({
        kinds: ["AzureMachinePool"],
        type: "ScaleSetRunning",
        reason: /^ScaleSetProvisionFailed$/,
      }),
    },
    {
      id: "azure-timeout",
      stage: "azure",
      severity: "warning",
      symptom: "context deadline exceeded",
      cause:
        "CAPZ's requests to Azure about {kind} {name} have timed out for 10 minutes: Azure is slow, or the management cluster cannot reach management.azure.com.",
      proof: "AzureCluster, AzureMachine, AzureMachinePool: conditions",
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
      cause: "Azure refuses what {kind} {name} needs. The proof is Azure's own message.",
      proof: "AzureCluster, AzureMachine, AzureMachinePool: conditions, failureMessage and events",
      remedy: [
        "kubectl describe {kind} {name} -n {namespace}",
        'az monitor activity-log list --resource-group {group} --status Failed --offset 2h --query "[].{time:eventTimestamp, what:operationName.value, why:properties.statusMessage}" -o json',
        "kubectl logs deploy/capz-controller-manager -n capz-system -c manager --tail=50",
      ],
      source: `${azureDocs}/common-deployment-errors`,
      // Only what no other rule has taken for the same object is left for this one.
      generic: true,
      find: (world) =>
        failed(world).filter(
          ({ object }) => object === undefined || !isReady(object) || !isTrue(object, "Ready"),
        ),
    },
  ],
};
