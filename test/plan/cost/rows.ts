/** Rows with the fields of Azure's list; the prices are invented. */
export type Row = Record<string, string | number>;

export const row = (fields: Row): Row => ({
  ...{ currencyCode: "USD", type: "Consumption", tierMinimumUnits: 0, armRegionName: "westeurope" },
  ...{
    effectiveStartDate: "2025-01-01T00:00:00Z",
    unitOfMeasure: "1 Hour",
    retailPrice: 1,
    skuName: "Standard",
  },
  ...fields,
});

export const machine = (fields: Row = {}): Row =>
  row({
    ...{
      serviceName: "Virtual Machines",
      armSkuName: "Standard_D4s_v5",
      meterName: "D4s v5",
      skuName: "D4s v5",
    },
    ...{ productName: "Virtual Machines Dsv5 Series", retailPrice: 0.2, ...fields },
  });

export const windows = { productName: "Virtual Machines Dsv5 Series Windows", retailPrice: 0.4 };

export const disk = (fields: Row = {}): Row =>
  row({
    ...{ serviceName: "Storage", productName: "Premium SSD Managed Disks", skuName: "P10 LRS" },
    ...{ meterName: "P10 LRS Disk", unitOfMeasure: "1/Month", retailPrice: 20, ...fields },
  });

export const gateway = (fields: Row = {}): Row =>
  row({
    ...{ serviceName: "NAT Gateway", meterName: "Standard Gateway" },
    ...{ armRegionName: "Global", retailPrice: 0.025, ...fields },
  });

export const d4 = "Standard_D4s_v5";
