import { configSchema, keysOf, nodeAt } from "../../config/jsonSchema";
import { decodeConfig } from "../../config/parse";
import { projectConfig } from "../../config/stackFile";
import { readExample } from "../support/stacks";

/**
 * The benchmark, the golden files and the tests with real controllers use the example everything for all keys at once.
 */

type Raw = Record<string, unknown>;

const file = readExample("everything");
const config = decodeConfig(projectConfig(file.config)) as Record<string, Raw>;
const poolsOf = (group: string): Raw[] => Object.values((config[group] ?? {}) as Record<string, Raw>);
const used = (holders: readonly (Raw | undefined)[]): Set<string> =>
  new Set(holders.flatMap((holder) => Object.keys(holder ?? {})));

/** Keys of other examples: those of an existing management cluster, of an older cluster, and of the sample workload. */
const elsewhere = [
  ...[
    "namespace",
    "createNamespace",
    "flavor",
    "management",
    "managementKubeconfig",
    "clusterApi",
    "protect",
  ],
  ...["sampleWorkload", "trustedCertificates", "wait"],
];

it("has every key of a stack that is not for another kind of cluster", () => {
  const missing = keysOf(configSchema()).filter(
    (key) => !used([config]).has(key) && !elsewhere.includes(key),
  );
  expect(missing).toEqual([]);
});

it("has every key of pools except the version, in one pool or in poolDefaults", () => {
  for (const [group, more] of [
    ["windowsPools", ["linuxPools"]],
    ["linuxPools", ["windowsPools"]],
  ] as const) {
    const own = used([config.poolDefaults, ...poolsOf(group), ...more.flatMap(poolsOf)]);
    const missing = keysOf(nodeAt([group, "any"])).filter((key) => !own.has(key));
    expect(missing).toEqual(["kubernetesVersion"]);
  }
});

it("has every add-on that a stack can turn on", () => {
  const addons = config.addons ?? {};
  const switched = keysOf(nodeAt(["addons"])).filter((key) =>
    keysOf(nodeAt(["addons", key])).includes("enabled"),
  );
  expect(switched.length).toBeGreaterThan(3);
  expect(switched.filter((key) => (addons[key] as Raw | undefined)?.enabled !== true)).toEqual([]);
});
