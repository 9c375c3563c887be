/** Labels and taints of nodes: who sets them, and which ones users may not set. */

export type Labels = Readonly<Record<string, string>>;

export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
}

const domainOf = (key: string): string => (key.includes("/") ? (key.split("/")[0] ?? "") : "");

const isIn = (domain: string, ...domains: readonly string[]): boolean =>
  domains.some((other) => domain === other || domain.endsWith(`.${other}`));

/**
 * Labels that Cluster API copies from the MachinePool or MachineDeployment to machines and nodes, also to those that run
 * (CAPI v1.14.2 util/labels/helpers.go, GetManagedLabels). Those of node-restriction.kubernetes.io no kubelet may set.
 */
const isSynced = (key: string): boolean =>
  domainOf(key) === "node-role.kubernetes.io" ||
  isIn(domainOf(key), "node-restriction.kubernetes.io", "node.cluster.x-k8s.io");

const sorted = (labels: Labels, test: (key: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([key]) => test(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** What Cluster API writes onto nodes. */
export const syncedLabels = (labels: Labels = {}): Record<string, string> => sorted(labels, isSynced);

/** What kubelet writes when it makes its Node: `a=b,c=d`; "" for nothing. */
export const kubeletLabels = (labels: Labels = {}): string =>
  Object.entries(sorted(labels, (key) => !isSynced(key)))
    .map(([key, value]) => `${key}=${value}`)
    .join(",");

/** As kubectl and the autoscaler write it: `dedicated=iis:NoSchedule`. */
export const taintText = ({ key, value = "", effect }: Taint): string =>
  `${key}${value === "" ? "" : `=${value}`}:${effect}`;

const namePattern = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const domainPattern = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** Whether a text is a label's or taint's key: an optional DNS name, and a name of up to 63 characters. */
export const isLabelKey = (key: string): boolean => {
  const parts = key.split("/");
  const name = parts.at(-1) ?? "";
  return (
    parts.length <= 2 && namePattern.test(name) && (parts.length === 1 || domainPattern.test(parts[0] ?? ""))
  );
};

export const isLabelValue = (value: string): boolean => value === "" || namePattern.test(value);

/** Characters of all labels together that fit into one argument (CRD kubeadmconfigs, CAPI v1.14.2). */
export const mostLabelCharacters = 1024;

export const areRightLabels = (labels: Labels): boolean =>
  Object.entries(labels).every(([key, value]) => isLabelKey(key) && isLabelValue(value)) &&
  kubeletLabels(labels).length <= mostLabelCharacters;

/** Labels of kubernetes.io that kubelet may set itself. Source: k8s.io/kubelet v0.36.3 pkg/apis/well_known_labels.go. */
const ofKubelet = [
  ...["kubernetes.io/hostname", "kubernetes.io/os", "kubernetes.io/arch", "node.kubernetes.io/instance-type"],
  ...["topology.kubernetes.io/zone", "topology.kubernetes.io/region", "beta.kubernetes.io/instance-type"],
  ...["failure-domain.beta.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/region"],
  ...["beta.kubernetes.io/os", "beta.kubernetes.io/arch"],
];

/** Why kubelet does not start with a label as its argument; `undefined` if it does. */
export function kubeletLabelFault(key: string, value: string): string | undefined {
  if (!isLabelKey(key) || !isLabelValue(value)) {
    return `${key}=${value} is no label`;
  }
  const domain = domainOf(key);
  return isIn(domain, "kubernetes.io", "k8s.io") &&
    !isIn(domain, "kubelet.kubernetes.io", "node.kubernetes.io") &&
    !ofKubelet.includes(key)
    ? `no kubelet may set the label ${key} of Kubernetes`
    : undefined;
}

const controlPlaneRoles = ["node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master"];

/**
 * Why users may not set a label; `undefined` if they may. kubelet refuses to start with labels of kubernetes.io and
 * k8s.io that it does not know (Kubernetes v1.36.3 cmd/kubelet/app/options, pkg/apis/well_known_labels.go).
 */
export function reservedLabel(key: string): string | undefined {
  const domain = domainOf(key);
  if (controlPlaneRoles.includes(key)) {
    return "by this label Cluster API and add-ons know control plane machines";
  }
  if (key === "node.kubernetes.io/instance-type" || key === "node.kubernetes.io/windows-build") {
    return "kubelet and the cloud provider set this label";
  }
  if (isSynced(key) || isIn(domain, "node.kubernetes.io", "kubelet.kubernetes.io")) {
    return undefined;
  }
  return isIn(domain, "kubernetes.io", "k8s.io")
    ? "labels of kubernetes.io and k8s.io are Kubernetes' own: kubelet does not start with one that it does not know, and sets the others itself"
    : undefined;
}

/** Why users may not set a taint; `undefined` if they may. */
export function reservedTaint(key: string): string | undefined {
  if (controlPlaneRoles.includes(key)) {
    return "this taint is that of control plane machines";
  }
  return isIn(domainOf(key), "node.kubernetes.io", "node.cloudprovider.kubernetes.io", "cluster.x-k8s.io")
    ? "kubelet, the cloud provider and Cluster API set and remove the taints of these names"
    : undefined;
}
