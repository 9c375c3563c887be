import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { projectDir } from "../../support/projectDir";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** An error that only the program notices ends the command. It ended nothing: `process.exit` threw the next error, without end. */

const dir = temporaryFolder();

it("a manifest that is not YAML is said once, and the plan ends", () => {
  const file = join(dir, "Pulumi.dev.yaml");
  const stack = readFileSync(join(projectDir, "test/stacks/Pulumi.dev.yaml"), "utf8");
  const { config } = parse(stack) as { config: object };
  const extraManifests = { a: { file: "LICENSE" } };
  writeFileSync(file, stringify({ config: { ...config, "capz-windows:extraManifests": extraManifests } }));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["scripts/plan.js", "--stack", "dev", "--config-file", file, "--out", join(dir, "out")],
    { cwd: projectDir, encoding: "utf8", timeout: 100_000 },
  );
  expect(`${stdout}${stderr}`).toContain(
    "problem  it cannot be read: Implicit keys need to be on a single line at line 2, column 34: (and 9 more)",
  );
  expect(`${stdout}${stderr}`).not.toContain("This is a bug of this program");
  expect(status).toBe(1);
});
