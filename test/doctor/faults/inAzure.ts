import { type Fault, group } from "./fault";
import { byEntra, byNetwork } from "./refusals";

/** Identities, roles and networks that Azure refuses before there is a machine. */
export const inAzure: readonly Fault[] = [
  byEntra(
    "no federated credential for CAPZ",
    "federated-subject",
    "AADSTS700213",
    "No matching federated identity record found for presented assertion subject 'system:serviceaccount:capz-system:capz-manager'. Please check your federated identity credential Subject, Audience and Issuer against the presented assertion.",
  ),
  byEntra(
    "the subject of an older kind",
    "federated-subject",
    "AADSTS70021",
    "No matching federated identity record found for presented assertion. Assertion Issuer: 'https://issuer.example/'. Assertion Subject: 'system:serviceaccount:capz-system:capz-manager'. Assertion Audience: 'api://AzureADTokenExchange'.",
  ),
  byEntra(
    "the issuer of another cluster",
    "federated-issuer",
    "AADSTS700211",
    "No matching federated identity record found for presented assertion issuer 'https://westeurope.oic.prod-aks.azure.com/tenant/old/'.",
  ),
  byEntra(
    "another audience",
    "federated-audience",
    "AADSTS700212",
    "No matching federated identity record found for presented assertion audience 'api://other'.",
  ),
  byEntra(
    "the clock, or an expired token",
    "token-not-valid",
    "AADSTS700024",
    "Client assertion is not within its valid time range. Current time: 2026-11-22T04:00:00Z, expiry time of assertion 2026-11-22T02:00:00Z.",
  ),
  byEntra(
    "an expired client secret",
    "secret-expired",
    "AADSTS7000222",
    "The provided client secret keys for app are expired.",
  ),
  byEntra(
    "a client id of another tenant",
    "identity-unknown",
    "AADSTS700016",
    "Application with identifier '22222222-2222-4333-8444-555555555555' was not found in the directory 'Contoso'.",
  ),

  byNetwork(
    "no role in the resource group",
    "role-missing",
    "AuthorizationFailed",
    `The client '22222222-2222-4333-8444-555555555555' with object id '33333333-2222-4333-8444-555555555555' does not have authorization to perform action 'Microsoft.Network/loadBalancers/write' over scope '${group}/providers/Microsoft.Network/loadBalancers/sick-public-lb' or the scope is invalid.`,
  ),
  byNetwork(
    "a disabled subscription",
    "subscription-disabled",
    "ReadOnlyDisabledSubscription",
    "The subscription '11111111-2222-4333-8444-555555555555' is disabled and therefore marked as read only.",
  ),
  byNetwork(
    "no address left",
    "quota-public-ip",
    "PublicIPCountLimitReached",
    "Cannot create more than 10 public IP addresses for this subscription in this region.",
  ),
  byNetwork(
    "the DNS name is taken",
    "dns-name-taken",
    "DnsRecordInUse",
    "DNS record sick-1a2b3c.westeurope.cloudapp.azure.com is already used by another public IP.",
  ),
  byNetwork(
    "the resource group is gone",
    "group-missing",
    "ResourceGroupNotFound",
    "Resource group 'sick' could not be found.",
  ),
  byNetwork(
    "the subnet of another VNET is gone",
    "network-missing",
    "InvalidResourceReference",
    `Resource ${group}/providers/Microsoft.Network/virtualNetworks/sick-vnet/subnets/node-subnet referenced by resource lb was not found.`,
  ),
  byNetwork(
    "a subnet outside of the VNET",
    "subnet-outside",
    "NetcfgInvalidSubnet",
    "Subnet 'node-subnet' is not valid because its IP address range is outside the IP address range of virtual network 'sick-vnet'.",
  ),
  byNetwork("something that nobody has seen", "azure-other", "TeapotIsShort", "I'm a little teapot."),

  {
    name: "the identity of the machines is gone",
    rule: "node-identity-missing",
    make: (p) => {
      p.event(
        p.get("AzureMachineTemplate"),
        "Error reconciling cloud provider secret for AzureMachineTemplate",
        "failed to reconcile azure.json secret: expected a non-empty userIdentityID",
      );
      p.condition(p.get("KubeadmConfig", "sick-control-plane"), "DataSecretAvailable", {
        reason: "NotAvailable",
        message:
          "Failed to prepare spec.files: failed to resolve file source: secret not found: sick/sick-cp-1a2b-azure-json",
        ago: 12,
      });
    },
  },
];
