import { problemsOfText, stackText } from "../support/advice";
import { minimal } from "../support/stacks";

/** Mistakes of people who had read no rule, whose answers words/first-sight.txt cannot have. */

const problemsOf = (change: object) =>
  problemsOfText(stackText({ ...minimal(), ...change })).map(({ path, problem, allowed, write }) => [
    path,
    problem,
    allowed,
    write,
  ]);

const network = "an IPv4 network without host bits, such as 10.10.0.0/16";

describe("a mistake at first sight", () => {
  it.each([
    ["203.0.113.0-203.0.113.255", "203.0.113.0/24"],
    ["203.0.113.64 to 203.0.113.127", "203.0.113.64/26"],
    ["203.0.113.0/255.255.255.0", "203.0.113.0/24"],
    ["203.0.113.9/255.255.255.248", "203.0.113.8/29"],
    ["203.0.113.0\\24", "203.0.113.0/24"],
  ])("is a network in the notation %s", (text, cidr) => {
    const { access } = minimal() as { access: object };
    expect(problemsOf({ access: { ...access, allowedCidrs: [text] } })).toEqual([
      ["access.allowedCidrs[0]", "invalid format", network, `allowedCidrs: [${cidr}]`],
    ]);
  });

  it("is no number of machines below zero", () => {
    expect(problemsOf({ windowsPools: { win1: -1 } }).map(([path, , , write]) => [path, write])).toEqual([
      ["windowsPools.win1", "win1: <an allowed value>"],
    ]);
  });
});
