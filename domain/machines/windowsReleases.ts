/**
 * Value of the node label node.kubernetes.io/windows-build, by Windows Server release (Microsoft, Windows release
 * health). The kubelet sets it, and a container starts only on a host with the same build.
 */
export const windowsBuilds: Readonly<Record<string, string>> = {
  "2019": "10.0.17763",
  "2022": "10.0.20348",
  "2025": "10.0.26100",
};
