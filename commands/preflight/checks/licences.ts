import { list, textAt, type Plain } from "capz-windows-kit/untyped";
import { hybridBenefitCommand } from "capz-windows-platform/machines/hybridBenefit";
import type { PoolFacts } from "capz-windows-contract";
import { type Arm, orMissing } from "../../azure/arm";
import type { Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";

/**
 * Azure Hybrid Benefit: whether the machines of the pools with `hybridBenefit: true` use licences that the user already
 * has. CAPZ does not set `licenseType`, so each rollout creates machines without it.
 */

const { warning, ok } = rowsOf("licences");

const licence = "Windows_Server";

const isLicensed = (machine: unknown): boolean => textAt(machine, "properties", "licenseType") === licence;

/** The machines that a pool has in Azure; none before the first deployment. */
async function machinesOf(
  arm: Arm,
  { kind, computerNamePrefix: prefix }: PoolFacts,
  group: string,
): Promise<Plain[]> {
  const compute = `${group}/providers/Microsoft.Compute`;
  if (kind === "MachinePool") {
    // https://learn.microsoft.com/rest/api/compute/virtual-machine-scale-set-vms/list
    return arm.list(`${compute}/virtualMachineScaleSets/${prefix}/virtualMachines`, "2024-07-01");
  }
  // https://learn.microsoft.com/rest/api/compute/virtual-machines/list
  const all = await arm.list(`${compute}/virtualMachines`, "2024-07-01");
  return all.filter((machine) => textAt(machine, "name").startsWith(prefix));
}

async function poolRows(arm: Arm, pool: PoolFacts, needs: Needs): Promise<Row[]> {
  const group = `/subscriptions/${needs.subscriptionId}/resourceGroups/${needs.resourceGroup}`;
  const machines = await orMissing(machinesOf(arm, pool, group));
  const all = list(machines);
  const bare = all.filter((machine) => !isLicensed(machine));
  return present(
    bare.length > 0 &&
      warning(
        `${bare.length} of ${all.length} machines of ${pool.path} pay for Windows Server although hybridBenefit is true: the command has not run since they were made`,
        hybridBenefitCommand(pool, needs.resourceGroup),
      ),
  );
}

export async function licences(arm: Arm, needs: Needs): Promise<Row[]> {
  const pools = needs.licensed;
  const rows = (await Promise.all(pools.map((pool) => poolRows(arm, pool, needs)))).flat();
  return pools.length === 0
    ? []
    : orOk(rows, ok("every Windows machine that is to use licences of your own does so"));
}
