import type { KubernetesObject } from "capz-types";
import { flannelNamespace, flannelPort, flannelVni, networkConfigMap, podVariables } from "./flannelNetwork";
import { flannelWindowsObjects } from "./flannelWindows";
import { clusterRights, rule, serviceAccount } from "../../addons/rbac";
import { daemonSet } from "../../addons/windowsPods";
import { tolerateEverything } from "capz-windows-platform/workloads/hostProcess";

/** Images of CAPZ's templates up to v1.3, which were tested with this pair. */
const flannelImages = {
  linux: "quay.io/coreos/flannel:v0.12.0-amd64",
  windows: "sigwindowstools/flannel:v0.13.0-nanoserver",
  /** The CNI plug-in, which node images contained until kubernetes-cni 1.0 dropped it. */
  cniPlugin: "ghcr.io/flannel-io/flannel-cni-plugin:v1.9.1-flannel3",
} as const;

export interface FlannelArgs {
  readonly podCidr: string;
  readonly serviceCidr: string;
  /** MTU of the pods in bytes, without the VXLAN header (50): 1350 if eth0 has 1400. */
  readonly podMtu: number;
  /** Default: {@link flannelImages}. */
  readonly images?: { readonly linux?: string | undefined; readonly windows?: string | undefined };
}

const account = "flannel";

/**
 * Flannel on Linux and Windows nodes, with the values of CAPZ's text template. Left out: the PodSecurityPolicy, which
 * takes effect only with an admission plug-in that kubeadm does not enable, and DaemonSets for processors for which
 * there are no CAPZ images in Azure.
 */
export const flannelObjects = (args: FlannelArgs): KubernetesObject[] => [
  ...access,
  networkConfig(args),
  linuxDaemonSet(args),
  ...flannelWindowsObjects({
    ...args,
    image: args.images?.windows ?? flannelImages.windows,
    serviceAccountName: account,
  }),
];

const access: readonly KubernetesObject[] = [
  ...clusterRights(account, account, [
    rule("", ["pods"], "get"),
    rule("", ["nodes"], "get", "list", "watch"),
    rule("", ["nodes/status"], "patch"),
  ]),
  serviceAccount(account),
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const networkConfig = ({ podCidr }: FlannelArgs): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: networkConfigMap, namespace: flannelNamespace },
  data: {
    "cni-conf.json": json({
      name: "cbr0",
      cniVersion: "0.3.1",
      plugins: [
        { type: "flannel", delegate: { hairpinMode: true, isDefaultGateway: true } },
        { type: "portmap", capabilities: { portMappings: true } },
      ],
    }),
    "net-conf.json": json({
      Network: podCidr,
      Backend: { Type: "vxlan", VNI: flannelVni, Port: flannelPort },
    }),
  },
});

function linuxDaemonSet({ podMtu, images }: FlannelArgs): KubernetesObject {
  const labels = { app: "flannel-linux" };
  const image = images?.linux ?? flannelImages.linux;
  const config = { name: "flannel-cfg", mountPath: "/etc/kube-flannel" };
  return daemonSet(
    "kube-flannel-linux",
    { type: "RollingUpdate", rollingUpdate: { maxUnavailable: "10%" } },
    {
      priorityClassName: "system-node-critical",
      nodeSelector: { "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" },
      hostNetwork: true,
      serviceAccountName: account,
      tolerations: tolerateEverything,
      initContainers: [
        {
          name: "install-cni-plugin",
          image: flannelImages.cniPlugin,
          command: ["cp", "-f", "/flannel", "/opt/cni/bin/flannel"],
          volumeMounts: [{ name: "cni-plugins", mountPath: "/opt/cni/bin" }],
        },
        {
          name: "install-cni",
          image,
          command: ["cp", "-f", "/etc/kube-flannel/cni-conf.json", "/etc/cni/net.d/10-flannel.conflist"],
          volumeMounts: [{ name: "cni", mountPath: "/etc/cni/net.d" }, config],
        },
      ],
      containers: [
        {
          name: "kube-flannel",
          image,
          command: ["/opt/bin/flanneld"],
          args: ["--ip-masq", "--kube-subnet-mgr", "--iface=eth0"],
          env: podVariables,
          resources: { requests: { cpu: "100m", memory: "50Mi" }, limits: { memory: "200Mi" } },
          securityContext: { capabilities: { add: ["NET_ADMIN", "NET_RAW"] } },
          // The MTU that flanneld found on eth0, less 50: on a node with another MTU the pod never becomes ready,
          // and its events say why.
          readinessProbe: {
            exec: { command: ["grep", "-x", `FLANNEL_MTU=${podMtu}`, "/run/flannel/subnet.env"] },
            initialDelaySeconds: 5,
            periodSeconds: 30,
          },
          volumeMounts: [{ name: "run", mountPath: "/run/flannel" }, config],
        },
      ],
      volumes: [
        { name: "run", hostPath: { path: "/run/flannel", type: "DirectoryOrCreate" } },
        { name: "cni", hostPath: { path: "/etc/cni/net.d", type: "DirectoryOrCreate" } },
        { name: "cni-plugins", hostPath: { path: "/opt/cni/bin", type: "DirectoryOrCreate" } },
        { name: "flannel-cfg", configMap: { name: networkConfigMap } },
      ],
    },
    { labels },
  );
}
