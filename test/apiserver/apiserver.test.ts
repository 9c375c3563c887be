import type { KubernetesObject } from "capz-types";
import { memoize } from "capz-windows-kit/memoize";
import { exampleStacks, objectsOf } from "../support/plans";
import { updateWithManifests } from "../support/inlinePlans";
import { readExample } from "../support/stacks";
import { ApiServer } from "./client";
import { Applier, namespace } from "./applier";

/**
 * Applies every object of every example stack to a real API server: as a dry run with strict validation, then for real,
 * and once more, which must change nothing. Namespaces get a prefix of the run and are removed at the end.
 */
const kubeconfig = process.env.CAPZ_WINDOWS_KUBECONFIG;

if (kubeconfig === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_KUBECONFIG names no kubeconfig of a test API server", () => undefined);
} else {
  const server = new ApiServer(kubeconfig);
  const applier = new Applier(server, `t${process.pid}-`);

  /** One at a time: together, each would take as long as all of them. */
  const planOf = memoize((stack: (typeof exampleStacks)[number]) => updateWithManifests(readExample(stack)));

  /**
   * The objects of the workload cluster: its first namespaces, those of ClusterResourceSets, in order, and the sample.
   */
  const workloadOf = async (stack: (typeof exampleStacks)[number]): Promise<KubernetesObject[]> => {
    const { objects } = await planOf(stack);
    const delivered = objects.workload.flatMap((stream) => stream.objects);
    return [
      namespace("kube-system"),
      namespace("default"),
      ...delivered,
      ...objects.sample.map(({ object }) => object),
    ];
  };

  const managementOf = async (stack: (typeof exampleStacks)[number]): Promise<KubernetesObject[]> =>
    (await planOf(stack)).objects.management.map(({ object }) => object);

  afterAll(async () => {
    await applier.removeAll();
    server.close();
  });

  describe.each(exampleStacks)("the API server and the stack %s", (stack) => {
    it("accepts every object for the management cluster", async () => {
      expect(await applier.refused(await managementOf(stack))).toEqual([]);
    });

    it("accepts every object for the workload cluster", async () => {
      expect(await applier.refused(await workloadOf(stack))).toEqual([]);
    });
  });

  describe("the API server refuses", () => {
    const broken = async (change: (object: KubernetesObject) => unknown, kind = "MachinePool") => {
      const [object] = objectsOf(await planOf("dev"), kind).map((own) => applier.moved(own));
      const { status, body } = await server.apply(change(object!) as KubernetesObject, { dryRun: true });
      return { refused: status >= 400, message: body.message ?? "" };
    };

    it("an unknown field", async () => {
      const answer = await broken((object) => ({
        ...object,
        spec: { ...(object.spec as object), color: "red" },
      }));
      expect(answer.refused).toBe(true);
      expect(answer.message).toContain("color");
    });

    it("a wrong type", async () => {
      const answer = await broken((object) => ({
        ...object,
        spec: { ...(object.spec as object), replicas: "two" },
      }));
      expect(answer.refused).toBe(true);
      expect(answer.message).toContain("replicas");
    });

    it("an object of an API version that is not stored", async () => {
      const answer = await broken((object) => ({ ...object, apiVersion: "cluster.x-k8s.io/v1beta1" }));
      expect(answer).toEqual({
        refused: true,
        message: expect.stringContaining("no matches for kind") as unknown,
      });
    });
  });
}
