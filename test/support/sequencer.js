"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/** Files that take longest. Jest knows them by itself only where it has run before; last, they would run alone. */
const long = [
  "life/pools",
  "life/bringUp",
  "life/controlPlane",
  "life/defects",
  "program/stacks",
  "plan/impact/impact",
  "plan/engine/engine",
  "plan/engine/failures",
  "program/rightConfigs",
  "config/fuzz",
];

module.exports = class extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => long.findIndex((part) => path.replaceAll("\\", "/").includes(part));
    const first = tests.filter((test) => rank(test) !== -1).sort((a, b) => rank(a) - rank(b));
    return [...first, ...super.sort(tests.filter((test) => rank(test) === -1))];
  }
};
