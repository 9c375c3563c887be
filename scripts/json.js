"use strict";

const { readFileSync } = require("node:fs");

/**
 * Like JSON.parse, but the result is `unknown` instead of `any`, so that it must be checked before it is used.
 * @param {string} text
 * @returns {unknown}
 */
const parseJson = (text) => JSON.parse(text);

/** @param {string} file */
const readJson = (file) => parseJson(readFileSync(file, "utf8"));

module.exports = { parseJson, readJson };
