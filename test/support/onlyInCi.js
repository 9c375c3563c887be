"use strict";

/**
 * Files that `npm test` leaves to `npm run test:all` and to CI: they start many processes or servers, or try each of thousands
 * of combinations. Whoever names a path runs what is there.
 */
/** @type {string[]} */
const files = [];

const isThorough =
  Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 2) > 2 ||
  process.env.CI === "true" ||
  process.env.npm_lifecycle_event === "test:all";

/** Whether the arguments of Jest name a path, or a test. */
const isNarrow = process.argv.slice(2).some((argument) => !argument.startsWith("-") || argument === "-t");

module.exports = { files: isThorough || isNarrow ? [] : files };
