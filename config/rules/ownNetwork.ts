import { present } from "capz-windows-kit/present";
import { healthCheckDefaults } from "capz-windows-platform/machines/healthChecks";
import type { Problem, Warning } from "capz-windows-kit/problem";
import type { Settings } from "../settings";

/** What follows where the users bring the CNI, or kube-proxy for Windows. */

const uses = ["addons.cni", "extraManifests"];

/** Whether anything of the stack can bring the CNI; what a manifest has only its user knows. */
const hasManifests = ({ extraManifests }: Settings): boolean => Object.keys(extraManifests).length > 0;

/** Settings with which `pulumi up` would wait for nodes that cannot become ready before it ends. */
function waitingRules(settings: Settings): Problem[] {
  const { sampleWorkload, wait } = settings;
  if (hasManifests(settings)) {
    return [];
  }
  const why =
    "with addons.cni: none no node is ready before your CNI runs, and nothing in the stack delivers it: `pulumi up` would wait until it times out";
  return present(
    wait === "nodes" && {
      path: "wait",
      value: wait,
      uses: [...uses, "wait"],
      problem: why,
      allowed: "controlPlane or none; nodes with your CNI among extraManifests (docs/own-cni.md)",
      write: "capz-windows:wait: controlPlane",
    },
    sampleWorkload !== undefined && {
      path: "sampleWorkload",
      uses: [...uses, "sampleWorkload"],
      problem: why,
      allowed: "only with your CNI among extraManifests (docs/own-cni.md)",
    },
  );
}

export const ownNetworkRules = (settings: Settings): Problem[] =>
  settings.platform.cni === "none" ? waitingRules(settings) : [];

/** Checks that replace machines because they wait for a network that may be late. */
function healthWarnings(settings: Settings): Warning[] {
  const { controlPlane, windowsPools } = settings;
  const checks = [
    ...(controlPlane.replicas > 1 ? [["controlPlane", controlPlane.healthCheck] as const] : []),
    ...Object.entries(windowsPools).map(
      ([name, { healthCheck }]) => [`windowsPools.${name}`, healthCheck] as const,
    ),
  ];
  // What a stack delivers comes as soon as Calico would, and may take as long.
  const enough = hasManifests(settings) ? healthCheckDefaults.nodeNotReadyTimeoutSeconds : 86_400;
  return checks.flatMap(([path, healthCheck]) => {
    const { enabled = true, nodeNotReadyTimeoutSeconds: seconds = enough } = healthCheck ?? {};
    return present(
      enabled &&
        seconds < enough && {
          path: `${path}.healthCheck.nodeNotReadyTimeoutSeconds`,
          message: `with addons.cni: none each node is NotReady until your CNI runs: a machine that waits longer than ${seconds} seconds for it is replaced`,
        },
    );
  });
}

function kubeProxyWarnings({ addons, platform, windowsPools }: Settings): Warning[] {
  const path = "addons.kubeProxyWindows";
  if (Object.keys(windowsPools).length === 0) {
    return [];
  }
  // A CNI that replaces kube-proxy on Windows is one of the users' own; with it, false is the default.
  if (platform.cni !== "none" && !addons.kubeProxyWindows) {
    const why =
      platform.cni === "flannel"
        ? "Flannel does not replace kube-proxy"
        : "Calico replaces kube-proxy on Linux only, because its eBPF data plane has no Windows part";
    return [
      {
        path,
        message: `${why}: until a kube-proxy of your own runs there, pods on Windows nodes reach no Service, cluster DNS included`,
      },
    ];
  }
  // sig-windows-tools hostprocess/calico/kube-proxy/start.ps1
  return present(
    platform.cni === "none" &&
      addons.kubeProxyWindows &&
      addons.kubeProxyWindowsImage === undefined && {
        path,
        message:
          "the image of kube-proxy waits for an HNS network with the name Calico, and does nothing until there is one: right for a Calico of your own; with any other CNI leave this key out, or set addons.kubeProxyWindowsImage",
      },
  );
}

/** What users must bring themselves, and what it means until they have. */
export const ownNetworkWarnings = (settings: Settings): Warning[] =>
  settings.platform.cni === "none"
    ? [
        {
          path: "addons.cni",
          message: hasManifests(settings)
            ? "the stack installs no CNI: nodes of a new cluster are NotReady until one among extraManifests runs (docs/own-cni.md)"
            : "the stack installs no CNI: nodes of a new cluster are NotReady, and pods wait, until you install yours with the output workloadKubeconfig, or deliver it by extraManifests (docs/own-cni.md)",
        },
        ...healthWarnings(settings),
        ...kubeProxyWarnings(settings),
      ]
    : kubeProxyWarnings(settings);
