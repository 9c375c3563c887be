import { calicoImages } from "../../addons/calicoImages";
import { windowsPodAddresses } from "capz-windows-platform/network/defaults";
import { typhaReplicas } from "../../addons/typha";
import { reportWith, settingsWith } from "../support/stacks";

const one = { controlPlane: { replicas: 1 } };

it.each([
  [1, 1],
  [2, 1],
  [3, 2],
  [4, 2],
  [5, 3],
  [399, 3],
  [400, 4],
  [599, 4],
  [600, 5],
])("with %i nodes Calico's operator wants %i Linux nodes for Typha", (nodes, wanted) => {
  expect(typhaReplicas(nodes)).toBe(wanted);
});

it.each([
  ["one of each", { ...one, windowsPools: { win1: { replicas: 1 } } }],
  ["the other thing that it says", { controlPlane: { replicas: 3 }, windowsPools: { win1: {} } }],
  [
    "a great many with a few Linux nodes",
    { controlPlane: { replicas: 3 }, windowsPools: { w: { replicas: 396 } } },
  ],
  [
    "a flavor with another CNI",
    {
      ...one,
      flavor: "dockershim",
      kubernetesVersion: "v1.22.9",
      controlPlane: { replicas: 1, image: { id: "/subscriptions/x" } },
      windowsPools: { win1: { replicas: 9, windowsServer: "2019", image: { id: "/subscriptions/x" } } },
    },
  ],
])("%s is accepted", (_, change) => {
  expect(settingsWith(change)).toBeDefined();
});

const upTo = (max: number) => ({
  windowsPools: { w: { autoscale: { min: 1, max } } },
  addons: { calicoBlockSize: 26 },
});

it("a pool of a fixed size that is too small", () => {
  expect(reportWith({ linuxPools: { a: { replicas: 1 } }, ...upTo(596) })).toContain(
    "allowed  at least 5 Linux nodes: control plane machines and nodes of Linux pools",
  );
});

it("blocks have addresses for what kubelet takes on a Windows node by default", () => {
  expect([25, 26, 27].map(windowsPodAddresses)).toEqual([124, 60, 28]);
});

const digestsOf = (images: readonly string[]) => ({
  imageDigests: Object.fromEntries(images.map((image) => [image, `sha256:${"a".repeat(64)}`])),
});

it("digests of a part of Calico's images are refused", () => {
  expect(
    reportWith(
      digestsOf(calicoImages("v3.32.1").filter((image) => !/\/(?:node-windows|typha):/.test(image))),
    ),
  ).toBe(
    [
      "Pulumi.test.yaml: 1 problem",
      "",
      "  imageDigests",
      "    problem  Calico's operator takes digests of all its images or of none, and would no longer change anything without those of quay.io/calico/node-windows:v3.32.1, quay.io/calico/typha:v3.32.1",
      "    allowed  digests of all images of Calico v3.32.1; in a cluster that has never had them, also none of an image of Calico",
      "    write    npm run images -- NAME --digests --write # which writes them all",
    ].join("\n"),
  );
});

it("digests of Calico's images follow its release", () => {
  const older = digestsOf(calicoImages("v3.31.7"));
  expect(reportWith(older)).toContain(`without those of ${calicoImages("v3.32.1").join(", ")}\n`);
  expect(settingsWith({ ...older, addons: { calicoVersion: "v3.31.7" } })).toBeDefined();
  const another = ["quay.io/calico/ctl:v3.32.1", "quay.io/tigera/operator:v1.42.3"];
  expect(settingsWith(digestsOf(another))).toBeDefined();
  expect(settingsWith({ ...older, addons: { cni: "none" } })).toBeDefined();
});
