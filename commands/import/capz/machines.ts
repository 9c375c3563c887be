import {
  communityGallery,
  galleryUbuntu,
  galleryWindows,
} from "capz-windows-platform/machines/communityGallery";
import {
  defaultUnhealthyLimit,
  deletionAnnotations,
  deletionDefault,
  healthCheckDefaults,
} from "capz-windows-platform/machines/healthChecks";
import { withoutUndefined } from "capz-windows-kit/without";
import { at, isRecord, list, numberAt, type Plain } from "capz-windows-kit/untyped";
import { unlessDefault, unlessEmpty } from "../findings";
import { fixedVersion, numberIn } from "../values";
import type { CapiObject } from "./normal";
import { machineOf } from "./roles";

/** What machines of the control plane and of pools have in common, as keys of a stack file. */

/** An image in the form of a stack file; `undefined` for the default image of a stack. */
export function imageOf(
  image: unknown,
  kubernetesVersion: string,
  windowsServer?: string,
): Plain | undefined {
  const shared = at(image, "computeGallery") ?? at(image, "sharedGallery");
  if (isRecord(shared)) {
    const { gallery, name, version, subscriptionID, resourceGroup } = shared;
    const isDefault =
      gallery === communityGallery &&
      name === (windowsServer === undefined ? galleryUbuntu : galleryWindows(windowsServer)) &&
      version === kubernetesVersion.replace(/^v/, "");
    const computeGallery = {
      ...{ gallery, name, subscriptionId: subscriptionID, resourceGroup },
      // A stack file names one version: the user is asked for that of an own gallery.
      version: gallery === communityGallery ? version : fixedVersion(version),
    };
    return isDefault ? undefined : { computeGallery: withoutUndefined(computeGallery) };
  }
  const marketplace = at(image, "marketplace");
  if (isRecord(marketplace)) {
    const { publisher, offer, sku, version } = marketplace;
    return { marketplace: withoutUndefined({ publisher, offer, sku, version }) };
  }
  return unlessEmpty({ id: at(image, "id") });
}

/**
 * @param check - the MachineHealthCheck; `undefined` if there is none
 * @param machines - number of machines that it watches, for the default of its limit; `undefined` for a control plane
 * @param others - whether the cluster has other health checks; if so, a missing one is taken to be left out on purpose
 */
export function healthCheckKeys(
  check: CapiObject | undefined,
  machines: number | undefined,
  others: boolean,
): Plain | undefined {
  if (check === undefined) {
    return others ? { enabled: false } : undefined;
  }
  const limit = at(check.spec, "remediation", "triggerIf", "unhealthyLessThanOrEqualTo");
  const conditions = list(at(check.spec, "checks", "unhealthyNodeConditions"));
  const timeout = (status: string): number | undefined =>
    numberAt(
      conditions.find((one) => one.type === "Ready" && one.status === status),
      "timeoutSeconds",
    );
  return unlessDefault(
    {
      unhealthyLessThanOrEqualTo: numberIn(limit) ?? limit,
      nodeStartupTimeoutSeconds: numberAt(check.spec, "checks", "nodeStartupTimeoutSeconds"),
      nodeUnknownTimeoutSeconds: timeout("Unknown"),
      nodeNotReadyTimeoutSeconds: timeout("False"),
    },
    {
      ...healthCheckDefaults,
      unhealthyLessThanOrEqualTo: machines === undefined ? 1 : defaultUnhealthyLimit(machines),
    },
  );
}

/**
 * @param template - a machine's template: its limits are in `spec`, what it skips in its annotations
 * @param isScaleSet - Cluster API does not pass drain timeouts to the machines of a scale set
 */
export function deletionKeys(template: unknown, isScaleSet = false): Plain | undefined {
  const skips = (option: "drain" | "waitForVolumeDetach"): false | undefined => {
    const [name = ""] = Object.keys(deletionAnnotations({ [option]: false }));
    return at(template, "metadata", "annotations", name) === undefined ? undefined : false;
  };
  const seconds = (limit: string): number | undefined => numberAt(template, "spec", "deletion", limit);
  return unlessDefault(
    {
      drain: skips("drain"),
      waitForVolumeDetach: skips("waitForVolumeDetach"),
      nodeDrainTimeoutSeconds: isScaleSet ? undefined : seconds("nodeDrainTimeoutSeconds"),
      nodeVolumeDetachTimeoutSeconds: isScaleSet ? undefined : seconds("nodeVolumeDetachTimeoutSeconds"),
      nodeDeletionTimeoutSeconds: seconds("nodeDeletionTimeoutSeconds"),
    },
    { ...deletionDefault, nodeDrainTimeoutSeconds: 0, nodeVolumeDetachTimeoutSeconds: 0 },
  );
}

/** The keys of the control plane, without health check and deletion. */
export function controlPlaneKeys(machines: CapiObject, controlPlane: Plain): Plain {
  const spec = machineOf(machines);
  const etcd = list(spec.dataDisks).find(({ nameSuffix, lun }) => nameSuffix === "etcddisk" || lun === 0);
  return withoutUndefined({
    replicas: numberIn(controlPlane.replicas),
    vmSize: spec.vmSize,
    osDiskGB: numberAt(spec, "osDisk", "diskSizeGB"),
    etcdDiskGB: numberAt(etcd, "diskSizeGB"),
    certificatesExpiryDays: numberAt(controlPlane, "rollout", "before", "certificatesExpiryDays"),
    image: imageOf(spec.image, String(controlPlane.version)),
  });
}
