"use strict";

const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * The first failure ends a run, so quick and close tests come first: the small tests of MUTATED_ROOM, the example
 * stacks, all other small tests, then those that plan many stacks.
 */
module.exports = class extends Sequencer {
  /**
   * @override
   * @param {import("@jest/test-result").Test[]} tests
   */
  sort(tests) {
    const rank = (/** @type {import("@jest/test-result").Test} */ { path }) => {
      if (/fuzz|plan[\\/]impact/.test(path)) {
        return 3;
      }
      if (/program[\\/](objects|reports)/.test(path)) {
        return 1;
      }
      return path.split(/[\\/]/).includes(process.env.MUTATED_ROOM ?? "") ? 0 : 2;
    };
    return [...tests].sort((a, b) => rank(a) - rank(b));
  }
};
