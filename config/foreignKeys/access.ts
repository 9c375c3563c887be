import type { ForeignKey } from "./foreignKey";
import { absent, moved } from "./foreignKey";
import { listOf, publicKeyOf } from "./values";

const publicApiServer = "the API server always has a public address, behind a security group";
const onlyTheCluster =
  "access.allowedCidrs: [], which lets in nobody but the management cluster and the nodes";

/** Keys of identities, and of access to a cluster. */
export const accessKeys: readonly ForeignKey[] = [
  moved("linuxProfile", "the public key", ["access.sshPublicKey"], { as: publicKeyOf }),
  moved("clientId AZURE_CLIENT_ID AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY", "the identity of CAPZ", [
    "clusterApi.identity.clientId",
  ]),
  absent(
    "clientSecret secret servicePrincipal servicePrincipalProfile servicePrincipalClientSecret AZURE_CLIENT_SECRET AZURE_CLUSTER_IDENTITY_SECRET_NAME AZURE_CLUSTER_IDENTITY_SECRET_NAMESPACE ASO_CREDENTIAL_SECRET_NAME",
    "there are no service principals with secrets: identities are managed and federated with the management cluster",
    "clusterApi.identity, for an identity of your own; without it the stack makes one",
  ),
  absent(
    "CLUSTER_IDENTITY_NAME CLUSTER_IDENTITY_TYPE identityRef identityName",
    "the stack makes an AzureClusterIdentity of type WorkloadIdentity in the namespace of the cluster",
    "clusterApi.identity, for the identity that it refers to",
  ),
  absent(
    "identity identityProfile userAssignedID useManagedIdentity managedIdentity USER_IDENTITY CI_RG",
    "the stack makes the identities of the machines, with the smallest roles that work",
    "clusterApi.identity, for the identity that CAPZ uses",
    { within: ["cluster", "azure", "controlPlane"] },
  ),
  absent(
    "SERVICE_ACCOUNT_ISSUER oidcIssuerProfile enableOidcIssuer enableWorkloadIdentity workloadIdentity podIdentityProfile",
    "the management cluster has an OIDC issuer and workload identity; the workload cluster keeps kubeadm's own issuer",
    "management.oidcIssuerUrl, for a management cluster of your own",
  ),
  moved(
    "aadProfile AZURE_SERVER_APP_ID aad azureAd entraId",
    "access by Microsoft Entra",
    ["management.entra"],
    {
      as: () => undefined,
      within: ["management"],
    },
  ),
  absent(
    "aadProfile AZURE_SERVER_APP_ID aad azureAd entraId entra oidc oidcIssuerUrl oidcConfig authentication enableAzureRbac",
    "people log in to the workload cluster by its kubeconfig; no key sets up OIDC or Microsoft Entra there",
    "controlPlane.overrides with oidc-issuer-url among the arguments of the API server (docs/operations.md); for the management cluster management.entra, and management.oidcIssuerUrl, the issuer of its service accounts",
  ),
  absent(
    "adminGroupObjectIDs",
    "groups of administrators belong to access by Microsoft Entra",
    "entra: {adminGroupObjectIds: [...]} in management",
    { within: ["management", "cluster", "access"] },
  ),
  absent(
    "disableLocalAccounts",
    "AKS has no local accounts as soon as there is access by Microsoft Entra",
    "management.entra",
  ),
  moved("additionalSshKeys extraSshPublicKeys", "further public keys", ["access.additionalSshPublicKeys"]),
  moved(
    "sshPublicKeys sshKey sshKeys sshKeyData publicKey publicKeys authorizedKeys ssh keyData AZURE_SSH_PUBLIC_KEY AZURE_SSH_PUBLIC_KEY_B64 sshPublicKey",
    "the public key",
    ["access.sshPublicKey"],
    { as: publicKeyOf },
  ),
  absent(
    "sshPrivateKey privateKey",
    "a private key never leaves its owner",
    "access.sshPublicKey, its public half",
    { note: "and make a new pair if this one was ever committed" },
  ),
  moved(
    "authorizedIPRanges apiServerAuthorizedIpRanges allowedIps allowedIpRanges whitelist sourceRanges loadBalancerSourceRanges",
    "the networks that may reach the API server",
    ["management.authorizedCidrs", "access.allowedCidrs"],
    { as: listOf, within: ["cluster", "access", "management", "network", "controlPlane"] },
  ),
  moved("authorizedCidrs", "the networks that may reach the API server", ["access.allowedCidrs"], {
    as: listOf,
    within: ["cluster", "access", "network", "controlPlane"],
  }),
  absent(
    "apiServerAccessProfile enablePrivateCluster privateCluster privateApiServer AZURE_INTERNAL_LB_PRIVATE_IP",
    publicApiServer,
    onlyTheCluster,
  ),
  absent("private", publicApiServer, onlyTheCluster, {
    within: ["cluster", "azure", "network", "controlPlane", "access"],
  }),
  absent(
    "bastion bastionSpec azureBastion jumpbox",
    "the stack makes no bastion: ssh and RDP go through the control plane, or through one of your own",
    "access.allowedCidrs; for one that there is, the options --bastion and --jump of npm run access (docs/operations.md)",
  ),
  moved("kubeconfig managementClusterKubeconfig", "the kubeconfig", ["managementKubeconfig"], {
    as: () => undefined,
    within: ["management", "cluster"],
  }),
  absent(
    "subjectAltNames certSANs firstConsecutiveStaticIP staticIp privateIp controlPlaneEndpoint",
    "the API server is reached by the name that CAPZ gives it; machines are replaced, and their addresses with them",
    "clusterName, with which the name begins",
  ),
];
