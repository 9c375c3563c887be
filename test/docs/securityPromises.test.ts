import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { projectFiles } from "../../commands/init/files";
import { filesIn } from "../support/filesIn";
import { projectDir } from "../support/projectDir";

/** Each promise of SECURITY.md has a test that fails where it is broken. */

const security = readFileSync(join(projectDir, "SECURITY.md"), "utf8");
const section = (title: string): string =>
  (security.split(`\n## ${title}\n`)[1] ?? "").split("\n## ")[0] ?? "";

/** How a promise begins, and its tests, each with a part of its name. */
const promises: Readonly<Record<string, readonly (readonly [file: string, name: string])[]>> = {
  "A plan, a report or a comment never contains": [
    ["config/secrets.test.ts", "is not shown at any place"],
    ["config/credentialForms.test.ts", "is hidden with all of its characters"],
    ["plan/compare/hiddenCredentials.test.ts", "no format shows a credential at any place"],
  ],
  "Kubeconfigs that happen to be on the machine": [
    ["docs/securityPromises.test.ts", "no resource has a provider that takes the kubeconfig of the machine"],
  ],
  "A manifest that the program downloads": [
    ["addons/pinnedManifest.test.ts", "never uses a cached file with another hash"],
    ["addons/manifestDownload.test.ts", "stops at a download with another hash"],
  ],
  "The workflows for pull requests on GitHub": [
    ["pipeline/permissions.test.ts", "runs the code of a branch with no right to write"],
    ["pipeline/permissions.test.ts", "gives forks no secret and no identity"],
    ["pipeline/permissions.test.ts", "runs nothing for forks"],
  ],
  "Identities get the roles that the plan lists": [
    ["platform/rights.test.ts", "of %s all have a reason"],
    ["platform/rights.test.ts", "names the IDs of all roles, for writing and for deleting"],
  ],
  "With Calico and Kubernetes 1.26 or newer": [
    ["addons/calico.test.ts", "Azure's metadata service and wire server"],
  ],
  "With `controlPlane.audit`": [["apiserver/audit.test.ts", "has who wrote what"]],
  "With `controlPlane.encryption`": [
    ["apiserver/encryption.test.ts", "encrypts from the first stage to the last one"],
    ["bootstrap/encryption.test.ts", "is a file that only root reads"],
  ],
  "With `controlPlane.authentication`": [
    ["apiserver/authentication.test.ts", "gives names their prefixes"],
    ["apiserver/authentication.test.ts", "leaves cluster-info to joining machines"],
  ],
  "With `controlPlane.podSecurity`": [["apiserver/podSecurity.test.ts", "refuses administrators of nodes"]],
  "With `kubeletCertificates: verified`": [
    ["apiserver/kubeletCertificates.test.ts", "a kubelet may not approve its own request"],
  ],
  "In a VNET of the stack, ssh is open": [
    ["plan/model/reach.test.ts", "says by which rule each path of dev is open or shut"],
  ],
};

/** The same of the attackers that the project's own code stops. The other rows say that others must. */
const attackers: typeof promises = {
  "the author of a pull request, against the machine": [
    ["plan/cli/baseSide.test.ts", "what a commit and a file could both be"],
  ],
  "a reader of a pull request, of its comments": [
    ["plan/compare/secrets.test.ts", "a mark follows the ciphertext, and has nothing of it"],
  ],
  "whoever may write Secrets in that namespace": [
    ["tools/clusterKubeconfig.test.ts", "refuses any other field at any place"],
    ["doctor/hostileKubeconfig.test.ts", "is refused in words by the doctor"],
  ],
  "the owner of a registry": [
    ["addons/clusterApiArtifacts.test.ts", "uses nothing of an archive with another sha256"],
  ],
  "whoever may make Events or objects in a namespace": [
    ["printed/hostile.test.ts", "starts the programs of each remedy with the options of each remedy"],
    ["commandLine/output.test.ts", "both streams are guarded"],
  ],
  "whoever answers in place of an API server": [
    ["io/hostileServers.test.ts", "gives no login to another host"],
    ["io/hostileServers.test.ts", "ends at the limit of bytes"],
  ],
};

it("every promise has its tests", () => {
  const found = section("What counts")
    .split(/^- /m)
    .slice(1)
    .map((text) => text.replace(/\s+/g, " "));
  expect(found).toHaveLength(Object.keys(promises).length);
  const without = found.filter((text) => !Object.keys(promises).some((start) => text.startsWith(start)));
  expect(without).toEqual([]);
});

it("the rows about attackers are there", () => {
  const rows = section("What is protected against whom").match(/^\| .*/gm) ?? [];
  const without = Object.keys(attackers).filter((start) => !rows.some((row) => row.startsWith(`| ${start}`)));
  expect(without).toEqual([]);
});

it.each(Object.entries({ ...promises, ...attackers }))("the tests of %j exist", (_, tests) => {
  const without = tests.filter(
    ([file, name]) => !readFileSync(join(projectDir, "test", file), "utf8").includes(name),
  );
  expect(without).toEqual([]);
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

it("what is verified by a digest has a test that changes a byte", () => {
  expect(section("What is verified, and what is not")).toContain("`pulumi.sha256`");
  const pulumi = readFileSync(join(projectDir, "test/pipeline/pulumi.test.ts"), "utf8");
  expect(pulumi).toContain("runs nothing if %s has another digest");
});
