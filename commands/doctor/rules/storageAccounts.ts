import { withAnswer } from "./answers";
import { workloadKubectl } from "./commands";
import { anyOf, isNotReady, isPending, warned } from "./finders";
import type { Rule } from "./rule";

/** Storage accounts that refuse the CSI driver of Azure Files, although its identity has the roles. */

const refuses = (text: RegExp): Rule["find"] =>
  withAnswer(
    anyOf(
      warned({ kinds: ["PersistentVolumeClaim"], side: "workload", where: isPending, text }),
      warned({ kinds: ["Pod"], side: "workload", where: isNotReady, text }),
    ),
  );

const source =
  "Azure/AKS #804; https://learn.microsoft.com/rest/api/storageservices/file-service-error-codes; azurefile-csi-driver, docs/driver-parameters.md";

/** The name of the account, where the driver says it. */
const account = String.raw`(?:[^]*?(?:under |storage )?account[ (]'?(?<account>[a-z0-9]{3,24})\b(?= in |\)|'|,))?`;

const show =
  'az storage account show --name {account} --query "{rules:networkRuleSet.defaultAction, public:publicNetworkAccess, keys:allowSharedKeyAccess}"';

export const storageAccountRules: readonly Rule[] = [
  {
    id: "share-network-rules",
    stage: "pods",
    symptom: "AuthorizationFailure: This request is not authorized to perform this operation",
    cause:
      "The storage account of {name} refuses the CSI driver by its network rules, its firewall: the driver's requests do not come from an allowed network. It is no missing role.",
    remedy: [
      `${show}   # Deny or Disabled: allow the nodes' subnet, which needs the service endpoint Microsoft.Storage:`,
      "az storage account network-rule add --account-name {account} --resource-group {group} --subnet SUBNET-ID   # of the nodes and of the control plane machines, where the driver's controller runs",
      "parameters: {networkEndpointType: privateEndpoint}   # in a StorageClass of its own: the driver makes an account with a private endpoint",
    ],
    source,
    find: refuses(
      new RegExp(
        `^${account}[^]*(?:AuthorizationFailure\\b|This request is not authorized to perform this operation(?! using this permission)|PublicNetworkAccess\\w* (?:is )?disabled)`,
      ),
    ),
  },
  {
    id: "share-keys-forbidden",
    stage: "pods",
    symptom:
      "KeyBasedAuthenticationNotPermitted: Key based authentication is not permitted on this storage account",
    cause:
      "The storage account of {name} accepts no keys (allowSharedKeyAccess is false, often by an Azure policy), and the CSI driver mounts SMB shares with the key of the account.",
    remedy: [
      show,
      "az storage account update --name {account} --resource-group {group} --allow-shared-key-access true   # when a policy takes it back, its resource group needs an exemption:",
      'az policy assignment list --disable-scope-strict-match --query "[].displayName" -o tsv',
      `${workloadKubectl} get storageclass -o custom-columns=NAME:.metadata.name,BY:.provisioner,PARAMETERS:.parameters   # disk.csi.azure.com needs no storage account`,
    ],
    source,
    find: refuses(
      new RegExp(
        `^${account}[^]*(?:KeyBasedAuthenticationNotPermitted|Key[- ]based authentication is not permitted)`,
        "i",
      ),
    ),
  },
];
