import * as fc from "fast-check";
import { diagnose } from "capz-windows-doctor/diagnose";
import { exitCode } from "capz-windows-doctor/exitCode";
import { formatText } from "capz-windows-doctor/report/text";
import { type Loose, patient } from "./patient";

/** Fields with other types, texts in place of times, and times in the future: never a crash, and never "everything runs". */

const diagnosed = (make: (p: ReturnType<typeof patient>) => void) => {
  const p = patient();
  make(p);
  const diagnosis = diagnose(p.snapshot());
  return { diagnosis, code: exitCode(diagnosis), text: formatText(diagnosis, { color: false, width: 100 }) };
};

const conditionOf = ({ status }: Loose): Record<string, unknown> =>
  (status.conditions as Record<string, unknown>[]).find(({ type }) => type === "Ready")!;

it("the healthy cluster has none", () => {
  expect(diagnosed(() => undefined).diagnosis.unread).toEqual([]);
});

it.each(["<script>NaN", "5", "May", "NaN", "2026-13-45T99:00:00Z", "2026-01-01", ""])(
  "%j where a time is expected is quoted, and nothing is computed with it",
  (time) => {
    const { diagnosis, code, text } = diagnosed((p) => {
      conditionOf(p.get("Node", "", "workload")).lastTransitionTime = time;
    });
    expect(code).toBe(2);
    expect(diagnosis.unread.join()).toContain(`.lastTransitionTime is no time: ${JSON.stringify(time)}`);
    expect(text).not.toMatch(/\bNaN minutes|Invalid Date/);
  },
);

it("an Event with a text for its time is read like one without", () => {
  const event = {
    ...{ apiVersion: "v1", kind: "Event", metadata: { name: "e", namespace: "default" } },
    involvedObject: { kind: "Node", name: "win1" },
    ...{ type: "Warning", reason: "Rebooted", message: "x", count: 3, lastTimestamp: "<script>NaN" },
  };
  const p = patient();
  const { workload, ...others } = p.snapshot();
  const diagnosis = diagnose({
    ...others,
    workload: { ...workload, objects: [...workload.objects, event] },
  });
  expect(diagnosis.unread).toEqual(['Event e (lastTimestamp is no time: "<script>NaN")']);
  expect(exitCode(diagnosis)).not.toBe(0);
});

it.each<[string, (node: Loose) => void, RegExp]>([
  ["no conditions", (node) => delete node.status.conditions, /it has no condition Ready/],
  ["a text for them", (node) => (node.status.conditions = "Ready"), /it has no condition Ready/],
  [
    "a time in the future",
    (node) => (conditionOf(node).lastTransitionTime = "2999-01-01T00:00:00Z"),
    /lastTransitionTime is in the future: "2999-01-01T00:00:00Z"/,
  ],
  ["a mapping for taints", (node) => (node.spec.taints = {}), /spec\.taints is no list of mappings: \{\}/],
])("a node with %s is not called well", (_, change, what) => {
  const { diagnosis, code } = diagnosed((p) => {
    change(p.get("Node", "", "workload"));
  });
  expect(code).not.toBe(0);
  expect(diagnosis.unread.join()).toMatch(what);
});

it("many of them are counted", () => {
  const { diagnosis } = diagnosed((p) => {
    for (const pod of p.all("Pod", "workload").concat(p.all("Node", "workload"), p.all("Machine"))) {
      Object.assign(pod.metadata, { creationTimestamp: "x" });
    }
  });
  expect(diagnosis.unread.length).toBeLessThanOrEqual(21);
});

/** All mappings and lists in a value, with each of their keys. */
const placesIn = (value: unknown): [owner: Record<string, unknown>, key: string][] =>
  typeof value !== "object" || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) => [
        [value as Record<string, unknown>, key] as [Record<string, unknown>, string],
        ...placesIn(inner),
      ]);

it("any other value at any place of status and spec ends in a report", () => {
  const values = [
    "",
    "x",
    5,
    -1,
    1e300,
    true,
    null,
    [],
    [null],
    ["x"],
    {},
    { a: { b: 1 } },
    "2999-01-01T00:00:00Z",
  ];
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.constantFrom<unknown>(...values), (which, where, value) => {
      const snapshot = structuredClone(patient().snapshot());
      const objects = [...snapshot.management.objects, ...snapshot.workload.objects];
      const { spec, status } = objects[which % objects.length]!;
      const places = placesIn({ spec, status }).filter(([owner]) => !("spec" in owner && "status" in owner));
      const [owner, key] = places[where % Math.max(places.length, 1)] ?? [{}, ""];
      owner[key] = value;
      const diagnosis = diagnose(snapshot);
      expect(formatText(diagnosis, { color: false, width: 100 })).not.toMatch(
        /\bNaN\b|Invalid Date|undefined/,
      );
    }),
    { numRuns: 300 },
  );
});
