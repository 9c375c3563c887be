import type { KubernetesObject } from "capz-types";
import { kindsOfGroup } from "../../scripts/crds/read";
import { loadCrdValidators } from "../support/crdSchemas";
import { exampleStacks, objectsOf, planOf } from "../support/plans";

/** Directory with the CRDs of Cluster API, its operator and CAPZ, in the pinned versions. */
const crds = process.env.CAPZ_WINDOWS_CRDS;

const custom = (object: KubernetesObject): boolean => object.apiVersion.includes("cluster.x-k8s.io");

it.each(exampleStacks)(
  "every kind of %s that has a CRD has types in packages/capz-types/crds/",
  async (stack) => {
    const kinds = (await planOf(stack)).objects.management
      .filter(({ object }) => custom(object))
      .map(({ object }) => object.kind);
    expect(kinds.length).toBeGreaterThan(8);
    expect(kinds.filter((kind) => !Object.values(kindsOfGroup).flat().includes(kind))).toEqual([]);
  },
);

if (crds === undefined) {
  describe("objects against the CRDs of Cluster API and CAPZ", () => {
    it.skip("skipped: CAPZ_WINDOWS_CRDS names no folder of CRD files", () => undefined);
  });
} else {
  describe("objects against the CRDs of Cluster API and CAPZ", () => {
    const faults = loadCrdValidators(crds);

    it.each(exampleStacks)("every object of %s is valid, with no unknown field", async (stack) => {
      const objects = (await planOf(stack)).objects.management.map(({ object }) => object).filter(custom);
      expect(objects.length).toBeGreaterThan(8);
      const wrong = objects.flatMap((object) =>
        faults(object).map((text) => `${object.kind} ${object.metadata.name}: ${text}`),
      );
      expect(wrong).toEqual([]);
    });

    it("unknown fields, wrong types, wrong enum values and old API versions are found", async () => {
      const [pool] = objectsOf(await planOf("dev"), "AzureMachinePool");
      const spec = pool!.spec as { template: { osDisk: object } };
      const disk = (change: object) => ({
        ...pool,
        spec: { ...spec, template: { ...spec.template, osDisk: { ...spec.template.osDisk, ...change } } },
      });
      expect(faults(pool)).toEqual([]);
      expect(faults(disk({ color: "red" }))).toEqual(["spec.template.osDisk.color: there is no such field"]);
      expect(faults(disk({ diskSizeGB: "128" }))).toEqual([
        "spec.template.osDisk.diskSizeGB: must be integer",
      ]);
      expect(faults(disk({ cachingType: "Sometimes" }))).toEqual([
        "spec.template.osDisk.cachingType: must be one of None, ReadOnly, ReadWrite",
      ]);
      const [machinePool] = objectsOf(await planOf("dev"), "MachinePool");
      expect(faults({ ...machinePool, apiVersion: "cluster.x-k8s.io/v1beta1" })).not.toEqual([]);
    });
  });
}
