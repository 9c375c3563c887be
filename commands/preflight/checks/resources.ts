import { purchasePlan } from "capz-windows-platform/machines/purchasePlan";
import { bash } from "capz-windows-kit/shell";
import { at, isRecord, list, textAt } from "capz-windows-kit/untyped";
import { imageText, listImagesCommand } from "capz-windows-platform/machines/images";
import { type Arm, orMissing } from "../../azure/arm";
import { imageApi, versionsPath } from "../../azure/imageVersions";
import type { ImageNeed, Needs } from "../needs";
import { orOk, present, type Row, rowsOf } from "../row";
import { stackLine } from "./stackLine";

/** Whether images exist in the region, and names are free. */

function imageRequest(
  { image }: ImageNeed,
  { subscriptionId, location }: Needs,
): [path: string, api: string] {
  if (image.id !== undefined) {
    return [image.id, /\/galleries\//i.test(image.id) ? imageApi.gallery : "2024-07-01"];
  }
  const versions = versionsPath(image, subscriptionId, location) ?? "";
  if (image.marketplace) {
    const { version } = image.marketplace;
    return [version === "latest" ? versions : `${versions}/${version}`, imageApi.marketplace];
  }
  return [`${versions}/${image.computeGallery.version}`, imageApi.gallery];
}

function planRows({ path, image }: ImageNeed, plan: unknown): Row[] {
  return present(
    isRecord(plan) &&
      rowsOf(`image of ${path}`).error(
        `${imageText(image)} has a purchase plan: ${purchasePlan.why}`,
        `${stackLine(path, "image: {...}")}   # ${purchasePlan.instead}`,
      ),
  );
}

/** `path` is the ID of an image version in a gallery. */
export function replicateCommand(path: string, location: string): string {
  const part = (type: string): string => new RegExp(`/${type}/([^/]+)`, "i").exec(path)?.[1] ?? "";
  return (
    bash`az sig image-version update --resource-group ${part("resourceGroups")} --gallery-name ${part("galleries")}` +
    ` --gallery-image-definition ${part("images")} --gallery-image-version ${part("versions")}` +
    ` --subscription ${part("subscriptions")} --add publishingProfile.targetRegions name=${location}`
  );
}

async function imageRows(arm: Arm, need: ImageNeed, needs: Needs): Promise<Row[]> {
  const [path, version] = imageRequest(need, needs);
  const found = await orMissing(arm.get(path, version));
  const { error } = rowsOf(`image of ${need.path}`);
  if (found === undefined || (Array.isArray(found) && found.length === 0)) {
    return [
      error(
        `${imageText(need.image)} is not in ${needs.location}`,
        listImagesCommand(need.image, needs.location),
        stackLine(need.path, "image: {...}"),
      ),
    ];
  }
  const regions = list(at(found, "properties", "publishingProfile", "targetRegions")).map((region) =>
    textAt(region, "name").replace(/\s/g, "").toLowerCase(),
  );
  if (regions.length > 0 && !regions.includes(needs.location)) {
    return [
      error(
        `${imageText(need.image)} is replicated to ${regions.join(", ")}, but not to ${needs.location}`,
        replicateCommand(path, needs.location),
      ),
    ];
  }
  return [...endOfLife(need, found, needs), ...planRows(need, at(found, "properties", "plan"))];
}

/** How long before the end of an image's life people are told. */
const noticeDays = 30;

/** Its publisher announces the date; a community gallery has it elsewhere than a gallery of one's own. */
function endOfLife(need: ImageNeed, found: unknown, { location }: Needs): Row[] {
  const date =
    textAt(found, "properties", "endOfLifeDate") ||
    textAt(found, "properties", "publishingProfile", "endOfLifeDate");
  const left = Date.parse(date) - Date.now();
  return present(
    left <= noticeDays * 24 * 3600 * 1000 &&
      rowsOf(`image of ${need.path}`).warning(
        `${imageText(need.image)} ${left < 0 ? "reached" : "reaches"} the end of its life on ${date.slice(0, 10)}: once its publisher removes it, no new machine starts from it`,
        listImagesCommand(need.image, location),
        stackLine(need.path, "image: {...}"),
      ),
  );
}

export async function images(arm: Arm, needs: Needs): Promise<Row[]> {
  const different = needs.images.filter(
    ({ image }, index) =>
      needs.images.findIndex((other) => imageText(other.image) === imageText(image)) === index,
  );
  const rows = (await Promise.all(different.map((need) => imageRows(arm, need, needs)))).flat();
  return orOk(rows, rowsOf("images").ok(`${different.length} are in ${needs.location}`));
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/check-dns-name-availability */
export async function names(arm: Arm, needs: Needs): Promise<Row[]> {
  const { subscriptionId, location, resourceGroup, dnsLabel, publicIp } = needs;
  if (dnsLabel === undefined) {
    return [];
  }
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.Network/locations/${location}/CheckDnsNameAvailability`;
  const answer = await arm.get(path, "2023-05-01", { domainNameLabel: dnsLabel });
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  const { error, ok } = rowsOf("names");
  if (at(answer, "available") === true) {
    return [ok(`${dnsLabel} is free`)];
  }
  const own = await orMissing(
    arm.get(`${group}/providers/Microsoft.Network/publicIPAddresses/${publicIp}`, "2023-05-01"),
  );
  return [
    own !== undefined
      ? ok(`${dnsLabel} belongs to this stack`)
      : error(
          `${dnsLabel}.${location}.cloudapp.azure.com is taken by another cluster or tenant`,
          "capz-windows:clusterName: ANOTHER-NAME",
        ),
  ];
}
