import fc from "fast-check";
import { Applier } from "../apiserver/applier";
import { updateInline } from "../support/inlinePlans";
import { note } from "../support/figures";
import { exampleStacks, planOf } from "../support/plans";
import { rightConfig } from "../support/rightConfigs";
import { tools } from "../life/support/rig";
import { managementOf } from "./management";

/**
 * The webhooks of Cluster API and CAPZ admit the program's objects, which are created with strict validation and applied
 * again, which must change nothing. For CAPZ_WINDOWS_SAMPLE and CAPZ_WINDOWS_SEED see CONTRIBUTING.md.
 */
const size = Number(process.env.CAPZ_WINDOWS_SAMPLE ?? 5);
const seed = Number(process.env.CAPZ_WINDOWS_SEED ?? Date.now() % 2 ** 31);
const found = tools();

if (typeof found === "string") {
  it.skip(found, () => undefined);
} else {
  const management = managementOf(found);

  const refused = async (
    prefix: string,
    plan: Awaited<ReturnType<typeof planOf>>,
  ): Promise<readonly string[]> => {
    const objects = await management().served(plan.objects.management.map(({ object }) => object));
    note({ figure: "verdicts", of: "objects", count: objects.length });
    return new Applier(management().kube, prefix).refused(objects);
  };

  describe("the webhooks admit, and a second time change nothing of,", () => {
    it.each(exampleStacks)("every object of the example %s", async (stack) => {
      expect(await refused(`${stack}-`, await planOf(stack))).toEqual([]);
    });

    const configs = fc.sample(rightConfig, { numRuns: size, seed });

    it.each(configs.map((config, index) => [index, config] as const))(
      `every object of the right config %i of ${size}, seed ${seed}`,
      async (index, config) => {
        expect(await refused(`s${index}-`, await updateInline(config))).toEqual([]);
      },
    );
  });

  it("the webhooks refuse a control plane of two machines, so the test can fail", async () => {
    const plan = await planOf("dev");
    const applier = new Applier(management().kube, "awake-");
    const objects = plan.objects.management.map(({ object }) => object);
    const wrong = objects.map((object) =>
      object.kind === "KubeadmControlPlane"
        ? { ...object, spec: { ...(object.spec as object), replicas: 2 } }
        : object,
    );
    expect(await applier.refused(await management().served(wrong))).toEqual([
      expect.stringMatching(
        /^KubeadmControlPlane .*admission webhook .*spec\.replicas: Forbidden: cannot be an even number/s,
      ),
    ]);
  });
}
