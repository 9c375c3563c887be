"use strict";

const { TestEnvironment } = require("jest-environment-node");

/** One failure is enough to kill a mutant, so the remaining tests of the file are skipped. */
module.exports = class extends TestEnvironment {
  failed = false;

  /** @param {import("@jest/types").Circus.Event} event */
  handleTestEvent(event) {
    if (event.name === "test_done" && event.test.errors.length > 0) {
      this.failed = true;
    }
    if (event.name === "test_start" && this.failed) {
      event.test.mode = "skip";
    }
  }
};
