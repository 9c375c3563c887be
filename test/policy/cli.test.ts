import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { run } from "../../plan/cli/main";
import { readStackFile } from "../../config/stackFile";
import { changedFindings, stackFindings } from "../../plan/cli/findings";
import { testProject } from "../support/project";
import { said } from "capz-windows-test-kit/said";
import { exampleFile, projectDir } from "../support/stacks";
import { temporaryFolder } from "capz-windows-test-kit/temporaryFolder";

/** An example as a person would write it: a line for each key. */
const example = stringify(parse(readFileSync(join(projectDir, exampleFile("dev")), "utf8")), {
  lineWidth: 0,
});
const work = temporaryFolder();
const project = testProject();
afterAll(() => {
  project.remove();
});

async function runHere(...args: readonly string[]) {
  const all = [...args, "--out", join(work, "out")];
  const { code, out, err } = await said(() => run(all, { projectDir: project.dir }));
  return { status: code, stdout: out, stderr: err };
}

it("annotates a stack file that is wrong, and still fails with its report", async () => {
  project.write("Pulumi.bad.yaml", example.replace(/replicas: 1\b/, "replicas: 2"));
  const file = join(work, "bad.sarif");
  const { status, stdout, stderr } = await runHere("--stack", "bad", "--format", "github", "--report", file);
  const line = example.split("\n").findIndex((one) => /replicas: 1\b/.test(one)) + 1;
  expect(status).toBe(1);
  expect(stdout).toBe(
    `::error file=Pulumi.bad.yaml,line=${line},title=The stack file is wrong (stack-problem)::controlPlane.replicas: an even number of etcd members tolerates no more failures than one member fewer; allowed: 1, 3, 5 or 7\n`,
  );
  expect(stderr).toContain("Pulumi.bad.yaml: 1 problem\n");
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
    runs: [{ results: [{ ruleId: "stack-problem", level: "error" }] }],
  });
});

it("prints the problems of a wrong stack file as JSON, and nothing more of it in other formats", async () => {
  project.write("Pulumi.none.yaml", "config: {}\n");
  const { status, stdout } = await runHere("--stack", "none", "--format", "json");
  const { error, problems } = JSON.parse(stdout) as { error: string; problems: { path: string }[] };
  expect([status, error.split("\n")[0], problems.map(({ path }) => path).sort()]).toEqual([
    1,
    "Pulumi.none.yaml: 4 problems",
    ["access", "azure", "clusterName", "kubernetesVersion"],
  ]);
  expect(await runHere("--stack", "none", "--format", "images")).toMatchObject({ status: 1, stdout: "" });
});

it("finds contents of Secrets in the log of a policy that is in a file", () => {
  const audit = "  capz-windows:controlPlane: { replicas: 3, audit: { policyFile: audit.yaml } }\n";
  project.write(
    "Pulumi.audited.yaml",
    `config:\n${audit}${example.replace(/^[^]*?config:\n/, "").replace(/ {2}capz-windows:controlPlane:.*\n( {4}.*\n)*/, "")}`,
  );
  const found = (...rules: string[]) => {
    project.write(
      "audit.yaml",
      `apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n${rules.map((rule) => `  - ${rule}\n`).join("")}`,
    );
    return stackFindings(project.dir, "audited", undefined, "2026-11-25")
      .filter(({ id }) => id === "secrets-in-audit-log" || id === "stack-problem")
      .map(({ path, line, message }) => `${path}, line ${line}: ${message}`);
  };
  const all = "level: RequestResponse";
  const secrets = '{level: Metadata, resources: [{group: "", resources: [secrets]}]}';
  const bodies =
    '{level: Metadata, resources: [{group: "", resources: [secrets]}, {group: authentication.k8s.io, resources: [tokenreviews]}, {group: "", resources: [serviceaccounts/token]}]}';
  const merged = '{<<: {level: RequestResponse}, resources: [{group: "", resources: [secrets]}]}';
  expect(found(merged)).toEqual([
    `controlPlane.audit.policyFile, line 2: by rules[0] of audit.yaml the log has contents of Secrets, and whoever reads the log reads them; write before it: ${secrets}`,
  ]);
  expect(found("{level: None, users: [system:kube-proxy]}", all)).toEqual([
    `controlPlane.audit.policyFile, line 2: by rules[1] of audit.yaml the log has contents of Secrets, tokens of people and pods, new tokens of service accounts, and whoever reads the log reads them; write before it: ${bodies}`,
  ]);
  expect(found(bodies, all)).toEqual([]);
});

it("places findings in a stack file by its lines", () => {
  project.write("Pulumi.dev.yaml", example);
  const found = stackFindings(project.dir, "dev", undefined, "2026-11-25");
  const lineAt = (id: string): string | undefined =>
    example.split("\n")[(found.find((one) => one.id === id)?.line ?? 0) - 1];
  expect(lineAt("one-control-plane-machine")).toContain("replicas: 1");
  expect(lineAt("unprotected")).toContain("capz-windows:protect: false");
  expect(lineAt("no-audit-log")).toContain("capz-windows:controlPlane:");
});

it("of a change, finds what its base does not have, and what it ends", () => {
  project.write("Pulumi.dev.yaml", example);
  const file = { projectDir: project.dir, stack: "dev", configFile: undefined, today: "2026-11-25" };
  const now = readStackFile(project.dir, "dev").config;
  const before = { ...now, "capz-windows:protect": "true" };
  expect(changedFindings(file, now)).toEqual({ added: [], gone: [] });
  const { added, gone } = changedFindings(file, before)!;
  expect(added.map(({ id, line }) => [id, line > 1])).toEqual([["unprotected", true]]);
  expect(gone).toEqual([]);
  const old = { ...now, "capz-windows:kubernetesVersion": "v1.34.3" };
  expect(changedFindings(file, old)?.gone.map(({ message }) => message)).toContain(
    "Kubernetes 1.34 had its last patch release in October 2026",
  );
  expect(changedFindings(file, { ...now, "capz-windows:clusterName": "NOT ONE" })).toBeUndefined();
});
