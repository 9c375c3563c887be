import { exitCode } from "../../../plan/cli/exitCode";
import { authoredChanges, changedSecrets } from "../../../plan/compare/authored";
import type { PlanDocument } from "capz-windows-contract";
import type { StackComparison } from "../../../plan/impact/impact";
import { differs, noteOf } from "../../../plan/reports/stackReport";
import { headline } from "../../../plan/reports/headline";
import { readStackFile } from "../../../config/stackFile";
import { testProject } from "../../support/project";

/** A plan decrypts no secret, but a ciphertext that has changed is a change. */

const planned = (secret: string): PlanDocument =>
  ({ project: "p", config: { "p:secretFiles": secret, "p:wait": "none" } }) as unknown as PlanDocument;

const compared = (before: string, after: string): StackComparison =>
  ({
    ...{ status: "compared", changes: [], outputs: [], nodes: [], impacts: [] },
    authored: authoredChanges(planned(before), planned(after)),
  }) as unknown as StackComparison;

const [first, second] = ["[secret, ciphertext 11111111]", "[secret, ciphertext 22222222]"];

it("says that a secret of the stack file has changed, and that it does not know what follows", () => {
  const comparison = compared(first, second);
  expect(comparison.authored?.config).toEqual([{ path: "secretFiles", before: first, after: second }]);
  expect(changedSecrets(comparison.authored)).toEqual(["secretFiles"]);
  expect([differs(comparison), exitCode([{ comparison }])]).toEqual([true, 2]);
  expect(comparison.authored!.config.map(noteOf)).toEqual([
    "a plan decrypts no secret, so what follows is not shown: the objects that have it are updated",
  ]);
});

it("says nothing of the same ciphertext", () => {
  const comparison = compared(first, first);
  expect(comparison.authored?.config).toEqual([]);
  expect([differs(comparison), exitCode([{ comparison }])]).toEqual([false, 0]);
});

it("a mark follows the ciphertext, and has nothing of it", () => {
  const project = testProject();
  const marks = ["v1:abc:secret-one", "v1:abc:secret-one", "v1:abc:secret-two"].map((cipher) => {
    project.write("Pulumi.a.yaml", `config:\n  capz-windows:secretFiles:\n    secure: ${cipher}\n`);
    return readStackFile(project.dir, "a").secretMarks["capz-windows:secretFiles"]!;
  });
  project.remove();
  expect(marks).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/^\[secret, ciphertext [0-9a-f]{8}\]$/) as string),
  );
  expect(marks[0]).toBe(marks[1]);
  expect(marks[0]).not.toBe(marks[2]);
});

describe("what Pulumi's own keys say of a stack", () => {
  const withState = (state: PlanDocument["state"]) =>
    ({ project: "p", config: {}, ...(state === undefined ? {} : { state }) }) as unknown as PlanDocument;
  const comparedStates = (before: PlanDocument["state"], after: PlanDocument["state"]) =>
    ({
      ...{ status: "compared", changes: [], outputs: [], nodes: [], impacts: [], stack: "dev" },
      authored: authoredChanges(withState(before), withState(after)),
    }) as unknown as StackComparison;

  it.each([
    [{ backend: "azblob://ours" }, { backend: "azblob://evil" }, "backend"],
    [
      { secretsProvider: "azurekeyvault://ours" },
      { secretsProvider: "azurekeyvault://evil" },
      "secretsprovider",
    ],
    [{ secretsKey: "11111111" }, { secretsKey: "22222222" }, "key of the secrets"],
    [{ environments: ["a/dev"] }, { environments: ["a/dev", "evil/x"] }, "environment"],
    [undefined, { environments: ["evil/x"] }, "environment"],
  ])("is a change in one line: %j, %j", (before, after, path) => {
    const comparison = comparedStates(before, after);
    expect(comparison.authored?.config.map((change) => change.path)).toEqual([path]);
    expect([differs(comparison), exitCode([{ comparison }])]).toEqual([true, 2]);
    expect(headline({ stack: "dev", comparison })).toBe(`no resource changes, only ${path}`);
  });

  it("is a change, too, for keys of Pulumi and of plug-ins, and not for one that changes nothing", () => {
    const withConfig = (config: PlanDocument["config"]) =>
      ({ project: "p", config }) as unknown as PlanDocument;
    const comparisonOf = (key: string) =>
      ({
        ...{ status: "compared", changes: [], outputs: [], nodes: [], impacts: [], stack: "dev" },
        authored: authoredChanges(withConfig({}), withConfig({ [key]: "a" })),
      }) as unknown as StackComparison;
    for (const key of ["azure-native:metadataHost", "pulumi:autonaming"]) {
      const comparison = comparisonOf(key);
      expect(comparison.authored?.config).toEqual([{ path: `["${key}"]`, after: "a" }]);
      expect([differs(comparison), exitCode([{ comparison }])]).toEqual([true, 2]);
    }
    for (const key of ["p:wait", "capz-windows:wait"]) {
      expect(differs(comparisonOf(key))).toBe(false);
    }
  });

  it("is a change, too, for each other key of Pulumi.yaml, of which some run what a branch brings along", () => {
    const project = testProject(["Pulumi.yaml"]);
    project.write("Pulumi.a.yaml", "config: {}\n");
    const stateOf = (...lines: readonly string[]) => {
      project.write("Pulumi.yaml", ["name: p", ...lines, ""].join("\n"));
      return readStackFile(project.dir, "a").state;
    };
    const before = stateOf("description: a", "runtime: {name: nodejs, options: {typescript: true}}");
    const after = stateOf(
      "main: other",
      "runtime: {name: nodejs, options: {typescript: true, nodeargs: --require ./x.js}}",
      "plugins: {providers: [{name: azure-native, path: ./bin}]}",
      "options: {refresh: always}",
      "packages: {other: ../other}",
    );
    const named = stateOf("description: b", "runtime: {name: nodejs, options: {typescript: true}}");
    project.remove();
    const comparison = comparedStates(before, after);
    expect(comparison.authored?.config).toEqual([
      { path: "Pulumi.yaml: main", after: "other" },
      { path: "Pulumi.yaml: options", after: { refresh: "always" } },
      { path: "Pulumi.yaml: packages", after: { other: "../other" } },
      {
        path: "Pulumi.yaml: plugins",
        after: { providers: [{ name: "azure-native", path: "./bin" }] },
      },
      { path: "Pulumi.yaml: runtime.options.nodeargs", after: "--require ./x.js" },
    ]);
    expect([differs(comparison), exitCode([{ comparison }])]).toEqual([true, 2]);
    expect(comparedStates(before, named).authored?.config).toEqual([]);
    // A plan of a former release does not say it.
    expect(comparedStates({}, after).authored?.config).toEqual([]);
  });

  it("is none where it is the same, or where a former release did not write it down", () => {
    for (const [before, after] of [
      [
        { backend: "b", environments: ["a"] },
        { backend: "b", environments: ["a"] },
      ],
      [{ backend: "b" }, { backend: "b", secretsKey: "11111111" }],
    ]) {
      const comparison = comparedStates(before, after);
      expect([differs(comparison), exitCode([{ comparison }])]).toEqual([false, 0]);
    }
  });
});
