import { runsOf, touched } from "./events";

const urn = (name: string, type = "a:b:C"): string => `urn:pulumi:s::p::${type}::${name}`;
const before = (op: string, name: string, type?: string) => ({
  resourcePreEvent: { metadata: { op, urn: urn(name, type) } },
});
const after = (op: string, name: string) => ({ resOutputsEvent: { metadata: { op, urn: urn(name) } } });
const said = (severity: string, message: string, ephemeral = false) => ({
  diagnosticEvent: { severity, message, ephemeral },
});

const log = (events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join("");

it("the runs of a log, with what each did, counted and warned about", () => {
  const runs = runsOf(
    log([
      ...[before("create", "b"), before("create", "a"), before("read", "r"), said("warning", "w\n")],
      said("warning", "using pulumi-language-nodejs from $PATH at /p"),
      ...[before("create", "default", "pulumi:providers:pulumi"), said("warning", "once", true)],
      ...[said("info", "i"), { summaryEvent: { resourceChanges: { create: 2 } } }],
      ...[before("create", "a"), after("create", "a"), { summaryEvent: { resourceChanges: { create: 1 } } }],
    ]),
  );
  const [a, b] = [`create ${urn("a")}`, `create ${urn("b")}`];
  expect(runs).toEqual([
    { urns: { create: [urn("a"), urn("b")] }, steps: [b, a], counts: { create: 2 }, warnings: ["w"] },
    { urns: { create: [urn("a")] }, steps: [a], counts: { create: 1 }, warnings: [] },
  ]);
  expect(touched(runs[0]!)).toEqual([urn("a"), urn("b")]);
});

it("a run that was cut off has no counts, and what follows the last one is no run", () => {
  expect(runsOf(log([before("create", "a")]))).toEqual([
    { urns: { create: [urn("a")] }, steps: [`create ${urn("a")}`], counts: {}, warnings: [] },
  ]);
  expect(runsOf(log([{ summaryEvent: { resourceChanges: {} } }, said("error", "e")]))).toHaveLength(1);
});
