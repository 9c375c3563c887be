import { at, textAt } from "capz-windows-kit/untyped";
import type { AsyncOperations } from "./asyncOperations";
import type { Faults } from "./faults";
import type { Answer, Body, Properties, Resource } from "./resource";
import { failure, keyOf } from "./resource";
import type { BootData } from "./secrets";
import { bootDataOf, withoutSecrets } from "./secrets";
import type { Store } from "./store";

type Plain = Readonly<Record<string, unknown>>;

const instanceType = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines";

/**
 * Scale sets with uniform orchestration and manual upgrades: an instance keeps the model with which it was created.
 * https://learn.microsoft.com/rest/api/compute/virtual-machine-scale-sets and
 * https://learn.microsoft.com/azure/virtual-machine-scale-sets/virtual-machine-scale-sets-upgrade-policy
 */
export class ScaleSets {
  /** By the key of the ID of a scale set or an instance. */
  readonly bootData = new Map<string, BootData>();
  private readonly made = new Map<string, number>();

  constructor(
    private readonly store: Store,
    private readonly operations: AsyncOperations,
    private readonly faults: Faults,
  ) {}

  instances(id: string): Resource[] {
    const prefix = `${keyOf(id)}/virtualmachines/`;
    return this.store.ofType(instanceType).filter((instance) => keyOf(instance.id).startsWith(prefix));
  }

  put(id: string, subscription: string, body: Body): Answer {
    const known = this.store.get(id);
    const secret = bootDataOf(body.properties);
    if (secret) {
      this.bootData.set(keyOf(id), secret);
    }
    const merged = known ? merge(known, withoutSecrets(body)) : withoutSecrets(body);
    if (at(merged.properties, "virtualMachineProfile", "storageProfile") === undefined) {
      return failure(
        400,
        "InvalidParameter",
        "Required parameter 'virtualMachineProfile' is missing (null).",
      );
    }
    const before = known?.sku?.capacity ?? 0;
    const capacity = merged.sku?.capacity ?? before;
    const set = this.store.put(
      id,
      { ...merged, properties: { ...merged.properties, provisioningState: known ? "Updating" : "Creating" } },
      {
        detail: `${merged.sku?.name ?? ""}, capacity ${before === capacity ? "" : `${before} → `}${capacity}, ${imageText(merged)}`,
      },
    );
    const late = this.faults.lateOf(id);
    if (late?.leaves !== "nothing") {
      this.fit(set, capacity);
    }
    const provisioningState = late ? "Failed" : "Succeeded";
    const headers = this.operations.start(subscription, () => {
      this.store.setProperties(id, { provisioningState });
      for (const instance of this.instances(id)) {
        if (instance.properties.provisioningState === "Creating") {
          this.store.setProperties(instance.id, { provisioningState });
        }
      }
      return late;
    });
    return { status: known ? 200 : 201, body: this.store.get(id), headers };
  }

  delete(id: string, subscription: string): Answer {
    if (!this.store.get(id)) {
      return { status: 204 };
    }
    this.store.setProperties(id, { provisioningState: "Deleting" });
    this.instances(id).forEach((instance) => {
      this.store.setProperties(instance.id, { provisioningState: "Deleting" });
    });
    const headers = this.operations.start(subscription, () => {
      this.store.remove(id);
      return undefined;
    });
    return { status: 202, headers };
  }

  /** Deletes one instance. The capacity falls when Azure accepts the request (an assumption: it may fall at the end). */
  deleteInstance(id: string, subscription: string): Answer {
    const instance = this.store.get(id);
    if (!instance) {
      return { status: 204 };
    }
    if (instance.properties.provisioningState !== "Deleting") {
      const setId = id.replace(/\/virtualMachines\/[^/]+$/i, "");
      const set = this.store.get(setId);
      if (set?.sku) {
        const capacity = Math.max(0, (set.sku.capacity ?? 0) - 1);
        this.store.put(setId, { ...set, sku: { ...set.sku, capacity } }, { quiet: true });
      }
      this.store.setProperties(id, { provisioningState: "Deleting" });
    }
    const headers = this.operations.start(subscription, () => {
      this.store.remove(id);
      return undefined;
    });
    return { status: 202, headers };
  }

  /** Creates or deletes instances up to the capacity. Like Azure by default, deletes those with the highest IDs. */
  private fit(set: Resource, capacity: number): void {
    const running = this.instances(set.id).filter(
      ({ properties }) => properties.provisioningState !== "Deleting",
    );
    for (let missing = capacity - running.length; missing > 0; missing -= 1) {
      this.addInstance(set);
    }
    for (const instance of running.reverse().slice(0, Math.max(0, running.length - capacity))) {
      this.store.remove(instance.id);
    }
  }

  private addInstance(set: Resource): void {
    const number = this.made.get(keyOf(set.id)) ?? 0;
    this.made.set(keyOf(set.id), number + 1);
    const id = `${set.id}/virtualMachines/${number}`;
    const profile = set.properties.virtualMachineProfile as Plain;
    const prefix = textAt(profile, "osProfile", "computerNamePrefix");
    const secret = this.bootData.get(keyOf(set.id));
    if (secret) {
      this.bootData.set(keyOf(id), secret);
    }
    const zone = set.zones?.[number % set.zones.length];
    this.store.put(
      id,
      {
        instanceId: String(number),
        ...(set.location === undefined ? {} : { location: set.location }),
        ...(zone === undefined ? {} : { zones: [zone] }),
        ...(set.sku === undefined
          ? {}
          : { sku: { ...set.sku, capacity: undefined } as Resource["sku"] & object }),
        properties: {
          provisioningState: "Creating",
          latestModelApplied: true,
          hardwareProfile: { vmSize: set.sku?.name },
          osProfile: { computerName: `${prefix}${number.toString(36).toUpperCase().padStart(6, "0")}` },
          storageProfile: profile.storageProfile,
        },
      },
      { detail: `${set.sku?.name ?? ""}, ${imageText(set)}${zone === undefined ? "" : `, zone ${zone}`}` },
    );
  }
}

/** The body of a PUT. If it has no machine profile, or no network in it, those of the scale set are kept. */
function merge(known: Resource, body: Body): Body {
  const [before, after] = [known.properties.virtualMachineProfile, body.properties?.virtualMachineProfile];
  const profile =
    after === undefined || after === null ? before : { ...(before as Plain), ...defined(after as Plain) };
  return {
    ...known,
    ...defined(body),
    sku: { ...known.sku, ...body.sku },
    properties: { ...known.properties, ...defined(body.properties ?? {}), virtualMachineProfile: profile },
  };
}

const defined = (fields: Plain): Properties =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));

/** Name and version of the image, for example "capi-win-2022-containerd/1.35.6". */
export function imageText(resource: Body): string {
  const storage =
    at(resource.properties, "virtualMachineProfile", "storageProfile") ??
    at(resource.properties, "storageProfile");
  const image = at(storage, "imageReference");
  const id =
    textAt(image, "communityGalleryImageId") || textAt(image, "sharedGalleryImageId") || textAt(image, "id");
  const [, name, version] = /\/images\/([^/]+)\/versions\/([^/]+)$/i.exec(id) ?? [];
  return name === undefined
    ? [textAt(image, "sku"), textAt(image, "version")].join("/")
    : `${name}/${version ?? ""}`;
}
