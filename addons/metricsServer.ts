import type { KubernetesObject } from "capz-types";
import { disruptionBudget } from "./disruption";
import { controllerRollout, offControlPlane, onDifferentNodes } from "./linuxPods";
import { bindClusterRole, bindRole, clusterRights, read, rule, serviceAccount } from "./rbac";
import { rowOf } from "capz-windows-platform/compatibility";

/** The newest release of metrics-server that supports a Kubernetes minor. */
export const metricsServerVersion = (kubernetesMinor: number): string => rowOf(kubernetesMinor).metricsServer;

const metricsServerImage = (version: string): string =>
  `registry.k8s.io/metrics-server/metrics-server:${version}`;

export interface MetricsServerArgs {
  /** Release, with leading v. */
  readonly version: string;
  /** 2 if there are enough Linux nodes for both. */
  readonly replicas: number;
  /** Linux nodes beside the control plane. */
  readonly workers: number;
  /** Whether kubelets have certificates of the cluster's CA, which it then verifies. Default: false. */
  readonly verifiesKubelets?: boolean | undefined;
}

/** The CA of the cluster, which every pod with a token has beside it. */
const clusterCa = "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt";

const name = "metrics-server";
const labels = { "k8s-app": name };
const metadata = { name, namespace: "kube-system", labels };
const port = 10_250;

/**
 * CPU and memory of pods and nodes, for `kubectl top` and the HorizontalPodAutoscaler; it covers Windows nodes as well.
 */
export function metricsServerObjects(args: MetricsServerArgs): KubernetesObject[] {
  const account = name;
  return [
    serviceAccount(account),
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRole",
      metadata: {
        name: "system:aggregated-metrics-reader",
        // Anyone who may view a namespace may see the usage of its pods.
        labels: Object.fromEntries(
          ["view", "edit", "admin"].map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, "true"]),
        ),
      },
      rules: [rule("metrics.k8s.io", ["pods", "nodes"], ...read)],
    },
    ...clusterRights("system:metrics-server", account, [
      rule("", ["nodes/metrics"], "get"),
      rule("", ["pods", "nodes"], ...read),
    ]),
    bindClusterRole("metrics-server:system:auth-delegator", account, "system:auth-delegator"),
    bindRole("metrics-server-auth-reader", account, "extension-apiserver-authentication-reader"),
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: {
        selector: labels,
        ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: "https", appProtocol: "https" }],
      },
    },
    deployment(args),
    disruptionBudget(name, labels),
    {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1beta1.metrics.k8s.io", labels },
      spec: {
        group: "metrics.k8s.io",
        version: "v1beta1",
        service: { name, namespace: "kube-system" },
        // It creates a self-signed certificate at each start.
        insecureSkipTLSVerify: true,
        groupPriorityMinimum: 100,
        versionPriority: 100,
      },
    },
  ];
}

function deployment({ version, replicas, workers, verifiesKubelets }: MetricsServerArgs): KubernetesObject {
  const probe = (path: string, more: object = {}) => ({
    httpGet: { path, port: "https", scheme: "HTTPS" },
    periodSeconds: 10,
    failureThreshold: 3,
    ...more,
  });
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata,
    spec: {
      replicas,
      selector: { matchLabels: labels },
      strategy: controllerRollout(replicas),
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: "system-cluster-critical",
          nodeSelector: { "kubernetes.io/os": "linux" },
          ...offControlPlane(replicas, workers),
          ...onDifferentNodes(replicas, labels),
          containers: [
            {
              name,
              image: metricsServerImage(version),
              args: [
                "--cert-dir=/tmp",
                `--secure-port=${port}`,
                "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",
                "--kubelet-use-node-status-port",
                verifiesKubelets === true
                  ? `--kubelet-certificate-authority=${clusterCa}`
                  : // Unless they ask for others, kubelets have self-signed certificates (CAPZ #1125).
                    "--kubelet-insecure-tls",
                "--metric-resolution=15s",
              ],
              ports: [{ containerPort: port, name: "https", protocol: "TCP" }],
              readinessProbe: probe("/readyz", { initialDelaySeconds: 20 }),
              livenessProbe: probe("/livez"),
              resources: { requests: { cpu: "100m", memory: "200Mi" } },
              securityContext: {
                readOnlyRootFilesystem: true,
                runAsNonRoot: true,
                runAsUser: 1000,
                allowPrivilegeEscalation: false,
                seccompProfile: { type: "RuntimeDefault" },
                capabilities: { drop: ["ALL"] },
              },
              volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
            },
          ],
          volumes: [{ name: "tmp", emptyDir: {} }],
        },
      },
    },
  };
}
