import { contentHash } from "../capi/contentHash";
import type { KubernetesObject } from "../capi/types";
import { readBundledFile } from "../tools/readBundledFile";
import type { AddonCluster } from "./addon";
import { clusterRights, namespaceRights, rule, serviceAccount } from "./rbac";
import { hostProcessBaseImage, tolerateEverything, windowsDaemonSet } from "./windowsPods";

export interface HnsRemediationArgs extends Pick<AddonCluster, "apiServerHost" | "apiServerPort"> {
  readonly intervalSeconds: number;
}

/** Seconds between two checks of HNS. */
export const hnsInterval = { default: 30, min: 10, max: 600 } as const;

const name = "hns-remediation";
const scriptName = `${name}.ps1`;

/**
 * Starts Calico and kube-proxy of a Windows node again when HNS has crashed: they do not notice that their rules are gone
 * (calico #5164; AKS does the same for kube-proxy by its hnsremediator.ps1).
 */
export function hnsRemediationObjects(args: HnsRemediationArgs): KubernetesObject[] {
  const script = readBundledFile(__dirname, scriptName);
  return [
    serviceAccount(name),
    // The script reads whether its node is cordoned. It repairs the node itself as SYSTEM, without the API server.
    ...clusterRights(name, name, [rule("", ["nodes"], "get")]),
    // Events about nodes are in the namespace default.
    ...namespaceRights(name, name, [rule("", ["events"], "create")], "default"),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace: "kube-system" },
      data: { [scriptName]: script },
    },
    daemonSet(args, script),
  ];
}

const daemonSet = (
  { intervalSeconds, apiServerHost, apiServerPort }: HnsRemediationArgs,
  script: string,
): KubernetesObject =>
  // Pods do not restart when a ConfigMap changes; with its hash in the template they do.
  windowsDaemonSet(
    name,
    { "capz-windows/script": contentHash(script) },
    {
      serviceAccountName: name,
      tolerations: tolerateEverything,
      containers: [
        {
          name,
          image: hostProcessBaseImage,
          // PowerShell of the host, which expands the variable.
          command: ["powershell.exe"],
          args: ["-NoProfile", `$env:CONTAINER_SANDBOX_MOUNT_POINT/scripts/${scriptName}`],
          env: [
            { name: "NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
            // Not the service kubernetes: the service network is what a crash takes away.
            { name: "API_SERVER", value: `https://${apiServerHost}:${apiServerPort}` },
            { name: "INTERVAL_SECONDS", value: String(intervalSeconds) },
          ],
          resources: { requests: { cpu: "20m", memory: "100Mi" }, limits: { memory: "300Mi" } },
          volumeMounts: [
            { name: "scripts", mountPath: "/scripts" },
            { name: "work", mountPath: "/work" },
          ],
        },
      ],
      volumes: [
        { name: "scripts", configMap: { name } },
        { name: "work", emptyDir: {} },
      ],
    },
  );
