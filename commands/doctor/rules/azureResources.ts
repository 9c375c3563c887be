import { azureStates, bootstrapStates } from "./azureStates";
import { anyOf, complaintsOf, hasCondition, isReady, says, warned } from "./finders";
import { azureDocs, azureKinds, capzSource } from "./kinds";
import { lastAnswers } from "./lastAnswers";
import { networkAnswers } from "./networkAnswers";
import { ranges } from "./ranges";
import type { Family } from "./rule";

/** Networks, addresses, names, and everything else that Azure refuses. */

export const azureResources: Family = {
  name: "azure-resources",
  title: "Networks, names and other resources of Azure",
  intro: "The Azure resources that the AzureCluster and its machines depend on.",
  rules: [
    ...azureStates,
    ...bootstrapStates,
    ...networkAnswers,
    {
      id: "subnet-full",
      stage: "azure",
      symptom: "SubnetIsFull",
      cause:
        "The subnet {subnet} of the VNET {vnet} has no free address left; each node needs one, and so does each node of a surge.",
      remedy: [
        `az network vnet subnet list --resource-group {group} --vnet-name {vnet} --query "[].{name:name, prefix:addressPrefix, used:length(ipConfigurations || '')}" -o table`,
        'az network vnet subnet show --resource-group {group} --vnet-name {vnet} --name {subnet} --query "ipConfigurations[].id" -o tsv   # what has them: delete what nothing needs any more',
        "capz-windows:network: {poolSubnets: {more: A-FREE-RANGE}}   # and a pool with subnet: more; before the first deployment, a larger nodeSubnetCidr instead",
        "capz-windows:windowsPools: {{pool}: {replicas: FEWER}}",
      ],
      source: "https://learn.microsoft.com/azure/virtual-network/virtual-networks-faq",
      find: says({
        kinds: azureKinds,
        text: /SubnetIsFull(?:.*?[Ss]ubnet (?:\/\S*\/resourceGroups\/(?<group>[^/]+)\/\S*\/virtualNetworks\/(?<vnet>[^/]+)\/subnets\/)?(?<subnet>[\w-]+))?|not enough (?:free )?(?:IP )?addresses/s,
      }),
    },
    {
      id: "dns-name-taken",
      stage: "azure",
      symptom: "DnsRecordInUse",
      cause:
        "The DNS name of the API server is taken in {location}, by another subscription or by a cluster that is being deleted.",
      remedy: [
        "capz-windows:clusterName: ANOTHER-NAME",
        'az network public-ip list --query "[?dnsSettings].{name:name, fqdn:dnsSettings.fqdn}" -o table',
      ],
      source: "https://learn.microsoft.com/azure/virtual-network/ip-services/public-ip-addresses",
      find: says({ kinds: azureKinds, text: /DnsRecord(?:InUse|IsReserved)|DNS record \S+ is already used/ }),
    },
    {
      id: "group-missing",
      stage: "azure",
      symptom: "ResourceGroupNotFound or ResourceGroupBeingDeleted",
      cause: "The resource group {missing} does not exist in Azure, or is being deleted.",
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
      remedy: [
        "ssh-keygen -t ed25519 -f .sshkey   # or: ssh-keygen -y -f PRIVATE-KEY, for the public key of an existing private key",
        'capz-windows:access: {sshPublicKey: "ssh-ed25519 AAAA..."}',
      ],
      source: "CAPZ #1028; https://learn.microsoft.com/azure/virtual-machines/linux/mac-create-ssh-keys",
      find: says({
        kinds: azureKinds,
        text: /failed to decode ssh public key|ssh\.publicKeys\S* is invalid|The Ssh public key is invalid|ssh public key .* is (?:invalid|not in the correct format)/i,
      }),
    },
    ...ranges,
    {
      id: "network-overlap",
      stage: "azure",
      symptom: "NetcfgInvalidSubnet or an overlap of address ranges",
      cause: "A range of the stack lies outside of the VNET, or overlaps an existing one.",
      remedy: [
        'az network vnet list --query "[].{name:name, ranges:addressSpace.addressPrefixes}" -o json',
        "capz-windows:network: {vnetCidr: A-FREE-RANGE}",
      ],
      source: "https://learn.microsoft.com/azure/virtual-network/manage-virtual-network",
      find: says({
        kinds: azureKinds,
        text: /NetcfgInvalid\w*|overlaps with (?:an)?other/,
      }),
    },
    {
      id: "machine-gone",
      stage: "machines",
      symptom: "AzureMachine: VMDeleted",
      cause:
        "The virtual machine of {name} was deleted in Azure, outside of Cluster API. CAPZ does not create it again.",
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
        "Azure could not provision or update the instance {name}: its virtual machine, its operating system (image, first boot) or an extension, of which CAPZ's own fails when the bootstrap commands do. CAPZ deletes a failed instance by itself and makes another one, mostly within a minute; while the cause stays, the next one fails, too.",
      remedy: [
        "az vmss get-instance-view --resource-group {group} --name {pool} --instance-id '*' --query \"[].statuses\" -o json",
        "az monitor activity-log list --resource-group {group} --offset 2h --query \"[?contains(resourceId,'{pool}') && status.value=='Failed'].{when:eventTimestamp, what:operationName.value, why:properties.statusMessage}\" -o json   # Azure's reason",
        "kubectl get azuremachinepoolmachines -n {namespace} --watch   # a new name every minute: the new ones fail, too",
        "npm run access -- --stack {stack}   # the command that collects the logs of the instance: did Windows start, did the bootstrap commands end?",
        "kubectl delete machine {machineName} -n {namespace}   # when it stays: makes another one",
      ],
      source: `${capzSource} azure/scope/strategies/machinepool_deployments/machinepool_deployment_strategy.go, failedMachines`,
      follows: ["images", "azure-limits", "os-provisioning"],
      find: anyOf(
        (world) =>
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
        warned({
          kinds: ["AzureMachinePoolMachine"],
          text: /^FailedVMState/,
          where: (object) => !isReady(object),
        }),
      ),
    },
    {
      id: "scale-set-failed",
      stage: "machines",
      symptom: "ScaleSetProvisionFailed",
      cause: "The scale set {name} is in the state Failed in Azure.",
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
    ...lastAnswers,
  ],
};
