import { bash } from "../tools/shell";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import type { SharedManagement } from "../components/clusterApi/sharedManagement";
import type { Settings } from "../config/settings";
import { clientLabel, clientsNamespace, sharedOutputs } from "../platform/cluster/clients";
import { managementRequirementsOutput } from "./managementRequirements";
import type { Run } from "./run";
import { installedTokenMinutes } from "../platform/machines/bootstrapTokens";

/** Builds a stack that makes only a management cluster, and returns its outputs. */
export type ManagementProgram = (settings: Settings, run: Run) => Readonly<Record<string, unknown>>;

interface ManagementParts {
  readonly settings: Settings;
  readonly run: Run;
  readonly management: ManagementCluster;
  readonly shared: SharedManagement;
}

/** The outputs that other stacks read by their names, and the next steps. */
export const managementOutputs = ({
  settings,
  run,
  management,
  shared,
}: ManagementParts): Record<string, unknown> => ({
  [sharedOutputs.kubeconfig]: management.kubeconfig,
  [sharedOutputs.clusterIdentifier]: management.clusterIdentifier,
  [sharedOutputs.egressCidrs]: management.egressCidrs,
  ...(management.oidcIssuerUrl === undefined
    ? {}
    : { [sharedOutputs.oidcIssuerUrl]: management.oidcIssuerUrl }),
  ...(management.vnetId === undefined ? {} : { [sharedOutputs.vnetId]: management.vnetId }),
  ...(settings.management.kind === "aks" && settings.management.network?.vnetCidr !== undefined
    ? { [sharedOutputs.vnetCidrs]: [settings.management.network.vnetCidr] }
    : {}),
  ...managementRequirementsOutput(settings),
  [sharedOutputs.syncPeriodMinutes]: settings.clusterApi.syncPeriodMinutes,
  [sharedOutputs.bootstrapTtlMinutes]: installedTokenMinutes(settings.clusterApi),
  [sharedOutputs.clients]: shared.clientsNamespace,
  nextSteps: [
    bash`(umask 077 && npx pulumi stack output managementKubeconfig --stack ${run.stack} --show-secrets > management.kubeconfig)`,
    "KUBECONFIG=management.kubeconfig kubectl get clusters.cluster.x-k8s.io --all-namespaces",
    bash`KUBECONFIG=management.kubeconfig kubectl get configmaps --namespace ${clientsNamespace} --selector ${clientLabel}=true  # its clients`,
  ].join("\n"),
});
