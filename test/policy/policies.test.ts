import { findingsOf } from "../../config/policy/findings";
import { policies } from "../../config/policy/policies";
import { policyIds } from "../../config/policy/policyIds";
import { loadSettings } from "../../config/load";
import { locked, right, type Raw } from "./right";
import { wrong } from "./wrong";

/** Each policy finds what it is about, and nothing in a stack that follows it. */

const found = (raw: Raw, day = "2026-11-25") =>
  findingsOf(loadSettings(raw, "test"), raw, day, [
    "example.com/a:1",
    "b:2@sha256:cd",
    "example.com/a:1",
  ]).filter(({ id }) => id !== "stack-warning");

it("a stack that follows all policies has no findings", () => {
  expect(found(right)).toEqual([]);
});

it.each(policyIds)("%s finds what it is about, once", (id) => {
  const [change, text, day] = wrong[id];
  const findings = found({ ...right, ...change }, day);
  expect(findings.filter((one) => one.id === id).map(({ path, message }) => `${path}: ${message}`)).toEqual([
    text,
  ]);
  expect(findings.find((one) => one.id === id)).toMatchObject({
    level: policies[id].level,
    write: policies[id].write,
  });
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
  const all = findingsOf(loadSettings(raw, "test"), raw, "2026-10-01");
  expect(all.map(({ id, path }) => `${id} ${path}`)).toEqual([
    "one-control-plane-machine controlPlane.replicas",
    "plain-credential poolDefaults.labels.password",
  ]);
});
