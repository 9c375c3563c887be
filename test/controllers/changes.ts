import fc from "fast-check";
import { loadSettings } from "../../config/load";
import { optionPaths } from "../../config/schemaDocs";
import { ConfigError } from "../../domain/problem";
import { isRecord } from "../../domain/untyped";
import { rightConfig } from "../support/rightConfigs";

/** Right configs that differ in one key of the schema. */
type Raw = Record<string, unknown>;

/** They mean another management cluster, in which nothing is there to be changed. */
const elsewhere: readonly string[] = ["management.kind", "management.name", "managementKubeconfig"];

export interface Change {
  /** As in docs/config.md, pools under `<name>`. */
  readonly key: string;
  readonly before: Raw;
  readonly after: Raw;
}

function isRight(raw: Raw): boolean {
  try {
    loadSettings(raw, "test");
    return true;
  } catch (error) {
    if (error instanceof ConfigError) {
      return false;
    }
    throw error;
  }
}

/** The places in a config that a key of the schema means: one, or one in each pool. */
function placesOf(config: unknown, [step = "", ...rest]: readonly string[]): string[][] {
  const names = !isRecord(config)
    ? []
    : step === "<name>"
      ? Object.keys(config)
      : step in config
        ? [step]
        : [];
  return names.flatMap((name) =>
    rest.length === 0 ? [[name]] : placesOf((config as Raw)[name], rest).map((place) => [name, ...place]),
  );
}

const valueAt = (config: unknown, place: readonly string[]): unknown =>
  place.reduce<unknown>((value, step) => (value as Raw)[step], config);

/** The config with another value at a place; `undefined` takes it away, and what is then empty. */
function withValue(config: Raw, [step = "", ...rest]: readonly string[], value: unknown): Raw {
  const { [step]: old, ...others } = config;
  const inner = rest.length === 0 ? value : withValue(old as Raw, rest, value);
  return inner === undefined ? others : { ...others, [step]: inner };
}

/** For keys that have one value in the sample and are needed. */
const others: Readonly<Record<string, unknown>> = {
  "azure.location": "northeurope",
  "management.egressCidrs": ["198.51.100.9/32"],
  "proxy.url": "http://proxy.example.com:8080",
  "sampleWorkload.disk.storageClass": "another-class",
  secretFiles: "own: another text\n",
  "access.sshPublicKey":
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKFwQe4cBdoWLMHy9MI59G0upaxktpmiI3qQYPo1DbyW another-example-replace-me",
};

/** Values for a key that are tried, and configs in which they are; more would take long and find nothing. */
const tried = { values: 4, places: 8 };

const unique = (values: readonly unknown[]): unknown[] => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];

function changeOf(key: string, sample: readonly Raw[]): Change | undefined {
  const places = sample.flatMap((config) =>
    placesOf(config, key.split(".")).map((place) => ({ config, place })),
  );
  const values = [
    undefined,
    ...unique(places.map(({ config, place }) => valueAt(config, place))).slice(0, tried.values),
    ...(key in others ? [others[key]] : []),
    ...(key.endsWith(".version") ? ["2.0.0"] : []),
  ];
  for (const { config, place } of places.slice(0, tried.places)) {
    const own = JSON.stringify(valueAt(config, place));
    const after = values
      .filter((value) => JSON.stringify(value) !== own)
      .map((value) => withValue(config, place, value))
      .find(isRight);
    if (after) {
      return { key, before: config, after };
    }
  }
  return undefined;
}

/** Not every sample has a place for every key: the keys that one leaves over are looked for in another. */
const samples = 4;

/**
 * For each key of the schema one change: taken away where that is right, or else another value.
 * @returns also the keys for which there is none
 */
export function changesOfEveryKey(seed: number, size: number): { changes: Change[]; without: string[] } {
  const leaves = optionPaths().filter((key, _, all) => !all.some((other) => other.startsWith(`${key}.`)));
  const found = new Map<string, Change>();
  const missing = (): string[] => leaves.filter((key) => !found.has(key) && !elsewhere.includes(key));
  for (let round = 0; round < samples && missing().length > 0; round++) {
    const sample = fc
      .sample(rightConfig, { numRuns: size, seed: seed + 1000 * round })
      .map((config): Raw => ({ ...config, protect: false }));
    for (const key of missing()) {
      const change = changeOf(key, sample);
      if (change) {
        found.set(key, change);
      }
    }
  }
  return { changes: leaves.flatMap((key) => found.get(key) ?? []), without: missing() };
}
