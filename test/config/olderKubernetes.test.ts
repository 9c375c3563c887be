import { loadSettings } from "../../config/load";
import { minimal } from "../support/stacks";

const own = { image: { id: "/subscriptions/x" } };

/** Warnings of a cluster with images of its own, path and message. */
const warnings = (kubernetesVersion: string, flavor = "containerd"): string =>
  loadSettings({ ...minimal(), controlPlane: own, kubernetesVersion, flavor }, "test")
    .warnings.map(({ path, message }) => `${path}: ${message}`)
    .join("\n");

const unsupported =
  /Kubernetes 1\.\d+ got its last fix in \w+ 20\d\d; Cluster API and CAPZ support 1\.30 and newer/;
const noUpgrade = /the control plane cannot be upgraded/;

it("says what nobody supports up to 1.29, and nothing of it from 1.30 on", () => {
  expect(warnings("v1.29.15")).toMatch(unsupported);
  expect(warnings("v1.30.14")).not.toMatch(/last fix|cannot be upgraded|frozen|of its day/);
});

it.each([
  ["v1.22.9", /cannot be upgraded to 1\.23: Cluster API since 1\.11/],
  ["v1.23.17", /cannot be upgraded to 1\.24: Cluster API since 1\.11/],
  ["v1.24.17", /cannot be upgraded to 1\.26, where cloud provider and CNI are others/],
  ["v1.25.16", /cannot be upgraded to 1\.26, where cloud provider and CNI are others/],
])("tells %s how far it comes", (version, text) => {
  expect(warnings(version)).toMatch(text);
});

it("lets 1.26 and newer go on", () => {
  expect(warnings("v1.26.0")).toMatch(unsupported);
  expect(warnings("v1.26.0")).not.toMatch(noUpgrade);
});

it("names containerd's release where HostProcess containers are young, and Docker's parts with Docker", () => {
  const young = /Windows images need containerd 1\.6 or newer/;
  const docker = /Docker EE \(DockerMsftProvider\) went in September 2022/;
  expect(warnings("v1.25.16")).toMatch(young);
  expect(warnings("v1.26.0")).not.toMatch(young);
  expect(warnings("v1.22.9")).not.toMatch(docker);
  expect(warnings("v1.22.9", "dockershim")).toMatch(docker);
  expect(warnings("v1.22.9", "dockershim")).not.toMatch(young);
});

it.each([
  ["v1.22.16", true],
  ["v1.22.17", false],
  ["v1.24.8", true],
  ["v1.24.9", false],
])("tells of the frozen registry for %s: %s", (version, told) => {
  expect(warnings(version).includes("k8s.gcr.io, which is frozen since April 2023")).toBe(told);
});

it("tells of disks that need a driver from 1.25 on, while the cloud provider is in the tree", () => {
  const disks = /volumes on Azure disks need their CSI driver/;
  expect(warnings("v1.24.17")).not.toMatch(disks);
  expect(warnings("v1.25.0")).toMatch(disks);
  expect(warnings("v1.26.0")).not.toMatch(disks);
});
