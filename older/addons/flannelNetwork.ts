/** What Flannel's Linux and Windows parts have in common. */

/** Windows supports no lower VXLAN identifier and no other port (flannel pkg/backend/vxlan/vxlan_windows.go). */
export const flannelVni = 4096;
export const flannelPort = 4789;

export const flannelNamespace = "kube-system";

/** Both operating systems read it, so that they use the same VXLAN. */
export const networkConfigMap = "kube-flannel-cfg";

/** flanneld learns from its own pod which node it runs on. */
export const podVariables = [
  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
] as const;
