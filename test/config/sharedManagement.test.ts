import { sharedManagement } from "capz-windows-platform/cluster/clients";
import { join } from "node:path";
import { clientsBeside } from "../../config/clients";
import { loadSettings } from "../../config/load";
import { findingsOf } from "../../config/policy/findings";
import { minimal, projectDir, reportOf, settingsWith } from "../support/stacks";

const { azure } = minimal();
const only = { clusterName: "platform", azure, management: { kind: "aks", only: true } };

describe("a stack that makes only a management cluster", () => {
  it("needs a name, a place in Azure and management.only, and nothing of a workload cluster", () => {
    const { settings, warnings } = loadSettings(only, "Pulumi.test.yaml");
    expect(settings.clusterApi.install).toBe(true);
    expect(warnings.map(({ path }) => path)).toEqual(["management.authorizedCidrs"]);
    const findings = findingsOf({ settings, warnings }, only, "2026-11-25");
    expect(findings.map(({ id }) => id)).toEqual(["public-management-cluster", "no-entra-login"]);
  });

  it("without management.only is a workload cluster of which the rest is missing", () => {
    const report = reportOf({ ...only, management: { kind: "aks" } });
    expect(report).toContain("2 problems");
    expect(report).toMatch(/kubernetesVersion\n\s+problem\s+this key is required/);
    expect(report).toMatch(/access\n\s+problem\s+this key is required/);
  });

  it("has no keys of a workload cluster", () => {
    expect(reportOf({ ...only, windowsPools: { win1: {} } })).toMatchInlineSnapshot(`
     "Pulumi.test.yaml: 1 problem

       windowsPools
         problem  this belongs to a workload cluster, and the stack makes only a management cluster (management.only)
         allowed  in the stack files of workload clusters, with management.kind: stack; here clusterName, azure, management, managementKubeconfig, clusterApi, tags, protect, policyExceptions"
    `);
    expect(reportOf({ ...only, azure: { ...(azure as object), resourceGroup: "g" } })).toMatchInlineSnapshot(`
     "Pulumi.test.yaml: 1 problem

       azure.resourceGroup
         problem  this belongs to a workload cluster, and the stack makes only a management cluster (management.only)
         allowed  in the stack files of workload clusters, with management.kind: stack; here clusterName, azure, management, managementKubeconfig, clusterApi, tags, protect, policyExceptions"
    `);
  });

  it("on an existing cluster tells its clients the issuer", () => {
    const existing = { kind: "existing", only: true, name: "m", egressCidrs: ["198.51.100.4/32"] };
    expect(reportOf({ ...only, management: existing })).toContain(
      "the identities of the stacks that use the cluster trust its OIDC issuer",
    );
  });
});

describe("a stack on the management cluster of another stack", () => {
  it("installs nothing there", () => {
    const management = { kind: "stack", stack: "acme/capz-windows/management" };
    const { clusterApi } = settingsWith({ management });
    expect([clusterApi.install, clusterApi.installCertManager]).toEqual([false, false]);
  });
});

it("the clients of a stack are the files beside it that name it", () => {
  const file = (stack: string) => join("test/stacks", `Pulumi.${stack}.yaml`);
  expect(clientsBeside(projectDir, file("management"))).toEqual(["team-a", "team-b"]);
  expect(clientsBeside(projectDir, file("dev"))).toEqual([]);
});

it.each([
  [
    "has no outputs yet",
    {},
    "management.stack: the stack o/p/s has no outputs yet: run `npx pulumi up --stack o/p/s` first",
  ],
  [
    "is no management cluster for others",
    { managementKubeconfig: "k" },
    "management.stack: the stack o/p/s has no management cluster for other stacks: its output clientsNamespace is missing. Write `only: true` in management of its stack file and run `npx pulumi up --stack o/p/s`, or name another stack",
  ],
  [
    "has outputs that are wrong",
    { clientsNamespace: "c", managementKubeconfig: "k", egressCidrs: [7] },
    "management.stack: the outputs of the stack o/p/s are wrong: managementClusterId: Invalid input: expected string, received undefined; egressCidrs.0: Invalid input: expected string, received number. With the release of this program, run `npx pulumi up --stack o/p/s`",
  ],
])("the stack in management.stack %s", (_, outputs, problem) => {
  expect(sharedManagement("o/p/s", outputs)).toEqual({ problem });
});
