// @ts-check
"use strict";

// Writes packages/platform/cluster/knownSettings.json from what Kubernetes' own programs print of their settings: a table with the columns
// kind, name, type, first minor, last minor, and defaults with their notes, for the minors given.
//
// node scripts/programSettings.js TABLE OLDEST NEWEST

const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const [, , table = "", oldest = "", newest = ""] = process.argv;
const rows = readFileSync(table, "utf8")
  .split("\n")
  .slice(1)
  .filter(Boolean)
  .map((line) => line.split("\t"));

/** `name`, `name@35-`, `name@-36` or `name@34-36`, with the minors that have it. @param {string[]} row */
const named = ([, name = "", , since = "", until = ""]) =>
  since === "" && until === "" ? name : `${name}@${since}-${until}`;

/** A feature gate with its values from each minor on, `T` and `F` where it is locked: `name=33f,35t,36T`. @param {string[]} row */
function gate(row) {
  const states = (row[5] ?? "").split("; ").map((note) => {
    const [minor = "", value = ""] = note.split(" ");
    const letter = value === "true" ? "t" : "f";
    return `${minor}${note.endsWith(", locked") ? letter.toUpperCase() : letter}`;
  });
  return `${named(row)}=${states.join(",")}`;
}

/** @param {string} kind */
const of = (kind) => rows.filter(([one]) => one === kind);

/** Names by the type of their values in Go. @param {string} kind */
function byType(kind) {
  const types = [...new Set(of(kind).map(([, , type = ""]) => type))].sort();
  return Object.fromEntries(
    types.map((type) => [
      type.replace(/ \(.*\)$/, "").replace(/^flag\.(\w+)Value$/, "$1"),
      of(kind)
        .filter((row) => row[2] === type)
        .map(named)
        .join(" "),
    ]),
  );
}

const programs = [
  "kube-apiserver",
  "kube-controller-manager",
  "kube-scheduler",
  "kubelet",
  "kube-proxy",
  "etcd",
];
const settings = {
  minors: [Number(oldest), Number(newest)],
  flags: Object.fromEntries(programs.map((program) => [program, byType(program)])),
  kubeletConfiguration: byType("KubeletConfiguration"),
  featureGates: of("feature gate").map(gate).join(" "),
  admissionPlugins: of("admission plug-in").map(named).join(" "),
  controllers: of("controller").map(named).join(" "),
};

writeFileSync(
  join(__dirname, "../packages/platform/cluster/knownSettings.json"),
  `${JSON.stringify(settings, undefined, 1)}\n`,
);
