"use strict";

// Folders with the programs and stacks that the benchmark plans.
const { mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { parse, stringify } = require("yaml");

const root = join(__dirname, "../..");

/**
 * A project folder with everything of this one but its stacks and, if wanted, its program.
 * @param {readonly string[]} without
 */
function project(without = []) {
  const dir = mkdtempSync(join(tmpdir(), "capz-windows-bench-"));
  for (const entry of readdirSync(root)) {
    if (![".git", "rendered", "reports", ...without].includes(entry) && !/^Pulumi\..+\.yaml$/.test(entry)) {
      symlinkSync(join(root, entry), join(dir, entry));
    }
  }
  return dir;
}

/** A project whose program imports the same SDK modules as the real one, and registers nothing. */
function emptyProject() {
  const dir = project(["index.ts"]);
  const files = [
    "index.ts",
    ...readdirSync(join(root, "components"), { recursive: true, encoding: "utf8" }).map(
      (file) => `components/${file}`,
    ),
  ]
    .filter((file) => file.endsWith(".ts"))
    .map((file) => readFileSync(join(root, file), "utf8"));
  const imports = new Set(
    files.flatMap((text) =>
      [...text.matchAll(/^import (?!type)[^;]*? from "(@pulumi\/[^"]+)";/gms)].map(([, from = ""]) => from),
    ),
  );
  const lines = [...imports].sort().map((from, index) => `import * as sdk${index} from "${from}";`);
  const used = lines.map((_, index) => `sdk${index}`).join(", ");
  writeFileSync(join(dir, "index.ts"), `${lines.join("\n")}\nexport const loaded = [${used}].length;\n`);
  return dir;
}

/**
 * @param {string} name
 * @returns {{ config: Record<string, object> }}
 */
function exampleStack(name) {
  /** @type {{ config: Record<string, object> }} */
  const stack = parse(readFileSync(join(root, `examples/Pulumi.${name}.yaml`), "utf8"));
  return stack;
}

/** A project with the stacks whose plans are compared. */
function poolsProject() {
  const dir = project();
  const file = exampleStack("dev");
  for (const count of [1, 10, 100]) {
    const pools = Array.from({ length: count }, (_, index) => [`win${index}`, { replicas: 1 }]);
    const config = { ...file.config, "capz-windows:windowsPools": Object.fromEntries(pools) };
    writeFileSync(join(dir, `Pulumi.pools${count}.yaml`), stringify({ config }));
  }
  writeFileSync(join(dir, "Pulumi.plain.yaml"), stringify(plainStack()));
  return dir;
}

/** The pools of the example everything, without any options that they do not need. */
function plainStack() {
  const { config } = exampleStack("everything");
  /** @type {(key: string, one: (name: string) => object) => object} */
  const pick = (key, one) =>
    Object.fromEntries(Object.keys(config[`capz-windows:${key}`] ?? {}).map((name) => [name, one(name)]));
  const { machines = {} } = /** @type {Record<string, Record<string, unknown>>} */ (
    config["capz-windows:windowsPools"]
  );
  const own = { kind: machines.kind, replicas: machines.replicas, image: machines.image };
  const kept = ["clusterName", "kubernetesVersion", "azure", "access"].map((key) => [
    `capz-windows:${key}`,
    config[`capz-windows:${key}`],
  ]);
  return {
    config: {
      ...Object.fromEntries(kept),
      "capz-windows:linuxPools": pick("linuxPools", () => ({})),
      "capz-windows:windowsPools": pick("windowsPools", (name) => (name === "machines" ? own : {})),
    },
  };
}

module.exports = { emptyProject, poolsProject };
