import { diagnose } from "capz-windows-doctor/diagnose";
import { answered } from "./catalogue/told";
import { patient } from "./patient";

/** An image that is missing, where Azure's answer does not name it: the spec of the pool says where it is. */

const gallery = { gallery: "mygallery", name: "capi-win", version: "9.9.9" };
const own = { subscriptionID: "11111111-2222-4333-8444-555555555555", resourceGroup: "images" };
const galleries = "/subscriptions/s/resourceGroups/images/providers/Microsoft.Compute";

it.each([
  [
    "image-own-gallery",
    { computeGallery: { ...gallery, ...own } },
    "-g images -r mygallery -i capi-win -e 9.9.9",
  ],
  ["image-own-gallery", { id: `${galleries}/galleries/g/images/win/versions/1.0.0` }, "-r g -i win -e 1.0.0"],
  ["image-not-found", { computeGallery: gallery }, "--public-gallery-name mygallery"],
  [
    "image-managed",
    { id: `${galleries}/images/win` },
    "az image list --subscription s --resource-group images",
  ],
  [
    "image-marketplace",
    { marketplace: { publisher: "cncf-upstream", offer: "capi-windows", sku: "windows-2022", version: "1" } },
    "--publisher cncf-upstream --offer capi-windows --sku windows-2022",
  ],
])("%s: %j", (id, image, command) => {
  const p = patient();
  (p.get("AzureMachinePool", "win1").spec.template as Record<string, unknown>).image = image;
  answered(p, "pool", 404, "NotFound", "The entity name 'versions/9.9.9' could not be found.");
  const [finding] = diagnose(p.snapshot()).findings;
  expect([finding?.id, finding?.remedy[0]]).toEqual([id, expect.stringContaining(command)]);
});
