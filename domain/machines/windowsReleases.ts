/** Windows Server releases that CAPZ can build nodes of. */
export const WindowsServer = { WS2019: "2019", WS2022: "2022", WS2025: "2025" } as const;
export type WindowsServer = (typeof WindowsServer)[keyof typeof WindowsServer];

/** The same, oldest first. */
export const windowsServers = [WindowsServer.WS2019, WindowsServer.WS2022, WindowsServer.WS2025] as const;

/**
 * Value of the node label node.kubernetes.io/windows-build, by Windows Server release (Microsoft, Windows release
 * health). The kubelet sets it, and a container starts only on a host with the same build.
 */
export const windowsBuilds: Readonly<Record<string, string>> = {
  "2019": "10.0.17763",
  "2022": "10.0.20348",
  "2025": "10.0.26100",
};

/** First Kubernetes minor that supports Windows Server 2022; older ones support 2019 only (Kubernetes v1.23 notes). */
export const firstWith2022 = 23;
