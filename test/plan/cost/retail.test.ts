import { pricesOf } from "../../../plan/cost/retail";
import { d4, disk, gateway, machine, row, type Row, windows } from "./rows";

describe("a row of the price list", () => {
  it.each<[string, Row[], Record<string, number>]>([
    ["Linux", [machine()], { [`${d4} Linux`]: 0.2 }],
    [
      "Linux, as newer products say it",
      [machine({ productName: "DCsv3 Series Linux" })],
      { [`${d4} Linux`]: 0.2 },
    ],
    ["Windows with its licence", [machine(windows)], { [`${d4} Windows`]: 0.4 }],
    [
      "spot",
      [machine({ ...windows, skuName: "D4s v5 Spot", retailPrice: 0.1 })],
      { [`${d4} Windows spot`]: 0.1 },
    ],
    ["low priority", [machine({ skuName: "D4s v5 Low Priority" })], {}],
    ["Cloud Services", [machine({ productName: "Dsv5 Series CloudServices" })], {}],
    ["dedicated hosts", [machine({ productName: "DSv5 Series Dedicated Host" })], {}],
    ["reservations", [machine({ type: "Reservation", reservationTerm: "1 Year", retailPrice: 900 })], {}],
    ["another region", [machine({ armRegionName: "eastus" })], {}],
    ["a promotion for nothing", [machine({ retailPrice: 0 })], {}],
    ["the past", [machine({ effectiveEndDate: "2026-11-22T23:59:59Z" })], {}],
    ["the future", [machine({ effectiveStartDate: "2026-12-01T00:00:00Z" })], {}],
    [
      "two that are in force",
      [machine({ effectiveStartDate: "2026-01-01T00:00:00Z", retailPrice: 0.3 }), machine()],
      { [`${d4} Linux`]: 0.3 },
    ],
    ["a gateway, the same everywhere", [gateway()], { "NAT gateway": 0.025 }],
    [
      "a gateway with a price of the region",
      [gateway({ armRegionName: "westeurope", retailPrice: 0.03 }), gateway()],
      { "NAT gateway": 0.03 },
    ],
    ["processed data", [gateway({ meterName: "Standard Data Processed", unitOfMeasure: "1 GB" })], {}],
    [
      "addresses",
      [row({ serviceName: "Virtual Network", meterName: "Standard IPv4 Static Public IP" })],
      { "public IPv4 address": 1 },
    ],
    [
      "Azure Bastion",
      [row({ serviceName: "Azure Bastion", meterName: "Standard Gateway" })],
      { "Azure Bastion Standard": 1 },
    ],
    ["no row at all", ["nonsense" as never, null as never], {}],
  ])("is the price of an hour: %s", (_, rows, perHour) => {
    expect(pricesOf(rows, { region: "westeurope", day: "2026-11-23" })).toEqual({ perHour, perMonth: {} });
  });

  it.each<[string, Row, Record<string, number>]>([
    ["a disk", disk(), { "Premium_LRS P10": 20 }],
    [
      "its copies in zones",
      disk({ skuName: "P10 ZRS", meterName: "P10 ZRS Disk" }),
      { "Premium_ZRS P10": 20 },
    ],
    [
      "a hard disk by its older name",
      disk({ productName: "Standard HDD Managed Disks", skuName: "S4 LRS", meterName: "S4 Disks" }),
      { "Standard_LRS S4": 20 },
    ],
    ["mounts", disk({ meterName: "P10 LRS Disk Mount" }), {}],
    ["page blobs", disk({ productName: "Premium Page Blob" }), {}],
  ])("is the price of a month: %s", (_, one, perMonth) => {
    expect(pricesOf([one], { region: "westeurope", day: "2026-11-23" })).toEqual({ perHour: {}, perMonth });
  });
});
