import type { KubernetesObject } from "../../components/capi/types";
import { planStack } from "../../plan/plan";
import { exampleStacks, objectsOf } from "../support/plans";
import { projectDir } from "../support/stacks";
import { ApiServer } from "./client";

/**
 * Every object of every example stack before a real API server: a dry run with strict validation, then for real, then
 * again, which must change nothing. Namespaces get a prefix of the run and are removed in the end.
 */
const kubeconfig = process.env.CAPZ_WINDOWS_KUBECONFIG;

if (kubeconfig === undefined) {
  it.skip("skipped: CAPZ_WINDOWS_KUBECONFIG names no kubeconfig of a test API server", () => undefined);
} else {
  const server = new ApiServer(kubeconfig);
  const prefix = `t${process.pid}-`;
  const made: KubernetesObject[] = [];

  /** The object as it is, but in namespaces of this run. */
  const moved = (object: KubernetesObject): KubernetesObject => {
    const { metadata, kind } = object;
    const own = {
      ...object,
      metadata: {
        ...metadata,
        ...(kind === "Namespace" ? { name: prefix + metadata.name } : {}),
        ...(metadata.namespace === undefined ? {} : { namespace: prefix + metadata.namespace }),
      },
    };
    return kind === "AzureCluster" ? (JSON.parse(withIdentityNamespace(own)) as KubernetesObject) : own;
  };

  const withIdentityNamespace = (object: KubernetesObject): string =>
    JSON.stringify(object, (key, value: unknown) =>
      key === "identityRef" ? { ...(value as object), namespace: object.metadata.namespace } : value,
    );

  const namespace = (name: string): KubernetesObject => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name },
  });

  const plans = new Map(
    exampleStacks.map((stack) => [
      stack,
      planStack({ projectDir, stack, manifestCache: process.env.CAPZ_WINDOWS_MANIFEST_CACHE }),
    ]),
  );

  /** What a ClusterResourceSet delivers, in its order, and the namespaces of a new cluster. */
  const workloadOf = async (stack: (typeof exampleStacks)[number]): Promise<KubernetesObject[]> => {
    const { objects } = await plans.get(stack)!;
    const delivered = objects.workload.flatMap((stream) => stream.objects);
    return [namespace("kube-system"), ...delivered];
  };

  const managementOf = async (stack: (typeof exampleStacks)[number]): Promise<KubernetesObject[]> =>
    (await plans.get(stack)!).objects.management.map(({ object }) => object);

  /** An object without what every write touches. */
  const content = (object: KubernetesObject): string =>
    JSON.stringify(object, (key, value: unknown) =>
      key === "managedFields" || key === "resourceVersion" ? undefined : value,
    );

  const judged = async (objects: readonly KubernetesObject[]): Promise<string[]> => {
    const refused: string[] = [];
    for (const object of objects.map(moved)) {
      const title = `${object.kind} ${object.metadata.name}`;
      if (!(await server.serves(object))) {
        refused.push(`${title}: the API server has no ${object.apiVersion}`);
        continue;
      }
      const dry = await server.apply(object, { dryRun: true });
      const real = dry.status < 300 ? await server.apply(object, { dryRun: false }) : dry;
      made.push(object);
      if (real.status >= 300) {
        refused.push(`${title}: ${real.body.message ?? real.status}`);
        continue;
      }
      const again = await server.apply(object, { dryRun: false });
      if (content(real.body) !== content(again.body)) {
        refused.push(`${title}: applied again it changed`);
      }
    }
    return refused;
  };

  afterAll(async () => {
    for (const object of [...made].reverse()) {
      await server.remove(object);
    }
    server.close();
  });

  describe.each(exampleStacks)("the API server and the stack %s", (stack) => {
    it("takes every object for the management cluster", async () => {
      expect(await judged(await managementOf(stack))).toEqual([]);
    });

    it("takes every object for the workload cluster", async () => {
      expect(await judged(await workloadOf(stack))).toEqual([]);
    });
  });

  describe("the judge is awake: it refuses", () => {
    const broken = async (change: (object: KubernetesObject) => unknown, kind = "MachinePool") => {
      const [object] = objectsOf(await plans.get("dev")!, kind).map(moved);
      const { status, body } = await server.apply(change(object!) as KubernetesObject, { dryRun: true });
      return { refused: status >= 400, message: body.message ?? "" };
    };

    it("an unknown field", async () => {
      const answer = await broken((object) => ({
        ...object,
        spec: { ...(object.spec as object), colour: "red" },
      }));
      expect(answer.refused).toBe(true);
      expect(answer.message).toContain("colour");
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
