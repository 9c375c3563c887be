/**
 * Build that a kubelet writes into its label node.kubernetes.io/windows-build, by Windows Server release (Microsoft,
 * release health). A container starts only on a host of its own build.
 */
export const windowsBuilds: Readonly<Record<string, string>> = {
  "2019": "10.0.17763",
  "2022": "10.0.20348",
  "2025": "10.0.26100",
};
