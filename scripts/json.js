"use strict";

const { readFileSync } = require("node:fs");

/**
 * Like JSON.parse, whose result would pass as everything without being looked at.
 * @param {string} text
 * @returns {unknown}
 */
const parseJson = (text) => JSON.parse(text);

/** @param {string} file */
const readJson = (file) => parseJson(readFileSync(file, "utf8"));

module.exports = { parseJson, readJson };
