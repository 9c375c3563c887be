import fc from "fast-check";
import { foreignKeys } from "../../config/foreignKeys/lookup";
import { pathsOf } from "./rawConfigs";
import { rightConfigBase } from "./rightConfigBase";

/**
 * Random configs with one to three typical mistakes: in single values, in keys, and in values that do not fit together.
 */

type Raw = Record<string, unknown>;
type Path = readonly (string | number)[];
type Mistake = (config: Raw) => void;

/** The paths of all values in a config. */
function places(value: unknown, path: Path = []): Path[] {
  const inner: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : typeof value === "object" && value !== null
      ? Object.entries(value)
      : [];
  return [
    ...(path.length === 0 ? [] : [path]),
    ...inner.flatMap(([key, item]) => places(item, [...path, key])),
  ];
}

const parentOf = (config: Raw, path: Path): Record<string | number, unknown> =>
  path.slice(0, -1).reduce<unknown>((value, key) => (value as Raw)[key], config) as Raw;

const wrongValues = fc.constantFrom<unknown>(
  null,
  "",
  " ",
  "x",
  "A_B",
  "Not Right",
  true,
  "yes",
  -1,
  0,
  1.5,
  7,
  99_999,
  "3",
  "1.35",
  1.35,
  "latest",
  "v1.35.99999999999999999999",
  [],
  [1, 2],
  ["x"],
  [{ name: "win1" }],
  {},
  { x: 1 },
  "10.0.0.1",
  "198.51.100.17/24",
  "10.0.0.0/8",
);

const typo = (key: string): string[] => [
  key.slice(0, -1),
  `${key}s`,
  key.toUpperCase(),
  `${key}x`,
  key.replace(/(.)([A-Z])/, "$1_$2"),
];

/** Replaces a random value by a wrong one. */
const wrongValue = fc.tuple(fc.nat(), wrongValues).map(([index, value]): Mistake => (config) => {
  const all = places(config);
  const path = all[index % all.length] ?? [];
  parentOf(config, path)[path.at(-1) ?? ""] = structuredClone(value);
});

/** Misspells a random key. */
const wrongKey = fc.tuple(fc.nat(), fc.nat({ max: 4 })).map(([index, which]): Mistake => (config) => {
  const all = places(config).filter((path) => typeof path.at(-1) === "string");
  const path = all[index % all.length] ?? [];
  const parent = parentOf(config, path);
  const key = String(path.at(-1));
  const name = typo(key)[which] ?? key;
  if (name !== key && name !== "" && !(name in parent)) {
    parent[name] = parent[key];
    Reflect.deleteProperty(parent, key);
  }
});

/** Moves a random key to a place where it does not belong. */
const misplaced = fc.tuple(fc.nat(), fc.nat()).map(([from, to]): Mistake => (config) => {
  const keys = pathsOf(config).map((path) => path.split(".").at(-1) ?? "");
  const maps = places(config).filter((path) => {
    const value = parentOf(config, path)[path.at(-1) ?? ""];
    return typeof value === "object" && value !== null && !Array.isArray(value);
  });
  const path = maps[to % maps.length];
  if (path !== undefined) {
    const map = parentOf(config, path)[path.at(-1) ?? ""] as Raw;
    map[keys[from % keys.length] ?? "x"] ??= "value";
  }
});

/** Adds a key of another tool, in a pool or at the top level, with a value that it may have in that tool. */
const foreign = fc
  .tuple(
    fc.constantFrom(...foreignKeys().flatMap(({ names }) => names)),
    fc.constantFrom<unknown>("x", 3, true, "2022", ["1"], { maxSurge: 1 }, [{ name: "p1", count: 2 }]),
    fc.nat(),
  )
  .map(([name, value, to]): Mistake => (config) => {
    const pools = ["linuxPools", "windowsPools"].flatMap((group) =>
      Object.values((config[group] ?? {}) as Raw),
    );
    const holder = [config, ...pools][to % (pools.length + 1)] as Raw;
    holder[name] ??= structuredClone(value);
  });

const set =
  (path: string, value: unknown): Mistake =>
  (config) => {
    const [section = "", ...rest] = path.split(".");
    const within = (config[section] ?? {}) as Raw;
    config[section] = within;
    const holder = rest.slice(0, -1).reduce<Raw>((map, key) => {
      map[key] ??= {};
      return map[key] as Raw;
    }, within);
    holder[rest.at(-1) ?? ""] = structuredClone(value);
  };

/** Values that are valid by themselves but do not fit the others. */
const between = fc.constantFrom<Mistake>(
  set("network.podCidr", "10.10.0.0/16"),
  set("network.podCidr", "172.16.0.0/28"),
  set("network.serviceCidr", "192.168.0.0/16"),
  set("network.serviceCidr", "10.0.0.0/8"),
  set("network.vnetCidr", "10.96.0.0/16"),
  set("network.vnetCidr", "10.10.0.0/28"),
  set("network.vnetCidr", "192.168.255.0/24"),
  set("network.vnetCidr", "169.254.0.0/16"),
  set("network.nodeSubnetCidr", "10.10.0.0/30"),
  set("network.nodeSubnetCidr", "10.99.0.0/24"),
  set("network.controlPlaneSubnetCidr", "10.10.128.0/30"),
  set("controlPlane.replicas", 4),
  set("windowsPools.big", { replicas: 900 }),
  set("windowsPools.older", { kubernetesVersion: "v1.23.0" }),
  set("windowsPools.newer", { kubernetesVersion: "v1.36.5" }),
  set("windowsPools.w2019", { windowsServer: "2019" }),
  set("windowsPools.scaled", { autoscale: { min: 9, max: 2 } }),
  set("windowsPools.stuck", { rollout: { maxSurge: 0, maxUnavailable: 0 } }),
  set("windowsPools.zoned", { kind: "MachineDeployment", zones: ["1", "2"] }),
  set("windowsPools.imaged", { image: {} }),
  set("windowsPools.imaged", { image: { marketplace: {} } }),
  set("windowsPools.imaged", { image: { marketplace: { urn: "a:b" } } }),
  set("windowsPools.imaged", {
    image: { computeGallery: { gallery: "g", name: "capi-win-2025-x", version: "1" } },
  }),
  set("windowsPools.first-blue", {}),
  set("windowsPools.other-blue", {}),
  set("linuxPools.control-plane", {}),
  set("windowsPools.run", { preKubeadmCommands: ["echo 100%", "x.cmd", "exit 1", "echo {{ x }}"] }),
  set("linuxPools.run", { postKubeadmCommands: ["kubeadm upgrade node", "echo {{ x }}"] }),
  set("windowsPools.filed", {
    files: [
      { path: "C:/x", content: "y".repeat(20_000) },
      { path: "c:\\X", content: "y" },
    ],
  }),
  set("windowsPools.filed", { files: [{ path: "C:/restart-kubelet.ps1", content: "y" }] }),
  set("windowsPools.newest", { vmSize: "Standard_D4s_v6" }),
  set("windowsPools.arm", { vmSize: "Standard_D4ps_v5" }),
  set("linuxPools.slow", { vmSize: "Standard_D2_v3" }),
  set("controlPlane.vmSize", "Standard_D4ds_v6"),
  set("windowsPools.moving", { image: { marketplace: { urn: "p:o:s:latest" } } }),
  set("windowsPools.restart", {
    preKubeadmCommands: ["shutdown /r", "kubeadm join x", "powershell Add-Computer"],
  }),
  set("sampleWorkload.pool", "none"),
  set("sampleWorkload.limits", { memory: "900Gi", cpu: "0.1" }),
  set("clusterApi.coreVersion", "v1.2.3"),
  set("management.nodeCount", 90),
  set("azure.location", "polandcentral"),
);

export const wrongConfig: fc.Arbitrary<Raw> = fc
  .tuple(
    rightConfigBase,
    fc.array(
      fc.oneof({ weight: 3, arbitrary: wrongValue }, wrongKey, misplaced, foreign, {
        weight: 3,
        arbitrary: between,
      }),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
  )
  .map(([right, mistakes]) => {
    const config = structuredClone(right);
    mistakes.forEach((make) => {
      try {
        make(config);
      } catch {
        // An earlier mistake has removed the place of this one.
      }
    });
    return config;
  });
