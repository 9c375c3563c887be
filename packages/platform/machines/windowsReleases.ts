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

/**
 * Kubernetes minors for which a Windows release is right, as far as was known on 2026-11-22. Outside of them it may work,
 * but it is not tested. 2019: the documentation of 1.35 lists 2022 and 2025 alone (kubernetes/website#55058). 2025: its
 * first reference images came in December 2024, when 1.29 was the oldest maintained minor (CAPZ #5317).
 */
export const testedMinors: Readonly<Record<string, { readonly from?: number; readonly to?: number }>> = {
  "2019": { to: 34 },
  "2025": { from: 29 },
};

/** IIS for a release: a container shares the kernel of its host. */
export const iisImage = (windowsServer: string): string =>
  `mcr.microsoft.com/windows/servercore/iis:windowsservercore-ltsc${windowsServer}`;

/**
 * Last days of Microsoft's mainstream support (other fixes than security) and of its extended support (security updates),
 * as learn.microsoft.com/lifecycle/products/windows-server-2019, -2022 and -2025 had them in November 2026.
 */
export const supportEnds: Readonly<Record<WindowsServer, Record<"mainstream" | "extended", string>>> = {
  "2019": { mainstream: "2024-01-09", extended: "2029-01-09" },
  "2022": { mainstream: "2026-10-13", extended: "2031-10-14" },
  "2025": { mainstream: "2029-11-13", extended: "2034-11-14" },
};
