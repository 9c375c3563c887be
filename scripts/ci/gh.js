"use strict";

// GitHub's API through its command-line tool, which every runner has. It uses GH_TOKEN and GITHUB_REPOSITORY.
const { spawnSync } = require("node:child_process");
const { parseJson } = require("../json");

/**
 * The account that writes the workflows' comments and issues. Others can write the same marker or title, but not as it.
 */
const bot = "github-actions[bot]";

/**
 * @param {string[]} args - of `gh api`
 * @param {unknown} [body] - sent as JSON
 * @returns {string} the answer
 * @throws {Error} when gh fails
 */
function gh(args, body) {
  const { status, stdout, stderr, error } = spawnSync(
    "gh",
    ["api", ...args, ...(body === undefined ? [] : ["--input", "-"])],
    {
      encoding: "utf8",
      input: body === undefined ? "" : JSON.stringify(body),
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (status !== 0) {
    throw new Error(`gh api ${args.join(" ")}: ${error?.message ?? stderr.trim()}`);
  }
  return stdout;
}

/**
 * All pages of a list.
 * @param {string} path
 * @param {string} filter - a jq expression that is applied to each element
 * @returns {unknown[]}
 */
const list = (path, filter) =>
  gh([path, "--paginate", "--jq", `.[] | ${filter} | @json`])
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => parseJson(line));

const repository = () => {
  const name = process.env.GITHUB_REPOSITORY ?? "";
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) {
    throw new Error("GITHUB_REPOSITORY must be owner/name");
  }
  return name;
};

module.exports = { bot, gh, list, repository };
