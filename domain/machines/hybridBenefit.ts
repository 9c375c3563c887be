import { machinePrefix } from "./naming";
import type { PoolKind } from "./pools";

/**
 * Azure Hybrid Benefit: machines with licences of Windows Server that one has already. Neither CAPZ nor Cluster API has a
 * field for it (CAPZ #3394, CAPZ v1.27.0 azure/services/scalesets/spec.go), so a command sets it.
 */

export interface LicensedPool {
  readonly name: string;
  readonly kind: PoolKind;
  /** Name of the scale set; not for single machines. */
  readonly scaleSet?: string | undefined;
  readonly resourceGroup: string;
}

/** On the MachinePool or MachineDeployment: everybody sees there what the pool is to have. */
export const hybridBenefitAnnotation = "capz-windows/hybrid-benefit";

const licence = "--license-type Windows_Server";

/** For all machines that a pool has, and for a scale set also for those that it makes until CAPZ writes its model anew. */
export function hybridBenefitCommand({ name, kind, scaleSet = name, resourceGroup }: LicensedPool): string {
  const set = `--resource-group ${resourceGroup} --name ${scaleSet}`;
  return kind === "MachinePool"
    ? `az vmss update ${set} ${licence} && az vmss update-instances ${set} --instance-ids "*"`
    : `az vm update ${licence} --ids $(az vm list --resource-group ${resourceGroup} --query "[?starts_with(name, '${machinePrefix(name)}')].id" -o tsv)`;
}
