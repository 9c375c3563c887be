import { withoutUndefined } from "../../../tools/without";
import { optionalAddons, optionalKeys } from "../../../addons/optionalAddons";
import { autoscalerDefaults } from "../../../addons/clusterAutoscaler";
import { at, list, ownValue, type Plain, strings, text } from "../../../tools/untyped";
import type { CapiObject } from "./normal";
import { unlessEmpty } from "./machines";

/** Add-ons of a source that a stack also has, but only if they are enabled. */

const minutes = (value: string): number | undefined => {
  const found = /^(\d+)m(0s)?$/.exec(value)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Flags of the autoscaler with keys in a stack file, and how their values are converted. */
const flags: Readonly<
  Record<string, readonly [key: keyof typeof autoscalerDefaults, as: (value: string) => unknown]>
> = {
  expander: ["expander", (value) => value],
  "max-node-provision-time": ["maxNodeProvisionMinutes", minutes],
  "scale-down-unneeded-time": ["scaleDownUnneededMinutes", minutes],
  "scale-down-delay-after-add": ["scaleDownDelayAfterAddMinutes", minutes],
  "scale-down-utilization-threshold": [
    "scaleDownUtilizationPercent",
    (value) => Math.round(Number(value) * 100),
  ],
  "skip-nodes-with-local-storage": ["skipNodesWithLocalStorage", (value) => value === "true"],
  "skip-nodes-with-system-pods": ["skipNodesWithSystemPods", (value) => value === "true"],
  "balance-similar-node-groups": ["balanceSimilarPools", (value) => value === "true"],
};

/** The key of a flag, none if it is the default; `undefined` for a flag or a value without a key. */
export function autoscalerKey(name: string, value: string): Plain | undefined {
  const [key, as] = ownValue(flags, name) ?? [];
  const here = as?.(value);
  if (key === undefined || here === undefined) {
    return undefined;
  }
  return here === autoscalerDefaults[key] ? {} : { [key]: here };
}

/** The keys of the autoscaler, from its flags. Values that are the stack's defaults are left out. */
function autoscalerOf(others: readonly CapiObject[]): Plain | undefined {
  const [container] = others
    .filter(({ kind }) => kind === "Deployment")
    .flatMap(({ spec }) => list(at(spec, "template", "spec", "containers")))
    .filter(({ image }) => text(image).includes("cluster-autoscaler"));
  if (container === undefined) {
    return undefined;
  }
  const given = [...strings(container.command), ...strings(container.args)].flatMap((argument) => {
    const [, name = "", value = "true"] = /^--([^=]+)(?:=(.*))?$/.exec(argument) ?? [];
    return Object.entries(autoscalerKey(name, value) ?? {});
  });
  return { enabled: true, ...Object.fromEntries(given) };
}

export function addonKeys(others: readonly CapiObject[]): { addons?: Plain } {
  const sets = others.filter(({ kind }) => /^(ClusterResourceSet|HelmChartProxy)$/.test(kind));
  const found = optionalKeys.filter((key) => {
    const { byDefault, known } = optionalAddons[key];
    return !byDefault && sets.some(({ name }) => known.test(name));
  });
  const addons = unlessEmpty({
    ...Object.fromEntries(found.map((key) => [key, { enabled: true }])),
    clusterAutoscaler: autoscalerOf(others),
  });
  return withoutUndefined({ addons });
}
