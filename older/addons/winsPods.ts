import { contentHash } from "../../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import { scriptContent } from "../../bootstrap/files";
import { daemonSet, windowsRollout } from "../../addons/windowsPods";
import { tolerateEverything } from "capz-windows-platform/workloads/hostProcess";

/**
 * What the pods that act on a Windows host through wins have in common. Before HostProcess containers existed, the
 * service rancher-wins started a process on the host for anyone who wrote to its named pipe. Image and host need it.
 */

export interface WinsPodArgs {
  readonly name: string;
  readonly namespace: string;
  readonly image: string;
  /** Script in bootstrap/scripts/ that the pod runs. */
  readonly script: string;
  readonly serviceAccountName: string;
  /** Keeps kubelet from asking the CNI for an address: the pod that installs the CNI has none yet. */
  readonly hostNetwork: boolean;
  readonly env: readonly object[];
  /** ConfigMaps and where they are mounted. */
  readonly configMaps: Readonly<Record<string, string>>;
  /** Data beside the script in the pod's own ConfigMap. */
  readonly data?: Readonly<Record<string, string>>;
}

/** Where a pod finds its own ConfigMap: the script and its data. */
const ownFolder = "/etc/capz-windows";

const winsPipe = "\\\\.\\pipe\\rancher_wins";

/** A DaemonSet on Windows nodes that runs a script with access to the host, and the ConfigMap with the script. */
export function winsPodObjects(args: WinsPodArgs): KubernetesObject[] {
  const { name, namespace } = args;
  const data = { [args.script]: scriptContent(args.script), ...args.data };
  const mounts = Object.entries({ [name]: ownFolder, ...args.configMaps });
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data },
    daemonSet(
      name,
      windowsRollout,
      {
        priorityClassName: "system-node-critical",
        nodeSelector: { "kubernetes.io/os": "windows" },
        ...(args.hostNetwork ? { hostNetwork: true } : {}),
        serviceAccountName: args.serviceAccountName,
        tolerations: tolerateEverything,
        containers: [
          {
            name,
            image: args.image,
            // The image's PowerShell Core, which has no access to the host.
            command: ["pwsh", "-file", `${ownFolder}/${args.script}`],
            env: args.env,
            volumeMounts: [
              { name: "wins", mountPath: winsPipe },
              { name: "host", mountPath: "/host" },
              ...mounts.map(([configMap, mountPath]) => ({ name: configMap, mountPath })),
            ],
          },
        ],
        volumes: [
          { name: "wins", hostPath: { path: winsPipe } },
          { name: "host", hostPath: { path: "/" } },
          ...mounts.map(([configMap]) => ({ name: configMap, configMap: { name: configMap } })),
        ],
      },
      { annotations: { "capz-windows/script": contentHash(data) } },
    ),
  ];
}
