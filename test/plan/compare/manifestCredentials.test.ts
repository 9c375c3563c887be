import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readObjects } from "capz-windows-platform/manifests/yamlStream";
import { loadSettings } from "../../../config/load";
import { decodeConfig } from "../../../config/parse";
import { findingsOf } from "../../../config/policy/findings";
import { hiddenPlan } from "../../../plan/model/hiddenCredentials";
import { planFiles } from "../../../plan/render/render";
import { updateInline } from "../../support/inlinePlans";
import { minimal, projectDir } from "../../support/stacks";

/** Credentials in a file of extraManifests, which Pulumi encrypts no more than the stack file. */

const file = "test/plan/compare/manifestCredentials.yaml";
const raw = { ...minimal(), extraManifests: { cfg: { file } } };
const secrets = [
  "Pl4ntedInAFile9kLm4",
  "Pl4ntedInSealed9k",
  "Pl4ntedInTemplate9",
  "A".repeat(64),
  "B".repeat(64),
  "C".repeat(32),
];

const { objects } = readObjects(readFileSync(join(projectDir, file), "utf8"));

it("are found, and not the examples of a CRD, names of secrets and ciphertext", () => {
  const loaded = loadSettings(raw, "Pulumi.test.yaml");
  const found = findingsOf(loaded, decodeConfig(raw), "2026-11-30", { files: { cfg: objects } });
  const readers = "which anyone who can read ConfigMaps of the management cluster can read";
  const remedy = "use a managed identity, or what needs no password";
  expect(
    found
      .filter(({ id }) => id === "plain-credential")
      .map(({ level, path, message }) => [level, path, message]),
  ).toEqual([
    ["error", "extraManifests.cfg.file", `in object 1, this looks like a password, ${readers}; ${remedy}`],
    ["error", "extraManifests.cfg.file", `in object 1, this looks like a private key, ${readers}; ${remedy}`],
    ["error", "extraManifests.cfg.file", `in object 3, this looks like a password, ${readers}; ${remedy}`],
    ["error", "extraManifests.cfg.file", `in object 4, this looks like a password, ${readers}; ${remedy}`],
  ]);
});

it("are the same in objects of the stack file", () => {
  const inline = { ...minimal(), extraManifests: { cfg: { objects: objects.slice(1) } } };
  const { warnings } = loadSettings(inline, "Pulumi.test.yaml");
  expect(
    warnings.flatMap(({ path, message }) => (message.startsWith("this looks like") ? [path] : [])),
  ).toEqual([
    'extraManifests.cfg.objects[1].spec.target.template.data["app.conf"]',
    'extraManifests.cfg.objects[2].spec.template.data["app.conf"]',
  ]);
});

it("stand in no file of a plan, and a CRD stays as it is", async () => {
  const files = [...planFiles(hiddenPlan(await updateInline(raw)))];
  for (const secret of secrets) {
    expect(files.filter(([, text]) => text.includes(secret)).map(([name]) => name)).toEqual([]);
  }
  expect(files.filter(([, text]) => text.includes("anExampleOfTheField"))).not.toEqual([]);
});
