import { ownValue } from "capz-windows-kit/untyped";
import type { Argument } from "./argumentValues";
import { goWhole } from "./goValues";
import type { Program } from "./programSettings";

/**
 * Arguments that let in whom the program and the roles of a cluster keep out.
 * Source: CIS Kubernetes Benchmark v1.11 1.2, 1.3, 2 and 4.2; kubeadm's defaults: Kubernetes v1.36.3
 * cmd/kubeadm/app/phases/controlplane/manifests.go.
 */

/** What a value opens; nothing for one that opens nothing. */
type Opens = (value: string) => string | false;

const on =
  (what: string): Opens =>
  (value) =>
    /^(1|t|true)$/i.test(value) && what;
const off =
  (what: string): Opens =>
  (value) =>
    /^(0|f|false)$/i.test(value) && what;
const given =
  (what: string): Opens =>
  (value) =>
    value !== "" && what;
const otherThan =
  (usual: string, what: string): Opens =>
  (value) =>
    value !== "" && value !== usual && what;

/** The path of a file on Windows as kubeadm writes that of Linux; one that begins with two backslashes is on another machine. */
const onWindows = (path: string): string =>
  /^(?:c:)?[\\/](?![\\/])/i.test(path) ? path.replace(/^c:/i, "").replaceAll("\\", "/") : path;

const pki = "/etc/kubernetes/pki";
const listed = (value: string): string[] => value.split(",").map((one) => one.trim());

/** Plug-ins of admission that Kubernetes, or kubeadm, has on, and that keep a right within its bounds. */
const guards = [
  ...["CertificateApproval", "CertificateSigning", "CertificateSubjectRestriction", "NamespaceLifecycle"],
  ...["NodeRestriction", "PodSecurity", "ServiceAccount", "ValidatingAdmissionPolicy"],
  "ValidatingAdmissionWebhook",
];

const anonymous = on("requests without a login are let in as system:anonymous");
const nobodyAsked = "whoever reaches etcd reads and writes every object";

const openings: Readonly<Partial<Record<Program, Readonly<Record<string, Opens>>>>> = {
  "kube-apiserver": {
    "anonymous-auth": anonymous,
    "authentication-token-webhook-config-file": given("another server says who logs in"),
    "authorization-config": given("a file that no policy reads says who may do what"),
    "authorization-mode": (value) =>
      (listed(value).includes("AlwaysAllow") && "whoever logs in may do everything") ||
      (!listed(value).includes("RBAC") && "roles and their bindings do not count"),
    "authorization-policy-file": given("a file that no policy reads says who may do what"),
    "authorization-webhook-config-file": given("another server says who may do what"),
    "client-ca-file": otherThan(`${pki}/ca.crt`, "another authority makes certificates that log in"),
    "disable-admission-plugins": (value) => {
      const gone = listed(value).filter((one) => guards.includes(one));
      return gone.length > 0 && `${gone.join(", ")} no longer refuses anything`;
    },
    "enable-admission-plugins": (value) =>
      !listed(value).includes("NodeRestriction") && "without NodeRestriction, a node may change the others",
    "requestheader-allowed-names": (value) =>
      listed(value).join("") === "" && "every certificate of its authority may act as anyone",
    "requestheader-client-ca-file": otherThan(
      `${pki}/front-proxy-ca.crt`,
      "another authority makes certificates that may act as anyone",
    ),
    "service-account-key-file": otherThan(`${pki}/sa.pub`, "another key makes tokens of service accounts"),
    "service-account-lookup": off("tokens of deleted service accounts stay valid"),
    "token-auth-file": given("tokens in a file log in, and never expire"),
  },
  "kube-controller-manager": {
    "use-service-account-credentials": off("each controller has the rights of all"),
  },
  etcd: {
    "auto-tls": on(nobodyAsked),
    "client-cert-auth": off(nobodyAsked),
    "listen-client-urls": (value) =>
      listed(value).some((one) => /^http:\/\/(?!127\.|localhost[:/])/i.test(one)) && nobodyAsked,
    "peer-auto-tls": on("whoever reaches etcd becomes a member of it"),
    "peer-client-cert-auth": off("whoever reaches etcd becomes a member of it"),
  },
  kubelet: {
    "anonymous-auth": anonymous,
    "authorization-mode": (value) =>
      value === "AlwaysAllow" && "whoever is let in runs commands in each container of the node",
    "client-ca-file": (value) =>
      otherThan(`${pki}/ca.crt`, "another authority makes certificates that log in")(onWindows(value)),
    "manifest-url": given("a server says which pods the node runs, with all rights on it"),
    "read-only-port": (value) => goWhole(value) !== 0n && "whoever reaches the node reads what its pods are",
  },
};

/** What an argument opens; `undefined` for one that opens nothing, as far as is known. */
export function openedBy(program: Program, { name, value }: Argument): string | undefined {
  const what = ownValue(openings[program], name.replaceAll("_", "-"))?.(value);
  return what === false ? undefined : what;
}
