import { windowsDaemonSet } from "./windowsPods";
import { hostProcessBaseImage, tolerateEverything } from "capz-windows-platform/workloads/hostProcess";
import { scriptContent } from "../bootstrap/files";
import { contentHash } from "../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import { expectedMtus } from "capz-windows-platform/network/mtu";
import type { Platform } from "capz-windows-platform/cluster/platform";

export interface WindowsMtuArgs {
  readonly platform: Platform;
  /** MTU of the VNET in bytes. */
  readonly networkMtu: number;
}

const name = "windows-mtu";
const namespace = "kube-system";
const scriptName = `${name}.ps1`;

/**
 * Keeps the MTU of Windows nodes and of their pods. It needs neither the pod network nor the API server, so it runs
 * before a CNI makes the first network. It changes no user data, so existing nodes have it without a roll.
 */
export function windowsMtuObjects(args: WindowsMtuArgs): KubernetesObject[] {
  const script = scriptContent(scriptName);
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { [scriptName]: script } },
    daemonSet(args, script),
  ];
}

function daemonSet({ platform, networkMtu }: WindowsMtuArgs, script: string): KubernetesObject {
  const { host, pod } = expectedMtus(platform.cni, networkMtu).windows;
  // Pods do not restart when a ConfigMap changes; with its hash in the template they do.
  return windowsDaemonSet(
    name,
    { "capz-windows/script": contentHash(script) },
    {
      automountServiceAccountToken: false,
      tolerations: tolerateEverything,
      containers: [
        {
          name,
          image: hostProcessBaseImage,
          // PowerShell of the host. The container runtime expands the variable (hcsshim v0.14.1 jobcontainer.go).
          command: ["powershell.exe"],
          args: [
            "-NoProfile",
            `$env:CONTAINER_SANDBOX_MOUNT_POINT/scripts/${scriptName}`,
            ...["-HostMtu", String(host.bytes), "-PodMtu", String(pod.bytes)],
          ],
          resources: { requests: { cpu: "20m", memory: "100Mi" }, limits: { memory: "300Mi" } },
          volumeMounts: [{ name: "scripts", mountPath: "/scripts" }],
        },
      ],
      volumes: [{ name: "scripts", configMap: { name } }],
    },
  );
}
