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
});
