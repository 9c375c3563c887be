import { extensionPoint } from "capz-windows-kit/extensionPoint";
import { arrowsOf } from "./imports";
import { allowed, importsOf } from "./layers";
import { filesBelow, readText, sourcesOf } from "./sources";

/** What serves older systems alone is in older/, which fills places in the rooms below, so that it can go in one piece. */

const rooms = Object.keys(allowed);

/** Where the program, other programs' use of it and the commands begin: what loads older/, and what of it. */
const tops: Readonly<Record<string, readonly string[]>> = {
  "commands/stack/register.ts": ["older/addons/register.ts", "older/config/register.ts"],
  "commands/package/bin.ts": ["older/import/register.ts"],
  "components/index.ts": ["older/addons/register.ts"],
  "program/stackProgram.ts": ["older/addons/register.ts", "older/config/register.ts"],
  "scripts/golden.js": ["older/addons/register.ts", "older/config/register.ts"],
  "scripts/import.js": ["older/import/register.ts"],
};

it("is loaded at the tops alone: no arrow goes up to it", () => {
  const loaded: Record<string, string[]> = {};
  const scripts = filesBelow("scripts").flatMap((path) => arrowsOf(path, readText(path)));
  for (const { from, to } of [...importsOf(rooms), ...scripts]) {
    if (to.startsWith("older/") && !from.startsWith("older/")) {
      (loaded[from] ??= []).push(to);
    }
  }
  expect(loaded).toEqual(tops);
});

it("that it was not loaded is an error, and never a cluster without it", () => {
  const { fill, read } = extensionPoint<number>("older/numbers/register");
  expect(read).toThrow(
    new Error("older/numbers/register is not loaded: import it where the program or the command begins"),
  );
  fill(() => 1);
  expect(read()).toBe(1);
});

/** What people read or write may name every system: the schema, values that are refused, rules of the doctor. */
const forPeople = /^config\/(schema\/|refused\.ts$)|^packages\/doctor\/rules\//;

/** Words of older systems, and the other files outside of older/ that have them. */
const words: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /flannel/i,
    [
      "addons/addon.ts",
      "bootstrap/controlPlane.ts",
      "bootstrap/mtu.ts",
      "config/rules/network.ts",
      "config/rules/networkRanges.ts",
      "config/rules/ownNetwork.ts",
      "packages/platform/cluster/addonLabels.ts",
      "packages/platform/cluster/platform.ts",
      "packages/platform/network/defaults.ts",
      "packages/platform/network/mtu.ts",
      "packages/windows-workloads/live.ts",
      "plan/impact/rules/ownNetwork.ts",
      "plan/model/cluster/azure.ts",
      "plan/reports/networkRows.ts",
    ],
  ],
  // An issue of theirs is a source.
  [/rancher/i, ["config/compatibilityDocument.ts"]],
  [/calico-manifests/, ["packages/platform/cluster/platform.ts", "packages/platform/network/mtu.ts"]],
  [/apimodel/i, ["commands/import/cli.ts", "commands/import/olderSource.ts", "commands/import/sources.ts"]],
  [
    /cncf-upstream/,
    [
      "config/warnings.ts",
      "packages/platform/machines/images.ts",
      "packages/platform/machines/marketplace.ts",
    ],
  ],
];

it.each(words)("%s is named where it must be, and nowhere else", (word, files) => {
  const naming = sourcesOf(rooms)
    .filter(({ path }) => !path.startsWith("older/") && !forPeople.test(path))
    .filter(({ path, text }) => !path.startsWith("packages/capz-types/crds/") && word.test(text))
    .map(({ path }) => path);
  expect(naming.sort()).toEqual(files);
});
