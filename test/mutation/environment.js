"use strict";

const { TestEnvironment } = require("jest-environment-node");

/** One failure is enough for a mutant: the tests after it in its file are skipped. */
module.exports = class extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === "test_done" && test.errors.length > 0) {
      this.failed = true;
    }
    if (name === "test_start" && this.failed) {
      test.mode = "skip";
    }
  }
};
