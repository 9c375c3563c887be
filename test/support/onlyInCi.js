"use strict";

const { isThorough } = require("../../packages/test-kit/thorough.js");

/**
 * Files that `npm test` leaves to `npm run test:all` and to CI: they start many processes or servers, or try each of thousands
 * of combinations. Whoever names a path runs what is there.
 */
const files = [
  ...[
    "package/alone",
    "package/package",
    "package/tools",
    "printed/",
    "plan/cli/baseSide",
    "plan/cli/programError",
  ],
  "plan/compare/hiddenCredentials",
  ...["plan/engine/engine", "plan/engine/failures", "plan/engine/inProcess"],
  ...["components/pages/pages", "components/public/consumer", "components/public/deletedWith"],
  ...[
    "doctor/cli",
    "doctor/hostileKubeconfig",
    "doctor/usersKubeconfig",
    "io/hostileServers",
    "images/digests",
  ],
  ...["pipeline/github", "pipeline/preview", "preflight/cases", "program/languageHost"],
  ...["components/public/outputs", "scripts/packageScripts"],
  ...[
    "config/overrideTexts",
    "config/suggest",
    "packages/doctor/test/saved",
    "packages/plan-engine/test/readme",
  ],
].map((path) => {
  const whole = path.startsWith("packages/") ? path : `test/${path}`;
  return `<rootDir>/${whole}${path.endsWith("/") ? "" : "\\.test\\.ts$"}`;
});

/** Whether the arguments of Jest name a path, or a test. */
const isNarrow = process.argv.slice(2).some((argument) => !argument.startsWith("-"));

module.exports = { files: isThorough || isNarrow ? [] : files };
