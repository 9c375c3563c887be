import { minor, patch } from "semver";
import { calicoOperatorManifest } from "../../addons/calicoReleases";
import { autoscalerVersion, readsReferences } from "../../addons/clusterAutoscaler";
import { cloudProviderAzureImages } from "../../addons/cloudProviderAzure";
import {
  components,
  knownOn,
  kubernetesRows,
  kubernetesSources,
  rowOf,
  supported,
} from "capz-windows-platform/compatibility";
import { oldestMaintainedMinor, proposedRelease } from "capz-windows-platform/kubernetesReleases";
import { maintainedMinors } from "capz-windows-platform/machines/communityGallery";
import { patchesKnownOn } from "capz-windows-platform/machines/patchMonths";
import { pinnedVersions, providerPins } from "capz-windows-platform/versions";

const { oldest, newest } = supported.workload;
const supportedMinors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
const kubernetes = (kubernetesMinor: number): string =>
  `v1.${kubernetesMinor}.${kubernetesRows[kubernetesMinor]?.lastPatch}`;

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

  it("combines only versions that work together", () => {
    for (const supportedMinor of supportedMinors) {
      const { cloudProviderAzure: tag, clusterAutoscaler, calico } = rowOf(supportedMinor);
      expect(tag === undefined ? supportedMinor : minor(tag)).toBe(supportedMinor);
      expect(minor(clusterAutoscaler)).toBeLessThanOrEqual(supportedMinor);
      const [, , patch = ""] = clusterAutoscaler.split(".");
      expect(readsReferences(minor(clusterAutoscaler), Number(patch))).toBe(true);
      expect(calicoOperatorManifest(calico).version).toBe(calico);
    }
  });

  it("has the end of life of minors in order, oldest first", () => {
    const ends = Object.values(kubernetesRows).map(({ ended = "9999-99" }) => ended);
    expect(ends).toEqual([...ends].sort());
    expect(ends.filter((ended) => ended === "9999-99")).toHaveLength(maintainedMinors);
    expect(oldestMaintainedMinor).toBe(newest - maintainedMinors + 1);
    expect(ends.filter((ended) => ended !== "9999-99" && ended > knownOn.slice(0, 7))).toEqual([]);
    expect(kubernetesRows[minor(proposedRelease)]?.withImages).toBe(patch(proposedRelease));
  });

  it("has a date and a source for everything", () => {
    expect(knownOn).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(patchesKnownOn).toBe(knownOn);
    const sources = [
      ...Object.values(kubernetesSources),
      ...Object.values(components).map(({ source }) => source),
    ];
    expect(sources.filter((source) => source.length < 10)).toEqual([]);
  });

  it("is the source of the pins' and add-ons' versions", () => {
    expect(pinnedVersions.certManager).toBe(components.certManager.version);
    expect(providerPins.dockershim.capz).toBe(components.capz.version);
    for (const supportedMinor of supportedMinors.filter((each) => kubernetesRows[each]?.gaps === undefined)) {
      expect(cloudProviderAzureImages(kubernetes(supportedMinor)).cloudNodeManager).toMatch(
        new RegExp(`:${kubernetesRows[supportedMinor]?.cloudProviderAzure}$`),
      );
    }
    // A cluster that is newer or older than the table gets the version of the nearest row.
    expect([autoscalerVersion(22), autoscalerVersion(99)]).toEqual([
      rowOf(22).clusterAutoscaler,
      rowOf(newest).clusterAutoscaler,
    ]);
  });
});
