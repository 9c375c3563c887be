import type { Workplace } from "./run";
import { workplace } from "./run";

let place: Workplace;
beforeEach(() => {
  place = workplace();
});
afterEach(() => {
  place.remove();
});

describe("which stacks are deployed", () => {
  beforeEach(() => {
    place.write("Pulumi.dev.yaml", "");
    place.write("Pulumi.prod.yaml", "");
  });

  const stacks = (names: string, ...args: string[]) => {
    const { status, stdout, stderr } = place.run("ci/stacks.js", args, { DEPLOY_STACKS: names });
    return status === 0 ? stdout : stderr;
  };

  it.each([
    ["dev prod", [], '["dev","prod"]\n'],
    ["prod, dev,prod", [], '["prod","dev"]\n'],
    ["dev prod", ["--only", "prod"], '["prod"]\n'],
    ["dev", ["--only", "prod"], "The stack to deploy must be one of DEPLOY_STACKS: dev\n"],
    ["dev nope", [], "DEPLOY_STACKS: nope: there is no such Pulumi.<stack>.yaml\n"],
    ["dev $(x)", [], 'DEPLOY_STACKS: "$(x)": no name of a stack\n'],
  ])("%j %j", (names, args, said) => {
    expect(stacks(names, ...args)).toBe(said);
  });
});
