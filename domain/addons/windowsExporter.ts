/** The newest release of prometheus-community/windows_exporter in November 2026. */
export const defaultWindowsExporterVersion = "0.31.8";

/** Tags have no leading v; the image is made for HostProcess containers of every Windows release (its Dockerfile). */
export const windowsExporterImage = (version: string): string =>
  `ghcr.io/prometheus-community/windows-exporter:${version}`;
