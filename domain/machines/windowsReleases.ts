/** Windows Server releases that CAPZ can build nodes of. */
export const WindowsServer = { WS2019: "2019", WS2022: "2022", WS2025: "2025" } as const;
export type WindowsServer = (typeof WindowsServer)[keyof typeof WindowsServer];

/**
 * Build that a kubelet writes into its label node.kubernetes.io/windows-build, by Windows Server release (Microsoft,
 * release health). A container starts only on a host of its own build.
 */
export const windowsBuilds: Readonly<Record<string, string>> = {
  "2019": "10.0.17763",
  "2022": "10.0.20348",
  "2025": "10.0.26100",
};
