import { latestDay } from "../../config/policy/exceptions";
import { findingsOf } from "../../config/policy/findings";
import { policyIds } from "../../config/policy/policyIds";
import { loadSettings } from "../../config/load";
import type { ConfigError } from "capz-windows-kit/problem";
import { right, type Raw } from "./right";

/** Findings that a stack file accepts until a day. */

const reason = "moves in spring";
const until = "2026-12-10";
const older = { windowsServer: "2022" };
const pools: Raw = { ...right, windowsPools: { win1: older, win10: older } };

/** Without the end of Kubernetes 1.35, which is announced on all these days. */
const found = (raw: Raw, today = "2026-11-25") =>
  findingsOf(loadSettings(raw, "test"), raw, today).filter(
    ({ id }) => id !== "stack-warning" && id !== "ends-soon",
  );

const texts = (raw: Raw, today?: string) =>
  found(raw, today).map(({ id, path, message, accepted, ended, refused }) =>
    [
      `${id} ${path}: ${message}`,
      ...(accepted === undefined ? [] : [`(accepted until ${accepted.until}: ${accepted.reason})`]),
      ...(refused === undefined
        ? []
        : [`(refused: ${refused.until}, at most ${refused.latest}: ${refused.reason})`]),
      ...(ended === undefined ? [] : [`(ended on ${ended.until}: ${ended.reason})`]),
    ].join(" "),
  );

const open = { ...right, protect: false };
const message = "unprotected protect: false, so one command can delete the cluster and its network";

it("accepts a finding until the end of its last day, and then says since when it does not", () => {
  const raw = { ...open, policyExceptions: [{ rule: "unprotected", reason, until }] };
  const accepted = `${message} (accepted until ${until}: ${reason})`;
  expect(texts(raw, "2026-11-25")).toEqual([accepted]);
  expect(texts(raw, until)).toEqual([accepted]);
  expect(texts(raw, "2026-12-11")).toEqual([`${message} (ended on ${until}: ${reason})`]);
});

it("takes a date that a parser of YAML has made a time of", () => {
  const exception = { rule: "unprotected", reason, until: `${until}T00:00:00Z` };
  expect(texts({ ...open, policyExceptions: [exception] }, until)).toEqual([
    `${message} (accepted until ${until}: ${reason})`,
  ]);
});

it("accepts what is at its path or below it, and no other finding", () => {
  const accepting = (path?: string) => ({
    ...pools,
    policyExceptions: [{ rule: "windows-mainstream-end", reason, until, path }],
  });
  const places = (raw: Raw) => found(raw).map(({ path, accepted }) => [path, accepted?.reason]);
  const both = ["windowsPools.win1.windowsServer", "windowsPools.win10.windowsServer"];
  expect(places(accepting())).toEqual(both.map((path) => [path, reason]));
  expect(places(accepting("windowsPools.win1"))).toEqual([
    [both[0], reason],
    [both[1], undefined],
  ]);
  expect(places(accepting("windowsPools.win10.windowsServer"))).toEqual([
    [both[0], undefined],
    [both[1], reason],
  ]);
});

it("the exception with the last day counts, whatever their order is", () => {
  const short = { rule: "unprotected", reason: "short", until: "2026-11-24" };
  const long = { rule: "unprotected", reason, until };
  for (const policyExceptions of [
    [short, long],
    [long, short],
  ]) {
    expect(texts({ ...open, policyExceptions })).toEqual([`${message} (accepted until ${until}: ${reason})`]);
  }
});

it("an exception for more than a year does not count, and one beside it does", () => {
  const of = (day: string, why = reason) => ({ rule: "unprotected", reason: why, until: day });
  const textsOf = (today: string, ...policyExceptions: object[]) =>
    texts({ ...open, policyExceptions }, today);
  const latest = "2027-12-10";
  expect(textsOf(until, of(latest))).toEqual([`${message} (accepted until ${latest}: ${reason})`]);
  const refused = `(refused: 2027-12-11, at most ${latest}: ${reason})`;
  expect(textsOf(until, of("2027-12-11"))).toEqual([`${message} ${refused}`]);
  expect(textsOf("2026-12-11", of("2027-12-11"))).toEqual([
    `${message} (accepted until 2027-12-11: ${reason})`,
  ]);
  expect(textsOf(until, of("2027-12-11"), of(until, "short"))).toEqual([
    `${message} (accepted until ${until}: short)`,
  ]);
  expect(textsOf(until, of("2020-01-01", "old"), of("2027-12-11"))).toEqual([`${message} ${refused}`]);
  expect(latestDay("2028-02-29")).toBe("2029-02-28");
});

it("an exception that is about no finding is one, with its place", () => {
  const rule = "windows-mainstream-end";
  expect(
    found({ ...right, policyExceptions: [{ rule: "unprotected", reason, until: "2020-01-01" }] }),
  ).toEqual([
    {
      ...{ id: "unused-exception", level: "warning", title: "An exception is about no finding" },
      ...{ path: "policyExceptions[0]", message: "unprotected finds nothing" },
      write: "remove policyExceptions[0]",
    },
  ]);
  const wrong = { ...pools, policyExceptions: [{ rule, reason, until, path: "windowsPools.win2" }] };
  expect(found(wrong).filter(({ id }) => id === "unused-exception")).toMatchObject([
    {
      message:
        "windows-mainstream-end finds nothing at windowsPools.win2; its findings are at windowsPools.win1.windowsServer, windowsPools.win10.windowsServer",
      write: "remove policyExceptions[0], or correct its path",
    },
  ]);
});

const rule = "unprotected";
const aReason = "allowed: a text; write: reason: <why it is accepted>";
const aDay = "allowed: a day as YEAR-MONTH-DAY; write: until: <last day as YEAR-MONTH-DAY in quotes>";

it.each([
  [
    { rule: "unprotectd", reason, until },
    `rule: not an allowed value; allowed: ${policyIds.join(", ")}; write: rule: <an allowed value>`,
  ],
  [{ rule, until }, `reason: this key is required; ${aReason}`],
  [{ rule, reason: " ", until }, `reason: invalid format; ${aReason}`],
  [{ rule, reason }, `until: this key is required; ${aDay}`],
  [{ rule, reason, until: "spring" }, `until: invalid format; ${aDay}`],
  [{ rule, reason, until: "2027-02-30" }, `until: invalid format; ${aDay}`],
])("refuses %j", (exception, report) => {
  let problems: ConfigError["problems"] = [];
  try {
    loadSettings({ ...open, policyExceptions: [exception] }, "test");
  } catch (error) {
    problems = (error as ConfigError).problems;
  }
  expect(
    problems.map(
      ({ path, problem, allowed, write }) => `${path}: ${problem}; allowed: ${allowed}; write: ${write}`,
    ),
  ).toEqual([`policyExceptions[0].${report}`]);
});
