import { roleDefinitionId } from "../platform/azure/roles";
import { covers, networkOf } from "../platform/network/addressing";
import { defaultVnetCidr } from "../platform/network/defaults";
import { isRecord } from "../tools/untyped";
import { placeholder } from "../tools/writeLine";
import { exampleOf, suggestion } from "./advice/examples";
import { diskOfSize } from "./advice/disks";
import { digitsFrom, rangesFrom } from "./advice/shapes";
import { applySteps, isWithin, type Path, type Step, targetsOf, valueAt } from "./advice/steps";
import { answerTo } from "./foreignKeys/answer";
import { severalKeys } from "./foreignKeys/sshKeys";
import { groups } from "./foreignKeys/lookup";
import { poolsFrom } from "./foreignKeys/profiles";
import { textOf } from "./foreignKeys/values";
import { keysOf, nodeAt, type SchemaNode } from "./jsonSchema";
import { choiceBeside, choiceByKeys, choiceInMapping, choiceOfText } from "./missingChoice";
import { outboundTypes } from "./otherShapes";
import { stackInParts } from "./partShapes";
import { nameWithoutSpace } from "./slips";
import { stems } from "./keyPlaces";
import {
  manifestText,
  namespaceOfHelm,
  encryptionConfiguration,
  keysInVaults,
  listOfPeerings,
} from "./wholeShapes";
import { plainName } from "./words";

/** A manifest that was written as its path or URL alone, with the name of its file. */
function manifestOf(value: unknown): readonly [string, object] | undefined {
  const [, name = ""] = /([^/\\]+?)(?:\.ya?ml|\.json)?$/i.exec(textOf(value) ?? "") ?? [];
  const key = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return typeof value !== "string" || key === ""
    ? undefined
    : [
        key,
        value.includes("://") ? { url: value, sha256: placeholder("sha256 of the file") } : { file: value },
      ];
}

/**
 * A network with a prefix length that none has: the address is kept, with the length that such a range has by default; and
 * with the VNET around it, where that has not been chosen.
 */
function withoutPrefix(key: string, value: unknown, root: unknown): Step[] {
  const [, address = "", bits] = /^([\d.]+)\/(\d+)$/.exec(String(value).trim()) ?? [];
  const isSubnet = key.endsWith("SubnetCidr");
  const [network] = Number(bits) > 32 ? networkOf(`${address}/${isSubnet ? 24 : 16}`) : [];
  const [vnet] = network === undefined || !isSubnet ? [] : networkOf(`${address}/16`);
  const isOwnVnet =
    vnet === undefined ||
    valueAt(root, ["network", "vnetCidr"]) !== undefined ||
    covers([defaultVnetCidr], [network ?? ""]);
  return network === undefined
    ? []
    : [
        ...(isOwnVnet ? [] : [{ set: ["network", "vnetCidr"], value: vnet }]),
        { set: ["network", key], value: network },
      ];
}

/** A mapping in place of a list of such, with the keys of another tool in its items' own. */
function asItem(path: Path, node: SchemaNode | undefined, root: unknown): unknown {
  const value = valueAt(root, path);
  const known = keysOf(node?.items);
  if (node?.type !== "array" || known.length === 0 || !isRecord(value)) {
    return undefined;
  }
  const item = [...path, 0];
  const listed = applySteps(root, [{ set: path, value: [value] }]);
  const steps = Object.keys(value)
    .filter((key) => !known.includes(key))
    .flatMap((key) => answerTo([...item, key], listed)?.proposals[0] ?? []);
  return steps.length > 0 && targetsOf(steps).every((target) => isWithin(target, item))
    ? valueAt(applySteps(listed, steps), item)
    : undefined;
}

/** A path of a file, where a key beside this one takes it: `policy: audit.yaml` for `policyFile`. */
function besideFor(path: Path, root: unknown): Step[][] {
  const target = [...path.slice(0, -1), `${String(path.at(-1))}File`];
  return /\.(ya?ml|json)$/i.test(textOf(valueAt(root, path)) ?? "") &&
    nodeAt(target, root) !== undefined &&
    valueAt(root, target) === undefined
    ? [[{ move: path, to: target }]]
    : [];
}

/** A name in place of an ARM ID, where a key beside it has the ID of another of the same VNET. */
function idOfName(path: Path, root: unknown): Step[][] {
  const value = textOf(valueAt(root, path)) ?? "";
  const pattern = nodeAt(path, root)?.pattern;
  const around = valueAt(root, path.slice(0, -1));
  const [, vnet] =
    Object.values(isRecord(around) ? around : {})
      .map((one) => /^(\/subscriptions\/.+\/subnets\/)[^/]+$/i.exec(textOf(one) ?? ""))
      .find((found) => found !== null) ?? [];
  const id = `${vnet ?? ""}${value}`;
  return vnet !== undefined &&
    /^[\w.-]+$/.test(value) &&
    pattern !== undefined &&
    new RegExp(pattern).test(id)
    ? [[{ set: path, value: id }]]
    : [];
}

/** The range of a subnet in place of its name. */
function subnetOfRange(path: Path, root: unknown): Step[][] {
  const value = textOf(valueAt(root, path)) ?? "";
  const pool = String(path[1]);
  const subnets = valueAt(root, ["network", "poolSubnets"]);
  const known = Object.entries(isRecord(subnets) ? subnets : {});
  const name = known.find(([, range]) => range === value)?.[0];
  const isFree = known.every(([one]) => one !== pool);
  return path.length !== 3 ||
    path[2] !== "subnet" ||
    !groups.includes(String(path[0])) ||
    !/^[\d.]+\/\d+$/.test(value)
    ? []
    : name !== undefined
      ? [[{ set: path, value: name }]]
      : isFree
        ? [
            [
              { set: ["network", "poolSubnets", pool], value },
              { set: path, value: pool },
            ],
          ]
        : [];
}

/** The ARM ID of what belongs here by its name, where a key beside this one takes it: `zoneName` and `zoneId`. */
function idForName(path: Path, root: unknown): Step[][] {
  const key = String(path.at(-1));
  const target = [...path.slice(0, -1), key.replace(/[Nn]ame$/, key === "name" ? "id" : "Id")];
  return /[Nn]ame$/.test(key) &&
    /^\/subscriptions\//i.test(textOf(valueAt(root, path)) ?? "") &&
    nodeAt(target, root) !== undefined &&
    valueAt(root, target) === undefined
    ? [[{ move: path, to: target }]]
    : [];
}

/** Values that other tools have for a key of the same name. */
export function ownMeaning(path: Path, root: unknown): Step[][] | undefined {
  const value = valueAt(root, path);
  const key = String(path.at(-1));
  const parent = path.slice(0, -1);
  if (groups.includes(key) && path.length === 1 && Array.isArray(value)) {
    const pools = poolsFrom(value, { ...(root as object), [key]: undefined }, key);
    return pools.length === 0
      ? []
      : [[{ set: path, value: Object.fromEntries(pools.map(({ set, value }) => [set.at(-1), value])) }]];
  }
  if (groups.includes(key) && path.length === 1 && typeof value === "number") {
    return [[{ set: path, value: { [`${stems[key] ?? ""}1`]: { replicas: value } } }]];
  }
  if (path[0] === "network" && key.endsWith("Cidr") && /^[\d.]+$/.test(String(value))) {
    return networkOf(`${String(value)}/16`)
      .slice(0, 1)
      .map((one) => [{ set: path, value: one }]);
  }
  if (path[0] === "network" && path.length === 2 && key.endsWith("Cidr")) {
    const network = withoutPrefix(key, value, root);
    if (network.length > 0) {
      return [network];
    }
  }
  const node = nodeAt(path, root);
  const range = nodeAt([...parent, "autoscale"], root);
  if (key === "replicas" && range !== undefined && valueAt(root, [...parent, "autoscale"]) === undefined) {
    return rangesFrom(value, range).map((one) => [
      { remove: path },
      { set: [...parent, "autoscale"], value: one },
    ]);
  }
  if (node !== undefined && typeof path.at(-1) === "number" && digitsFrom(value, node).length > 0) {
    const list = (valueAt(root, parent) as readonly unknown[]).flatMap((one) => {
      const digits = digitsFrom(one, node);
      return digits.length > 0 ? digits : [one];
    });
    return [[{ set: parent, value: [...new Set(list)] }]];
  }
  const way =
    key === "type" && parent.at(-1) === "outbound" ? outboundTypes[plainName(String(value))] : undefined;
  if (way !== undefined) {
    return [[{ set: path, value: way }]];
  }
  if (key === "serviceType" && /^internal/i.test(String(value))) {
    return [
      [
        { set: path, value: "LoadBalancer" },
        { set: [...parent, "internal"], value: true },
      ],
    ];
  }
  if (path.length === 1 && key === "management" && /^[^/\s]+(\/[^/\s]+){2}$/.test(String(value))) {
    return [[{ set: path, value: { kind: "stack", stack: value } }]];
  }
  // A network in CIDR notation has a slash, too.
  if (path.join(".") === "management.stack" && /^[A-Za-z][\w.-]*\/[\w.-]+$/.test(textOf(value) ?? "")) {
    const note = "in Pulumi Cloud, the name of your organization comes first";
    return [[{ set: path, value: `organization/${String(value)}`, note }]];
  }
  if (key === "computeGallery" && /^\/subscriptions\//i.test(textOf(value) ?? "")) {
    return [[{ move: path, to: [...parent, "id"] }]];
  }
  const subscriptionId = textOf(valueAt(root, ["azure", "subscriptionId"])) ?? "";
  if (parent.join(".") === "azure.roles" && /^[-0-9a-f]{36}$/i.test(String(value)) && subscriptionId !== "") {
    return [[{ set: path, value: roleDefinitionId(subscriptionId, { definitionId: String(value) }) }]];
  }
  const issuer = asItem(path, node, root);
  if (issuer !== undefined) {
    return [[{ set: path, value: [issuer] }]];
  }
  const kinds = node === undefined || isRecord(value) ? [] : (node.oneOf ?? []);
  const ofKind = kinds.find(({ properties }) => properties?.kind?.const === value);
  if (ofKind !== undefined) {
    return [[{ set: path, value: suggestion(ofKind), example: exampleOf(ofKind) }]];
  }
  const registry =
    key === "azureContainerRegistries" ? value : parent.at(-1) === "azureContainerRegistries" ? value : [];
  const [, name] =
    typeof registry === "string"
      ? (/^(?:https:\/\/)?([a-z0-9]{5,50})(?:\.azurecr\.io\/?)?$/i.exec(registry) ?? [])
      : [];
  if (name !== undefined) {
    const id = placeholder(`output of az acr show --name ${name} --query id --output tsv`);
    const example = node?.examples?.[0];
    return [
      [
        {
          set: path,
          value: Array.isArray(example) ? [id] : id,
          example: Array.isArray(example) ? example.slice(0, 1) : example,
        },
      ],
    ];
  }
  if (key === "extraManifests" && Array.isArray(value)) {
    const sources = value.map(manifestOf);
    const example = { web: { url: "https://example.com/web.yaml", sha256: "0".repeat(64) } };
    return sources.every((one) => one !== undefined) &&
      new Set(sources.map(([one]) => one)).size === sources.length
      ? [
          [
            {
              set: path,
              value: Object.fromEntries(sources),
              ...(value.some((one) => String(one).includes("://")) ? { example } : {}),
            },
          ],
        ]
      : undefined;
  }
  const elsewhere = [
    namespaceOfHelm(path, root),
    manifestText(path, root),
    listOfPeerings(path, root),
    encryptionConfiguration(path, root),
    keysInVaults(path, root),
    stackInParts(path, root),
    severalKeys(path, path, root),
    besideFor(path, root),
    choiceBeside(path, root),
    choiceInMapping(path, root),
    choiceOfText(path, root),
    subnetOfRange(path, root),
    idOfName(path, root),
    choiceByKeys(path, root),
    idForName(path, root),
    nameWithoutSpace(path, root),
  ].find((steps) => steps.length > 0);
  if (elsewhere !== undefined) {
    return elsewhere;
  }
  const disk = diskOfSize(path, root);
  if (disk !== undefined) {
    return [[{ set: path, value: disk }]];
  }
  // In Azure, -1 is the price on demand, which is the default.
  if (key === "maxPrice" && Number(value) === -1) {
    return [[{ remove: path }]];
  }
  // In AKS, this key has the kind of a disk; here it has the type of its storage.
  return key === "osDiskType" && value === "Ephemeral"
    ? [[{ remove: path }, { set: [...parent, "ephemeralOsDisk"], value: "ResourceDisk" }]]
    : undefined;
}
