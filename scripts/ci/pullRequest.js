"use strict";

// The number of the open pull request whose newest commit a run of check.yml was about; nothing when there is none any
// more. Asked of GitHub by what GitHub itself says of that run: HEAD_OWNER, HEAD_BRANCH, HEAD_SHA.
const { list, repository } = require("./gh");

const { HEAD_OWNER = "", HEAD_BRANCH = "", HEAD_SHA = "" } = process.env;
const head = encodeURIComponent(`${HEAD_OWNER}:${HEAD_BRANCH}`);
const open = /** @type {{number: number, sha: string}[]} */ (
  list(`repos/${repository()}/pulls?state=open&per_page=100&head=${head}`, "{number, sha: .head.sha}")
);
const found = open.find(({ sha }) => sha === HEAD_SHA);
console.log(found === undefined ? "" : String(found.number));
