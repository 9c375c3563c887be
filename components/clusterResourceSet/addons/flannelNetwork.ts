/** What Flannel's Linux and Windows parts have in common. */

/** Windows takes no VXLAN identifier below this and no other port (flannel pkg/backend/vxlan/vxlan_windows.go). */
export const flannelVni = 4096;
export const flannelPort = 4789;

export const flannelNamespace = "kube-system";

/** Read by both systems, so that they have one VXLAN. */
export const networkConfigMap = "kube-flannel-cfg";

/** From its own pod flanneld learns which node it is on. */
export const podVariables = [
  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
  { name: "POD_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
] as const;
