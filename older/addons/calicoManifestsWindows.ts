import { contentHash } from "../../capi/contentHash";
import type { KubernetesObject } from "capz-types";
import { daemonSet, windowsRollout } from "../../addons/windowsPods";
import { hostProcess, tolerateEverything } from "capz-windows-platform/workloads/hostProcess";

export interface CalicoWindowsArgs {
  /** Calico release of the images, with leading v. */
  readonly release: string;
  readonly serviceCidr: string;
  /** MTU of the pods in bytes, without the VXLAN header (50). */
  readonly podMtu: number;
}

/** Where the manifests of Calico put their Linux part, whose account the Windows part shares. */
const namespace = "kube-system";
const name = "calico-node-windows";
const configMap = "calico-config-windows";
const vni = "4096";

/** Words that the image's install script replaces on the node. */
const cniConfig = ({ serviceCidr, podMtu }: CalicoWindowsArgs) => ({
  name: "Calico",
  cniVersion: "0.3.1",
  plugins: [
    {
      type: "calico",
      mode: "vxlan",
      windows_use_single_network: true,
      nodename: "__KUBERNETES_NODE_NAME__",
      nodename_file_optional: true,
      log_file_path: "c:/cni.log",
      log_level: "info",
      vxlan_mac_prefix: "0E-2A",
      vxlan_vni: Number(vni),
      mtu: podMtu,
      policy: { type: "k8s" },
      capabilities: { dns: true },
      DNS: { Search: ["svc.cluster.local"] },
      datastore_type: "kubernetes",
      kubernetes: { kubeconfig: "__KUBECONFIG_FILEPATH__" },
      ipam: { type: "calico-ipam", subnet: "usePodCidr" },
      policies: [
        { Name: "EndpointPolicy", Value: { Type: "OutBoundNAT", ExceptionList: [serviceCidr] } },
        {
          Name: "EndpointPolicy",
          Value: { Type: "SDNROUTE", DestinationPrefix: serviceCidr, NeedEncap: true },
        },
      ],
    },
  ],
});

/** Keeps pods from Azure's wire server, which hands out a node's secrets. */
const staticRules = {
  Provider: "azure",
  Version: "0.1",
  Rules: [
    {
      Name: "EndpointPolicy",
      Rule: {
        Id: "wireserver",
        Type: "ACL",
        Protocol: 6,
        Action: "Block",
        Direction: "Out",
        RemoteAddresses: "168.63.129.16/32",
        RemotePorts: "80",
        Priority: 200,
        RuleType: "Switch",
      },
    },
  ],
};

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Calico on Windows nodes before its operator supported them: a DaemonSet of HostProcess containers with images that
 * sig-windows-tools built, and the values of CAPZ v1.7's add-on.
 */
export function calicoWindowsObjects(args: CalicoWindowsArgs): KubernetesObject[] {
  const data = { cni_network_config: json(cniConfig(args)), "static-rules.json": json(staticRules) };
  return [
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: configMap, namespace }, data },
    nodePods(args.release, contentHash(data)),
  ];
}

const image = (part: string, release: string): string =>
  `sigwindowstools/calico-${part}:${release}-hostprocess`;

const inSandbox = (path: string): string => `$env:CONTAINER_SANDBOX_MOUNT_POINT/calico/${path}`;

function nodePods(release: string, hash: string): KubernetesObject {
  const variable = (variableName: string, value: string) => ({ name: variableName, value });
  const common = [
    variable("CNI_IPAM_TYPE", "calico-ipam"),
    variable("CALICO_NETWORKING_BACKEND", "vxlan"),
    variable("KUBECONFIG", "C:/etc/cni/net.d/calico-kubeconfig"),
    variable("VXLAN_VNI", vni),
  ];
  return daemonSet(
    name,
    windowsRollout,
    {
      ...hostProcess,
      serviceAccountName: "calico-node",
      tolerations: tolerateEverything,
      initContainers: [
        {
          name: "install-cni",
          image: image("install", release),
          args: [inSandbox("install.ps1")],
          env: [
            {
              name: "CNI_NETWORK_CONFIG",
              valueFrom: { configMapKeyRef: { name: configMap, key: "cni_network_config" } },
            },
            {
              name: "KUBERNETES_NODE_NAME",
              valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } },
            },
          ],
          volumeMounts: [
            // The script writes to the host's folders; the volumes only create them.
            { name: "cni-bin", mountPath: "/host/opt/cni/bin" },
            { name: "cni-net", mountPath: "/host/etc/cni/net.d" },
            // The script reads the API server's address from here: the service network does not exist yet.
            { name: "kubeadm-config", mountPath: "/etc/kubeadm-config" },
          ],
        },
      ],
      containers: [
        {
          name: "startup",
          image: image("node", release),
          args: [inSandbox("node-service.ps1")],
          workingDir: inSandbox(""),
          env: common,
        },
        {
          name: "felix",
          image: image("node", release),
          args: [inSandbox("felix-service.ps1")],
          workingDir: inSandbox(""),
          env: common,
          volumeMounts: [
            { name: "config", mountPath: "/calico/static-rules.json", subPath: "static-rules.json" },
          ],
        },
      ],
      volumes: [
        { name: "config", configMap: { name: configMap } },
        { name: "kubeadm-config", configMap: { name: "kubeadm-config" } },
        { name: "cni-bin", hostPath: { path: "/opt/cni/bin", type: "DirectoryOrCreate" } },
        { name: "cni-net", hostPath: { path: "/etc/cni/net.d", type: "DirectoryOrCreate" } },
      ],
    },
    { annotations: { "capz-windows/config": hash } },
  );
}
