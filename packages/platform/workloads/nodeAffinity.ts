import { at, list, ownValue, strings, textAt } from "capz-windows-kit/untyped";

/** The values that a label may have on a node; a label that is missing here is not on the node. */
export type NodeLabels = Readonly<Record<string, readonly string[]>>;

export const hostname = "kubernetes.io/hostname";

/** Names of nodes that a pod asks for. */
export const namesAsked = (podSpec: unknown): string[] =>
  [
    textAt(podSpec, "nodeName"),
    textAt(podSpec, "nodeSelector", hostname),
    ...termsOf(podSpec)
      .flat()
      .flatMap((each) => (textAt(each, "key") === hostname ? strings(at(each, "values")) : [])),
  ].filter((name) => name !== "");

/** A name that no pod can ask for. */
const otherName = "*";

/** The labels of nodes; those whose names are not known may have each that a pod asks for, or another one. */
export const labelsFor = (podSpec: unknown, labels: NodeLabels): NodeLabels => ({
  [hostname]: [...namesAsked(podSpec), otherName],
  ...labels,
});

/** Whether a node can meet one condition of a node affinity (component-helpers v0.36.3 scheduling/corev1/nodeaffinity). */
function canMeet(expression: unknown, labels: NodeLabels, isOpen: boolean): boolean {
  const known = ownValue(labels, textAt(expression, "key"));
  if (known === undefined && isOpen) {
    return true;
  }
  // A label that is known to be absent, as those of Windows on Linux nodes.
  const values = known?.length === 0 ? undefined : known;
  const wanted = strings(at(expression, "values"));
  const some = (test: (value: string) => boolean): boolean => values?.some(test) === true;
  switch (textAt(expression, "operator")) {
    case "In":
      return some((value) => wanted.includes(value));
    case "NotIn":
      return values === undefined || values.some((value) => !wanted.includes(value));
    case "Exists":
      return values !== undefined;
    case "DoesNotExist":
      return values === undefined;
    case "Gt":
      return some((value) => Number(value) > Number(wanted[0]));
    case "Lt":
      return some((value) => Number(value) < Number(wanted[0]));
    default:
      return false;
  }
}

const conditionText = (expression: unknown): string => {
  const values = strings(at(expression, "values")).map((value) => value || '""');
  return [textAt(expression, "key"), textAt(expression, "operator"), values.join(", ")].join(" ").trim();
};

const termsOf = (podSpec: unknown): unknown[][] =>
  list(
    at(
      at(podSpec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"),
      "nodeSelectorTerms",
    ),
  ).map((term) => list(at(term, "matchExpressions")));

/** For example "zone In 1, 2 and gpu Exists, or cpus Gt 8". */
export const affinityText = (terms: readonly (readonly unknown[])[]): string =>
  terms.map((conditions) => conditions.map(conditionText).join(" and ")).join(", or ");

/**
 * Entries of a node selector that a node cannot have.
 * @param isOpen - whether a node may have more labels than these, with any value
 */
export const unmetSelector = (
  selector: Readonly<Record<string, string>>,
  labels: NodeLabels,
  isOpen = false,
): (readonly [key: string, value: string])[] =>
  Object.entries(selector).filter(([key, value]) => !(ownValue(labels, key)?.includes(value) ?? isOpen));

/**
 * The conditions of the required node affinity that a node cannot meet, by term. The terms are alternatives, so the node is
 * eligible if there is no term or one without unmet conditions. `matchFields` are not checked, because the names of nodes
 * are not known in advance.
 * @param isOpen - as of `unmetSelector`
 */
export const unmetAffinity = (podSpec: unknown, labels: NodeLabels, isOpen = false): unknown[][] => {
  const unmet = termsOf(podSpec).map((conditions) =>
    conditions.filter((expression) => !canMeet(expression, labels, isOpen)),
  );
  return unmet.some((conditions) => conditions.length === 0) ? [] : unmet;
};
