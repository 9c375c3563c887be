import { EventEmitter } from "node:events";
import type { AzureEvent, Body, Resource } from "./resource";
import { keyOf, parsePath } from "./resource";

/** All resources of the simulated Azure. Listeners get every change at once. */
export class Store {
  private readonly resources = new Map<string, Resource>();
  private readonly events = new EventEmitter();
  private version = 0;

  onEvent(listener: (event: AzureEvent) => void): void {
    this.events.on("event", listener);
  }

  tell(event: AzureEvent): void {
    this.events.emit("event", event);
  }

  get(id: string): Resource | undefined {
    return this.resources.get(keyOf(id));
  }

  all(): Resource[] {
    return [...this.resources.values()];
  }

  ofType(type: string): Resource[] {
    return this.all().filter((resource) => resource.type.toLowerCase() === type.toLowerCase());
  }

  /** All resources below this ID, without itself. */
  below(id: string): Resource[] {
    const prefix = `${keyOf(id)}/`;
    return this.all().filter((resource) => keyOf(resource.id).startsWith(prefix));
  }

  /** Replaces the whole resource. `quiet`: without an event, for instance if only its state changes. */
  put(
    id: string,
    body: Body,
    { quiet = false, detail }: { quiet?: boolean; detail?: string } = {},
  ): Resource {
    const path = parsePath(id);
    if (!path) {
      throw new Error(`${id} is no id of a resource`);
    }
    const known = this.get(id);
    const resource: Resource = {
      ...body,
      id: known?.id ?? id,
      name: path.names.at(-1) ?? "",
      type: path.type,
      etag: `W/"${(this.version += 1)}"`,
      properties: { provisioningState: "Succeeded", ...body.properties },
    };
    this.resources.set(keyOf(id), resource);
    if (!quiet) {
      this.tell({
        verb: known ? "changed" : "created",
        resource,
        ...(detail === undefined ? {} : { detail }),
      });
    }
    return resource;
  }

  /** Changes properties of a resource. Returns undefined if it no longer exists. */
  setProperties(id: string, properties: Readonly<Record<string, unknown>>): Resource | undefined {
    const known = this.get(id);
    return (
      known && this.put(id, { ...known, properties: { ...known.properties, ...properties } }, { quiet: true })
    );
  }

  /** Removes a resource and everything below it. */
  remove(id: string): void {
    const known = this.get(id);
    for (const child of this.below(id).sort((a, b) => b.id.length - a.id.length)) {
      this.resources.delete(keyOf(child.id));
      this.tell({ verb: "deleted", resource: child });
    }
    if (known && this.resources.delete(keyOf(id))) {
      this.tell({ verb: "deleted", resource: known });
    }
  }

  /** Resources that name this one, or a part of it, in their properties. */
  usersOf(id: string): Resource[] {
    const own = keyOf(id);
    return this.all().filter(
      (resource) =>
        keyOf(resource.id) !== own &&
        !keyOf(resource.id).startsWith(`${own}/`) &&
        mentions(resource.properties, own),
    );
  }
}

function mentions(value: unknown, key: string): boolean {
  if (Array.isArray(value)) {
    return value.some((item) => mentions(item, key));
  }
  if (typeof value !== "object" || value === null) {
    return false;
  }
  return Object.entries(value).some(([name, inner]) =>
    ["id", "privateLinkServiceId"].includes(name) && typeof inner === "string"
      ? keyOf(inner) === key || keyOf(inner).startsWith(`${key}/`)
      : mentions(inner, key),
  );
}
