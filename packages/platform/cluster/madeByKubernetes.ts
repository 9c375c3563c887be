import { at, mappingsIn, ownValue, texts, textAt } from "capz-windows-kit/untyped";
import { systemNamespaces } from "./providerNamespaces";
import { kindOf, nameOf } from "./rights";

/**
 * Objects of the cluster that a manifest can replace, and what programs know them by. Source: kubernetes v1.36.3
 * cmd/kubeadm/app/phases/{addons,bootstraptoken,uploadconfig}, plugin/pkg/auth/authorizer/rbac/bootstrappolicy.
 */

const rolesInside =
  /^kube-(system|public)\/(kubeadm:.*|kube-proxy|extension-apiserver-authentication-reader|system::(extension-apiserver-authentication-reader|leader-locking-kube-(controller-manager|scheduler))|system:controller:(bootstrap-signer|cloud-provider|token-cleaner))$/;

/** Those of everyone, and of people, are read by the rules about rights. */
const rolesOutside =
  /^\/(kubeadm:.*|cluster-admin|system:(coredns|node|node-bootstrapper|node-proxier|volume-scheduler|kube-(aggregator|controller-manager|dns|scheduler)|certificates\.k8s\.io:.*))$/;

/** NAMESPACE/NAME by kind. */
const made: Readonly<Record<string, RegExp>> = {
  ConfigMap:
    /^(kube-system\/(kubeadm-config|kubelet-config(-1\.\d+)?|kube-proxy|coredns|extension-apiserver-authentication)|kube-public\/cluster-info)$/,
  ServiceAccount: /^kube-system\/(coredns|kube-proxy)$/,
  Deployment: /^kube-system\/coredns$/,
  DaemonSet: /^kube-system\/kube-proxy$/,
  Role: rolesInside,
  RoleBinding: rolesInside,
  ClusterRole: rolesOutside,
  ClusterRoleBinding: rolesOutside,
  // Whoever holds one leads, or is a node that answers.
  Lease: /^(kube-system\/(kube-controller-manager$|kube-scheduler$|apiserver-)|kube-node-lease\/)/,
};

export function isMadeByKubernetes(object: unknown): boolean {
  const kind = kindOf(object);
  const namespace = kind.startsWith("Cluster") ? "" : textAt(object, "metadata", "namespace");
  return ownValue(made, kind)?.test(`${namespace}/${nameOf(object)}`) === true;
}

export type GivenLabels = Readonly<Record<string, string | undefined>>;

/** Labels by which Services, kubeadm (cmd/kubeadm/app/util/etcd) and Cluster API find pods of kube-system. */
const chosen = {
  "k8s-app": ["kube-dns", "kube-proxy"],
  component: ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"],
};

/** Whether the pods of an object in kube-system, of whichever kind, pass for those of the cluster. */
export const passesForOwn = (object: unknown): boolean =>
  mappingsIn(kindOf(object) === "Pod" ? object : at(object, "spec"))
    .map((template) => texts(at(template, "metadata", "labels")))
    .some((labels) => Object.entries(chosen).some(([key, values]) => values.includes(labels[key] ?? "")));

/** Whether a Service finds pods of the control plane, by one or all of the labels that kubeadm gives them. */
export const findsControlPlane = (service: unknown): boolean => {
  const wanted = Object.entries(texts(at(service, "spec", "selector")));
  const labels = { component: chosen.component, tier: ["control-plane"] };
  return (
    textAt(service, "metadata", "namespace") === "kube-system" &&
    wanted.length > 0 &&
    wanted.every(([key, value]) => ownValue<readonly string[] | undefined>(labels, key)?.includes(value))
  );
};

/** Whether an object has the API server refuse pods of the cluster. */
export const closesNamespace = (object: unknown): boolean =>
  kindOf(object) === "Namespace" &&
  systemNamespaces.some((name) => name === nameOf(object)) &&
  ["baseline", "restricted"].includes(
    textAt(object, "metadata", "labels", "pod-security.kubernetes.io/enforce"),
  );

/**
 * The labels of a system namespace, with those that manifests add. Source: addons/calico.ts; tigera/operator v1.40
 * pkg/render/namespaces.go.
 */
export function labelsOfNamespace(name: string, all: readonly unknown[]): GivenLabels {
  const written = all
    .filter((one) => kindOf(one) === "Namespace" && nameOf(one) === name)
    .flatMap((one) => Object.entries(texts(at(one, "metadata", "labels"))));
  return {
    ...(name.startsWith("kube-") ? {} : { name, "pod-security.kubernetes.io/enforce": "privileged" }),
    ...(name === "calico-system" ? { "pod-security.kubernetes.io/enforce-version": "latest" } : {}),
    ...Object.fromEntries(written),
    "kubernetes.io/metadata.name": name,
  };
}
