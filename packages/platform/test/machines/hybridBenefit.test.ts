import { spawnSync } from "node:child_process";
import { hybridBenefitCommand } from "capz-windows-platform/machines/hybridBenefit";

describe("the command for licences of one's own", () => {
  const set = hybridBenefitCommand({ kind: "MachinePool", computerNamePrefix: "pool1" }, "blue");
  const machines = hybridBenefitCommand({ kind: "MachineDeployment", computerNamePrefix: "web-" }, "blue");

  it("is for the scale set and for its machines", () => {
    expect(set).toBe(
      'az vmss update --resource-group blue --name pool1 --license-type Windows_Server && az vmss update-instances --resource-group blue --name pool1 --instance-ids "*"',
    );
  });

  it("is for machines of a pool without a scale set", () => {
    expect(machines).toBe(
      "az vm update --license-type Windows_Server --ids $(az vm list --resource-group blue --query \"[?starts_with(name, 'web-')].id\" -o tsv)",
    );
  });

  it.each([set, machines])("is valid in a shell: %s", (command) => {
    expect(spawnSync("sh", ["-n", "-c", command]).status).toBe(0);
  });
});
