import { withAnswer } from "./answers";
import { entranceRules } from "./entrances";
import { withRole } from "./roles";
import { serviceAnswers, syncFails } from "./serviceAnswers";
import { serviceWaits } from "./serviceWaits";
import { cloudControllerLogs } from "./commands";
import type { World } from "../../cluster/snapshot";
import type { Family, Match } from "./rule";

/** Load balancers of Services, which the cloud controller manager creates in Azure. */

/**
 * The role and the scope for a refusal. Who may not read an address or a subnet may not join it either, and Azure only
 * names the first. A role cannot be assigned at a provider's namespace, which a list of resources has as its scope.
 */
const lacksRole =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    withRole(find)(world).map((match) => {
      const { action = "", scope } = match.vars ?? {};
      return {
        ...match,
        vars: {
          ...match.vars,
          ...(action.startsWith("Microsoft.Network/") ? { role: "Network Contributor" } : {}),
          ...(scope === undefined ? {} : { scope: scope.replace(/\/providers\/[\w.]+$/, "") }),
        },
      };
    });

const follows = ["cloud-provider-image", "cloud-provider-crashes"];

const source = "cloud-provider-azure v1.35";

export const services: Family = {
  name: "services",
  title: "Load balancers",
  intro: "A Service of type LoadBalancer waits for its address.",
  rules: [
    ...serviceAnswers,
    ...entranceRules,
    {
      id: "load-balancer-role",
      stage: "pods",
      symptom:
        "a Service of type LoadBalancer stays <pending>: AuthorizationFailed, LinkedAuthorizationFailed",
      cause:
        "The cloud controller manager may not create the load balancer: the identity of the control plane machines lacks a role for {action} on {scope}.",
      remedy: [
        "az role assignment list --all --assignee {client} -o table   # Network Contributor and Virtual Machine Contributor on the resource group",
        'az role assignment create --role "{role}" --assignee {client} --scope {scope}',
      ],
      source: `${source}; docs/operations.md`,
      follows,
      find: lacksRole(
        syncFails(
          /(?:SyncLoadBalancerFailed|EnsuringLoadBalancer)[^]*(?:AuthorizationFailed|403 Forbidden|does not have (?:authorization|permission))(?:[^]*?client '(?<client>[^']+)')?(?:[^]*action(?:\(s\))? '(?<action>[^']+)'[^]*?scope(?:\(s\))? '(?<scope>[^']+)')?/,
        ),
      ),
    },
    {
      id: "load-balancer-sku",
      stage: "pods",
      symptom: "DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed",
      cause:
        "The public address that the Service {name} asks for has the SKU Basic, and the load balancer of the cluster is Standard.",
      remedy: [
        "az network public-ip create --resource-group {group} --name NAME --sku Standard --allocation-method Static   # and its address in the Service",
        'az network public-ip list --query "[].{name:name, group:resourceGroup, sku:sku.name, address:ipAddress}" -o table',
      ],
      source: `kubernetes #86686; ${source}`,
      follows,
      find: syncFails(
        /DifferentSkuLoadBalancersAndPublicIPAddressNotAllowed|cannot reference (?:Basic|Standard) sku/i,
      ),
    },
    {
      id: "load-balancer-address",
      stage: "pods",
      symptom: "findMatchedPIP: cannot find public IP with IP address or name in resource group",
      cause:
        "The public address that the Service {name} asks for ({address}) is not in the resource group {where}, where the cloud controller manager looks for it.",
      remedy: [
        "service.beta.kubernetes.io/azure-load-balancer-resource-group: GROUP   # an annotation of the Service, for an address of another group; the identity of the control plane needs Network Contributor there",
        "az network public-ip list --query \"[?ipAddress=='{address}' || name=='{address}'].{name:name, group:resourceGroup}\" -o table",
      ],
      source: `${source}, findMatchedPIP`,
      follows,
      find: syncFails(
        /(?:public IP with (?:IP address|name) |user supplied IP Address |annotation azure-pip-name\S*?=)(?<address>[\w.:-]*\w)(?:[^]*? in resource group (?<where>[\w.()-]*[\w)]))?|(?:public ?IP|PublicIPAddress)[^]*(?:was not found|not found in resource group)/i,
      ),
    },
    {
      id: "load-balancer-limit",
      stage: "pods",
      symptom: "PublicIPCountLimitReached, or too many rules of a load balancer",
      cause:
        "The quota of the subscription, or a limit of Azure's load balancers, is reached, so the Service {name} gets no address.",
      remedy: [
        "az network list-usages --location {location} -o table   # then ask for more: az quota update",
        'service.beta.kubernetes.io/azure-load-balancer-internal: "true"   # an annotation for a Service that need not be reachable from the Internet; or one ingress for several Services',
      ],
      source:
        "https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits",
      follows,
      find: syncFails(
        /PublicIPCountLimitReached|\w*(?:RuleCount|Frontend\w*Count|LoadBalancerCount)\w*(?:Exceeded|Reached)|QuotaExceeded|exceeded maximum rule limit/,
      ),
    },
    {
      id: "load-balancer-subnet",
      stage: "pods",
      symptom: "failed to get subnet, for a Service with an internal load balancer",
      cause: "The subnet in an annotation of the Service {name} is not in the VNET of the cluster.",
      remedy: [
        'az network vnet list --query "[].{name:name, group:resourceGroup, subnets:subnets[].name}" -o json',
        "service.beta.kubernetes.io/azure-load-balancer-internal-subnet: SUBNET   # an annotation; without it the nodes' subnet",
      ],
      source: `${source}, azure-load-balancer-internal-subnet`,
      follows,
      find: syncFails(/failed to get subnet|subnet\S* [^]*?(?:was not found|not found)/i),
    },
    {
      id: "load-balancer-in-use",
      stage: "pods",
      symptom: "PublicIPAddressInUse, or a private address that is taken",
      cause: "The address that the Service {name} asks for is in use by another Azure resource.",
      remedy: [
        'az network public-ip list --query "[].{address:ipAddress, usedBy:ipConfiguration.id}" -o table',
        "service.beta.kubernetes.io/azure-load-balancer-ipv4: A-FREE-ADDRESS   # an annotation of the Service",
      ],
      source,
      follows,
      find: syncFails(
        /PublicIPAddress(?:InUse|CannotBe\w+)|PrivateIPAddress(?:InUse|IsAllocated|NotInSubnet)\w*/,
      ),
    },
    {
      id: "load-balancer-machines",
      stage: "pods",
      symptom: "failed to ensure load balancer: not a vmss instance",
      cause:
        "The cloud controller manager takes every node for an instance of a scale set, and one is a single machine: pools of kind MachineDeployment, or nodes that were added by hand, beside scale sets.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig label node NODE node.kubernetes.io/exclude-from-external-load-balancers=true   # nodes that shall serve nothing",
        "capz-windows:windowsPools: {POOL: {kind: MachinePool}}   # a scale set; or all pools of one kind, with vmType in cloud-provider's settings",
        cloudControllerLogs,
      ],
      source: `kubernetes #103348; ${source}`,
      follows,
      find: syncFails(/not a vmss instance|not a vmss vm/i),
    },
    {
      id: "load-balancer-rules",
      stage: "pods",
      symptom:
        "SecurityRuleConflict, SecurityRuleParameter... or another error about a network security group",
      cause:
        "Azure does not take the rules that the Service {name} needs in the network security group of the nodes: {why}",
      remedy: [
        'az network nsg rule list --resource-group {group} --nsg-name {cluster}-node-nsg --include-default --query "[].{name:name, priority:priority, port:destinationPortRange}" -o table',
        "Rules of Services take priorities from 500 to 4096: rules that somebody added by hand need one below 500.",
        "loadBalancerSourceRanges: [A-LARGER-RANGE]   # fewer ranges, when the message is about the number of rules",
      ],
      source: `${source}, pkg/provider/azure_loadbalancer_accesscontrol.go`,
      follows,
      find: withAnswer(
        syncFails(/SecurityRule\w+|NetworkSecurityGroup\w*(?:Conflict|Limit|NotFound|Exceed)/),
      ),
    },
    {
      id: "load-balancer",
      stage: "pods",
      symptom: "a Service of type LoadBalancer stays <pending>: SyncLoadBalancerFailed",
      cause: "The cloud controller manager cannot create the load balancer of {name} in Azure: {why}",
      remedy: [
        cloudControllerLogs,
        "kubectl --kubeconfig workload.kubeconfig describe service {name} -n {podNamespace}",
        "az role assignment list --all --assignee IDENTITY -o table   # Network Contributor and Virtual Machine Contributor on the resource group",
      ],
      source: `${source}; docs/operations.md`,
      follows,
      find: withAnswer(syncFails(/SyncLoadBalancerFailed|EnsuringLoadBalancer.*failed/)),
    },
    ...serviceWaits,
  ],
};
