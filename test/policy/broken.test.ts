import { reveal } from "../../packages/plan-engine";
import type { PolicyConfig } from "../../policy/pack";
import type { PolicyResource } from "../../policy/resource";
import { updateInline } from "../support/inlinePlans";
import { cases, password, set, type Change, type Mutable } from "./brokenStacks";
import { violations } from "./packSupport";
import { access, right } from "./right";

/** Stacks that register something else than their stack file says: the pack goes by what is registered. */

let honest: readonly Mutable[] = [];
beforeAll(async () => {
  const plan = await updateInline({ ...right, sampleWorkload: {}, access });
  honest = plan.update.resources.map(({ urn, type, name, outputs, options }) => ({
    ...{ urn, type, name },
    props: reveal(outputs) as Mutable["props"],
    opts: { protect: options.protect === true },
  }));
});

function broken(name: string, change: Change, ...others: readonly PolicyResource[]) {
  const resources = structuredClone(honest);
  const found = resources.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no resource ${name}`);
  }
  change(found);
  return violations([...resources, ...others]).map(
    (one) => `${one.id} ${one.message.replace(/\. Write: .*/, "")} (${one.name})`,
  );
}

it.each(cases)("$what in $name", ({ name, change, found }) => {
  expect(broken(name, change)).toEqual(found);
});

it("a second cluster of the stack is found as well, with its resource", () => {
  const other = structuredClone(honest.find(({ name }) => name === "control-plane-kubeadm")!);
  set("spec.replicas", 1)(other);
  const second = { ...other, name: "second", urn: `${other.urn}-second` };
  expect(
    violations([...honest, second])
      .filter(({ id }) => id === "one-control-plane-machine")
      .map(({ name }) => name),
  ).toEqual(["control-plane-kubeadm-second"]);
});

describe("exceptions", () => {
  const reason = "a test";
  const until = "2026-12-10";

  const found = (policyConfig: PolicyConfig, own: readonly object[] = [], today = "2026-11-25") => {
    const resources = structuredClone(honest);
    resources.forEach((one) => (one.opts = { protect: false }));
    const config = { "capz-windows:policyExceptions": JSON.stringify(own) };
    const messages = violations(resources, { policyConfig, config, today, stack: "prod" }).map(
      ({ message }) => message,
    );
    return [...new Set(messages)];
  };

  const text = "protect: false, so one command can delete the cluster and its network";
  const write = ". Write: protect: true";
  const own = [{ rule: "unprotected", reason, until }];

  it("of the stack file count until their day", () => {
    expect(found({}, own)).toEqual([]);
    expect(found({}, [{ ...own[0], rule: "no-audit-log" }])).toEqual([text + write]);
    expect(found({}, own, "2026-12-11")).toEqual([
      `${text}. The exception ended on ${until}: ${reason}${write}`,
    ]);
  });

  it("count for a year at most, those of an organisation, too", () => {
    const long = { reason, until: "2027-11-26" };
    const refused = `${text}. The exception until 2027-11-26 does not count, because it is for more than a year: a test. Write until: "2027-11-25", or an earlier day${write}`;
    expect(found({}, [{ ...own[0], ...long }])).toEqual([refused]);
    expect(found({ exceptions: [long] })).toEqual([refused]);
  });

  it("of the stack file do not count where the organisation says so", () => {
    expect(found({ stackFile: false }, own)).toEqual([text + write]);
  });

  it("of the organisation count for its stacks", () => {
    expect(found({ stackFile: false, exceptions: [{ reason, until }] })).toEqual([]);
    expect(found({ exceptions: [{ reason, until, stack: "prod", path: "protect" }] })).toEqual([]);
    expect(found({ exceptions: [{ reason, until, stack: "dev" }] })).toEqual([text + write]);
    expect(found({ exceptions: [{ reason, until, path: "access" }] })).toEqual([text + write]);
  });

  it("with the path of a key count for a finding that only knows its pool", () => {
    const resources = structuredClone(honest);
    password(resources.find(({ name }) => name === "pool-win1-bootstrap")!);
    const at = (path: string) =>
      violations(resources, {
        policyConfig: { exceptions: [{ reason, until, path }] },
      }).length;
    expect(at("windowsPools.win1.preKubeadmCommands[0]")).toBe(0);
    expect(at("windowsPools.win10")).toBe(1);
  });
});
