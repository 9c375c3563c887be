import { planOf } from "../support/plans";

describe("the stack dockershim", () => {
  it("warns that it is not supported, which images are no longer published, and how to migrate", async () => {
    const { warnings } = await planOf("dockershim");
    const texts = warnings.join("\n");
    for (const part of [
      /kubernetesVersion: Kubernetes 1\.22 received its last patch release in December 2022/,
      /flavor: the components of this flavor are no longer published/,
      /addons: the images quay\.io\/coreos\/flannel, .* are no longer built/,
      /k8s\.gcr\.io by default, which has been frozen since April 2023/,
      /the control plane cannot be upgraded to 1\.23.* flavor containerd and v1\.31 or newer/,
    ]) {
      expect(texts).toMatch(part);
    }
    const today = (await planOf("dev")).warnings.join("\n");
    expect(today).not.toMatch(/last patch release|frozen|no longer published/);
  });
});
