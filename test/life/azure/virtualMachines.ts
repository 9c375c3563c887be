import { at, list, textAt } from "capz-windows-kit/untyped";
import type { AsyncOperations } from "./asyncOperations";
import type { Answer, Body, Resource } from "./resource";
import { failure, keyOf } from "./resource";
import type { BootData } from "./secrets";
import { bootDataOf, withoutSecrets } from "./secrets";
import type { Store } from "./store";

/**
 * Single machines and their disks.
 * https://learn.microsoft.com/rest/api/compute/virtual-machines
 */
export class VirtualMachines {
  /** By the key of the machine's ID. Stored separately, because no GET returns it. */
  readonly bootData = new Map<string, BootData>();

  constructor(
    private readonly store: Store,
    private readonly operations: AsyncOperations,
  ) {}

  put(id: string, subscription: string, body: Body): Answer {
    const known = this.store.get(id);
    if (known) {
      return { status: 200, body: this.store.put(id, { ...known, ...withoutSecrets(body) }) };
    }
    const nics = list(at(body, "properties", "networkProfile", "networkInterfaces"));
    const missing = nics.map((nic) => textAt(nic, "id")).find((nic) => !this.store.get(nic));
    if (nics.length === 0 || missing !== undefined) {
      return failure(
        400,
        "InvalidParameter",
        `The network interface ${missing ?? "of the VM"} was not found.`,
      );
    }
    const secret = bootDataOf(body.properties);
    if (secret) {
      this.bootData.set(keyOf(id), secret);
    }
    const visible = withoutSecrets(body);
    const machine = this.store.put(
      id,
      { ...visible, properties: { ...visible.properties, provisioningState: "Creating" } },
      { detail: `${textAt(body, "properties", "hardwareProfile", "vmSize")}${zoneText(body)}` },
    );
    for (const nic of nics) {
      this.store.setProperties(textAt(nic, "id"), { virtualMachine: { id: machine.id } });
    }
    this.makeDisks(machine);
    const headers = this.operations.start(subscription, () => {
      this.store.setProperties(id, { provisioningState: "Succeeded" });
      return undefined;
    });
    return { status: 201, body: this.store.get(id), headers };
  }

  delete(id: string, subscription: string): Answer {
    if (!this.store.get(id)) {
      return { status: 204 };
    }
    const machine = this.store.setProperties(id, { provisioningState: "Deleting" })!;
    const headers = this.operations.start(subscription, () => {
      this.store.remove(id);
      for (const nic of list(at(machine.properties, "networkProfile", "networkInterfaces"))) {
        this.store.setProperties(textAt(nic, "id"), { virtualMachine: undefined });
      }
      for (const disk of this.disksOf(machine)) {
        this.store.setProperties(disk, { diskState: "Unattached", managedBy: undefined });
      }
      return undefined;
    });
    return { status: 202, headers };
  }

  /** Creates the disks of a machine, which remain when it is deleted. */
  private makeDisks(machine: Resource): void {
    for (const disk of this.disksOf(machine)) {
      this.store.put(
        disk,
        {
          ...(machine.location === undefined ? {} : { location: machine.location }),
          properties: { diskState: "Attached", managedBy: machine.id },
        },
        { quiet: true },
      );
    }
  }

  private disksOf({ id, properties }: Resource): string[] {
    const storage = properties.storageProfile;
    const group = id.replace(/\/providers\/.*$/i, "");
    return [at(storage, "osDisk"), ...list(at(storage, "dataDisks"))]
      .map((disk) => textAt(disk, "name"))
      .filter((name) => name !== "")
      .map((name) => `${group}/providers/Microsoft.Compute/disks/${name}`);
  }
}

const zoneText = ({ zones }: Body): string => (zones?.[0] === undefined ? "" : `, zone ${zones[0]}`);
