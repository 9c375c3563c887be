"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * The slowest files, which run first: if one began last, it would run alone. Jest knows durations only from earlier
 * runs.
 */
const long = [
  "life/smaller",
  "life/motion",
  "life/pools",
  "engine/changeTable",
  "engine/cutOff",
  "life/bringUp",
  "life/controlPlane",
  "life/doctor",
  "life/regressions",
  "controllers/updates",
  "controllers/userData",
  "controllers/admission",
  "apiserver/apiserver",
  "printed/printed",
  "import/upstream",
  "apiserver/encryption",
  "package/package",
  "program/languageHost",
  "import/roundTrip",
  "program/objects",
  "config/secrets",
  "program/reports",
  "plan/impact/bastion",
  "components/pages",
  "preflight/cases",
  "config/suggest",
  "plan/impact/impact",
  "plan/engine/inProcess",
  "plan/engine/engine",
  "plan/engine/failures",
];

module.exports = class extends Sequencer {
  /**
   * @override
   * @param {import("@jest/test-result").Test[]} tests
   */
  async sort(tests) {
    const rank = (/** @type {import("@jest/test-result").Test} */ { path }) =>
      long.findIndex((part) => path.replaceAll("\\", "/").includes(part));
    const first = tests.filter((test) => rank(test) !== -1).sort((a, b) => rank(a) - rank(b));
    return [...first, ...(await super.sort(tests.filter((test) => rank(test) === -1)))];
  }
};
