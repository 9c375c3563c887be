import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { diffPlans } from "../../plan/compare/diffPlans";
import { isOptionOnly, type ResourceChange } from "../../plan/compare/stackDiff";
import { impactsOf } from "../../plan/impact/impacts";
import type { PlanDocument } from "capz-windows-contract";
import { readStackFile } from "../../config/stackFile";
import type { Impact } from "../../plan/impact/impact";
import { impactRules } from "../../plan/impact/allRules";
import type { Plain } from "capz-windows-kit/untyped";
import { planFileInline } from "../support/inlinePlans";
import { documentOf } from "../support/planDocuments";
import { projectDir } from "../support/stacks";
import {
  accepted,
  changed,
  destroying,
  refused,
  refusedByAzure,
  stackBefore,
  type Change,
  type Named,
} from "./changes";
import { FakeControllers } from "./controllers";
import { Engine } from "./engine";
import type { Run } from "./events";
import { beginsAt, isWholeRun, ofRun, sayLeftOut } from "./ofRun";
import { missing } from "./pulumiCli";

/**
 * What a plan says of a change is what the real engine previews and does, resource by resource. The run prints the table; it
 * is kept in reports/changes.md. A run of every day has some of the rows, other ones for each commit: of the accepted ones a
 * part of the sequence, on a stack that already has those before.
 */

/** Components, of which nothing is outside of the state. */
const component = /[:$]capz-windows:index:\w+::[^:]+$/;

/** Differences that a plan and an engine have by their nature. */
const explained: readonly {
  readonly why: string;
  readonly fits: (
    urn: string,
    change: ResourceChange | undefined,
    done: string | undefined,
    change_: Change,
  ) => boolean;
}[] = [
  {
    why: "a plan cannot decrypt a secret of the stack file",
    fits: (_, change, done, { secrets }) =>
      change === undefined && done === "update" && secrets !== undefined,
  },
  {
    why: "a component is nothing outside of the state",
    fits: (urn, change, done) =>
      component.test(urn) &&
      change?.kind !== "create" &&
      change?.kind !== "delete" &&
      done !== "create" &&
      done !== "delete",
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
  const seen = new Set(rows.flatMap(({ rules }) => rules.split(", ")));
  const others = impactRules.map(({ id }) => id).filter((id) => !seen.has(id));
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
    `Rules without a row in this run: ${others.join(", ")}`,
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

/** What must never be deleted before it is made anew: a cluster stands on it, and all in it goes with it. */
const alive = /:(ResourceGroup|VirtualNetwork|AzureCluster|Cluster)::[^:]+$/;

/** What a run deletes before it makes it anew. */
const deletedFirst = ({ urns, steps }: Run): string[] =>
  (urns["create-replacement"] ?? []).filter((urn) => {
    const [gone, made] = [`delete-replaced ${urn}`, `create-replacement ${urn}`].map((step) =>
      steps.indexOf(step),
    );
    return gone !== -1 && gone! < made!;
  });

const { pulumi, kubeconfig, reason } = missing();

// A machine that does much else takes minutes for a change.
jest.setTimeout(1_800_000);

if (reason !== undefined) {
  it.skip(reason, () => undefined);
} else {
  const stack = `tbl${process.pid}`;
  const first = beginsAt(accepted.length, 3);
  const before = accepted.slice(0, first);
  const chosen = isWholeRun ? accepted : accepted.slice(first, first + 3);
  const chosenRefused = ofRun(refused, 5);
  const previewed = isWholeRun ? destroying : destroying.slice(0, 1);
  const names = (changes: readonly Change[]): string[] => changes.map(({ what }) => what);
  sayLeftOut("accepted changes", names(accepted), names(chosen));
  const others = [...refused, ...refusedByAzure, ...destroying];
  sayLeftOut("other changes", names(others), names([...chosenRefused, ...previewed]));
  const rows: Row[] = [];
  let engine: Engine;
  let controllers: FakeControllers;
  /** The config of the stack as it is deployed. */
  let config = before.reduce(changed, stackBefore(stack));

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
    const impacts = impactsOf({ base, head, diff });
    const rules = [...new Set(impacts.map(({ rule }) => rule))].sort().join(", ");
    const counted = diff.changes.filter((each) => !isOptionOnly(each));
    const changes = new Map(counted.map((each) => [each.urn, each]));
    const plan = counts(new Map(counted.map(({ urn, kind }) => [urn, kind])));
    return { head, changes, rules, impacts, plan };
  }

  /** What the plan says by the rule of a row. */
  const severityOf = (impacts: readonly Impact[], { rule }: Named): string =>
    impacts.find((impact) => impact.rule === rule)?.severity ?? "nothing";

  /** Expects that each difference is explained. @returns the explanations */
  function explain(changes: ReadonlyMap<string, ResourceChange>, kinds: Kinds, change: Change): string[] {
    const urns = [...new Set([...changes.keys(), ...kinds.keys()])];
    const different = urns.filter((urn) => changes.get(urn)?.kind !== kinds.get(urn));
    const reasons = different.map((urn) => ({
      urn,
      plan: changes.get(urn)?.kind,
      engine: kinds.get(urn),
      why: explained.find(({ fits }) => fits(urn, changes.get(urn), kinds.get(urn), change))?.why,
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
    await engine.encrypt(
      stack,
      Object.assign({}, ...before.map(({ secrets }) => secrets)) as Record<string, string>,
    );
    base = await planned(config);
    await engine.must(stack, ["up", "--yes", "--skip-preview"]);
  });
  afterAll(async () => {
    mkdirSync(join(projectDir, "reports"), { recursive: true });
    writeFileSync(reportFile, report(rows));
    write({ ...config, protect: false });
    await engine.run(stack, ["up", "--yes", "--skip-preview"]);
    await engine.must(stack, ["destroy", "--yes", "--skip-preview"]);
    await controllers.stop();
    engine.end();
  });

  it.each(chosenRefused.map((change) => [change.what, change] as const))(
    "refused: %s",
    async (what, change) => {
      const { rules, impacts } = await compared(change);
      const things = engine.azure.store.ids();
      const row = { what, rules, plan: severityOf(impacts, change), preview: "not run", up: "not run" };
      rows.push({ ...row, verdict: "different" });
      expect(row.plan).toBe("refused");
      const tried = [...(isWholeRun ? [["preview"]] : []), ["up", "--yes", "--skip-preview"]];
      for (const args of tried) {
        const { code, output, runs } = await engine.run(stack, args);
        expect({ code, output }).not.toMatchObject({ code: 0 });
        // Pulumi protects; the program says it by itself before it registers anything.
        expect(output).toContain(change.rule === "protected" ? "protect" : "Nothing was changed.");
        const touched = runs.flatMap((run) => [...kindsOf(run)]);
        expect(touched.filter(([urn]) => !component.test(urn))).toEqual([]);
        expect(engine.azure.store.ids()).toEqual(things);
      }
      const preview = isWholeRun ? "refused" : "not run";
      rows.splice(-1, 1, { ...row, preview, up: "refused", verdict: "equal" });
    },
  );

  it.each(previewed.map((change) => [change.what, change] as const))("%s", async (what, change) => {
    const { changes, rules, impacts, plan } = await compared(change);
    const { runs } = await engine.must(stack, ["preview"]);
    const kinds = kindsOf(runs[0]!);
    const row = { what, rules, plan, preview: counts(kinds), up: "not run: it destroys the cluster" };
    rows.push({ ...row, verdict: "different" });
    expect(severityOf(impacts, change)).toBe("destroys");
    const reasons = explain(changes, kinds, change);
    const early = deletedFirst(runs[0]!);
    expect(early.filter((urn) => alive.test(urn))).toEqual([]);
    if (change.rule === "another-cluster") {
      // azure-native deletes first, but for what is told not to.
      expect(early.length).toBeGreaterThan(0);
      expect(runs[0]!.urns["create-replacement"]!.filter((urn) => alive.test(urn)).length).toBeGreaterThan(3);
    }
    rows.splice(-1, 1, { ...row, verdict: reasons.length === 0 ? "equal" : reasons.join("; ") });
  });

  it.each(chosen.map((change) => [change.what, change] as const))("%s", async (what, change) => {
    const { head, changes, rules, plan } = await compared(change);
    const { runs } = await engine.must(stack, ["up", "--yes"]);
    config = changed(config, change);
    base = head;
    const [preview, up] = runs.map(kindsOf);
    const row = { what, rules, plan, preview: counts(preview!), up: counts(up!) };
    rows.push({ ...row, verdict: "different" });
    expect([...up!].sort()).toEqual([...preview!].sort());
    const reasons = explain(changes, up!, change);
    rows.splice(-1, 1, { ...row, verdict: reasons.length === 0 ? "equal" : reasons.join("; ") });
  });

  const ofAzure = async (what: string, change: Named): Promise<void> => {
    const { rules, impacts } = await compared(change);
    const plan = severityOf(impacts, change);
    const up = await engine.run(stack, ["up", "--yes"]);
    const [preview, done] = up.runs.map(kindsOf);
    const verdict = "Azure refuses it when the VNET changes";
    const ended = `refused after ${counts(done!)}`;
    rows.push({ what, rules, plan, preview: counts(preview!), up: ended, verdict });
    expect(plan).toBe("refused");
    expect(up.code).not.toBe(0);
    expect(up.output).toContain("InUseSubnetCannotBeDeleted");
    // The former file brings back what was changed before.
    write(config);
    await engine.must(stack, ["up", "--yes", "--skip-preview"]);
    await engine.must(stack, ["preview", "--expect-no-changes"]);
  };
  if (isWholeRun) {
    it.each(refusedByAzure.map((change) => [change.what, change] as const))("refused by Azure: %s", ofAzure);
  }

  it("after all of it nothing is to be done", async () => {
    write(config);
    await engine.must(stack, ["preview", "--expect-no-changes"]);
  });

  it("a protected stack is not destroyed in part, without a preview too", async () => {
    write({ ...config, protect: true });
    if (config.protect !== true) {
      await engine.must(stack, ["up", "--yes", "--skip-preview"]);
    }
    const [things, state] = [engine.azure.store.ids(), engine.state(stack)];
    const { code, output } = await engine.run(stack, ["destroy", "--yes", "--skip-preview"]);
    expect({ code: code === 0 ? 0 : 1, output }).toEqual({
      code: 1,
      output: expect.stringContaining("because it is protected") as string,
    });
    // The component whose hook refuses has begun to go, and stays.
    expect(output).not.toMatch(/ deleted \(/);
    expect(engine.azure.store.ids()).toEqual(things);
    // But for the engine's own provider of its built-in resources, which is nothing outside of the state.
    const own = (urn: string): boolean => !urn.includes("::pulumi:providers:pulumi::");
    expect(engine.state(stack).filter(own)).toEqual(state.filter(own));
  });
}
