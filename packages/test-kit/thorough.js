"use strict";

/** Whether all of thousands of combinations are tried, and not a part to save time. */
exports.isThorough =
  Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 2) > 2 ||
  process.env.CI === "true" ||
  process.env.npm_lifecycle_event === "test:all";
