"use strict";

// Texts of a clone as they are right in a project that installs the package: a printed command works as it stands.

/** The files whose texts are about both, or which read the files of the package itself. */
const kept = [
  // What a plan writes is the same in a clone and in an installed project, and `init` writes these commands as npm scripts.
  "program/outputs.js",
  "packages/platform/cluster/access.js",
  "plan/model/cluster/people.js",
  // They tell npm's scripts from `npx`, or name files of the package.
  "commands/package/bin.js",
  "commands/init/files.js",
  "packages/kit/commandLine/arguments.js",
  "docs/package.md",
  // About the repository.
  "docs/architecture.md",
  "docs/decisions.md",
  "CHANGELOG.md",
];

/** The folder of the package, from the folder of a project on. */
const folder = "node_modules/capz-windows";

/** The first commands of README.md, which are those of a clone. */
const firstCommands = /^```sh\nnpm start .*?^```\n\nBoth need/ms;
const firstCommandsOfPackage = `\`\`\`sh
npx capz-windows init my-clusters --yes    # a project with one stack file; without --yes it asks for your names
cd my-clusters
npm install
npm start                                  # plans a whole cluster, without a cloud, credentials or the Pulumi CLI
\`\`\`

It needs`;

/**
 * @param {string} path of the file, from the folder of the package on, with `/`
 * @param {string} text
 * @param {readonly string[]} commands that are npm scripts in a clone
 */
function packageText(path, text, commands) {
  if (kept.includes(path)) {
    return text;
  }
  if (path.startsWith("examples/")) {
    // As a copy beside Pulumi.yaml needs it; the example itself is not edited. Paths are from Pulumi.yaml on.
    return path.endsWith(".yaml")
      ? text
          .replace("$schema=../schema/", `$schema=./${folder}/schema/`)
          .replace(/(?<=ile: )docs\//g, `${folder}/docs/`)
      : text;
  }
  if (path === "README.md" && !firstCommands.test(text)) {
    throw new Error("README.md does not begin with the commands of a clone: see scripts/packageTexts.js.");
  }
  const names = commands.join("|");
  return text
    .replace(firstCommands, firstCommandsOfPackage)
    .replace(
      new RegExp(`\\bnpm run (?:--silent )?(${names})\\b(?![-/])(?: --(?![\\w-]))?`, "gm"),
      "npx capz-windows $1",
    )
    .replace(/\$schema=(?:\.\/)?schema\//g, `$$schema=./${folder}/schema/`)
    .replace(/(?<![\w./-])examples\/(?=Pulumi\.|\$\{file\})/g, `${folder}/examples/`)
    .replace(/\bcp docs\//g, `cp ${folder}/docs/`);
}

/** The command of which a tool is the package. */
const commandOf = /** @type {const} */ ({
  "capz-windows-doctor": "doctor",
  "windows-workloads": "workloads",
});

/**
 * A text as it is right in the package of a tool: its own command is `npx TOOL`, the others are those of capz-windows.
 * @param {string} tool
 * @param {string} text
 */
function toolText(tool, text) {
  const command = tool in commandOf ? commandOf[/** @type {keyof typeof commandOf} */ (tool)] : tool;
  return text.replace(/\bnpm run (?:--silent )?([a-z]+)\b(?![-/])(?: --(?![\w-]))?/g, (_, name) =>
    name === command ? `npx ${tool}` : `npx capz-windows ${String(name)}`,
  );
}

module.exports = { packageText, toolText };
