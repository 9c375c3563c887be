import { diagnosisSchema } from "capz-windows-doctor/report/json";
import { preflightSchema } from "../../commands/preflight/json";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { compatibilityDocument } from "../../config/compatibilityDocument";
import { policyDocument } from "../../config/policy/document";
import { configDocument } from "../../config/configDocument";
import { troubleshootingPage } from "capz-windows-doctor/report/document";
import { reportSchema } from "../../plan/reports/json";
import { stackFileSchema } from "../../config/schemaDocs";
import { projectDir } from "../support/stacks";
import { allowed } from "./layers";
import { filesBelow, isTestOfPackage, readText, sourcesOf } from "./sources";

/** The rules of the design that a reader of the files would check, checked by a program. */

const sources = sourcesOf(Object.keys(allowed));

it("index.ts reads like the architecture: at most 95 lines and without a decision", () => {
  const text = readText("index.ts");
  expect(text.split("\n").length).toBeLessThanOrEqual(95);
  expect(text).not.toMatch(/\bif\b|\?\s|&&|\|\|/);
});

it("no file of the program is longer than 400 lines", () => {
  const long = sources.filter(({ text }) => text.split("\n").length > 400).map(({ path }) => path);
  expect(long.filter((path) => !path.startsWith("packages/capz-types/crds/"))).toEqual([]);
});

it("fields of a class are assigned one by one, so that the compiler sees a missing one", () => {
  const others = sources.filter(({ text }) => /Object\.assign\(this\b/.test(text));
  expect(others.map(({ path }) => path)).toEqual([]);
});

it("every dependency is pinned exactly", () => {
  const { dependencies, devDependencies } = JSON.parse(readText("package.json")) as Record<
    string,
    Record<string, string>
  >;
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, v]) => !/^\d+\.\d+\.\d+$/.test(v),
  );
  expect(loose).toEqual([]);
});

it("the tsconfig that pulumi reads sets the options that the language host would not inherit", () => {
  const { config } = ts.readConfigFile(join(projectDir, "tsconfig.pulumi.json"), (path) =>
    readFileSync(path, "utf8"),
  ) as {
    config: { compilerOptions: Record<string, unknown> };
  };
  expect(config.compilerOptions).toMatchObject({
    noCheck: true,
    target: "es2022",
    module: "node16",
    moduleResolution: "node16",
  });
  expect(readText("Pulumi.yaml")).toContain("tsconfig: tsconfig.pulumi.json");
});

describe("what is generated from the schema is up to date (npm run docs)", () => {
  it("schema/stack.schema.json", () => {
    expect(JSON.parse(readText("schema/stack.schema.json"))).toEqual(
      JSON.parse(JSON.stringify(stackFileSchema())),
    );
  });

  it.each([
    ["plan", reportSchema],
    ["doctor", diagnosisSchema],
    ["preflight", preflightSchema],
  ])("schema/%s.schema.json", (name, schema) => {
    expect(JSON.parse(readText(`schema/${name}.schema.json`))).toEqual(JSON.parse(JSON.stringify(schema())));
  });

  it("docs/troubleshooting.md", () => {
    expect(readText("docs/troubleshooting.md")).toBe(troubleshootingPage());
  });

  it("docs/compatibility.md", () => {
    expect(readText("docs/compatibility.md")).toBe(compatibilityDocument());
    expect(readText("docs/policies.md")).toBe(policyDocument());
  });

  it("docs/config.md", () => {
    expect(readText("docs/config.md")).toBe(configDocument());
  });

  it("every example stack names the schema for editors", () => {
    const files = existsSync(join(projectDir, "examples")) ? filesBelow("examples") : [];
    for (const path of files.filter((file) => !file.startsWith("examples/pipelines/"))) {
      expect(readText(path)).toMatch(/^# yaml-language-server: \$schema=\.\.\/schema\/stack\.schema\.json\n/);
    }
  });
});

const allTests = [...filesBelow("test"), ...filesBelow("packages").filter(isTestOfPackage)];

it("every part of a test suite is run by one suite", () => {
  const files = allTests.filter((path) => path.endsWith(".ts"));
  const imported = files
    .filter((path) => path.endsWith(".test.ts"))
    .flatMap((path) =>
      [...readText(path).matchAll(/^import "(\..+\.part)";$/gm)].map(
        ([, part = ""]) => `${join(dirname(path), part)}.ts`,
      ),
    );
  expect(imported.sort()).toEqual(files.filter((path) => path.endsWith(".part.ts")).sort());
});

it("no test reads a stack file of the users", () => {
  const file = join(projectDir, "Pulumi.dev.yaml");
  expect(() => readFileSync(file, "utf8")).toThrow(
    new Error(`${file}: tests do not read the users' stack files; take one of test/stacks/`),
  );
});

it("no path or tool of a workplace is named", () => {
  const everything = [
    "README.md",
    "CHANGELOG.md",
    ...["docs", "scripts"].flatMap(filesBelow),
    ...allTests,
  ].map(readText);
  expect(
    // The folder of azcopy in the image of the CSI driver.
    [...everything, ...sources.map(({ text }) => text)].filter((text) =>
      /\/home\/|\/root\/(?!\.azcopy)/.test(text),
    ),
  ).toEqual([]);
});
