import { TaintEffect } from "../machines/pools";
import { isLabelKey, isLabelValue, kubeletLabelFault } from "../machines/nodeLabels";
import { quantityPattern } from "capz-windows-kit/quantity";
import { wrong, type ArgumentCheck } from "./argumentValues";
import { pairsIn } from "./goValues";

/**
 * Flags of kubelet that are no field of its configuration, or have a form of their own there. Source: Kubernetes v1.36.3
 * cmd/kubelet/app/options, pkg/util/flag/flags.go, pkg/util/taints/taints.go. The fields: bootstrap/kubeletFlags.ts.
 */

const effects: readonly string[] = Object.values(TaintEffect);

/** Key and effect of a taint; `undefined` for a text that is none. A hyphen at the end takes it away. */
function taintIn(text: string): string | undefined {
  const [pair = "", effect, ...others] = text.replace(/-$/, "").split(":");
  const [key = "", value = "", ...values] = effect === undefined ? [pair] : pair.split("=");
  const isEffect = effect === undefined ? text.endsWith("-") : effects.includes(effect);
  const isRight = isLabelKey(key) && isLabelValue(value) && others.length + values.length === 0;
  return isRight && isEffect ? `${key}:${effect}` : undefined;
}

const taints: ArgumentCheck = (value) => {
  const all = value === "" ? [] : value.split(",");
  const bad = all.find((one) => taintIn(one) === undefined);
  if (bad !== undefined) {
    return wrong(`KEY=VALUE:EFFECT, with the effects ${effects.join(", ")}`, `${bad} is no taint`);
  }
  const set = all.filter((one) => !one.endsWith("-")).map(taintIn);
  return new Set(set).size < set.length
    ? wrong("each key with each effect once", "a taint is repeated")
    : undefined;
};

const labels: ArgumentCheck = (value) => {
  const [fault] = Object.entries(pairsIn(value)).flatMap(([key, text]) => kubeletLabelFault(key, text) ?? []);
  return fault === undefined
    ? undefined
    : wrong("KEY=VALUE; of kubernetes.io those of node.kubernetes.io and kubelet.kubernetes.io", fault);
};

/** An amount for a NUMA node, such as memory=1Gi. */
function isReservation(text: string): boolean {
  const [name = "", amount = "", ...others] = text.split("=");
  return others.length === 0 && /^(?:memory$|hugepages-)/.test(name) && quantityPattern.test(amount);
}

const memory: ArgumentCheck = (value) =>
  value === "" ||
  value
    .split(";")
    .every((one) => /^[-+]?\d+:[^:]+$/.test(one) && one.split(/[:,]/).slice(1).every(isReservation))
    ? undefined
    : wrong("NODE:memory=AMOUNT;NODE:memory=AMOUNT", "it is no such list");

/** Fields for whose empty text a file has a default, and a flag has none. */
const neverEmpty = [
  ...["container-runtime-endpoint", "cpu-manager-policy", "hairpin-mode", "logging-format"],
  ...["memory-manager-policy", "topology-manager-policy", "topology-manager-scope"],
];
const notEmpty: ArgumentCheck = (value) => (value === "" ? wrong("a value", "it is empty") : undefined);

export const kubeletForms: Readonly<Record<string, ArgumentCheck>> = {
  ...Object.fromEntries(neverEmpty.map((flag) => [flag, notEmpty])),
  "node-labels": labels,
  "register-with-taints": taints,
  "reserved-memory": memory,
};
