import type { KubernetesObject } from "capz-types";
import { diffPlans } from "../../plan/compare/diffPlans";
import type { Impact } from "../../plan/impact/impact";
import type { Plan } from "../../plan/model/plan";
import { Applier } from "../apiserver/applier";
import { RefusedError } from "../life/kube";
import { impactsBetween } from "../life/stacks";
import { tools } from "../life/support/rig";
import { note } from "../support/figures";
import { updateInline } from "../support/inlinePlans";
import { documentOf } from "../support/planDocuments";
import { changesOfEveryKey } from "./changes";
import { managementOf } from "./management";

/**
 * Changes each key of the schema once, and back: the impact must report as refused exactly what the webhooks of Cluster
 * API and CAPZ refuse. CAPZ_WINDOWS_SEED chooses another sample.
 */
const seed = Number(process.env.CAPZ_WINDOWS_SEED ?? 1);
const sampleSize = 120;
const found = tools();

/** Whether an impact says that a webhook refuses the change. */
const byWebhook = ({ severity, source }: Impact): boolean =>
  severity === "refused" && /webhook/i.test(source) && !/no webhook/i.test(source);

/** Identifies an object. */
const keyOf = ({ apiVersion, kind, metadata }: KubernetesObject): string =>
  [apiVersion, kind, metadata.namespace, metadata.name].join();

if (typeof found === "string") {
  it.skip(found, () => undefined);
} else {
  const management = managementOf(found);

  const plans = new Map<string, Promise<Plan>>();
  const planned = (raw: Record<string, unknown>): Promise<Plan> => {
    const key = JSON.stringify(raw);
    const known = plans.get(key) ?? updateInline(raw);
    plans.set(key, known);
    return known;
  };

  let compared = 0;

  afterAll(() => {
    note({ figure: "verdicts", of: "updates of an object, against the impact", count: compared });
  });

  /**
   * The webhooks' messages about objects that the second plan updates, by URN, after the first plan has been applied.
   */
  async function refusals(prefix: string, before: Plan, after: Plan): Promise<Map<string, string>> {
    const { kube } = management();
    const applier = new Applier(kube, prefix);
    const apply = async (object: KubernetesObject): Promise<void> => {
      for (const own of applier.placed([object])) {
        await kube.applyAs("pulumi-kubernetes", own);
      }
    };
    const old = new Map(before.objects.management.map(({ urn, object }) => [urn, object]));
    // Resources that move to another management cluster are created there instead of being updated.
    const { changes } = diffPlans(documentOf(before), documentOf(after));
    const updated = new Set(changes.filter(({ kind }) => kind === "update").map(({ urn }) => urn));
    const refused = new Map<string, string>();
    for (const { urn, object } of after.objects.management) {
      const was = old.get(urn);
      const isUpdate = was !== undefined && updated.has(urn) && keyOf(was) === keyOf(object);
      if (isUpdate && (await management().served([object])).length > 0) {
        compared += 1;
        await apply(was);
        await apply(object).catch((error: unknown) => {
          if (!(error instanceof RefusedError)) {
            throw error;
          }
          refused.set(urn, error.message);
        });
      }
    }
    return refused;
  }

  /** The cases in which the webhooks and the impact differ. */
  async function disagreements(prefix: string, before: Plan, after: Plan): Promise<string[]> {
    const impacts = impactsBetween(before, after);
    const refused = await refusals(prefix, before, after);
    const said = new Set(
      impacts.filter(({ severity }) => severity === "refused").flatMap(({ urns }) => urns),
    );
    return [
      ...[...refused]
        .filter(([urn]) => !said.has(urn))
        .map(([, message]) => `refused without an impact: ${message}`),
      ...impacts
        .filter((impact) => byWebhook(impact) && !impact.urns.some((urn) => refused.has(urn)))
        .map(({ rule, what }) => `admitted, but the impact ${rule} says: ${what}`),
    ];
  }

  const { changes, without } = changesOfEveryKey(seed, sampleSize);
  /** A third of them, another one for each commit; all with CAPZ_WINDOWS_LIVES=all. */
  const tried = changes.filter(
    (_, index) => process.env.CAPZ_WINDOWS_LIVES === "all" || index % 3 === seed % 3,
  );

  it("every key has a change", () => {
    expect(without).toEqual([]);
  });

  describe(`the webhooks agree with the impact, seed ${seed}:`, () => {
    it.each(tried.map((change, index) => [change.key, index, change] as const))(
      "%s",
      async (_, index, { before, after }) => {
        const [one, other] = [await planned(before), await planned(after)];
        expect({
          there: await disagreements(`t${index}-`, one, other),
          back: await disagreements(`b${index}-`, other, one),
        }).toEqual({ there: [], back: [] });
      },
    );
  });
}
