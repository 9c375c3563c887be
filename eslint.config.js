"use strict";

const { defineConfig } = require("eslint/config");
const tseslint = require("typescript-eslint");

const providerRoots = [
  { name: "@pulumi/azure-native", message: "Import a submodule: the root costs 0.26 s and 35 MB a run." },
  { name: "@pulumi/kubernetes", message: "Import a submodule, for instance @pulumi/kubernetes/core/v1." },
];

module.exports = defineConfig(
  {
    ignores: [
      ...["node_modules/", "rendered/", "reports/", ".cache/", "test/golden/", "domain/capi/crds/"],
      // The benchmark has no types yet.
      "scripts/bench.js",
    ],
  },
  {
    files: ["**/*.ts", "**/*.js"],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: __dirname } },
    rules: {
      "no-restricted-imports": ["error", { paths: providerRoots }],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
    },
  },
  {
    // Builders of objects that have the types of their CRDs (domain/capi/crds/).
    files: ["manifests", "machineDeployment", "images", "bootstrap", "bootstrap/*"].map(
      (name) => `{components,domain}/**/${name}.ts`,
    ),
    ignores: ["**/sampleWorkload/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        {
          selector: "SpreadElement > ConditionalExpression > ObjectExpression[properties.length>0]",
          message:
            "TypeScript lets a spread bring any field: add `satisfies` with the type of the object, so that a misspelt one is an error.",
        },
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
    files: ["test/**/*.ts"],
    // Tests may use non-null assertions: they fail anyway if a value is missing.
    rules: { "@typescript-eslint/no-non-null-assertion": "off" },
  },
);
