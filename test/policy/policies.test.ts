import type { Facts } from "../../config/policy/facts";
import { findingsOf } from "../../config/policy/findings";
import { policies } from "../../config/policy/policies";
import { policyIds } from "../../config/policy/policyIds";
import { hardDiskEnd, kubernetesEnd, natRulesEnd, vmSeriesEnds } from "capz-windows-platform/ends";
import { loadSettings } from "../../config/load";
import { kubernetesRows } from "capz-windows-platform/compatibility";
import { supportEnds, windowsServers } from "capz-windows-platform/machines/windowsReleases";
import { aks, locked, right, type Raw } from "./right";
import { nodeLogs, wrong } from "./wrong";

/** Each policy finds what it is about, and nothing in a stack that follows it. */

const all = (raw: Raw, day = "2026-11-25") =>
  findingsOf(loadSettings(raw, "test"), raw, day, {
    images: ["example.com/a:1", "b:2@sha256:cd", "example.com/a:1"],
  }).filter(({ id }) => id !== "stack-warning");

/** Without the ends that are announced, of which each release of Kubernetes has one. */
const found = (raw: Raw, day?: string) => all(raw, day).filter(({ id }) => id !== "ends-soon");

it("a stack that follows all policies has no findings", () => {
  expect(found(right)).toEqual([]);
});

it.each(policyIds)("%s finds what it is about, once", (id) => {
  const [change, text, day] = wrong[id];
  const findings = all({ ...right, ...change }, day);
  expect(findings.filter((one) => one.id === id).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    text,
  ]);
  expect(findings.find((one) => one.id === id)).toMatchObject({
    level: policies[id].level,
    write: policies[id].write,
  });
});

it("a group of one's own may ask kubelets, and everyone may read pods", () => {
  const asking = (group: string, resource?: string) =>
    found({ ...right, extraManifests: { logs: { objects: nodeLogs(group, resource) } } }).map(({ id }) => id);
  expect(asking("log-readers")).toEqual([]);
  expect(asking("system:authenticated", "nodes")).toEqual([]);
  for (const resource of ["nodes/proxy", "nodes/log", "*/proxy"]) {
    expect(asking("system:serviceaccounts", resource)).toEqual(["kubelets-for-everyone"]);
  }
  expect(asking("system:serviceaccounts", "*")).toEqual(["kubelets-for-everyone", "rights-for-everyone"]);
});

it("has a name in kebab case, a reason, a source and a remedy for each", () => {
  for (const id of policyIds) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(policies[id].why).toMatch(/\.$/);
    expect(policies[id].source).toMatch(/^https:\/\//);
    expect(policies[id].write).not.toBe("");
  }
});

it("dates of support are compared with the day", () => {
  const older = { ...right, windowsPools: { win1: { windowsServer: "2022" } } };
  const ofWindows = (day: string) =>
    found(older, day)
      .map(({ id }) => id)
      .filter((id) => id.startsWith("windows-"));
  expect(ofWindows("2026-10-13")).toEqual([]);
  expect(ofWindows("2026-10-14")).toEqual(["windows-mainstream-end"]);
  expect(ofWindows("2031-10-14")).toEqual(["windows-mainstream-end"]);
});

it("images are old after half a year, and not a day before", () => {
  expect(found(right, "2026-12-11")).toEqual([]);
  expect(found(right, "2026-12-12").map(({ path }) => path)).toEqual([
    "controlPlane.image",
    "linuxPools.linux1.image",
    "windowsPools.win1.image",
  ]);
  const [own] = wrong["old-windows-image"];
  // Patches of a month come on its second Tuesday.
  expect(found({ ...right, ...own }, "2026-11-09")).toEqual([]);
  expect(found({ ...right, ...own }, "2026-11-10").map(({ id }) => id)).toEqual(["old-windows-image"]);
});

it("Kubernetes of a pool that has not been upgraded yet has its own end", () => {
  const raw = { ...right, linuxPools: { linux1: { replicas: 3, kubernetesVersion: "v1.33.1" } } };
  expect(found(raw, "2026-06-30")).toEqual([]);
  expect(found(raw, "2026-07-01").map(({ path, message }) => `${path}: ${message}`)).toEqual([
    "linuxPools.linux1.kubernetesVersion: Kubernetes 1.33 had its last patch release in June 2026",
  ]);
});

it("says once what several pools have from poolDefaults, and what is a warning too", () => {
  const raw = {
    ...right,
    controlPlane: { replicas: 1, ...locked },
    windowsPools: { win1: {}, win2: {} },
    poolDefaults: { labels: { password: "Pl4ntedPassw0rdXyzzy" } },
  };
  const once = findingsOf(loadSettings(raw, "test"), raw, "2026-08-31");
  const own = once.filter(({ path }) => path !== "kubernetesVersion");
  expect(own.map(({ id, path }) => `${id} ${path}`)).toEqual([
    "one-control-plane-machine controlPlane.replicas",
    "plain-credential poolDefaults.labels.password",
  ]);
});

/** Facts of a stack without anything that ends. */
const nothing = Object.fromEntries(
  ["kubernetes", "windows", "natRules", "osDisks", "vmSizes", "machineImages"].map((key) => [key, () => []]),
);

/** A size of each series. */
const sizes = [
  "Standard_DC2s_v2",
  "Standard_NV12s_v3",
  "Standard_NV8as_v4",
  "Standard_M192ims_v2",
  "Standard_D2_v2",
  "Standard_B2ms",
];

/** The size in this list that is of a series. @throws TypeError when there is none */
const sizeOf = (series: { readonly sizes: RegExp }): string => sizes.find((size) => series.sizes.test(size))!;

describe("what ends", () => {
  const pool = (change: object) => ({
    ...right,
    kubernetesVersion: "v1.37.2",
    addons: { cloudProviderAzureTag: "v1.37.0" },
    linuxPools: { linux1: { replicas: 3, ...change } },
  });
  const ends = (raw: Raw, day: string) =>
    all(raw, day)
      .filter(({ id }) => id === "ends-soon")
      .map(({ path, message }) => `${path}: ${message.replace(/; write .*/, "")}`);

  it.each([
    ["Kubernetes", right, "2026-11-28", "Kubernetes 1.35 ends in 92 days, on 2027-02-28"],
    [
      "a VM size",
      pool({ vmSize: "Standard_F8s_v2" }),
      "2028-11-14",
      "Standard_F8s_v2 ends in 1 day, on 2028-11-15",
    ],
    ["NAT rules", pool({}), "2027-04-03", "version 1 of inbound NAT rules ends in 180 days, on 2027-09-30"],
    [
      "Windows",
      { ...right, windowsPools: { win1: { windowsServer: "2022" } } },
      "2031-10-14",
      "Windows Server 2022 ends today, on 2031-10-14",
    ],
  ])("%s is named in one line", (_what, raw, day, summary) => {
    const found = all(raw, day).filter(({ id }) => id === "ends-soon");
    expect(found.map((one) => one.summary)).toContain(summary);
  });

  const linux = (change: object, day: string) =>
    ends(pool(change), day).filter((text) => text.startsWith("linuxPools."));

  it.each([
    ["Standard_D4s_v5", "2028-11-01", undefined],
    ["Standard_D4_v2", "2027-11-02", undefined],
    [
      "Standard_DS3_v2",
      "2027-11-04",
      "the VM series D, Ds, Dv2, Dsv2 and Ls ends in 179 days, on 2028-05-01",
    ],
    [
      "Standard_F8s_v2",
      "2028-11-14",
      "the VM series F, Fs, Fsv2, Lsv2, G, Gs, Av2, Amv2 and B ends in 1 day, on 2028-11-15",
    ],
    [
      "Standard_B2ms",
      "2028-11-15",
      "the VM series F, Fs, Fsv2, Lsv2, G, Gs, Av2, Amv2 and B ends today, on 2028-11-15",
    ],
    ["Standard_B4as_v2", "2028-11-15", undefined],
    ["Standard_DC2s_v2", "2026-11-25", "the VM series DCsv2 ended on 2026-06-30"],
    ["Standard_NV12s_v3", "2026-11-25", "the VM series NVv3 ended on 2026-09-30"],
    ["Standard_NV8as_v4", "2026-11-25", "the VM series NVv4 ended on 2026-09-30"],
    ["Standard_M192ims_v2", "2026-11-25", "the VM series Mv2 with 192 vCPUs ends in 126 days, on 2027-03-31"],
  ])("%s on %s", (vmSize, day, text) => {
    const vmSizes = () => [{ path: "linuxPools.linux1.vmSize", vmSize }];
    const facts = { ...nothing, vmSizes };
    const messages = policies["ends-soon"]
      .find(facts as unknown as Facts, day)
      .map(({ path, message }) => `${path}: ${message.replace(/; write .*/, "")}`);
    expect(messages).toEqual(
      text === undefined
        ? []
        : [`linuxPools.linux1.vmSize: ${text}: Azure stops its machines and makes no new ones`],
    );
  });

  it("reads the sizes of the control plane, of pools and of AKS", () => {
    const vmSize = "Standard_F8s_v2";
    const raw = { ...pool({ vmSize }), controlPlane: { ...locked, replicas: 3, vmSize } };
    const management = { ...aks, nodeSize: vmSize };
    const paths = all({ ...raw, management }, "2028-11-15").filter(({ message }) => message.includes("Fsv2"));
    expect(paths.map(({ path }) => path)).toEqual([
      "controlPlane.vmSize",
      "linuxPools.linux1.vmSize",
      "management.nodeSize",
    ]);
  });

  it("is announced 180 days before, and not a day earlier", () => {
    const osDiskType = "Standard_LRS";
    expect(linux({ osDiskType }, "2028-03-11")).toEqual([]);
    expect(linux({ osDiskType }, "2028-03-12")).toEqual([
      "linuxPools.linux1.osDiskType: an OS disk of the type Standard_LRS ends in 180 days, on 2028-09-08: Azure supports no machine with it",
    ]);
    expect(linux({ osDiskType: "StandardSSD_LRS" }, "2028-09-09")).toEqual([]);
  });

  it("Windows Server, until its last day", () => {
    const older = { ...pool({}), windowsPools: { win1: { windowsServer: "2022" } } };
    const text =
      "windowsPools.win1.windowsServer: Windows Server 2022 ends in 180 days, on 2031-10-14: it gets no more security updates";
    expect(ends(older, "2031-04-17")).toContain(text);
    expect(ends(older, "2031-04-16").filter((one) => one.includes("Windows Server"))).toEqual([]);
    expect(ends(older, "2031-10-15").filter((one) => one.includes("Windows Server"))).toEqual([]);
  });

  it("an image of the community gallery, 60 days before", () => {
    const ofImages = (day: string) =>
      ends(pool({}), day).filter((text) => text.includes("community gallery"));
    // v1.37.2 is of 2026-10-28.
    expect(ofImages("2027-02-26")).toEqual([]);
    expect(ofImages("2027-02-27")).toEqual([
      "controlPlane.image: the community gallery may remove ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-ubun2-2404/1.37.2: its life of 6 months ends in 60 days, on 2027-04-28",
      "linuxPools.linux1.image: the community gallery may remove ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-ubun2-2404/1.37.2: its life of 6 months ends in 60 days, on 2027-04-28",
      "windowsPools.win1.image: the community gallery may remove ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-win-2025-containerd/1.37.2: its life of 6 months ends in 60 days, on 2027-04-28",
    ]);
    expect(ofImages("2027-04-28")).toEqual([]);
  });

  const kubernetesEnds = [35, 36, 37].map((minor) => ({ minor, ...kubernetesEnd(minor)! }));
  const place = { path: "here" };
  const rows = [
    ...vmSeriesEnds.map((end) => ({ ...end, facts: { vmSizes: () => [{ ...place, vmSize: sizeOf(end) }] } })),
    { ...hardDiskEnd, facts: { osDisks: () => [{ ...place, type: "Standard_LRS" }] } },
    { ...natRulesEnd, facts: { natRules: () => [place] } },
    ...kubernetesEnds.map((end) => ({
      ...end,
      facts: { kubernetes: () => [{ ...place, minor: end.minor }] },
    })),
    ...windowsServers.map((release) => ({
      what: `Windows Server ${release}`,
      on: supportEnds[release].extended,
      source: `https://learn.microsoft.com/lifecycle/products/windows-server-${release}`,
      facts: { windows: () => [{ ...place, release }] },
    })),
  ];

  it.each(rows)(
    "$what is announced on the 180th day before $on, with its source",
    ({ what, on, source, facts }) => {
      const messages = (days: number): string[] =>
        policies["ends-soon"]
          .find(
            { ...nothing, ...facts } as unknown as Facts,
            new Date(Date.parse(on) - days * 86_400_000).toISOString().slice(0, 10),
          )
          .map(({ message }) => message);
      expect(messages(181)).toEqual([]);
      expect(messages(180)).toEqual([expect.stringContaining(`${what} ends in 180 days, on ${on}: `)]);
      expect(messages(180).join("")).toContain("; write ");
      expect(source).toMatch(/^https:\/\//);
      if (!what.startsWith("Windows")) {
        expect(messages(180).join("")).toContain(`(${source})`);
      }
    },
  );

  it("has a day for each minor that gets patches", () => {
    const minors = Object.entries(kubernetesRows).filter(([, { ended }]) => ended === undefined);
    expect(minors.map(([minor]) => Number(minor))).toEqual(kubernetesEnds.map(({ minor }) => minor));
  });
});
