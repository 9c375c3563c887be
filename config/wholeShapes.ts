import { parseAllDocuments } from "yaml";
import { mayBeSecret } from "../tools/problem";
import { isRecord, textAt } from "../tools/untyped";
import { type Path, type Step, valueAt } from "./advice/steps";
import { idOf } from "./foreignKeys/references";
import { rangeOf } from "./foreignKeys/values";
import { plainName } from "./words";

/** Mappings and lists that CAPZ, Azure Resource Manager and Kubernetes have as a whole, and that are several keys here. */

type Entries = Readonly<Record<string, unknown>>;

const recordsAt = (root: unknown, path: Path): readonly Entries[] => {
  const list = valueAt(root, path);
  return Array.isArray(list) && list.length > 0 && list.every(isRecord) ? list : [];
};

/** CAPZ's list of network interfaces: the first is that of the node, whose keys are the pool's. */
function networkInterfaces(path: Path, root: unknown): Step[][] {
  const found = recordsAt(root, path).map(({ subnetName, subnet = subnetName, ...rest }) => {
    const { acceleratedNetworking, privateIPConfigs: addresses = 1, ...others } = rest;
    const own = {
      ...(subnet === undefined ? {} : { subnet }),
      ...(acceleratedNetworking === undefined ? {} : { acceleratedNetworking }),
    };
    return addresses === 1 && Object.keys(others).length === 0 ? own : undefined;
  });
  const [first, ...further] = found;
  const pool = path.slice(0, -1);
  const more = [...pool, "additionalNetworkInterfaces"];
  return plainName(String(path.at(-1))) === "networkinterfaces" &&
    first !== undefined &&
    found.every((one) => one !== undefined)
    ? [
        [
          { remove: path },
          ...Object.entries(first).map(([key, value]): Step => ({ set: [...pool, key], value })),
          ...(further.length === 0 ? [] : [{ set: more, value: further }]),
        ],
      ]
    : [];
}

/** A list of peerings with their names, as Azure Resource Manager has it. */
export function listOfPeerings(path: Path, root: unknown): Step[][] {
  const list = recordsAt(root, path);
  const isIt = path[0] === "network" && path.length === 2 && plainName(String(path[1])).endsWith("peerings");
  const named = list.map(
    ({ name, properties, ...rest }) => [name, { ...(properties as object | undefined), ...rest }] as const,
  );
  const names = named.map(([name]) => name).filter((name) => typeof name === "string");
  return isIt && list.length > 0 && new Set(names).size === list.length
    ? [
        [
          ...(path[1] === "peerings" ? [] : [{ remove: path }]),
          { set: ["network", "peerings"], value: Object.fromEntries(named) },
        ],
      ]
    : [];
}

/** A VNET by its ID and its subnets by their names: each subnet has an ID of its own here. */
function subnetsOfVnet(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const around = valueAt(root, parent);
  const entries = Object.entries(isRecord(around) ? around : {});
  const [vnetKey, vnet] = entries.find(([key]) => /^(vnet|virtualnetwork)(id)?$/.test(plainName(key))) ?? [];
  const subnets = entries.flatMap(([key, name]) => {
    const [, role] = /^(controlplane|node)subnet(name)?$/.exec(plainName(key)) ?? [];
    return role === undefined || typeof name !== "string" || name.includes("/")
      ? []
      : [{ key, target: role === "node" ? "nodeSubnetId" : "controlPlaneSubnetId", name }];
  });
  return parent.join(".") === "network.existing" &&
    vnetKey !== undefined &&
    /\/virtualNetworks\/[^/]+$/i.test(String(idOf(vnet))) &&
    [vnetKey, ...subnets.map(({ key }) => key)].includes(String(path.at(-1))) &&
    subnets.length > 0
    ? [
        [
          ...[vnetKey, ...subnets.map(({ key }) => key)].map((key): Step => ({ remove: [...parent, key] })),
          ...subnets.map(({ target, name }): Step => ({
            set: [...parent, target],
            value: `${String(idOf(vnet))}/subnets/${name}`,
          })),
        ],
      ]
    : [];
}

/** The names of the keys of Kubernetes' providers of encryption. */
const keysOfProviders = (providers: unknown): unknown[] =>
  (Array.isArray(providers) ? (providers as unknown[]) : [])
    .flatMap((provider) => Object.values(Object(provider) as Entries))
    .flatMap((provider) => recordsAt(provider, ["keys"]))
    .map(({ name }) => name);

/** Providers beside what is encrypted. */
function encryptionProviders(path: Path, root: unknown): Step[][] {
  const keys = keysOfProviders(valueAt(root, path));
  const target = [...path.slice(0, -1), "keys"];
  return path.join(".") === "controlPlane.encryption.providers" &&
    keys.length > 0 &&
    valueAt(root, target) === undefined
    ? [[{ remove: path }, { set: target, value: keys }]]
    : [];
}

/** Kubernetes' EncryptionConfiguration: what is encrypted, and the names of the keys, whose bytes the program makes. */
export function encryptionConfiguration(path: Path, root: unknown): Step[][] {
  const at = path.slice(0, 2);
  const [only, ...more] = recordsAt(root, [...at, "resources"]);
  const keys = keysOfProviders(only?.providers);
  return at.join(".") === "controlPlane.encryption" && keys.length > 0 && more.length === 0
    ? [[{ set: at, value: { keys, resources: only?.resources } }]]
    : [];
}

/** Keys of the encryption that are mappings: those with the ID of a key in Key Vault have it in a mapping beside them. */
export function keysInVaults(path: Path, root: unknown): Step[][] {
  const at = path.slice(0, 3);
  const list = valueAt(root, at);
  const keys = (Array.isArray(list) ? list : []).map((key: unknown) => {
    const id = Object.values(isRecord(key) ? key : {}).find((one) =>
      /\/vaults\/[^/]+\/keys\//i.test(String(one)),
    );
    return { name: isRecord(key) ? key.name : key, id };
  });
  const vaults = keys.filter(({ id }) => id !== undefined);
  const target = [...at.slice(0, 2), "keyVaultKeys"];
  return at.join(".") === "controlPlane.encryption.keys" &&
    vaults.length > 0 &&
    keys.every(({ name }) => typeof name === "string") &&
    valueAt(root, target) === undefined
    ? [
        [
          { set: at, value: keys.map(({ name }) => name) },
          { set: target, value: Object.fromEntries(vaults.map(({ name, id }) => [String(name), id])) },
        ],
      ]
    : [];
}

/** A namespace with the switch for its creation, as Helm's values have it. */
export function namespaceOfHelm(path: Path, root: unknown): Step[][] {
  const value = valueAt(root, path);
  const { name, create, ...others } = isRecord(value) ? value : {};
  return path.join(".") === "namespace" && typeof name === "string" && Object.keys(others).length === 0
    ? [
        [
          { set: path, value: name },
          ...(create === undefined ? [] : [{ set: ["createNamespace"], value: create }]),
        ],
      ]
    : [];
}

/** The annotations with which Cluster API tells the autoscaler the range of a pool. */
function rangeInAnnotations(path: Path, root: unknown): Step[][] {
  const value = valueAt(root, path);
  const pool = path.slice(0, -1);
  const limits = Object.entries(isRecord(value) ? value : {}).map(([key, limit]) => {
    const [, end] = /cluster-api-autoscaler-node-group-(min|max)-size$/.exec(key) ?? [];
    return [end, Number(limit)] as const;
  });
  return path.at(-1) === "annotations" &&
    pool.length === 2 &&
    limits.length === 2 &&
    limits.every(([end]) => end !== undefined)
    ? [[{ remove: path }, { set: [...pool, "autoscale"], value: Object.fromEntries(limits) }]]
    : [];
}

/** Objects of Kubernetes as a text, as Helm's values have them. */
export function manifestText(path: Path, root: unknown): Step[][] {
  const text = valueAt(root, path);
  const isText = path[0] === "extraManifests" && path.length === 2 && typeof text === "string";
  const documents = isText && /^apiVersion:/m.test(text) && !mayBeSecret(text) ? parseAllDocuments(text) : [];
  const objects = (Array.isArray(documents) ? documents : []).map((one) =>
    one.errors.length === 0 ? (one.toJS() as unknown) : undefined,
  );
  return objects.length > 0 && objects.every((one) => textAt(one, "kind") !== "")
    ? [[{ set: path, value: { objects } }]]
    : [];
}

/** The range of a pool, where the management cluster has it in two keys. */
function rangeOfAks(path: Path, root: unknown): Step[][] {
  const { min, max, ...others } = Object(rangeOf(valueAt(root, path))) as Record<string, unknown>;
  const steps = [
    ["nodeCount", min],
    ["maxNodeCount", max],
  ].flatMap(([key, value]): Step[] =>
    value === undefined ? [] : [{ set: ["management", String(key)], value }],
  );
  return /^management\.(autoscale|autoscaling|autoscaler)$/.test(path.join(".")) &&
    steps.length > 0 &&
    Object.keys(others).length === 0
    ? [[{ remove: path }, ...steps]]
    : [];
}

/** Cluster API's providers, by the words of clusterctl and its operator. */
const providerKeys: readonly (readonly [RegExp, string])[] = [
  [/^(clusterapi|core|capi)$/, "coreVersion"],
  [/^(azure|capz|infrastructureazure)$/, "azureVersion"],
  [/^certmanager$/, "certManagerVersion"],
  [/^(operator|clusterapioperator)$/, "operatorVersion"],
];

/** A list of providers with their versions, or a mapping of their names to versions. */
function providersByName(path: Path, root: unknown): Step[][] {
  const named = Object.entries(Object(valueAt(root, path)) as Entries).map(([name, one]) => ({
    name,
    ...(isRecord(one) ? one : { version: one }),
  }));
  const list: readonly Entries[] = Array.isArray(valueAt(root, path)) ? recordsAt(root, path) : named;
  const steps = list.map(({ name, provider = name, version }): Step | undefined => {
    const key = providerKeys.find(([word]) => word.test(plainName(String(provider))))?.[1];
    return key === undefined || version === undefined
      ? undefined
      : { set: ["clusterApi", key], value: version };
  });
  return path.join(".") === "clusterApi.providers" &&
    steps.length > 0 &&
    steps.every((step) => step !== undefined)
    ? [[{ remove: path }, ...steps]]
    : [];
}

/** For keys that the schema does not know. */
export const wholeShapes = [
  networkInterfaces,
  listOfPeerings,
  subnetsOfVnet,
  rangeInAnnotations,
  rangeOfAks,
  providersByName,
  encryptionProviders,
];
