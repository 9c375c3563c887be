import { bastionSubnetName } from "../platform/network/bastion";
import { isRecord, textAt } from "../tools/untyped";
import { applySteps, type Path, type Step, targetsOf, valueAt } from "./advice/steps";
import { innerSteps } from "./foreignKeys/answer";
import { foreignKeyAt, groups, isMoved, placesOf } from "./foreignKeys/lookup";
import { secondsOf } from "./foreignKeys/values";
import { nodeAt } from "./jsonSchema";
import { belowItsKind } from "./missingChoice";
import { hostInParts, mirrorOfEach } from "./partShapes";
import { slips } from "./slips";
import { wholeShapes } from "./wholeShapes";
import { plainName } from "./words";

/** Keys of other tools that become several keys here, or one with a value of another shape. */

/** What all pools of one operating system have in common is a key of each of them; as ever, one that a pool has itself wins. */
function inEachPool(path: Path, root: unknown, within: readonly string[], value: unknown): Step[] {
  // Mappings such as labels are merged, key by key.
  const missingIn = (at: Path, own: unknown, given: unknown): Step[] =>
    own === undefined
      ? [{ set: at, value: given }]
      : isRecord(own) && isRecord(given)
        ? Object.entries(given).flatMap(([key, inner]) => missingIn([...at, key], own[key], inner))
        : [];
  const steps = within.flatMap((group) =>
    Object.entries(Object(valueAt(root, [group])) as Record<string, unknown>).flatMap(([name, pool]) =>
      missingIn([group, name], pool ?? {}, value),
    ),
  );
  return [{ remove: path }, ...steps];
}

/** `poolDefaults: {windows: {...}}`. */
function ofOneSystem(path: Path, root: unknown): Step[][] {
  const [first, key = ""] = path.map(String);
  const value = valueAt(root, path);
  const system = plainName(key).replace(/(pools?|nodes?)$/, "");
  const group = groups.find((one) => one === `${system}Pools`);
  return first === "poolDefaults" && path.length === 2 && group !== undefined && isRecord(value)
    ? [inEachPool(path, root, [group], value)]
    : [];
}

/** A key in `poolDefaults` that only pools themselves have, for each of them. */
export function inItsPools(path: Path, root: unknown): Step[][] {
  const [first, given = ""] = path.map(String);
  const value = valueAt(root, path);
  const meaning = placesOf(given).length === 0 ? foreignKeyAt(path)?.meaning : undefined;
  const moved = meaning !== undefined && isMoved(meaning) ? meaning : undefined;
  const [, other] =
    moved?.here.map((one) => /^(?:windowsP|p)ool\.(\w+)$/.exec(one)).find((one) => one !== null) ?? [];
  const key = other ?? given;
  const own = typeof moved?.as === "function" ? moved.as(value) : value;
  const filled = groups.filter(
    (one) =>
      own !== undefined &&
      (other === undefined || nodeAt(["poolDefaults", other]) === undefined) &&
      placesOf(key).includes(`${one}.<name>.${key}`) &&
      Object.keys(Object(valueAt(root, [one])) as object).length > 0,
  );
  return first === "poolDefaults" && path.length === 2 && filled.length > 0
    ? [inEachPool(path, root, filled, { [key]: own })]
    : [];
}

/** An object of Kubernetes below the name of a manifest, or below a key of it, where a mapping with its objects belongs. */
function manifestItself(path: Path, root: unknown): Step[][] {
  const at = path.slice(0, 2);
  const isObject = (value: unknown): boolean =>
    isRecord(value) && typeof value.apiVersion === "string" && typeof value.kind === "string";
  const [whole, inner] = [valueAt(root, at), valueAt(root, path)];
  const target = [...at, "objects"];
  return path[0] !== "extraManifests" || path.length !== 3
    ? []
    : isObject(whole)
      ? [[{ set: at, value: { objects: [whole] } }]]
      : isObject(inner) && valueAt(root, target) === undefined
        ? [[{ remove: path }, { set: target, value: [inner] }]]
        : [];
}

/** The flags of kube-apiserver for one issuer, which are an item of a list. */
function issuerOfFlags(path: Path, root: unknown): Step[][] {
  const inner = valueAt(root, path);
  const parent = isRecord(inner) ? path : path.slice(0, -1);
  const around = valueAt(root, parent);
  const target = ["controlPlane", "authentication", "oidc"];
  const item = [...target, 0];
  const flags = Object.keys(isRecord(around) ? around : {}).filter(
    (key) =>
      plainName(key).startsWith("oidc") && foreignKeyAt([...item, key])?.in?.includes("issuer") === true,
  );
  const isAll = isRecord(inner)
    ? flags.length === Object.keys(inner).length
    : flags.includes(String(path.at(-1)));
  const issuer = Object.fromEntries(
    flags.flatMap((flag) => {
      const meaning = foreignKeyAt([...item, flag])?.meaning;
      const value = valueAt(around, [flag]);
      return meaning !== undefined && isMoved(meaning)
        ? [
            [
              meaning.here[0]?.split(".")[1] ?? flag,
              typeof meaning.as === "function" ? meaning.as(value) : value,
            ],
          ]
        : [];
    }),
  ) as Readonly<Record<string, unknown>>;
  const isWhole = issuer.issuerUrl !== undefined && issuer.audiences !== undefined;
  if (!isAll || !isWhole || valueAt(root, target) !== undefined) {
    return [];
  }
  const removed = isRecord(inner) ? [path] : flags.map((flag) => [...parent, flag]);
  return [[...removed.map((one): Step => ({ remove: one })), { set: target, value: [issuer] }]];
}

/** Cluster API's conditions of an unhealthy node, each of which is a key here. */
function unhealthyConditions(path: Path, root: unknown): Step[][] {
  const list = valueAt(root, path);
  const parent = path.slice(0, -1);
  if (parent.at(-1) !== "healthCheck" || !Array.isArray(list)) {
    return [];
  }
  const steps = list.map((item: unknown): Step | undefined => {
    const { type, status, timeout, timeoutSeconds } = isRecord(item) ? item : {};
    const seconds = secondsOf(timeoutSeconds ?? timeout);
    const key = status === "Unknown" ? "nodeUnknownTimeoutSeconds" : "nodeNotReadyTimeoutSeconds";
    return type === "Ready" && ["Unknown", "False", false].includes(status as string) && seconds !== undefined
      ? { set: [...parent, key], value: seconds }
      : undefined;
  });
  const known = steps.filter((step) => step !== undefined);
  return known.length > 0 && known.length === list.length ? [[{ remove: path }, ...known]] : [];
}

/** AKS's ways out, by the type that such a way has here. */
export const outboundTypes: Readonly<Record<string, string>> = {
  loadbalancer: "nat",
  managednatgateway: "nat",
  managednatgatewayv2: "nat",
  userassignednatgateway: "existingNat",
  userdefinedrouting: "firewall",
  virtualappliance: "firewall",
  azurefirewall: "firewall",
};

/** AKS's ways out, in two keys or one, as the way out of the stack. */
function natOfAks(path: Path, root: unknown): Step[][] {
  const parent = path.slice(0, -1);
  const around = valueAt(root, parent);
  const names = Object.keys(isRecord(around) ? around : {});
  const keys = names.filter((name) => /^(outboundtype|natgateway(profile)?)$/.test(plainName(name)));
  const ofAks = path[0] === "management";
  const target = [...(ofAks ? ["management"] : []), "network", "outbound"];
  if (!isRecord(around) || !keys.includes(String(path.at(-1))) || valueAt(root, target) !== undefined) {
    return [];
  }
  const profile = keys.map((key) => around[key]).find(isRecord) ?? {};
  const type = keys.map((key) => around[key]).find((one) => typeof one === "string");
  const {
    managedoutboundipprofile: addresses,
    publicipcount,
    managedoutboundipcount: plainCount = publicipcount,
    idletimeoutinminutes: minutes,
    id: natGatewayId,
    publicips: egressCidrs,
    ...others
  } = Object.fromEntries(Object.entries(profile).map(([key, value]) => [plainName(key), value]));
  const count = isRecord(addresses) ? addresses.count : plainCount;
  const isKept = ofAks && type !== undefined && plainName(type) === "loadbalancer";
  const plain = natGatewayId === undefined ? "nat" : "existingNat";
  const own = isKept ? "loadBalancer" : type === undefined ? plain : outboundTypes[plainName(type)];
  const said = {
    ...(count === undefined ? {} : { addresses: count }),
    ...(minutes === undefined ? {} : { idleTimeoutMinutes: minutes }),
    ...(natGatewayId === undefined ? {} : { natGatewayId }),
    ...(egressCidrs === undefined ? {} : { egressCidrs }),
  };
  const isSaid = type !== undefined || Object.keys(said).length > 0;
  return own !== undefined && isSaid && Object.keys(others).length === 0
    ? [
        [
          ...keys.map((key): Step => ({ remove: [...parent, key] })),
          { set: target, value: { type: own, ...said } },
        ],
      ]
    : [];
}

/** A pool among those of the other operating system, which a key of it names. */
function ofOtherSystem(path: Path, root: unknown): Step[][] {
  const [group = "", name = "", key = ""] = path.map(String);
  const other = groups.find((one) => one !== group) ?? "";
  const target = [other, name];
  const system = String(valueAt(root, path));
  const isNamed = /^(os|ostype|operatingsystem)$/.test(plainName(key));
  const isMeant = isNamed
    ? other.startsWith(system.toLowerCase())
    : other === "windowsPools" && plainName(key) === "windowsserver";
  return groups.includes(group) && path.length === 3 && isMeant && valueAt(root, target) === undefined
    ? [[...(isNamed ? [{ remove: path }] : []), { move: path.slice(0, 2), to: target }]]
    : [];
}

/** The name of another stack, which is no name of its cluster. */
function stackByName(path: Path, root: unknown): Step[][] {
  const target = ["management", "stack"];
  return path.join(".") === "management.name" &&
    /^[^/\s]+(\/[^/\s]+){2}$/.test(textAt(root, ...path.map(String))) &&
    valueAt(root, ["management", "kind"]) === "stack" &&
    valueAt(root, target) === undefined
    ? [[{ move: path, to: target }]]
    : [];
}

/** Groups of Entra that are administrators, where the way to log in is said. */
function groupsOfEntra(path: Path, root: unknown): Step[][] {
  const groups = valueAt(root, path);
  const target = ["controlPlane", "authentication", "administrators", "groups"];
  return /^controlPlane\.authentication(\.entra)?$/.test(path.slice(0, -1).join(".")) &&
    isRecord(valueAt(root, ["controlPlane", "authentication", "entra"])) &&
    plainName(String(path.at(-1))).startsWith("admingroup") &&
    valueAt(root, target) === undefined
    ? [
        [
          { remove: path },
          { set: target, value: [groups].flat().map((id) => `entra:${String(id).replace(/^entra:/, "")}`) },
        ],
      ]
    : [];
}

/** The only pool of an AKS cluster, in a list or a mapping: the management cluster says it in keys of its own. */
function poolOfAks(path: Path, root: unknown): Step[][] {
  const [pool, ...more] = [valueAt(root, path)].flat();
  const isPool =
    path.length === 2 &&
    /^(agentpoolprofiles|(agent|node|machine)?pools?|nodegroups?)$/.test(plainName(String(path[1])));
  if (path[0] !== "management" || !isPool || !isRecord(pool) || more.length > 0) {
    return [];
  }
  const own = Object.fromEntries(Object.entries(pool).filter(([key]) => !["name", "mode"].includes(key)));
  const alone = applySteps(root, [{ set: path, value: own }]);
  return innerSteps(path, alone).map((steps) => {
    const after = applySteps(alone, steps);
    const targets = targetsOf(steps);
    return [
      { remove: path },
      ...targets.map((target): Step => ({ set: target, value: valueAt(after, target) })),
    ];
  });
}

/** Azure's name of the subnet of a Bastion, among those of pools. */
export function bastionSubnet(path: Path, root: unknown): Step[][] {
  const target = ["network", "bastion", "range"];
  return path.join(".") === `network.poolSubnets.${bastionSubnetName}` &&
    isRecord(valueAt(root, target.slice(0, -1))) &&
    valueAt(root, target) === undefined
    ? [[{ move: path, to: target }]]
    : [];
}

/** Steps that keep what a key says that has another shape here. */
export function inOtherShape(path: Path, root: unknown): Step[][] {
  const ways = [
    ...slips,
    ofOneSystem,
    manifestItself,
    issuerOfFlags,
    unhealthyConditions,
    natOfAks,
    stackByName,
    ofOtherSystem,
    groupsOfEntra,
    poolOfAks,
    // A name of another tool, of which the schema knows no other place for all pools.
    ...(isRecord(valueAt(root, path)) || foreignKeyAt(path) === undefined ? [] : [inItsPools]),
    belowItsKind,
    hostInParts,
    mirrorOfEach,
    ...wholeShapes,
  ];
  return ways.map((way) => way(path, root)).find((steps) => steps.length > 0) ?? [];
}
