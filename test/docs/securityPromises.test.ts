import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectFiles } from "../../commands/init/files";
import { filesIn } from "../support/filesIn";
import { at } from "capz-windows-kit/untyped";
import { updateInline } from "../support/inlinePlans";
import { projectDir } from "../support/projectDir";
import { minimal } from "../support/stacks";

/** Each promise of SECURITY.md has a test that fails where it is broken. */

const security = readFileSync(join(projectDir, "SECURITY.md"), "utf8");
const section = (title: string): string =>
  (security.split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0] ?? "";

type Tests = readonly (readonly [file: string, name: string])[];

/** The words in bold with which a promise begins, and its tests, each with a part of its name. */
const promises: Readonly<Record<string, Tests>> = {
  "Secrets are not shown.": [
    ["config/secrets.test.ts", "is not shown at any place"],
    ["plan/compare/secrets.test.ts", "a mark follows the ciphertext, and has nothing of it"],
    ["engine/secrets.test.ts", "no secret is printed or stored in plain text"],
    ["doctor/usersKubeconfig.test.ts", "a text that is no kubeconfig is said, without what it has"],
  ],
  "Credentials in plain text are hidden": [
    ["config/credentialForms.test.ts", "is hidden with all of its characters"],
    ["plan/compare/hiddenCredentials.test.ts", "no format shows a credential at any place"],
    ["plan/compare/hiddenCredentials.test.ts", "a comparison hides what a plan of others shows"],
    ["packages/doctor/test/credentials.test.ts", "no report has a credential of a condition"],
    ["pipeline/preview.test.ts", "is shown, kept and published without credentials, in any form"],
  ],
  "No kubeconfig of the machine": [
    ["docs/securityPromises.test.ts", "no resource has a provider that takes the kubeconfig of the machine"],
    ["packages/doctor/test/cli.test.ts", "Name a stack: the folder has no Pulumi.NAME.yaml."],
  ],
  "Kubeconfigs from a cluster run nothing and read no file.": [
    ["packages/kit/test/clusterKubeconfig.test.ts", "refuses any other field at any place"],
    ["doctor/hostileKubeconfig.test.ts", "is refused in words by the doctor"],
    [
      "program/hostileSecret.test.ts",
      "the output and the provider of a workload cluster get it no other way",
    ],
  ],
  "Printed commands are ours.": [
    ["printed/hostile.test.ts", "starts the programs of each remedy with the options of each remedy"],
    ["printed/hostile.test.ts", "is made by the one function that knows shells"],
    [
      "packages/doctor/test/forgedEvents.test.ts",
      "no identity, role or scope of a command comes from the text of an Event",
    ],
  ],
  "Nothing unseen is printed.": [
    ["packages/kit/test/commandLine/output.test.ts", "both streams are guarded"],
    ["printed/reports.test.ts", "all of them visible and none a command of a pipeline"],
  ],
  "Servers and files cannot fill the memory or keep a command waiting.": [
    ["packages/kit/test/io/hostileServers.test.ts", "ends at the limit of bytes"],
    ["packages/kit/test/io/hostileServers.test.ts", "end after a number of them"],
    ["io/json.test.ts", "a list of very many small values ends in words"],
    ["architecture/boundedFiles.part.ts", "only the one reader with a limit reads files of others"],
    ["doctor/usersKubeconfig.test.ts", "that is too large is said, and nothing is sent"],
  ],
  "A login goes to no other host": [
    ["packages/kit/test/io/hostileServers.test.ts", "gives no login to another host"],
    ["io/hostileServers.test.ts", "is reported, and not called well"],
    ["io/json.test.ts", "a page for people with JSON in it is no list"],
  ],
  "The name of an image has nothing asked inside": [
    ["packages/windows-workloads/test/innerRegistries.test.ts", "%s is not asked for an image"],
    [
      "packages/windows-workloads/test/innerRegistries.test.ts",
      "nor for a token, nor by a redirect, whatever another registry says",
    ],
    ["packages/windows-workloads/test/innerRegistries.test.ts", "nor is a name that leads to this machine"],
  ],
  "What has a sha256 is used only with it": [
    ["addons/pinnedManifest.test.ts", "never uses a cached file with another hash"],
    ["addons/manifestDownload.test.ts", "stops at a download with another hash"],
    ["addons/clusterApiArtifacts.test.ts", "uses nothing of an archive with another sha256"],
    ["pipeline/pulumi.test.ts", "runs nothing if %s has another digest"],
    ["pipeline/pulumi.test.ts", "the examples for Azure Pipelines and GitLab do so, too"],
  ],
  "Pull requests on GitHub": [
    ["pipeline/permissions.test.ts", "runs the code of a branch with no right to write"],
    ["pipeline/permissions.test.ts", "gives forks no secret and no identity"],
    ["pipeline/permissions.test.ts", "writes comments with the code of the default branch alone"],
    ["pipeline/permissions.test.ts", "runs nothing for forks"],
  ],
  "Identities get the roles in `rights/rights.md` of the plan": [
    ["rights/rights.test.ts", "of %s all have a reason"],
    ["rights/rights.test.ts", "names the IDs of all roles, for writing and for deleting"],
    [
      "docs/securityPromises.test.ts",
      "machines of a pool have no identity that the stack file does not ask for",
    ],
  ],
  "Pods get no token of a node's identity and no user data": [
    ["addons/calico.test.ts", "are denied to pods by a tier"],
    ["addons/calico.test.ts", "are open to pods of the namespaces that are named"],
  ],
  "`controlPlane.audit`": [["apiserver/audit.test.ts", "has who wrote what"]],
  "`controlPlane.encryption`": [
    ["apiserver/encryption.test.ts", "encrypts from the first stage to the last one"],
    ["bootstrap/encryption.test.ts", "are providers of KMS v2 in the order of the list, and have no bytes"],
  ],
  "`controlPlane.authentication`": [
    ["apiserver/authentication.test.ts", "gives names their prefixes"],
    ["apiserver/authentication.test.ts", "leaves cluster-info to joining machines"],
    ["bootstrap/authentication.test.ts", "the kubeconfig for people has server and authority"],
  ],
  "`controlPlane.podSecurity`": [["apiserver/podSecurity.test.ts", "refuses administrators of nodes"]],
  "`kubeletCertificates: verified`": [
    ["apiserver/kubeletCertificates.test.ts", "a kubelet may not approve its own request"],
    ["bootstrap/kubeletCertificates.test.ts", "the API server verifies by the CA of the cluster only where"],
  ],
  "In a VNET of the stack": [
    ["plan/model/reach.test.ts", "says by which rule each path of dev is open or shut"],
  ],
};

/** What the project's own code does against an attacker. The other rows say that others must, or that nothing does. */
const attackers: Readonly<Record<string, Tests>> = {
  "the author of a pull request, against a reviewer's machine": [
    ["plan/cli/baseSide.test.ts", "what a commit and a file could both be"],
  ],
  "the owner of a registry": [
    ["images/digests.test.ts", "runs them everywhere, and keeps its versions in words"],
  ],
  "a node that was taken over": [["addons/calico.test.ts", "stays on the control plane"]],
};

it("every promise has its tests", () => {
  const found = section("What counts").match(/^- \*\*[^]+?\*\*/gm) ?? [];
  expect(found.map((bold) => bold.slice(4, -2).replace(/\s+/g, " "))).toEqual(Object.keys(promises));
});

it("the rows about attackers are there", () => {
  const rows = section("What is protected against whom").match(/^\| .*/gm) ?? [];
  const without = Object.keys(attackers).filter((start) => !rows.some((row) => row.startsWith(`| ${start}`)));
  expect(without).toEqual([]);
});

it.each(Object.entries({ ...promises, ...attackers }))("the tests of %j exist", (_, tests) => {
  const without = tests.filter(
    ([file, name]) =>
      !readFileSync(join(projectDir, file.startsWith("packages/") ? "" : "test", file), "utf8").includes(
        name,
      ),
  );
  expect(without).toEqual([]);
});

it("machines of a pool have no identity that the stack file does not ask for", async () => {
  const identitiesOf = async (pool: object) => {
    const { resources } = await updateInline({ ...minimal(), windowsPools: { win1: pool } });
    return resources
      .filter(({ type, name }) => /:AzureMachine(?:Pool|Template)$/.test(type) && name.includes("win1"))
      .flatMap(({ inputs }) => [at(inputs, "spec"), at(inputs, "spec", "template", "spec")])
      .flatMap((spec) => at(spec, "userAssignedIdentities") ?? at(spec, "identity") ?? []);
  };
  expect(await identitiesOf({})).toEqual([]);
  expect(await identitiesOf({ kind: "MachineDeployment" })).toEqual([]);
  const id =
    "/subscriptions/11111111-2222-4333-8444-555555555555/resourceGroups/a/providers/Microsoft.ManagedIdentity/userAssignedIdentities/b";
  expect(await identitiesOf({ identityIds: [id] })).toEqual([{ providerID: `azure://${id}` }]);
});

it("no resource has a provider that takes the kubeconfig of the machine", () => {
  const ofInit = projectFiles("web", {})["Pulumi.yaml"] ?? "";
  for (const text of [readFileSync(join(projectDir, "Pulumi.yaml"), "utf8"), ofInit]) {
    expect(parse(text)).toMatchObject({ config: { "pulumi:disable-default-providers": { value: ["*"] } } });
  }
  const made = [...filesIn(join(projectDir, "components")).values()].flatMap((text) =>
    [...text.matchAll(/new kubernetes\.Provider\([^]*?\n {4}\);/g)].map(([provider]) => provider),
  );
  expect(made.length).toBeGreaterThan(1);
  expect(made.filter((text) => !/\bkubeconfig\b/.test(text))).toEqual([]);
});
