import { Arm } from "../../commands/azure/arm";
import { licences } from "../../commands/preflight/checks/licences";
import { needsOf } from "../../commands/preflight/needs";
import type { Row } from "../../commands/preflight/row";
import { factsWith } from "../support/stacks";
import { ArmStandIn, type Change } from "./armStandIn";

const azure = new ArmStandIn();
let endpoint: string;

beforeAll(async () => {
  endpoint = await azure.listen();
});

afterAll(() => {
  azure.close();
});

function rowsOf(change: Change, more: Record<string, unknown>): Promise<Row[]> {
  azure.change = change;
  const arm = new Arm({ endpoint, token: () => Promise.resolve("simulated") });
  return licences(arm, needsOf(factsWith(more)));
}

describe("Azure Hybrid Benefit", () => {
  const licensed = {
    windowsPools: {
      win1: { hybridBenefit: true },
      "windows-web": { kind: "MachineDeployment", hybridBenefit: true },
    },
  };
  const machine = (name: string, licenseType?: string) => ({ name, properties: { licenseType } });
  const machines =
    (ofSet: readonly unknown[], single: readonly unknown[]): Change =>
    (_, url) =>
      url.pathname.endsWith("/virtualMachineScaleSets/win1/virtualMachines")
        ? { body: { value: ofSet } }
        : url.pathname.endsWith("/resourceGroups/test/providers/Microsoft.Compute/virtualMachines")
          ? { body: { value: single } }
          : undefined;
  const lines = (rows: readonly Row[]) =>
    rows
      .filter(({ check }) => check === "licences")
      .map(({ state, found, remedy }) => [state, found, ...remedy]);

  it("is looked up on each machine, by the names that CAPZ creates", async () => {
    const single = [
      machine("windows-w-a1b2c"),
      machine("windows-w-d3e4f", "Windows_Server"),
      machine("test-control-plane-x2x7q"),
    ];
    expect(lines(await rowsOf(machines([machine("win1_0"), machine("win1_1")], single), licensed))).toEqual([
      [
        "warning",
        "2 of 2 machines of windowsPools.win1 pay for Windows Server although hybridBenefit is true: the command has not run since they were made",
        'az vmss update --resource-group test --name win1 --license-type Windows_Server && az vmss update-instances --resource-group test --name win1 --instance-ids "*"',
      ],
      [
        "warning",
        "1 of 2 machines of windowsPools.windows-web pay for Windows Server although hybridBenefit is true: the command has not run since they were made",
        "az vm update --license-type Windows_Server --ids $(az vm list --resource-group test --query \"[?starts_with(name, 'windows-w-')].id\" -o tsv)",
      ],
    ]);
  });

  it("is in order if each machine has it, and before the first deployment", async () => {
    const fine = ["ok", "every Windows machine that is to use licences of your own does so"];
    const all = machines([machine("win1_0", "Windows_Server")], []);
    expect(lines(await rowsOf(all, licensed))).toEqual([fine]);
    expect(lines(await rowsOf(() => undefined, licensed))).toEqual([fine]);
  });

  it("is not mentioned if no pool wants it", async () => {
    expect(await rowsOf(() => undefined, { windowsPools: { win1: {} } })).toEqual([]);
  });
});
