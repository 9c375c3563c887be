import type { PoolFacts } from "capz-windows-contract";
import { bash, verbatim } from "capz-windows-kit/shell";

/**
 * Azure Hybrid Benefit: machines with Windows Server licences that you already own. Neither CAPZ nor Cluster API has a
 * field for it (CAPZ #3394, CAPZ v1.27.0 azure/services/scalesets/spec.go), so a command sets it.
 */

/** On the MachinePool or MachineDeployment, so that everybody sees what the pool should have. */
export const hybridBenefitAnnotation = "capz-windows/hybrid-benefit";

const licence = "--license-type Windows_Server";

/**
 * For all existing machines of a pool, and for a scale set also for those that it creates until CAPZ next writes its
 * model.
 */
export function hybridBenefitCommand(
  { kind, computerNamePrefix: prefix }: Pick<PoolFacts, "kind" | "computerNamePrefix">,
  resourceGroup: string,
): string {
  const set = `--resource-group ${resourceGroup} --name ${prefix}`;
  return kind === "MachinePool"
    ? bash`az vmss update ${verbatim(set)} ${verbatim(licence)} && az vmss update-instances ${verbatim(set)} --instance-ids "*"`
    : bash`az vm update ${verbatim(licence)} --ids $(az vm list --resource-group ${resourceGroup} --query "[?starts_with(name, '${prefix}')].id" -o tsv)`;
}
