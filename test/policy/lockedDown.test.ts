import { stackFindings } from "../../plan/cli/findings";
import { exampleFile, projectDir, readExample } from "../support/stacks";
import { decodeConfig } from "../../config/parse";
import { projectConfig } from "../../config/stackFile";

/** The example of a locked-down stack follows every policy, without an exception. */

const findings = (stack: string) =>
  stackFindings(projectDir, stack, exampleFile(stack), "2026-11-25").filter(
    // The end of its Kubernetes is announced.
    ({ id }) => id !== "stack-warning" && id !== "ends-soon",
  );

it("has no findings, and does what the policies cannot ask of every stack", () => {
  expect(findings("locked-down")).toEqual([]);
  const config = decodeConfig(projectConfig(readExample("locked-down").config));
  expect(config).not.toHaveProperty("policyExceptions");
  expect(config).toMatchObject({
    network: { apiServer: { private: true } },
    controlPlane: { replicas: 3, authentication: { entra: {} }, podSecurity: {} },
    kubeletCertificates: "verified",
    registryMirror: {},
    poolDefaults: { encryptionAtHost: true },
  });
});

it("differs in that from the example of production", () => {
  expect(findings("prod").map(({ id }) => id)).toContain("no-entra-login");
});
