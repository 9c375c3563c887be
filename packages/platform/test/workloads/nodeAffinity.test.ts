import {
  hostname,
  labelsFor,
  unmetAffinity,
  unmetSelector,
} from "capz-windows-platform/workloads/nodeAffinity";

const podWith = (...terms: readonly (readonly object[])[]): object => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: terms.map((matchExpressions) => ({ matchExpressions })),
      },
    },
  },
});
const labels = { zone: ["1", "2"], cpus: ["8"] };

it.each([
  ["In", "zone", ["2", "3"], true],
  ["In", "zone", ["3"], false],
  ["In", "missing", ["1"], false],
  ["NotIn", "zone", ["1"], true], // a node in zone 2
  ["NotIn", "cpus", ["8"], false],
  ["NotIn", "missing", ["1"], true],
  ["Exists", "zone", [], true],
  ["Exists", "missing", [], false],
  ["DoesNotExist", "zone", [], false],
  ["DoesNotExist", "missing", [], true],
  ["Gt", "cpus", ["7"], true],
  ["Gt", "cpus", ["8"], false],
  ["Gt", "missing", ["0"], false],
  ["Lt", "cpus", ["10"], true],
  ["Lt", "cpus", ["8"], false],
  ["Near", "cpus", ["8"], false],
])("%s %s %j: %s", (operator, key, values, isMet) => {
  const condition = { key, operator, values };
  expect(unmetAffinity(podWith([condition]), labels)).toEqual(isMet ? [] : [[condition]]);
});

it("one term is enough, with all of its conditions", () => {
  const [met, unmet] = [
    { key: "zone", operator: "Exists" },
    { key: "missing", operator: "Exists" },
  ];
  expect(unmetAffinity(podWith([met, unmet], [unmet]), labels)).toEqual([[unmet], [unmet]]);
  expect(unmetAffinity(podWith([met, unmet], [met]), labels)).toEqual([]);
  expect(unmetAffinity({}, labels)).toEqual([]);
});

it.each([
  ["In", ["node-a"], true],
  ["NotIn", ["node-a"], true],
  ["Exists", [], true],
  ["DoesNotExist", [], false],
])("nodes have names that are not known: %s %j is met: %s", (operator, values, isMet) => {
  const pod = podWith([{ key: hostname, operator, values }]);
  expect(unmetAffinity(pod, labelsFor(pod, labels)).length === 0).toBe(isMet);
});

it("a node selector names one value of each label", () => {
  expect(unmetSelector({ zone: "2", cpus: "8" }, labels)).toEqual([]);
  expect(unmetSelector({ zone: "3", missing: "x", cpus: "8" }, labels)).toEqual([
    ["zone", "3"],
    ["missing", "x"],
  ]);
});
