"use strict";

// Prints the number of the open pull request whose newest commit a run of check.yml has checked, or an empty line if
// there is none any more. HEAD_OWNER, HEAD_BRANCH and HEAD_SHA come from GitHub's event about that run, not from the
// pull request's own files, which could name any number.
const { list, repository } = require("./gh");

const { HEAD_OWNER = "", HEAD_BRANCH = "", HEAD_SHA = "" } = process.env;
const head = encodeURIComponent(`${HEAD_OWNER}:${HEAD_BRANCH}`);
const open = /** @type {{number: number, sha: string}[]} */ (
  list(`repos/${repository()}/pulls?state=open&per_page=100&head=${head}`, "{number, sha: .head.sha}")
);
const found = open.find(({ sha }) => sha === HEAD_SHA);
console.log(found === undefined ? "" : String(found.number));
