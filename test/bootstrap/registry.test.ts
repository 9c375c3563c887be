import { imageRepositories } from "../../bootstrap/registry";

describe("the registry of the control plane", () => {
  const own = { imageRepository: "registry.k8s.io", dns: { imageRepository: "registry.k8s.io/coredns" } };

  it.each([
    ["v1.22.16", own],
    ["v1.22.17", {}],
    ["v1.23.14", own],
    ["v1.23.15", {}],
    ["v1.24.8", own],
    ["v1.24.9", {}],
    ["v1.25.0", {}],
    ["v1.35.6", {}],
  ])("is set for %s only if kubeadm would pull from k8s.gcr.io", (version, expected) => {
    expect(imageRepositories(version)).toEqual(expected);
  });
});
