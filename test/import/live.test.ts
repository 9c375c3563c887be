import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compared } from "../../commands/import/capz/compare";
import type { Imported } from "../../commands/import/importSource";
import { objectsOfPlan } from "../../commands/import/plan";
import { formatImport } from "../../commands/import/report";
import { stackFileText } from "../../commands/import/write";
import { updateFileInline } from "../support/inlinePlans";
import { readExample } from "../support/stacks";
import { importText, planner } from "./support";

/**
 * The objects of the example stack `pools` as the real managers left them at the end of a bring-up: with defaults,
 * status, owners, tokens and addresses, in the format of `kubectl get KINDS -n pools -o json`. Recorded in test/life;
 * the tokens are replaced.
 */
const recorded = readFileSync(join(__dirname, "sources/live.json"), "utf8");

describe("the objects of a running cluster", () => {
  let imported: Imported;
  beforeAll(async () => {
    imported = await importText(recorded, {}, "live.yaml");
  });

  test("become a stack whose plan has the same objects as that of the stack that made them", async () => {
    const file = readExample("pools");
    // The version when it was recorded.
    const config = { ...file.config, "capz-windows:kubernetesVersion": "v1.35.6" };
    const plan = await updateFileInline({ ...file, config });
    const differences = compared(objectsOfPlan(plan), await planner(imported.config));
    expect(differences.map((one) => `${one.place} ${one.kind} ${one.path}`)).toEqual([]);
    expect(imported.open).toEqual([]);
  });

  test("have each difference explained, and fields written by controllers counted separately", () => {
    expect(imported.unexplained).toEqual([]);
    // The release that made the cluster had other contents of two scripts, on the nodes of both Windows pools.
    expect(imported.fields).toEqual({ all: 169, same: 165, byControllers: 72 });
    const report = formatImport(imported, "Pulumi.pools.yaml");
    expect(report).toMatch(
      /^Cluster API objects: 165 of 169 fields are as they were, and 72 fields more that controllers and webhooks have written \(--json has each\)\.\n/,
    );
    expect(report).not.toMatch(/providerID|controlPlaneEndpoint|pulumi\.com/);
  });

  test("put no token, address or default into the stack file or the report", () => {
    const all = `${stackFileText(imported.config)}${formatImport(imported, "Pulumi.pools.yaml")}${JSON.stringify(imported.leftOut)}`;
    expect(all).not.toMatch(/mustno\.t0be0copied|sha256:|cloudapp\.azure\.com|cachingType: None|waitFor:/);
  });
});

test("a source without any health check does not turn off those of the stack; one with some does", async () => {
  const source = JSON.parse(recorded) as {
    readonly items: { readonly kind: string; readonly metadata: { readonly name: string } }[];
  };
  const without = async (name: string): Promise<unknown> => {
    const items = source.items.filter(
      ({ kind, metadata }) => kind !== "MachineHealthCheck" || !metadata.name.startsWith(name),
    );
    const { config } = await importText(JSON.stringify({ ...source, items }), {}, "live.yaml");
    return (config.windowsPools as Record<string, { readonly healthCheck?: unknown }>).machines?.healthCheck;
  };
  expect([await without(""), await without("machines")]).toEqual([undefined, { enabled: false }]);
});
