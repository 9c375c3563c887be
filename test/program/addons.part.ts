import { planOf } from "../support/plans";

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
