import {
  components,
  knownOn,
  kubernetesRows,
  kubernetesSources,
  supported,
} from "capz-windows-platform/compatibility";
import { oldestMaintainedMinor } from "capz-windows-platform/kubernetesReleases";
import { maintainedMinors } from "capz-windows-platform/machines/communityGallery";
import { providerPins } from "capz-windows-platform/versions";

const { oldest, newest } = supported.workload;
const supportedMinors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
describe("the table of versions", () => {
  it("has a complete row for each minor that Cluster API supports, or the reason why not", () => {
    for (const supportedMinor of supportedMinors) {
      const row = kubernetesRows[supportedMinor];
      for (const column of ["lastPatch", "calico", "clusterAutoscaler", "metricsServer"] as const) {
        expect([supportedMinor, column, row?.[column]]).not.toContain(undefined);
      }
      const named = [row?.cloudProviderAzure, row?.gaps?.cloudProviderAzure].filter(
        (text) => text !== undefined,
      );
      expect([supportedMinor, named.length]).toEqual([supportedMinor, 1]);
    }
  });

  it("has every minor between its oldest and its newest", () => {
    const all = Object.keys(kubernetesRows).map(Number);
    expect(all).toEqual(Array.from({ length: all.length }, (_, index) => Math.min(...all) + index));
    expect(Math.min(...all)).toBe(providerPins.containerd.oldestMinor);
    expect(Math.max(...all)).toBe(newest);
  });

  it("has the end of life of minors in order, oldest first", () => {
    const ends = Object.values(kubernetesRows).map(({ ended = "9999-99" }) => ended);
    expect(ends).toEqual([...ends].sort());
    expect(ends.filter((ended) => ended === "9999-99")).toHaveLength(maintainedMinors);
    expect(oldestMaintainedMinor).toBe(newest - maintainedMinors + 1);
    expect(ends.filter((ended) => ended !== "9999-99" && ended > knownOn.slice(0, 7))).toEqual([]);
  });

  it("has a date and a source for everything", () => {
    expect(knownOn).toMatch(/^20\d\d-\d\d-\d\d$/);
    const sources = [
      ...Object.values(kubernetesSources),
      ...Object.values(components).map(({ source }) => source),
    ];
    expect(sources.filter((source) => source.length < 10)).toEqual([]);
  });
});
