"use strict";

// Texts of a clone as they are right in a project that installs the package: a printed command works as it stands.

/** The files whose texts are about both, or which read the files of the package itself. */
const kept = [
  // What a plan writes is the same in a clone and in an installed project, and `init` writes these commands as npm scripts.
  "program/outputs.js",
  "platform/cluster/access.js",
  "commands/plan/model/cluster/people.js",
  // They tell npm's scripts from `npx`, or name files of the package.
  "commands/package/bin.js",
  "commands/init/files.js",
  "commands/commandLine/arguments.js",
  "docs/package.md",
  // About the repository.
  "docs/architecture.md",
  "docs/decisions.md",
  "CHANGELOG.md",
];

/** The folder of the package, from the folder of a project on. */
const folder = "node_modules/capz-windows";

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
  const names = commands.join("|");
  return text
    .replace(
      new RegExp(`\\bnpm run (?:--silent )?(${names})\\b(?![-/])(?: --(?![\\w-]))?`, "gm"),
      "npx capz-windows $1",
    )
    .replace(/\$schema=(?:\.\/)?schema\//g, `$$schema=./${folder}/schema/`)
    .replace(/(?<![\w./-])examples\/(?=Pulumi\.|\$\{file\})/g, `${folder}/examples/`)
    .replace(/\bcp docs\//g, `cp ${folder}/docs/`);
}

module.exports = { packageText };
