/**
 * The line of the stack file that leaves an add-on out, by its logical name. Add-ons without such a line are required.
 */
const lines: Readonly<Record<string, string>> = {
  "azure-disk": "addons.azureDisk.enabled: false",
  "azure-file": "addons.azureFile.enabled: false",
  "cluster-autoscaler": "addons.clusterAutoscaler.enabled: false",
  gmsa: "addons.gmsa.enabled: false",
  "hns-remediation": "addons.hnsRemediation.enabled: false",
  "metrics-server": "addons.metricsServer.enabled: false",
  "windows-exporter": "addons.windowsExporter.enabled: false",
};

export const lineWithoutAddon = (role: string): string | undefined => lines[role];
