import { answered, answers, expectedOf, linesOf, type Told } from "./told";

/**
 * What Microsoft Entra answers to the controllers' login, and what Azure answers to what their identity may not do. From
 * learn.microsoft.com: "Microsoft Entra authentication and authorization error codes", "Troubleshoot Azure RBAC".
 */

const tenant = "11111111-2222-4333-8444-666666666666";

const entra = (code: string, description: string): string =>
  `failed to reconcile cluster services: failed to get availability zones: failed to refresh resource sku cache: could not iterate resource skus: WorkloadIdentityCredential authentication failed. \nPOST https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token\n--------------------------------------------------------------------------------\nRESPONSE 401: 401 Unauthorized\n--------------------------------------------------------------------------------\n{\n  "error": "unauthorized_client",\n  "error_description": "${code}: ${description} Trace ID: 0 Correlation ID: 0 Timestamp: 2026-11-22 05:00:00Z",\n  "error_codes": [0]\n}\n`;

/** A login that gets no answer, in the condition of the AzureCluster. */
const entraSays =
  (why: string): Told["make"] =>
  (p) =>
    p.refused(
      p.get("AzureCluster"),
      "NetworkInfrastructureReady",
      `failed to reconcile cluster services: WorkloadIdentityCredential authentication failed. Post "https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token": ${why}`,
    );

/** Each login twice: as CAPZ reports it in the condition of the AzureCluster, and as ASO does in that of the group. */
const logins = (table: string): Told[] =>
  linesOf(table).flatMap(([code = "", description = "", ...expected]) => [
    {
      name: `CAPZ: ${code}`,
      make: (p) => p.refused(p.get("AzureCluster"), "NetworkInfrastructureReady", entra(code, description)),
      ...expectedOf(expected),
    },
    {
      name: `ASO: ${code}`,
      make: (p) =>
        p.condition(p.get("ResourceGroup"), "Ready", {
          reason: "Failed",
          message: entra(code, description),
          severity: "Warning",
          ago: 20,
        }),
      ...expectedOf(expected),
    },
  ]);

export const azureIdentities: readonly Told[] = [
  ...logins(String.raw`
AADSTS700016 | Application with identifier 'c' was not found in the directory 'Contoso'. | entra-other | AADSTS700016: Application with identifier 'c' was not found | clientID
AADSTS90002 | Tenant 't' not found. Check to make sure you have the correct tenant ID and are signing into the correct cloud. | entra-other | Tenant 't' not found | tenantID
AADSTS7000112 | Application 'c'(capz) is disabled. | entra-other | - | -
AADSTS50166 | Request to External OIDC endpoint failed. | issuer-unreachable | issuer.*(not public|firewall) | openid-configuration
AADSTS501661 | Request to External OIDC endpoint failed. | issuer-unreachable | issuer.*(not public|firewall) | openid-configuration
AADSTS90061 | Request to External OIDC endpoint failed. | issuer-unreachable | issuer.*(not public|firewall) | openid-configuration
AADSTS70021 | No matching federated identity record found for presented assertion. Assertion Issuer: 'https://i/'. Assertion Subject: 'system:serviceaccount:capz-system:capz-manager'. Assertion Audience: 'api://AzureADTokenExchange'. | federated-subject | federated | federated-credential
AADSTS700211 | No matching federated identity record found for presented assertion issuer 'https://i/'. | federated-issuer | issuer | federated-credential
AADSTS700212 | No matching federated identity record found for presented assertion audience 'x'. | federated-subject | - | -
AADSTS7002138 | No matching federated identity record found for presented assertion subject 'system:serviceaccount:capz-system:Capz-Manager'. The subject matches with case-insensitive comparison, but not with case-sensitive comparison. | federated-subject | capitals | federated-credential
AADSTS700213 | No matching federated identity record found for presented assertion subject 'system:serviceaccount:capz-system:capz-manager'. | federated-subject | capz-system:capz-manager | federated-credential
AADSTS7000215 | Invalid client secret provided. Ensure the secret being sent in the request is the client secret value, not the client secret ID, for a secret added to app 'c'. | client-secret | ID of the secret | credential reset
AADSTS7000222 | The provided client secret keys for app 'c' are expired. | client-secret | has expired | credential reset
AADSTS999999 | Something new. | entra-other | AADSTS999999 | login\.microsoftonline\.com\/error
`),
  ...answers(String.raw`
pool 403 AuthorizationFailed | The client 'c' with object id 'o' does not have authorization to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' over scope '/subscriptions/s/resourceGroups/net' or the scope is invalid. If access was recently granted, please refresh your credentials. | role-missing | virtualMachineScaleSets\/write | role assignment
pool 403 LinkedAuthorizationFailed | The client 'c' with object id 'o' has permission to perform action 'Microsoft.Compute/virtualMachineScaleSets/write' on scope '/x'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) '/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/virtualNetworks/v/subnets/s' (respectively) or the linked scope(s) are invalid. | role-linked | subnets\/join\/action on \S*subnets\/s | rights\.md
network 403 LinkedAuthorizationFailed | The client 'c' with object id 'o' has permission to perform action 'Microsoft.Compute/x/write' on scope '/x'; however, it does not have permission to perform action(s) 'Microsoft.Network/routeTables/join/action, Microsoft.Network/natGateways/join/action' on the linked scope(s) '/subscriptions/s/resourceGroups/net/providers/Microsoft.Network/routeTables/r' (respectively) or the linked scope(s) are invalid. | role-linked | action Microsoft.Network\/routeTables\/join\/action on \S*routeTables\/r\. | rights\.md
pool 400 FailedIdentityOperation | Identity operation for resource '/x' failed with error 'Failed to perform resource identity operation. Status: 'BadRequest'. Response: ResourceIdentity not found: /subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/nodes'. | node-identity-missing | identity for the machines | az identity list
`),
  {
    name: "the managed identity of AKS has no answer: Identity not found",
    make: (p) =>
      p.refused(
        p.get("AzureCluster"),
        "NetworkInfrastructureReady",
        'failed to reconcile cluster services: ManagedIdentityCredential authentication failed. the requested identity isn\'t assigned to this resource\nGET http://169.254.169.254/metadata/identity/oauth2/token\n--------------------------------------------------------------------------------\nRESPONSE 400: 400 Bad Request\n--------------------------------------------------------------------------------\n{\n  "error": "invalid_request",\n  "error_description": "Identity not found"\n}\n',
      ),
    rule: "identity-not-assigned",
    cause: /identity/,
    remedy: /az (?:vmss|vm|aks)/,
  },
  ...[
    "dial tcp: lookup login.microsoftonline.com on 10.0.0.10:53: i/o timeout",
    "dial tcp: lookup login.microsoftonline.com: no such host",
    "dial tcp 20.190.151.68:443: i/o timeout",
    "read tcp 10.0.0.4:50112->20.190.151.68:443: read: connection reset by peer",
    "proxyconnect tcp: dial tcp 10.0.0.9:3128: connect: connection refused",
    "context deadline exceeded",
    "net/http: TLS handshake timeout",
    "EOF",
  ].map((why) => ({
    name: `Microsoft Entra cannot be reached from the management cluster: ${why}`,
    make: entraSays(why),
    rule: "azure-unreachable",
    cause: /cannot reach login\.microsoftonline\.com/,
    remedy: /login\.microsoftonline\.com/,
  })),
  {
    name: "a proxy answers Microsoft Entra's name with a certificate of its own",
    make: entraSays("tls: failed to verify certificate: x509: certificate signed by unknown authority"),
    rule: "azure-tls",
    cause: /answers for login\.microsoftonline\.com/,
    remedy: /openssl s_client -connect login\.microsoftonline\.com/,
  },
  {
    name: "Resource Manager cannot be reached from the management cluster",
    make: (p) =>
      p.refused(
        p.get("AzureMachinePool", "win1"),
        "BootstrapSucceeded",
        'failed to get existing resource sick/win1 (service: scalesets): Get "https://management.azure.com/subscriptions/s": dial tcp 4.150.240.10:443: connect: connection refused',
      ),
    rule: "azure-unreachable",
    cause: /reach/,
    remedy: /management\.azure\.com/,
  },
  {
    name: "a proxy answers Resource Manager's name with a certificate of its own",
    make: (p) =>
      p.refused(
        p.get("AzureCluster"),
        "NetworkInfrastructureReady",
        'failed to reconcile cluster services: Get "https://management.azure.com/subscriptions/s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
      ),
    rule: "azure-tls",
    cause: /certificate/,
    remedy: /openssl|proxy/,
  },
  {
    name: "the identity of the machines was deleted: what the scale set says",
    make: (p) =>
      answered(
        p,
        "pool",
        400,
        "BadRequest",
        "Resource '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/nodes' was not found.",
      ),
    rule: "node-identity-missing",
    cause: /identity for the machines/,
    remedy: /az identity list/,
  },
];
