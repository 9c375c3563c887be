import { stringify } from "yaml";
import type { BootstrapFile } from "capz-types";
import {
  keyAnnotation,
  keyVaultKey,
  pluginPath,
  socketFolder,
  socketOf,
} from "capz-windows-platform/encryption/keyVault";
import { type NodeProxy, proxyVariables } from "./egress";
import { linuxAzureJson } from "./linux";

/** Ports of the first plugin on a machine (Azure/kubernetes-kms v0.11.0 cmd/server/main.go); the next one has the next ones. */
const firstPorts = { health: 8787, metrics: 8095 };

/**
 * The static pod of the plugin for one key, after docs/manual-install.md of Azure/kubernetes-kms v0.11.0. kubelet starts it with
 * the API server, which waits for it, without any network of pods; and it needs the address of the machine, because the metadata
 * service answers only there. It sees one file of /etc/kubernetes, and not the private keys.
 * @param index - which plugin of the machine it is
 */
export function keyVaultPlugin(
  name: string,
  id: string,
  index: number,
  image: string,
  proxy?: NodeProxy,
): BootstrapFile {
  const { vault, key, version } = keyVaultKey(id);
  const pod = `encryption-${name}`;
  const [health, metrics] = [firstPorts.health + index, firstPorts.metrics + index];
  const volumes = [
    { name: "azure-json", path: linuxAzureJson, type: "File", readOnly: true },
    // The certificate authorities of the machine, with those of trustedCertificates.
    { name: "certificates", path: "/etc/ssl/certs", type: "Directory", readOnly: true },
    { name: "sockets", path: socketFolder, type: "DirectoryOrCreate", readOnly: false },
  ];
  const content = stringify(
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        ...{ name: pod, namespace: "kube-system" },
        labels: { component: pod, tier: "control-plane" },
        annotations: { [keyAnnotation]: id },
      },
      spec: {
        ...{ priorityClassName: "system-node-critical", hostNetwork: true },
        containers: [
          {
            ...{ name: "azure-kms", image, imagePullPolicy: "IfNotPresent" },
            args: [
              `--listen-addr=${socketOf(name)}`,
              ...[`--keyvault-name=${vault}`, `--key-name=${key}`, `--key-version=${version}`],
              ...[
                `--config-file-path=${linuxAzureJson}`,
                `--healthz-port=${health}`,
                `--metrics-addr=${metrics}`,
              ],
              "-v=1",
            ],
            env: proxy === undefined ? [] : proxyVariables(proxy),
            securityContext: {
              ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, runAsUser: 0 },
              capabilities: { drop: ["ALL"] },
            },
            // Each probe asks the vault six times (pkg/plugin/healthz.go): its example has 10 seconds, and one to answer.
            livenessProbe: {
              httpGet: { path: "/healthz", port: health },
              ...{ periodSeconds: 30, timeoutSeconds: 20, failureThreshold: 3 },
            },
            resources: { requests: { cpu: "100m", memory: "128Mi" } },
            volumeMounts: volumes.map(({ name: volume, path, readOnly }) => ({
              name: volume,
              mountPath: path,
              readOnly,
            })),
          },
        ],
        volumes: volumes.map(({ name: volume, path, type }) => ({ name: volume, hostPath: { path, type } })),
      },
    },
    { lineWidth: 0 },
  );
  return { path: pluginPath(name), owner: "root:root", permissions: "0600", content };
}
