import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parse, parseDocument, stringify } from "yaml";
import { textAt } from "capz-windows-kit/untyped";
import { commandNames } from "capz-windows-kit/commandLine/commandNames";

/** The files of a project that uses the installed package. */

const root = join(__dirname, "../..");

/** What a user may answer; what is not there stays as the example has it. */
export interface Answers {
  readonly clusterName?: string | undefined;
  readonly subscription?: string | undefined;
  readonly tenant?: string | undefined;
  readonly location?: string | undefined;
  /** The text of a public key. */
  readonly sshKey?: string | undefined;
  /** Releases of Windows Server: each becomes a pool. */
  readonly windows?: readonly string[] | undefined;
}

const pulumiYaml = (name: string, about: string): string => `name: ${stringify(name).trim()}
description: ${about}
requiredPulumiVersion: ">=3.244.0"
main: index.js
runtime:
  name: nodejs
  options:
    # The program and the package are JavaScript: nothing is compiled, and no loader for TypeScript is needed.
    typescript: false
    packagemanager: npm
config:
  # Nothing may reach a cluster or a subscription through ambient credentials of the machine.
  pulumi:disable-default-providers:
    value: ["*"]
`;

const description = "Kubernetes clusters with Windows nodes on Azure, by the package capz-windows.";

const indexJs = `"use strict";

// The stack that Pulumi.NAME.yaml describes. Own resources beside it: node_modules/capz-windows/docs/package.md
module.exports = require("capz-windows");
`;

const gitignore = `node_modules
rendered/
reports/
previews/
.cache/
*.kubeconfig
`;

const packageJson = (source: string): string =>
  `${JSON.stringify(
    {
      private: true,
      scripts: {
        start: "capz-windows plan dev",
        ...Object.fromEntries(commandNames.map((name) => [name, `capz-windows ${name}`])),
      },
      dependencies: { "capz-windows": source },
    },
    null,
    2,
  )}\n`;

/** The example \`dev\` with what the user answered. Its comments stay. */
function stackFile(answers: Answers): string {
  const document = parseDocument(readFileSync(join(root, "examples/Pulumi.dev.yaml"), "utf8"));
  const values = [
    [["clusterName"], answers.clusterName],
    [["azure", "subscriptionId"], answers.subscription],
    [["azure", "tenantId"], answers.tenant],
    [["azure", "location"], answers.location],
    [["access", "sshPublicKey"], answers.sshKey],
    [
      ["windowsPools"],
      answers.windows &&
        Object.fromEntries(answers.windows.map((release) => [`win${release}`, { windowsServer: release }])),
    ],
  ] as const;
  for (const [[key, ...rest], value] of values) {
    if (value !== undefined) {
      document.setIn(["config", `capz-windows:${key}`, ...rest], document.createNode(value));
    }
  }
  return document
    .toString({ lineWidth: 0, flowCollectionPadding: false })
    .replace(/\$schema=\S+/, "$schema=./node_modules/capz-windows/schema/stack.schema.json");
}

/** The workflows of GitHub. They start npm scripts, which a clone and a project that `init` wrote both have. */
function workflowFiles(): Readonly<Record<string, string>> {
  const source = join(root, "examples/pipelines/github");
  return Object.fromEntries(
    readdirSync(source).map((name) => [
      `.github/workflows/${name}`,
      readFileSync(join(source, name), "utf8").replace(
        /\bdocs\/pipelines\.md/,
        "node_modules/capz-windows/$&",
      ),
    ]),
  );
}

/** The version of this package. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string }).version;

/**
 * What a project depends on: the version of this package or, where npm has installed it from a tarball, that file. Versions
 * that no registry has can be used in this way.
 * @param folder - of the project, from which the tarball's path begins
 * @param installation - the folder with the `node_modules` that has this package
 */
export function packageSource(folder: string, installation = join(root, "../..")): string {
  const lock = join(installation, "node_modules/.package-lock.json");
  if (!existsSync(lock)) {
    return packageVersion();
  }
  const written: unknown = JSON.parse(readFileSync(lock, "utf8"));
  const resolved = textAt(written, "packages", "node_modules/capz-windows", "resolved");
  if (!resolved.startsWith("file:")) {
    return packageVersion();
  }
  const tarball = resolve(installation, resolved.slice("file:".length));
  return `file:${relative(resolve(folder), tarball).replaceAll("\\", "/")}`;
}

/**
 * The files of a project, by their path in its folder.
 * @param source - of the package, as in `dependencies` of a package.json
 */
export const projectFiles = (
  name: string,
  answers: Answers,
  hasWorkflows = false,
  source = packageVersion(),
): Readonly<Record<string, string>> => ({
  "Pulumi.yaml": pulumiYaml(name, description),
  "Pulumi.dev.yaml": stackFile(answers),
  "package.json": packageJson(source),
  "index.js": indexJs,
  ".gitignore": gitignore,
  ...(hasWorkflows ? workflowFiles() : {}),
});

/** What \`pulumi new\` asks. It asks for texts of whole keys only: pkg/cmd/pulumi/newcmd/config.go of Pulumi v3.206.0. */
const templateQuestions = {
  clusterName: "Name of the workload cluster",
  kubernetesVersion: "Version of Kubernetes",
};

const templateSection = (stack: string): string => {
  const { config } = parse(stack) as { readonly config: Readonly<Record<string, string>> };
  const questions = Object.entries(templateQuestions).map(([key, text]) => [
    `capz-windows:${key}`,
    { description: text, default: config[`capz-windows:${key}`] },
  ]);
  return stringify(
    {
      template: {
        displayName: "capz-windows",
        description,
        config: Object.fromEntries(questions) as object,
        quickstart: `Write your subscription, tenant, region, SSH public key and network into Pulumi.dev.yaml. Then:

   npm start                                # plans the stack dev, without a cloud
   npx capz-windows preflight dev           # asks Azure whether it can work
   npx pulumi up
`,
      },
    },
    { lineWidth: 0 },
  );
};

/**
 * The files of a template for \`pulumi new\`, which writes the same project as \`init\` without answers: it puts the name and
 * the description in place of these words, and leaves out the section \`template\`.
 */
export function templateFiles(): Readonly<Record<string, string>> {
  const files = projectFiles("${PROJECT}", {});
  return {
    ...files,
    "Pulumi.yaml":
      pulumiYaml("${PROJECT}", "${DESCRIPTION}") + templateSection(files["Pulumi.dev.yaml"] ?? ""),
  };
}
