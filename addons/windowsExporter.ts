import type { KubernetesObject } from "capz-types";
import { windowsDaemonSet } from "./windowsPods";
import { tolerateEverything } from "capz-windows-platform/workloads/hostProcess";

/** Tags have no leading v; the image is made for HostProcess containers of every Windows release (its Dockerfile). */
const windowsExporterImage = (version: string): string =>
  `ghcr.io/prometheus-community/windows-exporter:${version}`;

const name = "windows-exporter";
const labels = { "k8s-app": name };
const metadata = { name, namespace: "kube-system", labels };
const port = 9182;

export interface WindowsExporterArgs {
  readonly version: string;
  /** Networks that may scrape it. */
  readonly allowedCidrs: readonly string[];
}

/**
 * Opens the port in the node's firewall to these networks. The rule outlives pods, and New-NetFirewallRule would add
 * another one at each start, so the one that is there is changed. The PowerShell is the host's.
 */
const openPort = (allowedCidrs: readonly string[]): string => {
  const from = `-RemoteAddress ${allowedCidrs.join(",")}`;
  return (
    `if (Get-NetFirewallRule -Name ${name} -ErrorAction SilentlyContinue) { Set-NetFirewallRule -Name ${name} ${from} } ` +
    `else { New-NetFirewallRule -Name ${name} -DisplayName ${name} -Direction Inbound -Action Allow -Protocol TCP -LocalPort ${port} ${from} | Out-Null }`
  );
};

/** Metrics of Windows nodes and their containers for Prometheus; Linux nodes have node-exporter for this. */
export function windowsExporterObjects({ version, allowedCidrs }: WindowsExporterArgs): KubernetesObject[] {
  const image = windowsExporterImage(version);
  return [
    windowsDaemonSet(
      name,
      { "prometheus.io/scrape": "true", "prometheus.io/port": String(port) },
      {
        // It reads from the host, and does not call the API server.
        automountServiceAccountToken: false,
        tolerations: tolerateEverything,
        initContainers: [
          {
            name: "firewall",
            image,
            command: ["powershell.exe"],
            args: ["-NoProfile", "-NonInteractive", "-Command", openPort(allowedCidrs)],
          },
        ],
        containers: [
          {
            name,
            image,
            args: [
              "--collectors.enabled=[defaults],container",
              // Only the services that make a machine a node; all of them would be hundreds of series per node.
              "--collector.service.include=containerd|kubelet",
            ],
            ports: [{ name: "metrics", containerPort: port, protocol: "TCP" }],
            livenessProbe: {
              httpGet: { path: "/health", port: "metrics" },
              periodSeconds: 30,
              timeoutSeconds: 5,
            },
            resources: { requests: { cpu: "50m", memory: "100Mi" } },
          },
        ],
      },
    ),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      // Headless: a scraper needs each node separately.
      spec: {
        clusterIP: "None",
        selector: labels,
        ports: [{ name: "metrics", port, protocol: "TCP", targetPort: "metrics" }],
      },
    },
  ];
}
