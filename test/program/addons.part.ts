import { exampleStacks, planOf } from "../support/plans";
import { toleratesCordon } from "../support/tolerations";

it.each([
  ["dev", 1],
  ["prod", 2],
])(
  "the stack %s has %i of the cloud controller manager: more than machines cannot run",
  async (stack, pods) => {
    const { objects, settings } = await planOf(stack);
    const found = objects.workload
      .flatMap((stream) => stream.objects)
      .find(({ kind, metadata }) => kind === "Deployment" && metadata.name === "cloud-controller-manager");
    expect(found!.spec).toMatchObject({ replicas: pods });
    expect(settings.controlPlane.replicas).toBeGreaterThanOrEqual(pods);
  },
);

it.each(exampleStacks)("no pod of %s comes back to the node from which a drain evicts it", async (stack) => {
  const { objects } = await planOf(stack);
  const all = [
    ...objects.management.map(({ object }) => object),
    ...objects.workload.flatMap((stream) => stream.objects),
  ];
  expect(all.some(({ kind }) => kind === "Deployment")).toBe(stack !== "dockershim");
  expect(all.filter((object) => toleratesCordon(object).length > 0)).toEqual([]);
});

it.each([
  [{ operator: "Exists" }, true],
  [{ operator: "Exists", effect: "NoSchedule" }, true],
  [{ key: "node.kubernetes.io/unschedulable", operator: "Exists" }, true],
  [{ operator: "Exists", effect: "NoExecute" }, false],
  [{ key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" }, false],
])("with the toleration %j a pod comes back: %s", (toleration, back) => {
  const spec = { template: { spec: { tolerations: [toleration] } } };
  expect(toleratesCordon({ kind: "Deployment", ...{ spec } }).length > 0).toBe(back);
  expect(toleratesCordon({ kind: "DaemonSet", ...{ spec } })).toEqual([]);
});
