import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commandNames } from "capz-windows-kit/commandLine/commandNames";
import { packageText } from "../../scripts/packageTexts";
import { projectDir } from "../support/stacks";

/** Texts of a clone as the package has them. The package test runs commands that print some. */

const inPackage = (text: string, path = "docs/any.md"): string => packageText(path, text, commandNames);

it.each([
  ["npm run plan -- dev    # a plan", "npx capz-windows plan dev    # a plan"],
  [
    "`npm run doctor` explains, and npm run import.",
    "`npx capz-windows doctor` explains, and npx capz-windows import.",
  ],
  ["  npm run workloads -- [OPTIONS] (FILE | -)...", "  npx capz-windows workloads [OPTIONS] (FILE | -)..."],
  ['["npm run plan --", ...file]', '["npx capz-windows plan", ...file]'],
  ["npm run plan --all", "npx capz-windows plan --all"],
  ["npm run plan --\nnext", "npx capz-windows plan\nnext"],
  [
    "npm run docs, npm run planner, npm run plan-engine",
    "npm run docs, npm run planner, npm run plan-engine",
  ],
  ["$schema=schema/stack.schema.json", "$schema=./node_modules/capz-windows/schema/stack.schema.json"],
  ["$schema=./schema/stack.schema.json", "$schema=./node_modules/capz-windows/schema/stack.schema.json"],
  ["cp examples/Pulumi.dev.yaml", "cp node_modules/capz-windows/examples/Pulumi.dev.yaml"],
  ["(../examples/Pulumi.dev.yaml)", "(../examples/Pulumi.dev.yaml)"],
  ["cp docs/audit-policy.yaml a", "cp node_modules/capz-windows/docs/audit-policy.yaml a"],
])("%j becomes %j", (text, expected) => {
  expect(inPackage(text)).toBe(expected);
});

it("an example names the schema as its copy beside Pulumi.yaml needs it, and pipelines keep npm's scripts", () => {
  const first = "# yaml-language-server: $schema=../schema/stack.schema.json\n";
  expect(inPackage(first, "examples/Pulumi.dev.yaml")).toBe(
    "# yaml-language-server: $schema=./node_modules/capz-windows/schema/stack.schema.json\n",
  );
  const policy = "audit: { policyFile: docs/audit-policy.yaml }\n";
  expect(inPackage(policy, "examples/Pulumi.everything.yaml")).toBe(
    "audit: { policyFile: node_modules/capz-windows/docs/audit-policy.yaml }\n",
  );
  const step = "- run: npm run plan -- --all\n";
  expect(inPackage(step, "examples/pipelines/github/check.yml")).toBe(step);
});

it("files whose texts stay are there, and have one", () => {
  for (const path of [
    "program/outputs.js",
    "packages/platform/cluster/access.js",
    "plan/model/cluster/people.js",
  ]) {
    const text = readFileSync(join(projectDir, path.replace(/js$/, "ts")), "utf8");
    expect(text).toMatch(/npm run (access|preflight)/);
    expect(inPackage(text, path)).toBe(text);
  }
});

it("no document for users and no knowledge of the doctor has a command or a path of a clone", () => {
  const below = (folder: string): string[] =>
    readdirSync(join(projectDir, folder))
      .filter((name) => /\.(md|yaml)$/.test(name))
      .map((name) => `${folder}/${name}`);
  const files = [...below("docs"), ...below("packages/doctor/knowledge")].filter(
    (path) => !/(architecture|decisions|package)\.md$/.test(path),
  );
  const left = new RegExp(
    `npm run (${commandNames.join("|")})\\b|[\`\\s](examples|schema)/\\w+\\.|schema=(\\./)?schema`,
  );
  expect(files.length).toBeGreaterThan(25);
  expect(
    files.filter((path) => left.test(readFileSync(join(projectDir, path), "utf8"))).length,
  ).toBeGreaterThan(15);
  expect(
    files.filter((path) => left.test(inPackage(readFileSync(join(projectDir, path), "utf8"), path))),
  ).toEqual([]);
});

it("the first page begins with the commands of the package, or is not made", () => {
  const readme = readFileSync(join(projectDir, "README.md"), "utf8");
  const page = inPackage(readme, "README.md");
  expect(/^```sh\n(.*?)^```\n\n(.*?)\.\n/ms.exec(page)?.slice(1)).toEqual([
    `npx capz-windows init my-clusters --yes    # a project with one stack file; without --yes it asks for your names
cd my-clusters
npm install
npm start                                  # plans a whole cluster, without a cloud, credentials or the Pulumi CLI
`,
    "It needs Node.js 22, 24 or 26 and the npm registry, nothing else",
  ]);
  expect(page).not.toMatch(/npm (test|run)/);
  expect(() => inPackage(readme.replace("npm start", "npm run plan"), "README.md")).toThrow(
    "README.md does not begin with the commands of a clone: see scripts/packageTexts.js.",
  );
});
