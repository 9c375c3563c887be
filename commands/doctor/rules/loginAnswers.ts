import { answered } from "./answers";
import { entraDocs } from "./kinds";
import type { Rule } from "./rule";

/** Answers of Microsoft Entra to a login, and of Azure to missing rights, in addition to those in identity.ts. */

const azure = answered("identity", entraDocs);

const rbac = "https://learn.microsoft.com/azure/role-based-access-control/troubleshooting";

const restart = "kubectl rollout restart deployment/capz-controller-manager -n capz-system";
const identityOf =
  "kubectl get azureclusteridentity -n {namespace} -o jsonpath='{.items[*].spec.clientID} {.items[*].spec.tenantID}'";

/** Rules that come before those in identity.ts, whose patterns match more. */
export const loginAnswers: readonly Rule[] = [
  azure({
    id: "principal-not-in-tenant",
    symptom: "AADSTS7000229 or AADSTS500011: no service principal in the tenant",
    cause:
      "The application exists, but this tenant has no service principal of it, or the tenant belongs to another cloud than the one that is asked for.",
    remedy: [
      "az ad sp create --id CLIENT-ID   # in the tenant of the subscription",
      identityOf,
      "az cloud show --query name   # and capz-windows:azure: {tenantId: TENANT}",
    ],
    text: /AADSTS(?:7000229|500011|500014)\b/,
  }),
  azure({
    id: "identity-disabled",
    symptom: "AADSTS7000112: application is disabled",
    cause:
      "The application or its service principal is disabled in Microsoft Entra, so the controllers cannot log in.",
    remedy: ["az ad sp update --id CLIENT-ID --set accountEnabled=true", identityOf],
    text: /AADSTS7000112\b|AADSTS5000224\b/,
  }),
  azure({
    id: "certificate-login",
    symptom: "AADSTS700027 or AADSTS700030: certificate not registered or not valid",
    cause:
      "The certificate with which the service principal logs in is not registered with its application, or has expired.",
    remedy: [
      "az ad app credential list --id CLIENT-ID --cert -o table",
      "az ad app credential reset --id CLIENT-ID --cert @FILE --append   # then the Secret that the AzureClusterIdentity names",
      "Use workload identity, which needs no certificate: this program sets it up.",
    ],
    text: /AADSTS7000(?:27|30)\b/,
  }),
  azure({
    id: "issuer-keys",
    symptom: "AADSTS50013 or AADSTS5000814: the signature of the assertion, or the keys of the issuer",
    cause:
      "Microsoft Entra cannot verify the service account token: the issuer of the management cluster does not publish the keys that sign its tokens, or they were rotated.",
    remedy: [
      "curl -sS $(kubectl get --raw /.well-known/openid-configuration | jq -r .jwks_uri)   # must answer from the Internet, with the keys of:",
      "kubectl get --raw /openid/v1/jwks",
      restart,
    ],
    text: /AADSTS50013\b|AADSTS50008\d+\b|AADSTS700005\d\b/,
  }),
  azure({
    id: "issuer-unreachable",
    symptom: "AADSTS50166, AADSTS501661 or AADSTS90061: Request to External OIDC endpoint failed",
    cause:
      "Microsoft Entra cannot download the discovery document of the management cluster's OIDC issuer, or the keys that it names: the URL of the issuer is not public, or a firewall, a storage network rule or a login is in front of it.",
    remedy: [
      "kubectl get --raw /.well-known/openid-configuration | jq -r '.issuer, .jwks_uri'   # of the management cluster",
      "curl -sS ISSUER/.well-known/openid-configuration   # from outside of your network; then its jwks_uri: both must answer in JSON, without a login",
      'az storage account show --name ACCOUNT --query "{public:publicNetworkAccess, rule:networkRuleSet.defaultAction, anonymous:allowBlobPublicAccess}"   # an issuer in a storage account needs Enabled, Allow, true',
      "capz-windows:management: {oidcIssuerUrl: https://ISSUER/}   # existing management cluster, when its issuer has another URL",
    ],
    source: `${entraDocs}; azure-workload-identity #1130, #605; AKS #4029`,
    text: /AADSTS(?:50166|501661|90061)\b|Request to External OIDC endpoint failed/,
  }),
  azure({
    id: "conditional-access",
    symptom: "AADSTS53003 and other AADSTS53…: blocked by Conditional Access or security defaults",
    cause:
      "A Conditional Access policy of the tenant, or its security defaults, blocks the login of the controllers' identity.",
    remedy: [
      "Microsoft Entra admin center, sign-in logs, service principal sign-ins: the entry names the policy.",
      "Exclude the identity from the policy, or let it in from the egress address of the management cluster.",
    ],
    source: `${entraDocs}; https://learn.microsoft.com/entra/identity/conditional-access/workload-identity`,
    text: /AADSTS530\d+\b|AADSTS5007[69]\b/,
  }),
  azure({
    id: "entra-transient",
    severity: "warning",
    symptom: "AADSTS90033, AADSTS90006, AADSTS50196 and others that pass",
    cause:
      "Microsoft Entra has a temporary problem, or limits the logins. The controllers try again by themselves.",
    remedy: ["https://azure.status.microsoft", `${restart}   # only if it stays for an hour`],
    text: /AADSTS(?:90006|90012|90024|90033|50196|50168|51004|90051)\b/,
  }),
  azure({
    id: "identity-not-assigned",
    symptom: "ManagedIdentityCredential authentication failed: Identity not found",
    cause:
      "CAPZ asks the machine that it runs on for a token, and the managed identity is not assigned to the nodes of the management cluster.",
    remedy: [
      "az vmss identity show --resource-group NODE-GROUP --name SCALE-SET   # of the management cluster",
      "az vmss identity assign --resource-group NODE-GROUP --name SCALE-SET --identities IDENTITY-ID",
      "kubectl get azureclusteridentity -n {namespace} -o jsonpath='{.items[*].spec.type}'   # WorkloadIdentity needs no identity on the nodes",
    ],
    source: "https://learn.microsoft.com/entra/identity/managed-identities-azure-resources/",
    text: /ManagedIdentityCredential[^]*(?:Identity not found|identity isn't assigned|authentication (?:failed|unavailable))/,
  }),
  azure({
    id: "azure-unreachable",
    symptom:
      "dial tcp: lookup login.microsoftonline.com or management.azure.com: i/o timeout, connection refused",
    cause:
      "The management cluster cannot reach {host}: a firewall, a route or a proxy stops it, or its DNS does not resolve the name.",
    remedy: [
      "kubectl run reach -n capz-system --rm -it --restart=Never --image=curlimages/curl -- -sS -o /dev/null -w '%{http_code}\\n' https://{host}",
      "Let login.microsoftonline.com and management.azure.com pass on port 443: docs/private-networks.md.",
      "kubectl get pods -n kube-system -l k8s-app=kube-dns   # when it is the name that fails",
    ],
    source: "docs/private-networks.md; https://learn.microsoft.com/azure/aks/outbound-rules-control-egress",
    text: /(?:Get|Post|Put|Delete|Patch|Head) \\?"?https:\/\/(?<host>login\.\w[\w.-]+|management\.\w[\w.-]+)[^]*?(?:dial tcp|i\/o timeout|no such host|connection refused|no route to host|connection reset|proxyconnect|EOF$)/,
  }),
  azure({
    id: "azure-tls",
    symptom:
      "x509: certificate signed by unknown authority, from management.azure.com or login.microsoftonline.com",
    cause:
      "CAPZ does not trust the certificate that answers for {host}: a proxy or firewall on the way terminates TLS with a certificate of its own.",
    remedy: [
      "openssl s_client -connect {host}:443 -showcerts </dev/null   # from a Pod of the management cluster: who signed it?",
      "Exempt the hosts of Azure from TLS inspection, or give the controllers the authority of the proxy.",
    ],
    source: "https://learn.microsoft.com/azure/aks/custom-certificate-authority",
    text: /https:\/\/(?<host>login\.\w[\w.-]+|management\.\w[\w.-]+)[^]*?x509: /,
  }),
  azure({
    id: "linked-tenant",
    symptom: "LinkedAuthorizationFailed: the current tenant is not authorized to access linked subscription",
    cause:
      "The resource refers to one in a subscription of another tenant, which this identity cannot use: {why}.",
    remedy: [
      "az sig image-version list --gallery-image-definition DEFINITION --gallery-name GALLERY --resource-group GROUP   # copy the image into a gallery of this tenant, or share it as a community gallery",
      "capz-windows:azure: {tenantId: TENANT}   # is it the right one?",
    ],
    source: rbac,
    text: /tenant \S+ is not authorized to access linked subscription/,
  }),
  azure({
    id: "deny-assignment",
    symptom: "DenyAssignmentAuthorizationFailed",
    cause: "A deny assignment forbids the action, whatever roles the identity has: {why}.",
    remedy: [
      'az rest --method get --url "https://management.azure.com/subscriptions/{subscription}/providers/Microsoft.Authorization/denyAssignments?api-version=2022-04-01"',
      "Deny assignments come from managed applications, deployment stacks and blueprints; only these can remove them. Use another resource group.",
    ],
    source: "https://learn.microsoft.com/azure/role-based-access-control/deny-assignments",
    text: /DenyAssignmentAuthorizationFailed|because of the deny assignment/,
  }),
  azure({
    id: "role-for-roles",
    symptom: "AuthorizationFailed: Microsoft.Authorization/roleAssignments/write",
    cause: "The identity {client} may not assign roles at {scope}; Contributor does not include that.",
    remedy: [
      'az role assignment create --assignee {client} --role "Role Based Access Control Administrator" --scope {scope}',
      "Use user-assigned identities, whose roles the program assigns, in the place of system-assigned ones.",
    ],
    source: rbac,
    text: /AuthorizationFailed[^]*?client '(?<client>[^']+)'[^]*?action 'Microsoft\.Authorization\/roleAssignments\/\w+'(?:[^]*?scope '(?<scope>[^']+)')?/,
  }),
  azure({
    id: "tenant-mismatch",
    symptom: "InvalidAuthenticationTokenTenant: the access token is from the wrong issuer",
    cause: "The identity belongs to another tenant than the subscription: {why}.",
    remedy: [
      "capz-windows:azure: {tenantId: TENANT}   # az account show --subscription {subscription} --query tenantId",
      identityOf,
    ],
    text: /InvalidAuthenticationTokenTenant|access token is from the wrong issuer/,
  }),
  azure({
    id: "role-assignment-limit",
    symptom: "RoleAssignmentLimitExceeded",
    cause: "The subscription has as many role assignments as it may have (4000).",
    remedy: [
      "az role assignment list --all --query \"[?principalName==''].id\" -o tsv   # those of deleted principals count too; az role assignment delete --ids ID",
    ],
    source: "https://learn.microsoft.com/azure/role-based-access-control/troubleshoot-limits",
    text: /RoleAssignmentLimitExceeded|No more role assignments can be created/,
  }),
  azure({
    id: "principal-new",
    severity: "warning",
    symptom: "PrincipalNotFound",
    cause:
      "Microsoft Entra does not know the principal of a role assignment yet, which takes some minutes for a new identity; or it was deleted.",
    remedy: [
      "Wait ten minutes: the controllers try again by themselves.",
      'az identity list --query "[].{name:name, principal:principalId}" -o table',
    ],
    source: rbac,
    text: /PrincipalNotFound|Principal \S+ does not exist in the directory/,
  }),
  azure({
    id: "role-assignment-exists",
    symptom: "RoleAssignmentExists",
    cause: "The same role assignment exists under another name, so CAPZ cannot create its own: {why}.",
    remedy: [
      'az role assignment list --all --assignee PRINCIPAL-ID --query "[].{id:id, role:roleDefinitionName, scope:scope}" -o table',
      "az role assignment delete --ids ID   # CAPZ makes its own then",
    ],
    source: rbac,
    text: /RoleAssignmentExists|role assignment already exists/,
  }),
  azure({
    id: "token-not-valid",
    symptom: "AADSTS700024, ExpiredAuthenticationToken or InvalidAuthenticationToken",
    cause:
      "The service account token that the controller sends, or the token that it got, has expired or is not accepted; or the clocks of the node and of Azure differ.",
    remedy: [
      restart,
      "kubectl debug node/NODE -it --image=busybox -- date   # on the node of the management cluster",
    ],
    text: /AADSTS700024\b|\b(?:Expired|Invalid)AuthenticationToken\b/,
  }),
];

/** Rules that come after those in identity.ts, for codes that none of them matches. */
export const otherLogins: readonly Rule[] = [
  azure({
    id: "entra-other",
    symptom: "AADSTS…: Microsoft Entra refuses the login",
    cause: "Microsoft Entra refuses the login of the controllers with {aadsts}: {description}.",
    remedy: [
      "https://login.microsoftonline.com/error?code={number}   # what the code means",
      "az identity federated-credential list --resource-group {group} --identity-name IDENTITY -o table   # name, issuer, subject, audience",
      identityOf,
    ],
    text: /(?<aadsts>AADSTS(?<number>\d+))(?:: (?<description>[^"]*?)\.? (?:Trace ID|"|$))?/,
  }),
];
