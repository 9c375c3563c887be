import { readFileSync } from "node:fs";
import { workloads } from "../../packages/windows-workloads/test/support";
import { blocksOf } from "../docs/examples";

it("the command is in package.json, with its own entry point", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    scripts: Record<string, string>;
  };
  expect(scripts.workloads).toBe("node scripts/install.js && node scripts/workloads.js");
});

it("the manifests of docs/workloads.md run where it says", async () => {
  const blocks = blocksOf("docs/workloads.md", "yml");
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  const { code, out } = await workloads({ "m.yaml": blocks.join("\n---\n") });
  expect(out.match(/win2022 +runs/g)).toHaveLength(blocks.length);
  expect(out).not.toContain("note");
  expect(code).toBe(0);
});
