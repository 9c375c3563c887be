"use strict";

/**
 * Files that `npm test` leaves to `npm run test:all` and to CI: they start many processes or servers, or try each of thousands
 * of combinations. Whoever names a path runs what is there.
 */
const files = [
  ...["package/package", "package/tools", "printed/", "plan/cli/baseSide", "plan/cli/programError"],
  "plan/compare/hiddenCredentials",
  ...["plan/engine/engine", "plan/engine/failures", "plan/engine/inProcess", "plan/engine/readme"],
  ...["components/pages/pages", "components/public/consumer", "components/public/deletedWith"],
  ...[
    "doctor/cli",
    "doctor/hostileKubeconfig",
    "doctor/saved",
    "doctor/usersKubeconfig",
    "io/hostileServers",
    "images/digests",
  ],
  ...["pipeline/github", "pipeline/preview", "preflight/cases", "program/languageHost"],
  ...["components/public/outputs", "platform/network/mtuNamespaces", "scripts/packageScripts"],
  ...["config/overrideTexts", "config/suggest"],
].map((path) => `<rootDir>/test/${path}${path.endsWith("/") ? "" : "\\.test\\.ts$"}`);

/** Whether all of thousands of combinations are tried, and not a part to save time. */
const isThorough =
  Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 2) > 2 ||
  process.env.CI === "true" ||
  process.env.npm_lifecycle_event === "test:all";

/** Whether the arguments of Jest name a path, or a test. */
const isNarrow = process.argv.slice(2).some((argument) => !argument.startsWith("-"));

module.exports = { isThorough, files: isThorough || isNarrow ? [] : files };
