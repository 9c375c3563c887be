import { at } from "capz-windows-kit/untyped";

/** A value as JSON whose mappings have their keys in order, for a comparison. */
const ordered = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Whether CAPZ has not yet seen the image of an AzureMachinePool. */
export function isImagePending(azureMachinePool: unknown): boolean {
  const image = at(azureMachinePool, "spec", "template", "image");
  return image !== undefined && ordered(image) !== ordered(at(azureMachinePool, "status", "image"));
}
