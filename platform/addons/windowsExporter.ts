import { components } from "../compatibility";

export const defaultWindowsExporterVersion: string = components.windowsExporter.version;

/** Tags have no leading v; the image is made for HostProcess containers of every Windows release (its Dockerfile). */
export const windowsExporterImage = (version: string): string =>
  `ghcr.io/prometheus-community/windows-exporter:${version}`;
