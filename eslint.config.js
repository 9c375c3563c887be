"use strict";

const { readFileSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const { defineConfig } = require("eslint/config");
const tseslint = require("typescript-eslint");

const providerRoots = [
  { name: "@pulumi/azure-native", message: "Import a submodule: the root costs 0.26 s and 35 MB a run." },
  { name: "@pulumi/kubernetes", message: "Import a submodule, for instance @pulumi/kubernetes/core/v1." },
];

/** What packages/capz-types/index.ts has for objects of any kind, whose fields no type knows. */
const ofAnyKind = ["KubernetesObject", "ObjectMeta"];

/**
 * Whether a file uses types of the CRDs, directly or by their names in packages/capz-types/index.ts.
 * @param {string} text
 */
const usesCrdTypes = (text) =>
  /from "(?:capz-types|[./\w]*)\/crds\//.test(text) ||
  [...text.matchAll(/\{([^}]*)\} from "capz-types"/g)].some(([, names = ""]) =>
    names
      .split(",")
      .some((name) => name.trim() !== "" && !ofAnyKind.includes(name.replace(/\btype\b/, "").trim())),
  );

/**
 * Files that build objects of the CRDs, found in the tree so that no new one is missed. bootstrap/userData/ only reads such
 * objects; what it writes is for kubeadm and cloud-init.
 */
const builders = ["addons", "components", "bootstrap", "capi", "older", "packages/platform"].flatMap(
  (folder) =>
    readdirSync(join(__dirname, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".ts") && !path.startsWith("bootstrap/userData/"))
      .filter((path) => usesCrdTypes(readFileSync(join(__dirname, path), "utf8"))),
);

/** Tests stand beside the packages that they test. */
const testsOfPackages = ["packages/*/test/**", "packages/test-kit/**"];

const textOfProblem =
  ":matches(Identifier[name=/^(problem|allowed|write)$/], MemberExpression[property.name=/^(problem|allowed|write)$/])";

module.exports = defineConfig(
  {
    ignores: [
      "node_modules/",
      "dist/",
      "rendered/",
      "reports/",
      ".cache/",
      "test/golden/",
      "packages/capz-types/crds/",
    ],
  },
  {
    files: ["**/*.ts", "**/*.js"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    rules: {
      "no-restricted-imports": ["error", { paths: providerRoots }],
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  {
    // A choice of more than two is an `if` with an early return, or a table.
    files: [
      "*.{ts,js}",
      "{addons,bootstrap,capi,commands,components,config,older,packages,plan,program,scripts}/**/*.{ts,js}",
    ],
    ignores: testsOfPackages,
    rules: { "no-nested-ternary": "error" },
  },
  {
    files: ["{config,commands,plan}/**/*.ts", "packages/{doctor,probe,windows-workloads}/**/*.ts"],
    ignores: testsOfPackages,
    rules: {
      "no-restricted-syntax": [
        "error",
        ...[
          `CallExpression > MemberExpression.callee[property.name=/^(startsWith|endsWith|includes|indexOf|match|search|split|replace|replaceAll|slice)$/] > ${textOfProblem}.object`,
          `CallExpression[callee.property.name=/^(test|exec)$/] > ${textOfProblem}.arguments`,
        ].map((selector) => ({
          selector,
          message: "The texts of a problem are for people: give it a code, or another field, and read that.",
        })),
      ],
    },
  },
  {
    // What a program makes must not depend on the language of the machine.
    files: [
      "index.ts",
      "{addons,program,components,config,bootstrap,capi,older,packages/platform}/**/*.ts",
      "packages/kit/{*,io/*}.ts",
    ],
    ignores: testsOfPackages,
    rules: {
      "no-restricted-globals": ["error", "Intl"],
      "no-restricted-properties": [
        "error",
        ...["localeCompare", "toLocaleString", "toLocaleDateString", "toLocaleTimeString"].map(
          (property) => ({
            property,
            message: "This depends on the language of the machine: sort by `<`, and write formats out.",
          }),
        ),
        ...["toLocaleUpperCase", "toLocaleLowerCase"].map((property) => ({
          property,
          message: "This depends on the language of the machine: leave `Locale` out.",
        })),
      ],
    },
  },
  {
    // Builders of objects that have the types of their CRDs (packages/capz-types/crds/), and of parts of them.
    files: [...builders, "components/**/manifests.ts", "bootstrap/*.ts"],
    // Annotations of the autoscaler have no type.
    ignores: ["**/sampleWorkload/**", "bootstrap/autoscaler.ts"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...["", "ConditionalExpression > ", "LogicalExpression > "].flatMap((inner) =>
          ["ConditionalExpression", "LogicalExpression"].map((choice) => ({
            selector: `SpreadElement > ${choice} > ${inner}ObjectExpression[properties.length>0]`,
            message:
              "TypeScript lets a spread bring any field: add `satisfies` with the type of the object, so that a misspelt one is an error.",
          })),
        ),
      ],
    },
  },
  {
    // Scripts are JavaScript with types in comments, because some of them run before TypeScript can be loaded, and the
    // others start faster without it.
    files: ["**/*.js"],
    rules: {
      "@typescript-eslint/no-require-imports": "off",
      // Node.js declares its modules as interfaces, whose methods a `const { join } = require(...)` would unbind.
      "@typescript-eslint/unbound-method": "off",
      // The linter does not see the types of casts, which are comments; the compiler does.
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-base-to-string": "off",
    },
  },
  {
    files: ["test/**/*.ts", ...testsOfPackages],
    // Tests may use non-null assertions: they fail anyway if a value is missing.
    rules: { "@typescript-eslint/no-non-null-assertion": "off" },
  },
  {
    // Of the user's project, which has the package: its types are not here.
    files: ["template/**/*.js"],
    extends: [tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
  },
);
