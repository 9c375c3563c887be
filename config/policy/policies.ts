import { minor } from "semver";
import { endOfLife } from "../../platform/kubernetesReleases";
import { monthName } from "../../platform/machines/patchMonths";
import { supportEnds } from "../../platform/machines/windowsReleases";
import type { Level } from "../../tools/finding";
import type { Warning } from "../../tools/problem";
import { placeholder, writeLine } from "../../tools/writeLine";
import { windowsPoolsOf } from "../pools";
import { auditWarnings } from "../rules/audit";
import { credentialWarnings } from "../rules/credentials";
import { encryptionWarnings } from "../rules/encryption";
import { versionsOf } from "../rules/releases";
import type { Settings } from "../settings";
import { movingImages } from "./movingImages";
import type { PolicyId } from "./policyIds";

/** What a security review asks of every stack. Nothing here refuses a stack: each rule gives findings. */

export interface Policy {
  readonly level: Level;
  /** What is wrong with a stack that has a finding. */
  readonly title: string;
  /** Why, for docs/policies.md. */
  readonly why: string;
  /** Where the reason can be read. */
  readonly source: string;
  /** The line of the stack file that ends the finding. */
  readonly write: string;
  /** @param today - such as 2026-11-25 */
  readonly find: (settings: Settings, today: string) => readonly Warning[];
}

const when = (isFound: boolean, path: string, message: string): readonly Warning[] =>
  isFound ? [{ path, message }] : [];

const yourNetwork = placeholder("your network as a CIDR");

export const policies: Readonly<Record<PolicyId, Policy>> = {
  "public-cluster": {
    level: "error",
    title: "The API server and SSH are open to the Internet",
    why: "Anyone can try keys and tokens, and reaches both before a fix of the next weakness is installed.",
    source: "https://kubernetes.io/docs/concepts/security/security-checklist/",
    write: writeLine("allowedCidrs", [yourNetwork], "in access"),
    find: ({ access }) =>
      when(
        access.allowedCidrs.includes("0.0.0.0/0"),
        "access.allowedCidrs",
        "0.0.0.0/0 exposes the API server and SSH on the control plane to the Internet",
      ),
  },
  "public-management-cluster": {
    level: "warning",
    title: "The API server of the management cluster is open to the Internet",
    why: "Whoever gets a credential of the management cluster can use it from anywhere, and it has the keys of all clusters.",
    source: "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges",
    write: writeLine("authorizedCidrs", [yourNetwork], "in management"),
    find: ({ management }) =>
      when(
        management.kind === "aks" && management.authorizedCidrs.length === 0,
        "management.authorizedCidrs",
        "the API server of the management cluster is reachable from any address (credentials are still required)",
      ),
  },
  "no-entra-login": {
    level: "warning",
    title: "The management cluster has administrators without a name",
    why: "AKS gives a certificate of an administrator to everybody who may list its credentials. It names no person and cannot be revoked alone.",
    source: "https://learn.microsoft.com/azure/aks/enable-authentication-microsoft-entra-id",
    write: writeLine(
      "entra",
      { adminGroupObjectIds: [placeholder("object ID of a group")] },
      "in management",
    ),
    find: ({ management }) =>
      when(
        management.kind === "aks" && management.entra === undefined,
        "management.entra",
        "not set, so an administrator of the management cluster logs in with a certificate that names no person",
      ),
  },
  "one-control-plane-machine": {
    level: "warning",
    title: "The control plane has one machine",
    why: "etcd has no second copy, and every replacement of the machine interrupts the API server.",
    source: "https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/ha-topology/",
    write: writeLine("replicas", 3, "in controlPlane"),
    find: ({ controlPlane }) =>
      when(
        controlPlane.replicas === 1,
        "controlPlane.replicas",
        "with one machine, the API server is unavailable while it is replaced, and etcd is lost if its disk is lost; use 3 in production",
      ),
  },
  "no-encryption": {
    level: "warning",
    title: "Secrets are in clear text in etcd",
    why: "Whoever gets a disk, a snapshot or a backup of etcd reads every Secret.",
    source: "https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/",
    write: writeLine(
      "encryption",
      { keys: ["key1"] },
      "in controlPlane; a cluster that has Secrets: docs/operations.md",
    ),
    find: (settings) =>
      settings.controlPlane.encryption === undefined
        ? when(
            true,
            "controlPlane.encryption",
            "not set, so Secrets are in clear text in etcd, on its disks and in its backups",
          )
        : encryptionWarnings(settings),
  },
  "no-audit-log": {
    level: "warning",
    title: "The API server has no audit log",
    why: "Afterwards there is no record of who changed an object or read a Secret.",
    source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/",
    write: writeLine("audit", {}, "in controlPlane"),
    find: ({ controlPlane }) =>
      when(
        controlPlane.audit === undefined,
        "controlPlane.audit",
        "not set, so the API server has no audit log: there is no record of who changes an object or reads a Secret",
      ),
  },
  "secrets-in-audit-log": {
    level: "error",
    title: "The audit log has contents of Secrets",
    why: "Whoever reads the log, or what collects it, reads the Secrets.",
    source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/",
    write: writeLine("audit", {}, "in controlPlane"),
    find: auditWarnings,
  },
  "unverified-kubelets": {
    level: "warning",
    title: "Certificates of kubelets are not verified",
    why: "The API server sends commands of `kubectl exec` and reads logs at the address of a node without knowing who answers there.",
    source: "https://kubernetes.io/docs/concepts/security/api-server-bypass-risks/",
    write: writeLine("kubeletCertificates", "verified", "a cluster that exists: docs/operations.md"),
    find: ({ kubeletCertificates: value, platform }) =>
      when(
        value !== "verified" && platform.cloudProvider === "external",
        "kubeletCertificates",
        value === "issued"
          ? "issued, so the API server and metrics-server do not look at the certificates of kubelets yet"
          : "selfSigned, so the API server and metrics-server cannot know whether a kubelet answers them",
      ),
  },
  "plain-credential": {
    level: "error",
    title: "A text looks like a password or a token",
    why: "The stack file, plans, the nodes or Azure show it to people who should not have it.",
    source: "https://kubernetes.io/docs/concepts/security/secrets-good-practices/",
    write: writeLine("contentFrom", { secretFile: placeholder("name of a content in secretFiles") }),
    find: credentialWarnings,
  },
  unprotected: {
    level: "warning",
    title: "The stack may be deleted by mistake",
    why: "One `pulumi destroy`, or a renamed key, deletes the cluster with its disks.",
    source: "https://www.pulumi.com/docs/iac/concepts/resources/options/protect/",
    write: writeLine("protect", true),
    find: ({ protect }) =>
      when(!protect, "protect", "false, so one command can delete the cluster and its network"),
  },
  "kubernetes-end-of-life": {
    level: "error",
    title: "Kubernetes gets no more security fixes",
    why: "Weaknesses that become known stay open.",
    source: "https://kubernetes.io/releases/patch-releases/",
    write: "a newer kubernetesVersion, one minor after the other (docs/operations.md)",
    find: (settings, today) =>
      versionsOf(settings).flatMap(({ path, version }) => {
        const month = endOfLife(minor(version));
        return month === undefined || today.slice(0, 7) <= month
          ? []
          : when(
              true,
              path,
              `Kubernetes 1.${minor(version)} had its last patch release in ${monthName(month)}`,
            );
      }),
  },
  "windows-end-of-life": {
    level: "error",
    title: "Windows Server gets no more security updates",
    why: "Weaknesses that become known stay open.",
    source: "https://learn.microsoft.com/lifecycle/products/windows-server-2019",
    write: writeLine("windowsServer", "2025", "in the pool, with images of containers for it"),
    find: (settings, today) =>
      windowsPoolsOf(settings).flatMap(({ path, pool: { windowsServer } }) => {
        const { extended } = supportEnds[windowsServer];
        return when(
          today > extended,
          `${path}.windowsServer`,
          `Windows Server ${windowsServer} had its last security updates on ${extended}`,
        );
      }),
  },
  "windows-mainstream-end": {
    level: "note",
    title: "Windows Server gets security updates only",
    why: "Other faults are no longer fixed, so a newer release should be planned.",
    source: "https://learn.microsoft.com/lifecycle/products/windows-server-2022",
    write: writeLine("windowsServer", "2025", "in the pool, with images of containers for it"),
    find: (settings, today) =>
      windowsPoolsOf(settings).flatMap(({ path, pool: { windowsServer } }) => {
        const { mainstream, extended } = supportEnds[windowsServer];
        return when(
          today > mainstream && today <= extended,
          `${path}.windowsServer`,
          `Windows Server ${windowsServer} has had only security updates since ${mainstream}, and has them until ${extended}`,
        );
      }),
  },
  "moving-image": {
    level: "warning",
    title: "An image has no fixed version",
    why: "Nodes run different contents under one name, and a plan cannot show a change.",
    source: "https://kubernetes.io/docs/concepts/containers/images/",
    write: "the image with a tag other than latest, or with its digest (@sha256:...)",
    find: (settings) =>
      movingImages({ addons: settings.addons, sampleWorkload: settings.sampleWorkload }).map(
        ({ path, image }) => ({ path, message: `${image} has no fixed version: name a tag or a digest` }),
      ),
  },
  "public-sample": {
    level: "warning",
    title: "The sample workload is open to the Internet",
    why: "The sample shows that a cluster works. It has no TLS and no login.",
    source: "https://learn.microsoft.com/azure/aks/internal-lb",
    write: writeLine("internal", true, "in sampleWorkload"),
    find: ({ sampleWorkload, access }) =>
      when(
        sampleWorkload?.serviceType === "LoadBalancer" &&
          !sampleWorkload.internal &&
          access.allowedCidrs.includes("0.0.0.0/0"),
        "sampleWorkload.internal",
        "the load balancer of the sample has a public address that everybody can open",
      ),
  },
};

/**
 * The findings of a rule as warnings of the program and the plan, which name no day: only rules that are about the stack
 * file alone are asked.
 */
export const policyWarnings = (id: PolicyId, settings: Settings): Warning[] => [
  ...policies[id].find(settings, ""),
];
