/** Windows Server releases that CAPZ can build nodes of. */
export const WindowsServer = { WS2019: "2019", WS2022: "2022", WS2025: "2025" } as const;
export type WindowsServer = (typeof WindowsServer)[keyof typeof WindowsServer];

/**
 * Value of the node label node.kubernetes.io/windows-build, by Windows Server release (Microsoft, Windows release
 * health). The kubelet sets it, and a container starts only on a host with the same build.
 */
export const windowsBuilds: Readonly<Record<string, string>> = {
  "2019": "10.0.17763",
  "2022": "10.0.20348",
  "2025": "10.0.26100",
};
