import { textAt } from "../../../tools/untyped";
import { anyOf, hasCondition, says } from "./finders";
import { azureKinds, capzSource, entraDocs } from "./kinds";
import { loginAnswers, otherLogins } from "./loginAnswers";
import { roles } from "./roles";
import type { Family, Match } from "./rule";
import { secrets } from "./secrets";
import type { World } from "../../cluster/snapshot";

/** The identity of the controllers in Azure, and its roles. */

const missingIdentity = (world: World): Match[] =>
  world
    .all("AzureCluster")
    .filter(() => world.snapshot.management.problems.every(({ asked }) => asked !== "AzureClusterIdentity"))
    .flatMap((object) => {
      const name = textAt((object.spec as { identityRef?: unknown } | undefined)?.identityRef, "name");
      return name === "" || world.find("AzureClusterIdentity", name) !== undefined
        ? []
        : [
            {
              object,
              proof: {
                where: `AzureCluster ${object.metadata.name}, spec.identityRef`,
                text: `there is no AzureClusterIdentity ${name} in ${world.snapshot.cluster.namespace}`,
              },
              vars: { identity: name },
            },
          ];
    });

const federation =
  "az identity federated-credential list --resource-group {group} --identity-name IDENTITY -o table   # name, issuer, subject, audience";

export const identity: Family = {
  name: "identity",
  title: "Identities and roles in Azure",
  intro:
    "CAPZ and the Azure Service Operator log in to Azure by workload identity; each error names what does not match.",
  rules: [
    ...loginAnswers,
    {
      id: "federated-issuer",
      stage: "identity",
      symptom: "AADSTS700211: no matching federated identity record for the issuer",
      cause:
        "The identity's federated credential names another issuer than that of the management cluster, {issuer}: the cluster was recreated, or its OIDC issuer has changed.",
      remedy: [
        "npx pulumi up --stack {stack} --refresh   # writes the issuer of the management cluster",
        "capz-windows:management: {oidcIssuerUrl: https://ISSUER/}   # existing management cluster: kubectl get --raw /.well-known/openid-configuration",
        federation,
      ],
      source: `${entraDocs}: AADSTS700211`,
      find: says({ kinds: azureKinds, text: /AADSTS700211\b(?:.*issuer '(?<issuer>[^']+)')?/s }),
    },
    {
      id: "federated-audience",
      stage: "identity",
      symptom: "AADSTS700212: no matching federated identity record for the audience",
      cause: "The federated credential does not have the audience api://AzureADTokenExchange.",
      remedy: [federation, "npx pulumi up --stack {stack} --refresh"],
      source: `${entraDocs}: AADSTS700212`,
      find: says({ kinds: azureKinds, text: /AADSTS700212\b/ }),
    },
    {
      id: "federated-subject",
      stage: "identity",
      symptom: "AADSTS70021 or AADSTS700213: no matching federated identity record",
      cause:
        "The identity has no federated credential for the subject {subject}: it is missing, names another service account, or was created less than a minute ago.",
      remedy: [
        federation,
        "npx pulumi up --stack {stack} --refresh   # makes both: capz-system:capz-manager and capz-system:azureserviceoperator-default",
      ],
      source: `${entraDocs}: AADSTS70021, AADSTS700213; CAPZ #3732`,
      find: says({
        kinds: azureKinds,
        text: /AADSTS70021(?:3)?\b(?:.*?[Ss]ubject[^']*'(?<subject>[^']+)')?/s,
      }),
    },
    ...secrets,
    {
      id: "identity-unknown",
      stage: "identity",
      symptom: "AADSTS700016, AADSTS90002 or AADSTS900023: application or tenant not found",
      cause: "The client ID or tenant ID of the AzureClusterIdentity does not exist in this tenant.",
      remedy: [
        "kubectl get azureclusteridentity -n {namespace} -o jsonpath='{.items[*].spec.clientID} {.items[*].spec.tenantID}'",
        "capz-windows:azure: {tenantId: TENANT}   # az account show --query tenantId",
      ],
      source: `${entraDocs}: AADSTS700016, AADSTS90002`,
      find: says({ kinds: azureKinds, text: /AADSTS(?:700016|90002\d?)\b/ }),
    },
    {
      id: "token-file-missing",
      stage: "identity",
      symptom: "CAPZ has no token file",
      cause:
        "The Pods of CAPZ have no service account token for Azure: they were started without the projected volume.",
      remedy: [
        "kubectl get deploy capz-controller-manager -n capz-system -o jsonpath='{.spec.template.spec.volumes}'",
        "kubectl rollout restart deployment/capz-controller-manager -n capz-system",
      ],
      source: `${capzSource} config/manager/manager.yaml: volume azure-identity-token`,
      find: says({
        kinds: azureKinds,
        text: /no token file specified|azure-identity-token: no such file|AZURE_FEDERATED_TOKEN_FILE/,
      }),
    },
    {
      id: "identity-missing",
      stage: "identity",
      symptom: "AzureCluster: failed to retrieve AzureClusterIdentity external object",
      cause: "The AzureClusterIdentity {identity} that the AzureCluster names does not exist.",
      remedy: ["npx pulumi up --stack {stack} --refresh", "kubectl get azureclusteridentity -A"],
      source: `${capzSource} azure/scope/identity.go`,
      follows: ["deletion-identity-gone"],
      find: anyOf(
        missingIdentity,
        says({
          kinds: azureKinds,
          text: /AzureClusterIdentity external object \S+ azureclusteridentities\S* \\?"(?<identity>[\w.-]+)\\?" not found/,
        }),
      ),
    },
    {
      id: "identity-namespace",
      stage: "identity",
      symptom: "AzureCluster: NamespaceNotAllowedByIdentity",
      cause: "The AzureClusterIdentity does not allow the namespace {namespace}.",
      remedy: [
        "npx pulumi up --stack {stack} --refresh   # the program allows the namespace of the cluster; or, in an identity of your own:",
        'kubectl patch azureclusteridentity {identity} -n {namespace} --type json -p \'[{"op":"add","path":"/spec/allowedNamespaces/list/-","value":"{namespace}"}]\'   # adds to a list that exists',
      ],
      source: `${capzSource} controllers/helpers.go, EnsureClusterIdentity`,
      find: hasCondition({ kinds: ["AzureCluster"], type: /./, reason: /^NamespaceNotAllowedByIdentity$/ }),
    },
    ...roles,
    {
      id: "subscription-disabled",
      stage: "identity",
      symptom: "ReadOnlyDisabledSubscription: the subscription is disabled and therefore marked as read only",
      cause:
        "The subscription {subscription} is disabled: a bill is not paid, credit or the spending limit of an offer is used up, or its owner cancelled it. What runs may stop soon, and nothing can be changed.",
      remedy: [
        'az account show --subscription {subscription} --query "{state:state, name:name}"   # Disabled, Warned or PastDue',
        "The owner of the billing account re-enables it: Azure portal, Subscriptions, Overview. It takes up to some hours.",
      ],
      source: "https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-disabled",
      find: says({ kinds: azureKinds, text: /ReadOnlyDisabledSubscription|SubscriptionIsDisabled/ }),
    },
    {
      id: "subscription",
      stage: "identity",
      symptom: "SubscriptionNotFound or InvalidSubscriptionId",
      cause: "The subscription does not exist for this identity.",
      remedy: [
        'az account list --query "[].{id:id, state:state, tenant:tenantId}" -o table',
        "capz-windows:azure: {subscriptionId: SUBSCRIPTION}",
      ],
      source: "https://learn.microsoft.com/azure/cost-management-billing/manage/subscription-disabled",
      find: says({
        kinds: azureKinds,
        text: /SubscriptionNotFound|InvalidSubscriptionId/,
      }),
    },
    {
      id: "node-identity-missing",
      stage: "identity",
      symptom: "no azure.json: machines wait for their bootstrap data; or FailedIdentityOperation",
      cause: "The identity for the machines does not exist in Azure, or CAPZ may not read it.",
      remedy: [
        'az identity list --resource-group {group} --query "[].{name:name, clientId:clientId}" -o table',
        "npx pulumi up --stack {stack} --refresh",
      ],
      source: `${capzSource} controllers/helpers.go, userAssignedIdentityCloudProviderConfig`,
      find: says({
        kinds: [...azureKinds],
        text: /non-empty userIdentityID|UserAssignedIdentityMissing|FailedIdentityOperation|(?:ResourceNotFound|NotFound).*userAssignedIdentities|userAssignedIdentities.*(?:ResourceNotFound|was not found)/s,
      }),
    },
    ...otherLogins,
  ],
};
