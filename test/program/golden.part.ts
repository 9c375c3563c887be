import { readdirSync } from "node:fs";
import { join } from "node:path";
import { goldenDifference } from "../../plan/cli/golden";
import { planFiles } from "../../plan/render/render";
import { exampleStacks, planOf } from "../support/plans";
import { projectDir } from "../support/stacks";

describe("test/golden", () => {
  it.each(exampleStacks)("is what a plan of %s writes (npm run golden, after reading)", async (stack) => {
    const difference = goldenDifference(projectDir, stack, planFiles(await planOf(stack)));
    if (difference !== undefined) {
      throw new Error(difference);
    }
  });

  it("has a folder for each example stack and no other", () => {
    expect(readdirSync(join(projectDir, "test/golden")).sort()).toEqual([...exampleStacks].sort());
  });

  it("is awake: what differs is told by what it means, by property and by file", async () => {
    const files = new Map(planFiles(await planOf("dev")));
    files.set("plan.json", files.get("plan.json")!.replaceAll("Standard_D4s_v5", "Standard_D8s_v5"));
    files.delete("azure/network-nat.json");
    files.set("nodes/new/user-data.txt", "");
    const difference = goldenDifference(projectDir, "dev", files);
    expect(difference).toContain("capz-windows, stack dev, against test/golden/dev: ");
    expect(difference).toContain(
      "Windows pool win1 is renewed in part: VM size Standard_D4s_v5 → Standard_D8s_v5",
    );
    expect(difference).toMatch(
      /\ngone {2}azure\/network-nat\.json\nnew {2}nodes\/new\/user-data\.txt\nchanged {2}plan\.json$/,
    );
  });
});
