import { minor } from "semver";
import { calicoOperatorManifest } from "../../addons/calicoReleases";
import { autoscalerVersion, readsReferences } from "../../addons/clusterAutoscaler";
import { cloudProviderAzureImages } from "../../addons/cloudProviderAzure";
import { components, kubernetesRows, rowOf, supported } from "capz-windows-platform/compatibility";
import { pinnedVersions, providerPins } from "capz-windows-platform/versions";

const { oldest, newest } = supported.workload;
const supportedMinors = Array.from({ length: newest - oldest + 1 }, (_, index) => oldest + index);
const kubernetes = (kubernetesMinor: number): string =>
  `v1.${kubernetesMinor}.${kubernetesRows[kubernetesMinor]?.lastPatch}`;

describe("the table of versions", () => {
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
