/** Families and rules by which a Pod that finds no node may only wait for machines. */
export const machinesMissing = [
  ...["nodes", "machines", "network", "azure-limits", "images"],
  ...["azure-resources", "bootstrap", "add-ons", "control-plane"],
];
