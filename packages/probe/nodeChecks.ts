import { at, list, textAt } from "capz-windows-kit/untyped";
import { taintText } from "capz-windows-platform/machines/nodeLabels";
import { expectedNode, type ExpectedNode } from "./expected";
import { judged, type ProbeNode, type ProbeRow, type ProbeWorld } from "./model";

/** The checks that the API server alone answers: the objects of the nodes and the configuration of their kubelets. */

/** Taints that come and go with the state of a node. */
const passing = /^node\.(cloudprovider\.)?kubernetes\.io\//;

interface NodeCheck {
  readonly id: string;
  readonly expected: (expected: ExpectedNode) => string;
  /** `undefined` if it cannot be known. */
  readonly measured: (node: ProbeNode, kubelet: unknown, expected: ExpectedNode) => string | undefined;
  readonly remedy: string;
}

const listed = (texts: readonly string[]): string => [...texts].sort().join(", ") || "none";

const labelText = (labels: Readonly<Record<string, string>>): string =>
  listed(Object.entries(labels).map(([key, value]) => `${key}=${value}`));

const laterNodes = "New nodes get it: it is set when a node registers. Replace this one when it suits.";

const nodeChecks: readonly NodeCheck[] = [
  {
    id: "labels",
    expected: ({ labels }) => labelText(labels),
    // A node has many more labels than those that the plan names.
    measured: ({ object }, _kubelet, { labels }) =>
      labelText(
        Object.fromEntries(
          Object.entries(object.metadata.labels ?? {}).filter(([key]) => labels[key] !== undefined),
        ),
      ),
    remedy: laterNodes,
  },
  {
    id: "taints",
    expected: ({ taints }) => listed(taints),
    measured: ({ object }) =>
      listed(
        list(at(object.spec, "taints"))
          .filter((taint) => !passing.test(textAt(taint, "key")))
          .map((taint) =>
            taintText({
              key: textAt(taint, "key"),
              value: textAt(taint, "value"),
              effect: textAt(taint, "effect"),
            }),
          ),
      ),
    remedy: laterNodes,
  },
  {
    id: "pods",
    expected: ({ maxPods }) => String(maxPods),
    measured: ({ object }) => textAt(object.status, "capacity", "pods") || undefined,
    remedy:
      "The kubelet of this node has another configuration than the plan. Replace the node when it suits.",
  },
  {
    id: "reserved",
    expected: ({ reservedMemory }) => reservedMemory || "none",
    measured: (_node, kubelet) =>
      kubelet === undefined
        ? undefined
        : textAt(kubelet, "kubeletconfig", "systemReserved", "memory") || "none",
    remedy:
      "The kubelet of this node has another configuration than the plan. Replace the node when it suits.",
  },
];

/** @param kubelet - the answer of the node's /configz; `undefined` if it was not read */
export const nodeRows = (node: ProbeNode, kubelet: unknown, { facts }: ProbeWorld): ProbeRow[] => {
  const expected = expectedNode(facts, node.pool);
  return expected === undefined
    ? []
    : nodeChecks.map((check): ProbeRow => {
        const planned = check.expected(expected);
        const measured = check.measured(node, kubelet, expected);
        const row = { check: check.id, where: node.name, expected: planned };
        return measured === undefined
          ? { ...row, measured: "the API server does not say", verdict: "not measured" }
          : judged({ ...row, measured }, measured === planned, check.remedy);
      });
};

/** Seconds from the decision of the scheduler to the start of a container: an image of 2 GB takes minutes. */
const startLimits = { windows: 20 * 60, linux: 3 * 60 } as const;

/** One row for each image on each system: the slowest start. */
export function startRows(
  starts: readonly { readonly image: string; readonly os: "linux" | "windows"; readonly seconds: number }[],
): ProbeRow[] {
  return [...new Set(starts.map(({ image }) => image))].map((image): ProbeRow => {
    const of = starts.filter((start) => start.image === image);
    const slowest = Math.max(...of.map(({ seconds }) => seconds));
    const limit = startLimits[of[0]?.os ?? "linux"];
    const row = {
      check: "start",
      where: image,
      expected: `at most ${limit} s`,
      measured: `${slowest} s (${of.length} ${of.length === 1 ? "pod" : "pods"}, fastest ${Math.min(...of.map(({ seconds }) => seconds))} s)`,
    };
    return judged(
      row,
      slowest <= limit,
      "Bring the image nearer: registryMirror, a larger or faster OS disk, or an image of your own with it.",
    );
  });
}
