import { podRequest } from "windows-workloads/schedule";

/** A container that asks for CPUs. */
const container = (cpu: string, more: object = {}) => ({ resources: { requests: { cpu } }, ...more });
const sidecar = (cpu: string) => container(cpu, { restartPolicy: "Always" });

describe("the scheduler reserves for a pod", () => {
  it.each([
    ["what its containers ask for together", { containers: [container("1"), container("500m")] }, 1.5],
    [
      "what the largest init container asks for, if that is more",
      { containers: [container("1")], initContainers: [container("3"), container("2")] },
      3,
    ],
    [
      "sidecars beside its containers",
      { containers: [container("1")], initContainers: [sidecar("250m"), sidecar("250m")] },
      1.5,
    ],
    [
      "an init container with the sidecars that run before it, and not with later ones",
      { containers: [container("1")], initContainers: [sidecar("500m"), container("2"), sidecar("1")] },
      2.5,
    ],
    ["limits where there are no requests", { containers: [{ resources: { limits: { cpu: "2" } } }] }, 2],
  ])("%s", (_, podSpec, cpus) => {
    expect(podRequest(podSpec, "cpu", undefined)).toBe(cpus);
    expect(podRequest(podSpec, "cpu", "100m")).toBeCloseTo(cpus + 0.1);
  });
});
