import type { BlindFault } from "./blindFault";
import { ended } from "./pods";

export const secondPods: readonly BlindFault[] = [
  {
    name: "a probe whose command is one word",
    source: "Azure/AKS#1836",
    make: (p) =>
      p.event(
        ended(p, 137),
        "Unhealthy",
        'Liveness probe failed: container 1f2e encountered an error during CreateProcess: failure in a Windows system call: The system cannot find the file specified. (0x2) extra info: {"CommandLine":"\\"powershell -command Get-Date\\""}',
        { side: "workload", count: 30 },
      ),
    cause: /probe/i,
    remedy: /command|cmd|powershell/i,
  },
  {
    name: "the liveness probe ends a program that starts slowly",
    source: "kubernetes-csi/csi-driver-smb#1059, sysdiglabs/charts#2592",
    make: (p) =>
      p.event(
        ended(p, 1067),
        "Unhealthy",
        'Liveness probe failed: Get "http://192.168.103.3:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
        { side: "workload", count: 44 },
      ),
    cause: /probe/i,
    remedy: /startupProbe/i,
  },
  {
    name: "a DLL is not in the image",
    source: "NTSTATUS 0xC0000135; microsoft/Windows-Containers, exit codes",
    make: (p) => ended(p, 3221225781),
    cause: /DLL|librar/i,
    remedy: /image|Server Core|servercore|redistributable|vc_redist/i,
  },
];
