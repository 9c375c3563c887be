import { defaultVnetCidr } from "../../platform/network/defaults";
import { covers, networkOf } from "../../platform/network/addressing";
import { isRecord } from "../../tools/untyped";
import { type Path, type Step, targetsOf, valueAt } from "../advice/steps";
import { groups } from "./lookup";
import { networkOfList } from "./values";
import { plainName } from "../words";

/** Subnets in one mapping or list by their names, as other tools have them: here, two have keys of their own. */

/** What says nothing but the range of a subnet and what it is for. */
const rangeKeys = /^(name|role|cidr|cidrblocks?|addressspace|addressprefix(es)?)$/;

/** The names and ranges of subnets; `undefined` if there is more than that. */
function rangesOf(value: unknown): (readonly [name: string, cidr: string])[] | undefined {
  const entries = Array.isArray(value)
    ? value.map((one): readonly [unknown, unknown] => [
        isRecord(one) ? (one.role ?? one.name) : undefined,
        one,
      ])
    : Object.entries(isRecord(value) ? value : {});
  const ranges = entries.map(([name, given]) => {
    // Azure Resource Manager has what is not the name in properties.
    const one = isRecord(given) && isRecord(given.properties) ? { ...given.properties, name } : given;
    const isPlain = !isRecord(one) || Object.keys(one).every((key) => rangeKeys.test(plainName(key)));
    const [cidr] = isPlain ? networkOf(String(networkOfList(one))) : [];
    return typeof name === "string" && cidr !== undefined ? ([name, cidr] as const) : undefined;
  });
  return ranges.every((one) => one !== undefined) ? ranges : undefined;
}

/** The steps for one subnet. One for all pools of an operating system is the subnet of each of them. */
function stepsFor([name, cidr]: readonly [string, string], root: unknown): Step[] {
  const plain = plainName(name).replace(/subnet(cidr)?$/, "");
  if (/^(controlplane|cp|masters?|apiserver|api)$/.test(plain)) {
    return [{ set: ["network", "controlPlaneSubnetCidr"], value: cidr }];
  }
  if (/^(nodes?|workers?|agents?)$/.test(plain)) {
    return [{ set: ["network", "nodeSubnetCidr"], value: cidr }];
  }
  const own = groups.find((group) => plainName(group).replace(/pools$/, "") === plain);
  const pools = own === undefined ? undefined : valueAt(root, [own]);
  const names = Object.entries(isRecord(pools) ? pools : {}).flatMap(([pool, inner]) =>
    isRecord(inner) && inner.subnet === undefined ? [pool] : [],
  );
  return [
    { set: ["network", "poolSubnets", name], value: cidr },
    ...names.map((pool): Step => ({ set: [own ?? "", pool, "subnet"], value: name })),
  ];
}

/** Steps that keep such subnets; none if there is more to say about them, or if their keys have values. */
export function subnetSteps(path: Path, root: unknown): Step[][] {
  const isIt = plainName(String(path.at(-1))) === "subnets";
  const isThere = path.length === 1 || (path.length === 2 && path[0] === "network");
  const ranges = isIt && isThere ? rangesOf(valueAt(root, path)) : undefined;
  if (ranges === undefined || ranges.length === 0) {
    return [];
  }
  const steps = ranges.flatMap((one) => stepsFor(one, root));
  const targets = targetsOf(steps).map((target) => target.join("."));
  const cidrs = ranges.map(([, cidr]) => cidr);
  // The VNET has the subnets, also where only they have been chosen.
  const [vnet] = networkOf((cidrs[0] ?? "").replace(/\/\d+$/, "/16"));
  const isNew = valueAt(root, ["network", "vnetCidr"]) === undefined && !covers([defaultVnetCidr], cidrs);
  return new Set(targets).size === targets.length &&
    targetsOf(steps).every((target) => valueAt(root, target) === undefined)
    ? [
        [
          { remove: path },
          ...(isNew && vnet !== undefined && covers([vnet], cidrs)
            ? [{ set: ["network", "vnetCidr"], value: vnet }]
            : []),
          ...steps,
        ],
      ]
    : [];
}
