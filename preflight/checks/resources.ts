import { at, list, strings, text, textAt } from "../../domain/untyped";
import { imageText } from "../../domain/machines/images";
import { type Arm, ArmError } from "../arm";
import type { ImageNeed, Needs } from "../needs";
import { type Row, row } from "../row";
import { stackLine } from "./capacity";

/** Images, names, networks and versions. */

const isMissing = (error: unknown): boolean =>
  error instanceof ArmError && (error.status === 404 || error.code.includes("NotFound"));

async function orMissing(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (isMissing(error)) {
      return undefined;
    }
    throw error;
  }
}

const compute = ({ subscriptionId, location }: Needs): string =>
  `/subscriptions/${subscriptionId}/providers/Microsoft.Compute/locations/${location}`;

function imageRequest({ image }: ImageNeed, needs: Needs): readonly [path: string, version: string] {
  if (image.computeGallery) {
    const { gallery, name, version, subscriptionID, resourceGroup } = image.computeGallery;
    return subscriptionID === undefined || resourceGroup === undefined
      ? // https://learn.microsoft.com/rest/api/compute/community-gallery-image-versions/get
        [`${compute(needs)}/communityGalleries/${gallery}/images/${name}/versions/${version}`, "2023-07-03"]
      : [
          `/subscriptions/${subscriptionID}/resourceGroups/${resourceGroup}/providers/Microsoft.Compute/galleries/${gallery}/images/${name}/versions/${version}`,
          "2023-07-03",
        ];
  }
  if (image.marketplace) {
    const { publisher, offer, sku, version } = image.marketplace;
    // https://learn.microsoft.com/rest/api/compute/virtual-machine-images/get
    const versions = `${compute(needs)}/publishers/${publisher}/artifacttypes/vmimage/offers/${offer}/skus/${sku}/versions`;
    return [version === "latest" ? versions : `${versions}/${version}`, "2024-07-01"];
  }
  return [image.id, /\/galleries\//i.test(image.id) ? "2023-07-03" : "2024-07-01"];
}

const listOf = ({ image }: ImageNeed, { location }: Needs): string =>
  image.computeGallery
    ? `az sig image-version list-community --public-gallery-name ${image.computeGallery.gallery} --gallery-image-definition ${image.computeGallery.name} --location ${location} -o table`
    : image.marketplace
      ? `az vm image list --publisher ${image.marketplace.publisher} --offer ${image.marketplace.offer} --sku ${image.marketplace.sku} --location ${location} --all -o table`
      : `az resource show --ids ${image.id}`;

/** https://learn.microsoft.com/rest/api/marketplaceordering/marketplace-agreements/get */
async function terms(arm: Arm, need: ImageNeed, plan: unknown, { subscriptionId }: Needs): Promise<Row[]> {
  const [publisher, offer, sku] = [textAt(plan, "publisher"), textAt(plan, "product"), textAt(plan, "name")];
  if (publisher === "") {
    return [];
  }
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.MarketplaceOrdering/offerTypes/virtualmachine/publishers/${publisher}/offers/${offer}/plans/${sku}/agreements/current`;
  const found = await orMissing(arm.get(path, "2021-01-01"));
  return at(found, "properties", "accepted") === true
    ? []
    : [
        row(
          "error",
          `image of ${need.path}`,
          `the terms of ${publisher}:${offer}:${sku} are not accepted`,
          `az vm image terms accept --publisher ${publisher} --offer ${offer} --plan ${sku}`,
        ),
      ];
}

async function imageRows(arm: Arm, need: ImageNeed, needs: Needs): Promise<Row[]> {
  const [path, version] = imageRequest(need, needs);
  const found = await orMissing(arm.get(path, version));
  const check = `image of ${need.path}`;
  if (found === undefined || (Array.isArray(found) && found.length === 0)) {
    return [
      row(
        "error",
        check,
        `${imageText(need.image)} is not in ${needs.location}`,
        listOf(need, needs),
        stackLine(need.path, "image: {...}"),
      ),
    ];
  }
  const regions = list(at(found, "properties", "publishingProfile", "targetRegions")).map((region) =>
    textAt(region, "name").replace(/\s/g, "").toLowerCase(),
  );
  if (regions.length > 0 && !regions.includes(needs.location)) {
    return [
      row(
        "error",
        check,
        `${imageText(need.image)} is replicated to ${regions.join(", ")}, not to ${needs.location}`,
        `az sig image-version update --ids ${path} --add publishingProfile.targetRegions name=${needs.location}`,
      ),
    ];
  }
  return terms(arm, need, at(found, "properties", "plan"), needs);
}

export async function images(arm: Arm, needs: Needs): Promise<Row[]> {
  const different = needs.images.filter(
    ({ image }, index) =>
      needs.images.findIndex((other) => imageText(other.image) === imageText(image)) === index,
  );
  const rows = (await Promise.all(different.map((need) => imageRows(arm, need, needs)))).flat();
  return rows.length === 0 ? [row("ok", "images", `${different.length} are in ${needs.location}`)] : rows;
}

/** https://learn.microsoft.com/rest/api/virtualnetwork/check-dns-name-availability */
export async function names(arm: Arm, needs: Needs): Promise<Row[]> {
  const { subscriptionId, location, resourceGroup, dnsLabel, publicIp } = needs;
  const path = `/subscriptions/${subscriptionId}/providers/Microsoft.Network/locations/${location}/CheckDnsNameAvailability`;
  const answer = await arm.get(path, "2023-05-01", { domainNameLabel: dnsLabel });
  const group = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  const own =
    at(answer, "available") === true
      ? undefined
      : await orMissing(
          arm.get(`${group}/providers/Microsoft.Network/publicIPAddresses/${publicIp}`, "2023-05-01"),
        );
  return at(answer, "available") === true || own !== undefined
    ? [row("ok", "names", own === undefined ? `${dnsLabel} is free` : `${dnsLabel} is this stack's`)]
    : [
        row(
          "error",
          "names",
          `${dnsLabel}.${location}.cloudapp.azure.com belongs to somebody else`,
          "capz-windows:clusterName: ANOTHER-NAME",
        ),
      ];
}

/** https://learn.microsoft.com/rest/api/resources/resource-groups/get and virtualnetwork/virtual-networks/get */
export async function network(
  arm: Arm,
  { subscriptionId, resourceGroup, location, vnet }: Needs,
): Promise<Row[]> {
  const path = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}`;
  const group = await orMissing(arm.get(path, "2021-04-01"));
  if (group === undefined) {
    return [row("ok", "resource group", `${resourceGroup} will be made`)];
  }
  if (textAt(group, "properties", "provisioningState") === "Deleting") {
    return [
      row(
        "error",
        "resource group",
        `${resourceGroup} is being deleted`,
        `az group wait --deleted --name ${resourceGroup}`,
      ),
    ];
  }
  const elsewhere = textAt(group, "location").toLowerCase() !== location;
  const found = await orMissing(
    arm.get(`${path}/providers/Microsoft.Network/virtualNetworks/${vnet.name}`, "2023-05-01"),
  );
  const ranges = strings(at(found, "properties", "addressSpace", "addressPrefixes"));
  const delegated = list(at(found, "properties", "subnets")).filter(
    (subnet) => list(at(subnet, "properties", "delegations")).length > 0,
  );
  return [
    elsewhere
      ? row(
          "error",
          "resource group",
          `${resourceGroup} exists in ${textAt(group, "location")}, the stack is in ${location}`,
          "capz-windows:azure: {resourceGroup: ANOTHER-NAME}",
        )
      : row("ok", "resource group", `${resourceGroup} exists`),
    ...(found === undefined || ranges.includes(vnet.cidr)
      ? []
      : [
          row(
            "error",
            "network",
            `${vnet.name} exists with ${ranges.join(", ")}, the stack says ${vnet.cidr}`,
            `capz-windows:network: {vnetCidr: ${ranges[0] ?? "RANGE"}}`,
          ),
        ]),
    ...delegated.map((subnet) =>
      row(
        "error",
        "network",
        `the subnet ${text(subnet.name)} of ${vnet.name} is delegated, so machines cannot use it`,
        `az network vnet subnet update --resource-group ${resourceGroup} --vnet-name ${vnet.name} --name ${text(subnet.name)} --remove delegations`,
      ),
    ),
  ];
}

/** https://learn.microsoft.com/rest/api/aks/managed-clusters/list-kubernetes-versions */
export async function aksVersion(
  arm: Arm,
  { subscriptionId, location, aksVersion: wanted }: Needs,
): Promise<Row[]> {
  if (wanted === undefined) {
    return [];
  }
  const answer = await arm.get(
    `/subscriptions/${subscriptionId}/providers/Microsoft.ContainerService/locations/${location}/kubernetesVersions`,
    "2024-09-01",
  );
  const minors = list(at(answer, "values"));
  const all = minors.flatMap((minor) => [
    textAt(minor, "version"),
    ...Object.keys((at(minor, "patchVersions") as Record<string, unknown> | undefined) ?? {}),
  ]);
  return all.includes(wanted)
    ? [row("ok", "AKS version", `${wanted} is offered in ${location}`)]
    : [
        row(
          "error",
          "AKS version",
          `${wanted} is not offered in ${location}; there are ${minors.map((minor) => textAt(minor, "version")).join(", ")}`,
          `capz-windows:management: {kubernetesVersion: "${textAt(minors.at(-1), "version")}"}`,
        ),
      ];
}
