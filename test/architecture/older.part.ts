import { allowed, importsOf } from "./layers";
import { sourcesOf } from "./sources";

/** What serves older systems alone is in older/, behind a door for each layer, so that it can go in one piece. */

const rooms = Object.keys(allowed);

/** The files of older/ that others import, and which others those are. */
const doors: Readonly<Record<string, readonly string[]>> = {
  "older/addons/catalogue.ts": ["addons/catalogue.ts"],
  "older/config/flavor.ts": ["config/check.ts"],
  "older/config/marketplace.ts": ["config/rules/images.ts"],
  "older/config/olderKubernetes.ts": ["config/warnings.ts"],
  "older/import/apimodel.ts": ["commands/import/sources.ts"],
  "older/platform/marketplace.ts": [
    "config/rules/containerRegistries.ts",
    "config/rules/imageVersions.ts",
    "config/rules/vmSizes.ts",
    "config/warnings.ts",
    "platform/machines/images.ts",
  ],
};

it("is entered by its doors alone", () => {
  const entered: Record<string, string[]> = {};
  for (const { from, to } of importsOf(rooms)) {
    if (to.startsWith("older/") && !from.startsWith("older/")) {
      (entered[to] ??= []).push(from);
    }
  }
  expect(
    Object.fromEntries(Object.entries(entered).map(([door, users]) => [door, [...new Set(users)].sort()])),
  ).toEqual(doors);
});

/** What people read or write may name every system: the schema, values that are refused, rules of the doctor. */
const forPeople = /^config\/(schema\/|refused\.ts$)|^commands\/doctor\/rules\//;

/** Words of older systems, and the other files outside of older/ that have them. */
const words: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /flannel/i,
    [
      "addons/addon.ts",
      "bootstrap/controlPlane.ts",
      "bootstrap/mtu.ts",
      "commands/workloads/live.ts",
      "config/rules/network.ts",
      "config/rules/networkRanges.ts",
      "config/rules/ownNetwork.ts",
      "plan/impact/rules/ownNetwork.ts",
      "plan/model/cluster/azure.ts",
      "plan/reports/networkRows.ts",
      "platform/cluster/addonLabels.ts",
      "platform/cluster/platform.ts",
      "platform/network/defaults.ts",
      "platform/network/mtu.ts",
    ],
  ],
  // An issue of theirs is a source.
  [/rancher/i, ["config/compatibilityDocument.ts"]],
  [/calico-manifests/, ["platform/cluster/platform.ts", "platform/network/mtu.ts"]],
  [/apimodel/i, ["commands/import/cli.ts", "commands/import/sources.ts"]],
  [/cncf-upstream/, ["config/warnings.ts", "platform/machines/images.ts"]],
];

it.each(words)("%s is named where it must be, and nowhere else", (word, files) => {
  const naming = sourcesOf(rooms)
    .filter(({ path }) => !path.startsWith("older/") && !forPeople.test(path))
    .filter(({ path, text }) => !path.startsWith("capi/crds/") && word.test(text))
    .map(({ path }) => path);
  expect(naming.sort()).toEqual(files);
});
