import fc from "fast-check";
import type { StepResult } from "capz-windows-probe/model";
import { problemOf, startSecondsOf } from "capz-windows-probe/pods";
import { adaptersOf, clockDifference, largestPacket, lastWords, resultsOf } from "capz-windows-probe/results";
import { triedSizes } from "./fakeCluster";
import { always } from "capz-windows-test-kit/always";

const result = (fields: Record<string, unknown>): StepResult => ({ step: "x", argument: "", ...fields });

describe("the log of a pod", () => {
  it("has results between lines of other programs, with the line ends of Windows", () => {
    const log =
      'WARNING: something\r\n{"step":"names","argument":"a","addresses":"10.96.0.1"}\r\n{"step":"broken\r\nserve: The I/O operation has been aborted\r\n';
    expect(resultsOf(log)).toEqual([{ step: "names", argument: "a", addresses: "10.96.0.1" }]);
    expect(lastWords(log)).toBe("serve: The I/O operation has been aborted");
  });
});

describe("adapters of Windows, as ConvertTo-Json of Windows PowerShell 5.1 writes them", () => {
  const adapter = (name: string, mtu: number, addresses: unknown, state = "Connected") => ({
    ...{ name, mtu, state, addresses },
  });
  const node = [
    adapter("vEthernet (Ethernet)", 1400, ["10.10.128.6"]),
    adapter("Loopback Pseudo-Interface 1", 4_294_967_295, ["127.0.0.1"]),
    adapter("Ethernet 3", 1500, [], "Disconnected"),
  ];
  const expected = [
    { name: "vEthernet (Ethernet)", mtu: 1400, addresses: ["10.10.128.6"] },
    { name: "Loopback Pseudo-Interface 1", mtu: 4_294_967_295, addresses: ["127.0.0.1"] },
  ];

  it("as a list", () => {
    expect(adaptersOf(result({ adapters: node }))).toEqual(expected);
  });

  it("as a list with its number of elements", () => {
    const wrapped = node.map((each) => ({
      ...each,
      addresses: { value: each.addresses, Count: 1 },
    }));
    expect(adaptersOf(result({ adapters: { value: wrapped, Count: 3 } }))).toEqual(expected);
  });

  it("as the only element", () => {
    expect(adaptersOf(result({ adapters: { ...node[0], addresses: "10.10.128.6" } }))).toEqual(
      expected.slice(0, 1),
    );
  });
});

describe("the largest packet", () => {
  it(
    "is found for every path",
    always(fc.integer({ min: 576, max: 1500 }), fc.constantFrom("PacketTooBig", "TimedOut"), (mtu, above) => {
      const sizes = triedSizes((size) => (size > mtu ? above : "Success"));
      expect(largestPacket(result({ sizes }))).toEqual({ bytes: mtu, above: mtu === 1500 ? "" : above });
      const wrapped = sizes.map((pair) => ({ value: pair, Count: 2 }));
      expect(largestPacket(result({ sizes: { value: wrapped, Count: sizes.length } }))).toEqual({
        bytes: mtu,
        above: mtu === 1500 ? "" : above,
      });
    }),
  );

  it(
    "is never larger or smaller than what was proven, whatever is lost",
    always(fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }), (passes) => {
      let index = 0;
      const sizes = triedSizes(() => ((passes[index++ % passes.length] ?? true) ? "Success" : "TimedOut"));
      const found = largestPacket(result({ sizes }));
      const passed = new Set(sizes.filter(([, status]) => status === "Success").map(([size]) => size));
      const lost = new Set(sizes.filter(([, status]) => status !== "Success").map(([size]) => size));
      if ("bytes" in found) {
        expect(passed.has(found.bytes)).toBe(true);
        expect(found.bytes === 1500 || lost.has(found.bytes + 1)).toBe(true);
        expect([...passed].every((size) => size <= found.bytes)).toBe(true);
      }
    }),
  );

  it.each([
    [
      [[576, "DestinationHostUnreachable"]],
      "pings of 576 bytes are not answered: DestinationHostUnreachable",
    ],
    [[], "pings of 576 bytes are not answered: no answer"],
    [
      [
        [576, "Success"],
        [1038, "Success"],
      ],
      "the search ended at 1038 bytes",
    ],
    [
      [
        [576, "Success"],
        [1038, "TimedOut"],
        [1300, "Success"],
      ],
      "a larger packet passed than one that was lost: packets are lost at random",
    ],
  ])("is not known from %j", (sizes, why) => {
    expect(largestPacket(result({ sizes }))).toMatchObject({ why });
  });
});

describe("the difference of clocks", () => {
  const noon = Date.UTC(2026, 10, 23, 12);
  const date = "Mon, 23 Nov 2026 12:00:00 GMT";
  it.each([
    ["the same second", noon + 100, noon + 400, 0],
    ["a slow answer over the end of a second", noon - 4000, noon + 400, 0],
    ["a clock that is ahead", noon + 6000, noon + 6100, 5000],
    ["a clock that is behind", noon - 7000, noon - 6900, -6900],
  ])("%s", (_what, before, after, difference) => {
    expect(clockDifference(result({ before, after, date }))).toBe(difference);
  });

  it("is not known without an answer", () => {
    expect(clockDifference(result({ before: noon, after: noon, date: "" }))).toBeUndefined();
  });
});

describe("pods", () => {
  const pod = (status: Record<string, unknown>) => ({
    ...{ apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, status },
  });
  const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime: "2026-11-23T12:00:00Z" };

  it.each([
    [
      {
        phase: "Pending",
        conditions: [scheduled],
        containerStatuses: [
          { state: { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" } } },
        ],
      },
      "ImagePullBackOff: Back-off pulling image",
    ],
    [
      {
        phase: "Pending",
        conditions: [
          {
            type: "PodScheduled",
            status: "False",
            reason: "Unschedulable",
            message: "0/5 nodes are available",
          },
        ],
      },
      "Unschedulable: 0/5 nodes are available",
    ],
    [
      { phase: "Failed", reason: "DeadlineExceeded", message: "Pod was active on the node longer" },
      "DeadlineExceeded: Pod was active on the node longer",
    ],
    [{ phase: "Succeeded" }, ""],
    [{ phase: "Running" }, ""],
  ])("%j: %s", (status, problem) => {
    expect(problemOf(pod(status))).toBe(problem);
  });

  it("start when their container starts", () => {
    const state = { terminated: { startedAt: "2026-11-23T12:09:30Z" } };
    expect(startSecondsOf(pod({ conditions: [scheduled], containerStatuses: [{ state }] }))).toBe(570);
    expect(startSecondsOf(pod({ conditions: [scheduled] }))).toBeUndefined();
  });
});
