import type { Row } from "./reasonTable";

const any = /./;
const bootstraps = /^Kubeadm/;
const machines = /^AzureMachine(Pool|Template)$/;

/** Fields that controllers and webhooks add to live objects, and which nobody who described the cluster wrote. */
export const written: readonly Row[] = [
  {
    kind: any,
    path: /^metadata\.(annotations|labels)\..*(kubectl\.kubernetes\.io|clusters?\.x-k8s\.io|sigs\.k8s\.io|serviceoperator)/,
    why: "controllers and kubectl write it",
  },
  {
    kind: any,
    path: /^metadata\.annotations\.(pulumi\.com|capz-windows)\//,
    why: "Pulumi and this program write it",
  },
  { kind: /^(Azure)?Cluster$/, path: /controlPlaneEndpoint/, why: "CAPZ writes the address that it made" },
  {
    kind: /^AzureCluster$/,
    path: /^spec\.(azureEnvironment|controlPlaneEnabled)/,
    why: "CAPZ's webhook writes its default",
  },
  {
    kind: /^AzureCluster$/,
    path: /^spec\.networkSpec\.(vnet\.id$|apiServerLB\.(backendPool|sku|idleTimeoutInMinutes|type|name|frontendIPs)|subnets\[[^\]]+\]\.(id$|natGateway\.(id|ip)|securityGroup\.securityRules))/,
    why: "CAPZ's webhook writes its default",
  },
  {
    kind: machines,
    path: /providerIDList|orchestrationMode|roleAssignmentName|systemAssignedIdentityRole|nodeDrainTimeout|disableVMBootstrapExtension|enableVMSSNodePublicIP/,
    why: "CAPZ's webhook writes its default",
  },
  {
    kind: machines,
    path: /^spec\.(template\.spec\.)?identity$/,
    value: "None",
    why: "CAPZ's webhook writes its default",
  },
  { kind: machines, path: /osDisk\.cachingType$/, value: "None", why: "CAPZ's webhook writes its default" },
  {
    kind: machines,
    path: /diagnostics\.boot\.storageAccountType$/,
    value: "Managed",
    why: "CAPZ's webhook writes its default",
  },
  {
    kind: machines,
    path: /image\.marketplace\.thirdPartyImage$/,
    value: false,
    why: "the API server writes the default of the CRD",
  },
  {
    kind: bootstraps,
    path: /\.format$|^spec\.format$/,
    why: "Cluster API's default; images read cloud-config only",
  },
  {
    kind: any,
    path: /deletion\.nodeDeletionTimeoutSeconds$/,
    value: 10,
    why: "Cluster API's webhook writes its default",
  },
  {
    kind: any,
    path: /^spec\.providerID(List)?$|bootstrap\.dataSecretName$|discovery\.bootstrapToken\.|^spec\.failureDomain$/,
    why: "the controllers of Cluster API and CAPZ write it",
  },
];
