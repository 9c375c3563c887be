import { withoutUndefined } from "../../../tools/without";
import { communityGallery, galleryUbuntu, galleryWindows } from "../../../platform/machines/communityGallery";
import { passedOptions } from "../../../capi/poolOptions";
import { at, isRecord, list, numberAt, textAt, type Plain } from "../../../tools/untyped";
import { gigabytesOf, rolloutOf, windowsServerOf } from "../values";
import type { PoolObjects } from "./roles";

/** The properties of machines, as keys of a stack file. */

/** A mapping without `undefined` values, or `undefined` if nothing is left. */
export const unlessEmpty = (fields: Plain): Plain | undefined => {
  const left = withoutUndefined(fields);
  return Object.keys(left).length === 0 ? undefined : left;
};

/** A machine's own fields: those of an AzureMachinePool's template, or of an AzureMachineTemplate's. */
export const machineSpec = ({ machines }: Pick<PoolObjects, "machines">): Plain => {
  const inner =
    machines.kind === "AzureMachinePool" ? machines.spec.template : at(machines.spec, "template", "spec");
  return isRecord(inner) ? inner : {};
};

/** An image in the form of a stack file; `undefined` for the default image of a stack. */
function imageOf(
  image: unknown,
  kubernetesVersion: string,
  windowsServer: string | undefined,
): Plain | undefined {
  const gallery = at(image, "computeGallery") ?? at(image, "sharedGallery");
  if (isRecord(gallery)) {
    const { gallery: name, name: definition, version, subscriptionID, resourceGroup } = gallery;
    const byDefault = windowsServer === undefined ? galleryUbuntu : galleryWindows(windowsServer);
    return name === communityGallery &&
      definition === byDefault &&
      version === kubernetesVersion.replace(/^v/, "")
      ? undefined
      : {
          computeGallery: withoutUndefined({
            ...{
              gallery: name,
              name: definition,
              version,
            },
            ...{ subscriptionId: subscriptionID, resourceGroup },
          }),
        };
  }
  const marketplace = at(image, "marketplace");
  if (isRecord(marketplace)) {
    const { publisher, offer, sku, version } = marketplace;
    return { marketplace: withoutUndefined({ publisher, offer, sku, version }) };
  }
  const id = at(image, "id");
  return id === undefined ? undefined : { id };
}

/**
 * The release of Windows Server by the annotation or the image; otherwise CAPZ's default since v1.25.0, which is 2022.
 */
const releaseOf = ({ machines }: PoolObjects, spec: Plain): string =>
  windowsServerOf(
    machines.annotations.windowsServerVersion ??
      textAt(machines.spec, "template", "metadata", "annotations", "windowsServerVersion"),
  ) ??
  windowsServerOf(textAt(spec, "image", "computeGallery", "name")) ??
  windowsServerOf(textAt(spec, "image", "marketplace", "sku")) ??
  windowsServerOf(textAt(spec, "image", "id")) ??
  "2022";

function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") {
    return value;
  }
  return /^\d+$/.test(String(value)) ? Number(value) : undefined;
}

/** A Kubernetes quantity as a decimal number: 250m is 0.25. */
function priceOf(value: unknown): string | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)(m|u)?$/.exec(String(value)) ?? [];
  return digits === undefined
    ? undefined
    : String(Number((Number(digits) / ({ m: 1e3, u: 1e6 }[unit] ?? 1)).toFixed(5)));
}

function spotOf(options: unknown): Plain | undefined {
  return isRecord(options)
    ? withoutUndefined({
        evictionPolicy: options.evictionPolicy,
        maxPrice: options.maxPrice === undefined ? undefined : priceOf(options.maxPrice),
      })
    : undefined;
}

const identitiesOf = (identity: unknown): string[] | undefined => {
  const ids = list(at(identity, "userAssignedIdentities")).map(({ providerID }) =>
    String(providerID).replace(/^azure:\/\//, ""),
  );
  return ids.length === 0 ? undefined : ids;
};

/** The keys of a pool that describe its machines. */
export function machineKeys(pool: PoolObjects, clusterVersion: string): Plain {
  const spec = machineSpec(pool);
  const windowsServer = pool.os === "windows" ? releaseOf(pool, spec) : undefined;
  const version = textAt(pool.pool.spec, "template", "spec", "version") || clusterVersion;
  const identity = pool.machines.kind === "AzureMachinePool" ? pool.machines.spec : spec;
  const disk = at(spec, "osDisk");
  const isEphemeral = at(disk, "diffDiskSettings") !== undefined;
  const strategy = at(pool.machines.spec, "strategy") ?? at(pool.pool.spec, "rollout", "strategy");
  const order = at(pool.pool.spec, "deletion", "order");
  const rollout = rolloutOf(strategy);
  return withoutUndefined({
    ...(pool.os === "windows" ? { kind: pool.kind, windowsServer } : {}),
    vmSize: spec.vmSize,
    kubernetesVersion: version === clusterVersion ? undefined : version,
    image: imageOf(spec.image, version, windowsServer),
    osDiskGB: gigabytesOf(at(disk, "diskSizeGB")),
    osDiskType: isEphemeral ? undefined : at(disk, "managedDisk", "storageAccountType"),
    ephemeralOsDisk: isEphemeral ? (at(disk, "diffDiskSettings", "placement") ?? "CacheDisk") : undefined,
    diskEncryptionSetId: at(disk, "managedDisk", "diskEncryptionSet", "id"),
    spot: spotOf(spec.spotVMOptions),
    ...Object.fromEntries(
      passedOptions.map(([name, { machine }]) => [name, at(spec, ...machine[0].split("."))]),
    ),
    identityIds: identitiesOf(identity),
    rollout:
      isRecord(rollout) || order !== undefined
        ? withoutUndefined({
            ...(isRecord(rollout) ? rollout : {}),
            ...withoutUndefined({ deletePolicy: order }),
          })
        : undefined,
  });
}

/** The keys of the control plane, without health check and deletion. */
export function controlPlaneKeys(machines: PoolObjects["machines"], controlPlane: Plain): Plain {
  const spec = machineSpec({ machines });
  const etcd = list(spec.dataDisks).find(({ nameSuffix, lun }) => nameSuffix === "etcddisk" || lun === 0);
  return withoutUndefined({
    replicas: numberIn(controlPlane.replicas),
    vmSize: spec.vmSize,
    osDiskGB: numberAt(spec, "osDisk", "diskSizeGB"),
    etcdDiskGB: numberAt(etcd, "diskSizeGB"),
    certificatesExpiryDays: numberAt(controlPlane, "rollout", "before", "certificatesExpiryDays"),
    image: imageOf(spec.image, String(controlPlane.version), undefined),
  });
}
