import { join } from "node:path";
import { projectDir } from "../support/stacks";
import { TestDeployment } from "./deployment";
import { findPulumi } from "./pulumiCli";

/** The real CLI with the pack, as docs/policies.md says. */

const { CAPZ_WINDOWS_KUBECONFIG: kubeconfig, CAPZ_WINDOWS_POLICY_SDK: sdk } = process.env;
const pulumi = kubeconfig === undefined || sdk === undefined ? undefined : findPulumi();

/** The policies that the output names, with their levels. */
const found = (output: string): string[] =>
  [
    ...new Set(
      [...output.matchAll(/- \[(\w+)\].* {2}([\w-]+) {2}\(/g)].map(([, level, id]) => `${level} ${id}`),
    ),
  ].sort();

if (kubeconfig === undefined || sdk === undefined || pulumi === undefined) {
  it.skip("skipped: no test API server, no @pulumi/policy in CAPZ_WINDOWS_POLICY_SDK, or no pulumi on PATH works", () =>
    undefined);
} else {
  let deployment: TestDeployment;
  beforeAll(async () => {
    deployment = await TestDeployment.begin(pulumi, kubeconfig, `pol${process.pid}`);
  });
  afterAll(() => deployment.end());

  const preview = () =>
    deployment.cli.run(["preview", "--policy-pack", join(projectDir, "policy")], { env: { NODE_PATH: sdk } });

  it("previews with advice, and refuses what is mandatory", async () => {
    const advised = await preview();
    expect([advised.code, found(advised.output)]).toEqual([
      0,
      [
        "advisory no-audit-log",
        "advisory no-encryption",
        "advisory unprotected",
        "advisory unverified-kubelets",
        "advisory windows-mainstream-end",
      ],
    ]);
    await deployment.cli.must(["config", "set", "--path", "access.allowedCidrs[0]", "0.0.0.0/0"]);
    const refused = await preview();
    expect(refused.code).not.toBe(0);
    expect(found(refused.output)).toContain("mandatory public-cluster");
  });
}
