import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffPlans } from "../../plan/compare/diffPlans";
import { isOptionOnly, type ResourceChange } from "../../plan/compare/stackDiff";
import { impactsOf } from "../../plan/impact/impacts";
import type { PlanDocument } from "capz-windows-contract";
import { readStackFile } from "../../config/stackFile";
import { isRecord, type Plain } from "capz-windows-kit/untyped";
import { planFileInline } from "../support/inlinePlans";
import { documentOf } from "../support/planDocuments";
import { projectDir } from "../support/stacks";
import { accepted, refused, refusedByAzure, stackBefore, type Change } from "./changes";
import { FakeControllers } from "./controllers";
import { Engine } from "./engine";
import type { Run } from "./events";
import { missing } from "./pulumiCli";

/**
 * What a plan says of a change is what the real engine previews and does, resource by resource. The run prints the table; it
 * is kept in reports/changes.md.
 */

/** Differences that a plan and an engine have by their nature. */
const explained: readonly {
  readonly why: string;
  readonly fits: (change: ResourceChange | undefined, done: string | undefined, change_: Change) => boolean;
}[] = [
  {
    why: "a plan cannot decrypt a secret of the stack file",
    fits: (change, done, { secrets }) => change === undefined && done === "update" && secrets !== undefined,
  },
];

interface Row {
  readonly what: string;
  readonly rules: string;
  readonly plan: string;
  readonly preview: string;
  readonly up: string;
  readonly verdict: string;
}

const reportFile = join(projectDir, "reports/changes.md");

function report(rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    "# Changes: plan, preview and up",
    "",
    "created/updated/replaced/deleted",
    "",
    line(["change", "rules", "plan", "preview", "up", ""]),
    line(["---", "---", "---", "---", "---", "---"]),
    ...rows.map(({ what, rules, plan, preview, up, verdict }) =>
      line([what, rules, plan, preview, up, verdict]),
    ),
    "",
  ].join("\n");
}

type Kinds = ReadonlyMap<string, string>;

/** What an engine did, by URN, in the words of a plan. */
function kindsOf({ urns }: Run): Kinds {
  const found = new Map<string, string>();
  for (const [op, kind] of [
    ["create", "create"],
    ["update", "update"],
    ["delete", "delete"],
    ["create-replacement", "replace"],
    ["replace", "replace"],
  ] as const) {
    (urns[op] ?? []).forEach((urn) => found.set(urn, kind));
  }
  return found;
}

function counts(kinds: Kinds): string {
  const all = [...kinds.values()];
  return ["create", "update", "replace", "delete"]
    .map((kind) => all.filter((each) => each === kind).length)
    .join("/");
}

/** Sets a path such as `windowsPools.win1.replicas`; `undefined` removes it. */
function set(config: Plain, [key = "", ...rest]: readonly string[], value: unknown): Plain {
  const { [key]: before, ...others } = config;
  const after = rest.length === 0 ? value : set(isRecord(before) ? before : {}, rest, value);
  return after === undefined ? others : { ...others, [key]: after };
}

const changed = (config: Plain, change: Change): Plain =>
  Object.entries(change.set).reduce((each, [path, value]) => set(each, path.split("."), value), config);

const { pulumi, kubeconfig, reason } = missing();

// A machine that does much else takes minutes for a change.
jest.setTimeout(1_800_000);

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  const stack = `chg${process.pid}`;
  const rows: Row[] = [];
  let engine: Engine;
  let controllers: FakeControllers;
  /** The config of the stack as it is deployed. */
  let config = stackBefore(stack);

  const write = (values: Plain): void => {
    engine.write(
      stack,
      Object.fromEntries(Object.entries(values).map(([key, value]) => [`capz-windows:${key}`, value])),
    );
  };
  const planned = async (values: Plain) => {
    write(values);
    return documentOf(await planFileInline(readStackFile(engine.dir, stack)));
  };

  /** The plan of the stack as it is deployed. */
  let base: PlanDocument;

  /** What the plan says of a change, which is then in the stack file. */
  async function compared(change: Change) {
    await engine.encrypt(stack, change.secrets ?? {});
    const head = await planned(changed(config, change));
    const diff = diffPlans(base, head);
    const rules = [...new Set(impactsOf({ base, head, diff }).map(({ rule }) => rule))].sort().join(", ");
    const counted = diff.changes.filter((each) => !isOptionOnly(each));
    return { head, changes: new Map(counted.map((each) => [each.urn, each])), rules };
  }

  /** Expects that each difference is explained. @returns the explanations */
  function explain(changes: ReadonlyMap<string, ResourceChange>, kinds: Kinds, change: Change): string[] {
    const urns = [...new Set([...changes.keys(), ...kinds.keys()])];
    const different = urns.filter((urn) => changes.get(urn)?.kind !== kinds.get(urn));
    const reasons = different.map((urn) => ({
      urn,
      plan: changes.get(urn)?.kind,
      engine: kinds.get(urn),
      why: explained.find(({ fits }) => fits(changes.get(urn), kinds.get(urn), change))?.why,
    }));
    expect(reasons.filter(({ why }) => why === undefined)).toEqual([]);
    return [...new Set(reasons.map(({ why }) => why ?? ""))];
  }

  beforeAll(async () => {
    engine = await Engine.begin(pulumi);
    controllers = new FakeControllers(kubeconfig, stack);
    engine.azure.machines = () => controllers.subnetsInUse();
    write(config);
    await engine.init(stack, readFileSync(kubeconfig, "utf8"));
    base = await planned(config);
    await engine.must(stack, ["up", "--yes", "--skip-preview"]);
  });
  afterAll(async () => {
    mkdirSync(join(projectDir, "reports"), { recursive: true });
    writeFileSync(reportFile, report(rows));
    write({ ...config, protect: false });
    await engine.run(stack, ["destroy", "--yes", "--skip-preview"]);
    await controllers.stop();
    engine.end();
  });

  it.each(accepted.map((change) => [change.what, change] as const))("%s", async (what, change) => {
    const { head, changes, rules } = await compared(change);
    const { runs } = await engine.must(stack, ["up", "--yes"]);
    config = changed(config, change);
    base = head;
    const [preview, up] = runs.map(kindsOf);
    const plan = counts(new Map([...changes].map(([urn, { kind }]) => [urn, kind])));
    const row = { what, rules, plan, preview: counts(preview!), up: counts(up!) };
    rows.push({ ...row, verdict: "different" });
    expect([...up!].sort()).toEqual([...preview!].sort());
    const reasons = explain(changes, up!, change);
    rows.splice(-1, 1, { ...row, verdict: reasons.length === 0 ? "equal" : reasons.join("; ") });
  });

  it.each(refused.map((change) => [change.what, change] as const))("refused: %s", async (what, change) => {
    const { changes, rules } = await compared(change);
    const before = engine.azure.store.ids();
    const plan = counts(new Map([...changes].map(([urn, { kind }]) => [urn, kind])));
    const row = { what, rules, plan, preview: "went through", up: "went through", verdict: "different" };
    rows.push(row);
    const preview = await engine.run(stack, ["preview"]);
    expect([preview.code === 0, preview.output]).toEqual([false, expect.any(String)]);
    const up = await engine.run(stack, ["up", "--yes", "--skip-preview"]);
    expect(up.code).not.toBe(0);
    const done = kindsOf(up.runs[0]!);
    rows.splice(-1, 1, { ...row, preview: "refused", up: `refused after ${counts(done)}` });
    expect(engine.azure.store.ids()).toEqual(before);
    expect([...done]).toEqual([]);
    rows.splice(-1, 1, { ...row, preview: "refused", up: "refused", verdict: "equal" });
  });

  it.each(refusedByAzure.map((change) => [change.what, change] as const))(
    "refused by Azure: %s",
    async (what, change) => {
      const { changes, rules } = await compared(change);
      const plan = counts(new Map([...changes].map(([urn, { kind }]) => [urn, kind])));
      const up = await engine.run(stack, ["up", "--yes"]);
      const [preview, done] = up.runs.map(kindsOf);
      const verdict = "Azure refuses it when the VNET changes";
      rows.push({
        what,
        rules,
        plan,
        preview: counts(preview!),
        up: `refused after ${counts(done!)}`,
        verdict,
      });
      expect(up.code).not.toBe(0);
      expect(up.output).toContain("InUseSubnetCannotBeDeleted");
      // The former file brings back what was changed before.
      write(config);
      await engine.must(stack, ["up", "--yes", "--skip-preview"]);
      await engine.must(stack, ["preview", "--expect-no-changes"]);
    },
  );

  it("after all of it nothing is to be done", async () => {
    write(config);
    await engine.must(stack, ["preview", "--expect-no-changes"]);
  });
}
