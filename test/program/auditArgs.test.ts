import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditArgs } from "../../program/auditArgs";
import { ConfigError } from "capz-windows-kit/problem";
import { settingsWith } from "../support/stacks";

/** The file with an audit policy. */

let rootDir = "";

beforeAll(() => {
  rootDir = mkdtempSync(join(tmpdir(), "audit-"));
  symlinkSync("/etc/hosts", join(rootDir, "link.yaml"));
});

afterAll(() => {
  rmSync(rootDir, { recursive: true });
});

const argsOf = (audit: object) => auditArgs(settingsWith({ controlPlane: { audit } }), { rootDir });

const withFile = (text: string) => {
  writeFileSync(join(rootDir, "policy.yaml"), text);
  return argsOf({ policyFile: "policy.yaml" });
};

const report = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.catch((thrown: unknown) => thrown);
  return error instanceof ConfigError
    ? error.problems.map(({ path, problem, write }) => `${path}: ${problem}; ${write}`).join("\n")
    : "no report";
};

const refused = (problem: string): string =>
  `controlPlane.audit.policyFile: ${problem}; policyFile: <path of your audit policy>`;

it("is read, without its comments, and beside the limits", async () => {
  const text = "# ours\napiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n  - level: Metadata # all\n";
  expect(await withFile(text)).toEqual({
    ...{ maxAgeDays: 30, maxBackups: 10, maxSizeMiB: 100 },
    policy: "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n- level: Metadata\n",
  });
});

it("is not needed for the built-in policy", async () => {
  expect(await argsOf({ maxAgeDays: 7 })).toEqual({ maxAgeDays: 7, maxBackups: 10, maxSizeMiB: 100 });
});

it.each([
  ["other.yaml", "there is no such file"],
  ["link.yaml", "it cannot be read: a link leads out of the folder of Pulumi.yaml"],
  [".", "it cannot be read: a link leads out of the folder of Pulumi.yaml"],
])("cannot be %s", async (policyFile, problem) => {
  expect(await report(argsOf({ policyFile }))).toBe(refused(problem));
});

it.each([
  [
    "no YAML",
    "a: [",
    "it is not YAML: Flow sequence in block collection must be sufficiently indented and end with a ] at line 1, column 5",
  ],
  [
    "no policy",
    "rules: [{level: All}]",
    ["apiVersion: missing", "kind: missing", "rules[0].level: not a value that the API server knows"],
  ],
])("cannot be %s", async (_what, text, problems) => {
  expect(await report(withFile(text))).toBe([problems].flat().map(refused).join("\n"));
});
