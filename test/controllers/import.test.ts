import { stringify } from "yaml";
import type { KubernetesObject } from "capz-types";
import { compared, type SourceDifference } from "../../commands/import/capz/compare";
import { objectsOfPlan } from "../../commands/import/plan";
import { Applier } from "../apiserver/applier";
import { notCarried } from "../import/notCarried";
import { answered, importText, planner } from "../import/support";
import type { LiveObject } from "../life/kube";
import { tools } from "../life/support/rig";
import { note } from "../support/figures";
import { exampleStacks, planOf } from "../support/plans";
import { managementOf } from "./management";

/**
 * The objects of every example as in a running cluster: with the defaults of the webhooks of Cluster API and CAPZ,
 * managed fields, owners and a status. If they are imported and planned again, the plan must have the same objects.
 */
const found = tools();

/** Matches the API versions of the objects that are imported. */
const imported = /^(addons|bootstrap|controlplane|infrastructure)?\.?cluster\.x-k8s\.io\//;

/** Adds what controllers write that do not run here. */
function lived(object: LiveObject): LiveObject {
  const { name, namespace } = object.metadata;
  const ready = [
    { type: "Ready", status: "True", reason: "Ready", lastTransitionTime: "2026-11-22T12:00:00Z" },
  ];
  return {
    ...object,
    metadata: { ...object.metadata, finalizers: [`${object.kind.toLowerCase()}.cluster.x-k8s.io`] },
    status: { observedGeneration: 1, conditions: ready, id: `${namespace ?? ""}/${name}` },
  };
}

/** Moves an object back to the namespaces of the stack. */
const movedBack = (object: KubernetesObject, prefix: string): KubernetesObject =>
  JSON.parse(
    JSON.stringify(object).replaceAll(`"namespace":"${prefix}`, '"namespace":"'),
  ) as KubernetesObject;

const words = (one: SourceDifference): string => `${one.place} ${one.kind} ${one.path}`;

/** The resource group of the registry, which no object of the cluster has. */
const variables = { RESOURCE_GROUP_OF_MYCOMPANY: "platform" };

if (typeof found === "string") {
  it.skip(found, () => undefined);
} else {
  const management = managementOf(found);

  async function liveObjects(stack: string): Promise<KubernetesObject[]> {
    const prefix = `${stack}-import-`;
    const { kube } = management();
    const objects = (await planOf(stack)).objects.management.map(({ object }) => object);
    const own = objects.filter(({ apiVersion, kind }) => imported.test(apiVersion) || kind === "Namespace");
    const live: KubernetesObject[] = [];
    for (const object of new Applier(kube, prefix).placed(own)) {
      const applied = await kube.applyAs("pulumi-kubernetes", object);
      if (object.kind !== "Namespace") {
        live.push(movedBack(lived(applied), prefix));
      }
    }
    return live;
  }

  /** Fields of an example that CAPZ or its webhook would set, too, and which are their own on a cluster that lives. */
  const byWebhook = /\.(networkInterfaces|storageAccountType)$|\.subnets\[[^\]]+\]\.id$/;

  describe.each(exampleStacks)("the example %s, as a cluster that lives has it,", (stack) => {
    it("is imported without unexplained differences, and its plan has the same objects", async () => {
      const objects = await liveObjects(stack);
      expect(objects.map(({ metadata }) => metadata)).toContainEqual(
        expect.objectContaining({ managedFields: expect.anything() as unknown }),
      );
      const { config, fields, unexplained, leftOut } = await importText(
        objects.map((object) => stringify(object)).join("---\n"),
        variables,
        "live.yaml",
      );
      const again = compared(objectsOfPlan(await planOf(stack)), await planner(answered(config)));
      const carried = fields?.same ?? 0;
      process.stdout.write(
        `${stack}: ${carried} of ${fields?.all ?? 0} fields carried, ${fields?.byControllers ?? 0} of controllers, ${unexplained.length} unexplained\n`,
      );
      note({ figure: "verdicts", of: "fields of living clusters, imported", count: carried });
      expect(unexplained).toEqual([]);
      expect(again.map(words).sort()).toEqual([...(notCarried[stack] ?? [])].sort());
      // A reason may hide a loss; of our own objects nothing else may be left out.
      const lost = leftOut.filter(
        ({ from, byController }) =>
          byController !== true &&
          from.includes(" spec.") &&
          // Who makes the zone is a question; the field itself is carried over.
          !from.endsWith("privateDNSZone: None"),
      );
      const known = again.filter(({ before, path }) => before !== undefined && !byWebhook.test(path));
      expect(lost.length).toBe(known.length);
      expect((fields?.all ?? 0) - carried).toBe(known.length);
    }, 180_000);
  });
}
