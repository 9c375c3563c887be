"use strict";

// Writes a comment of a kind to a pull request, or updates the one that it has.
//   node scripts/ci/stickyComment.js NUMBER KIND FILE
const { readFileSync } = require("node:fs");
const { bot, gh, list, repository } = require("./gh");

const [number = "", kind = "", file = ""] = process.argv.slice(2);
if (!/^[1-9]\d{0,9}$/.test(number) || !/^[a-z]+$/.test(kind) || file === "") {
  console.error("stickyComment.js NUMBER KIND FILE");
  process.exit(64);
}
const marker = `<!-- capz-windows: ${kind} -->`;
const body = `${marker}\n${readFileSync(file, "utf8")}`;
const comments = /** @type {{id: number, author: string, start: string}[]} */ (
  list(
    `repos/${repository()}/issues/${number}/comments?per_page=100`,
    '{id, author: .user.login, start: (.body // "")[0:80]}',
  )
);
const own = comments.find(({ author, start }) => author === bot && start.startsWith(marker));
const path =
  own === undefined
    ? ["--method", "POST", `repos/${repository()}/issues/${number}/comments`]
    : ["--method", "PATCH", `repos/${repository()}/issues/comments/${own.id}`];
gh(path, { body });
console.log(`${own === undefined ? "Wrote" : "Updated"} the comment "${kind}" of #${number}`);
