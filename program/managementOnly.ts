import { bash } from "capz-windows-kit/shell";
import type { ManagementCluster } from "../components/managementCluster/managementCluster";
import type { SharedManagement } from "../components/clusterApi/sharedManagement";
import type { Settings } from "../config/settings";
import type { ManagementOutputs, StackOutputs } from "capz-windows-contract";
import { clientLabel, clientsNamespace } from "capz-windows-platform/cluster/clients";
import { managementRequirementsOutput } from "./managementRequirements";
import type { Written } from "./outputs";
import type { Run } from "./run";
import { installedTokenMinutes } from "capz-windows-platform/machines/bootstrapTokens";

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
}: ManagementParts): Written<ManagementOutputs & StackOutputs> => ({
  managementKubeconfig: management.kubeconfig,
  managementClusterId: management.clusterIdentifier,
  egressCidrs: management.egressCidrs,
  ...(management.oidcIssuerUrl === undefined ? {} : { oidcIssuerUrl: management.oidcIssuerUrl }),
  ...(management.vnetId === undefined ? {} : { managementVnetId: management.vnetId }),
  ...(settings.management.kind === "aks" && settings.management.network?.vnetCidr !== undefined
    ? { managementVnetCidrs: [settings.management.network.vnetCidr] }
    : {}),
  ...managementRequirementsOutput(settings),
  syncPeriodMinutes: settings.clusterApi.syncPeriodMinutes,
  bootstrapTtlMinutes: installedTokenMinutes(settings.clusterApi),
  clientsNamespace: shared.clientsNamespace,
  nextSteps: [
    bash`(umask 077 && npx pulumi stack output managementKubeconfig --stack ${run.stack} --show-secrets > management.kubeconfig)`,
    "KUBECONFIG=management.kubeconfig kubectl get clusters.cluster.x-k8s.io --all-namespaces",
    bash`KUBECONFIG=management.kubeconfig kubectl get configmaps --namespace ${clientsNamespace} --selector ${clientLabel}=true  # its clients`,
  ].join("\n"),
});
