import { loadSettings } from "../../config/load";
import { minimal } from "../support/stacks";

const own = { image: { id: "/subscriptions/x" } };

/** Warnings about a cluster with custom images, with path and message. */
const warnings = (kubernetesVersion: string, flavor = "containerd"): string =>
  loadSettings({ ...minimal(), controlPlane: own, kubernetesVersion, flavor }, "test")
    .warnings.map(({ path, message }) => `${path}: ${message}`)
    .join("\n");

const unsupported =
  /Kubernetes 1\.\d+ received its last patch release in \w+ 20\d\d; Cluster API and CAPZ support 1\.31 and newer/;
const noUpgrade = /the control plane cannot be upgraded/;

it("warns of unsupported versions up to 1.30, but not from 1.31 on", () => {
  expect(warnings("v1.30.14")).toMatch(unsupported);
  expect(warnings("v1.31.11")).not.toMatch(/last patch release|cannot be upgraded|frozen|no longer built/);
});

it.each([
  ["v1.22.9", /cannot be upgraded to 1\.23: since 1\.11, Cluster API no longer creates/],
  ["v1.23.17", /cannot be upgraded to 1\.24: since 1\.11, Cluster API no longer creates/],
  ["v1.24.17", /cannot be upgraded to 1\.26, which uses another cloud provider and CNI/],
  ["v1.25.16", /cannot be upgraded to 1\.26, which uses another cloud provider and CNI/],
])("warns %s how far the control plane can be upgraded", (version, text) => {
  expect(warnings(version)).toMatch(text);
});

it("does not limit upgrades from 1.26 on", () => {
  expect(warnings("v1.26.0")).toMatch(unsupported);
  expect(warnings("v1.26.0")).not.toMatch(noUpgrade);
});

it("names the required release of containerd up to 1.25, and Docker's components with Docker", () => {
  const young = /Windows node images need containerd 1\.6 or newer/;
  const docker = /Docker EE \(DockerMsftProvider\) was removed in September 2022/;
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
])("warns of the frozen registry for %s: %s", (version, warned) => {
  expect(warnings(version).includes("k8s.gcr.io by default, which has been frozen since April 2023")).toBe(
    warned,
  );
});

it("warns of disks that need a CSI driver from 1.25 on, with the in-tree cloud provider", () => {
  const disks = /volumes on Azure disks need the CSI driver/;
  expect(warnings("v1.24.17")).not.toMatch(disks);
  expect(warnings("v1.25.0")).toMatch(disks);
  expect(warnings("v1.26.0")).not.toMatch(disks);
});
