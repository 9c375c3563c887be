import { programRegistries } from "../../bootstrap/registryMirror";
import { isRecord } from "capz-windows-kit/untyped";
import { exampleStacks, planOf } from "../support/plans";

/** All values of keys `image`, at any depth. */
function imagesIn(value: unknown): string[] {
  return Array.isArray(value)
    ? value.flatMap(imagesIn)
    : isRecord(value)
      ? Object.entries(value).flatMap(([key, inner]) =>
          key === "image" && typeof inner === "string" ? [inner] : imagesIn(inner),
        )
      : [];
}

/** Registry of an image, like containerd reads its reference: without a host it is Docker Hub. */
function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : "docker.io";
}

describe("a mirror", () => {
  it("covers the registry of every image that the program installs into a cluster", async () => {
    const plans = await Promise.all(exampleStacks.map(planOf));
    const images = plans.flatMap(({ objects }) => [
      ...objects.workload.flatMap((stream) => imagesIn(stream.objects)),
      ...imagesIn(objects.sample.map(({ object }) => object)),
    ]);
    expect(images.length).toBeGreaterThan(20);
    expect(new Set(images.map(registryOf)).size).toBeGreaterThan(2);
    expect(images.filter((image) => !programRegistries.includes(registryOf(image)))).toEqual([]);
  });

  it("is configured on every node, and the proxy also for the cloud controller manager, which calls Azure", async () => {
    const plan = await planOf("mirrored");
    expect(plan.nodes.map(({ path }) => path.split("/")[0])).toEqual(
      expect.arrayContaining(["control-plane", "linux1", "win1"]),
    );
    for (const { text } of plan.nodes) {
      expect(text).toContain("https://mirror.example.com/v2/cache/docker-hub");
      expect(text).toContain("proxy.example.com:3128");
    }
    const containers = plan.objects.workload
      .flatMap((stream) => stream.objects)
      .filter(({ metadata }) => metadata.name === "cloud-controller-manager")
      .map(
        ({ spec }) =>
          (spec as { template?: { spec: { containers: { env?: unknown }[] } } } | undefined)?.template?.spec
            .containers[0]?.env,
      )
      .filter((env) => env !== undefined);
    expect(containers).toEqual([
      [
        { name: "HTTP_PROXY", value: "http://proxy.example.com:3128" },
        { name: "HTTPS_PROXY", value: "http://proxy.example.com:3128" },
        { name: "NO_PROXY", value: expect.stringContaining("10.30.0.0/16") as string },
      ],
    ]);
  });
});
