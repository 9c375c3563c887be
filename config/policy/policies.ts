import { admissionControl, clusterControl } from "capz-windows-platform/cluster/clusterControl";
import { privilegedPods, weakerNamespaces } from "capz-windows-platform/cluster/handedOver";
import { openedMetadata } from "capz-windows-platform/cluster/metadataAccess";
import { changedBy } from "capz-windows-platform/cluster/nodeFiles";
import { openedBy } from "capz-windows-platform/cluster/openArguments";
import { kubeletBindings, openRights } from "capz-windows-platform/cluster/rights";
import { outsideServers, takenTraffic } from "capz-windows-platform/cluster/outsideServers";
import { rangesOfAnyone } from "capz-windows-platform/network/addressing";
import type { Warning } from "capz-windows-kit/problem";
import { placeholder, writeLine } from "capz-windows-kit/writeLine";
import { auditWarnings, unloggedWarnings } from "../rules/audit";
import { encryptionWarnings } from "../rules/encryption";
import type { Settings } from "../settings";
import { endsOfLife } from "./endsOfLife";
import { factsOf, type Found, type FactPlace } from "./facts";
import { isMoving } from "./images";
import { at, type Policy } from "./policy";
import type { PolicyId } from "./policyIds";

/** What a security review asks of every stack. Nothing here refuses a stack: each rule gives findings. */

/** The same at each place. */
const each = (places: readonly FactPlace[], message: string, key = ""): Found[] =>
  places.map((place) => at(place, message, key));

/** What a rule says of one control plane, with the resource that is it. */
const of = ({ urn }: FactPlace, warnings: readonly Warning[]): Found[] =>
  warnings.map(({ path, message }) => at({ path, ...(urn === undefined ? {} : { urn }) }, message));

const yourNetwork = placeholder("your network as a CIDR");

export const policies: Readonly<Record<PolicyId, Policy>> = {
  "public-cluster": {
    level: "error",
    title: "The API server and SSH are open to the Internet",
    why: "Anyone can try keys and tokens, and reaches both before a fix of the next weakness is installed.",
    source: "https://kubernetes.io/docs/concepts/security/security-checklist/",
    write: writeLine("allowedCidrs", [yourNetwork], "in access"),
    find: ({ access }) =>
      access().flatMap(({ cidrs, ...place }) => {
        const open = rangesOfAnyone(cidrs);
        return open === undefined
          ? []
          : at(place, `${open} exposes the API server and SSH on the control plane to the Internet`);
      }),
  },
  "public-management-cluster": {
    level: "warning",
    title: "The API server of the management cluster is open to the Internet",
    why: "Whoever gets a credential of the management cluster can use it from anywhere, and it has the keys of all clusters.",
    source: "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges",
    write: writeLine("authorizedCidrs", [yourNetwork], "in management"),
    find: ({ managementClusters }) =>
      each(
        managementClusters().filter(({ isPublic }) => isPublic),
        "the API server of the management cluster is reachable from any address (credentials are still required)",
        "authorizedCidrs",
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
    find: ({ managementClusters }) =>
      each(
        managementClusters().filter(({ hasEntra }) => !hasEntra),
        "not set, so an administrator of the management cluster logs in with a certificate that names no person",
        "entra",
      ),
  },
  "one-control-plane-machine": {
    level: "warning",
    title: "The control plane has one machine",
    why: "etcd has no second copy, and every replacement of the machine interrupts the API server.",
    source: "https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/ha-topology/",
    write: writeLine("replicas", 3, "in controlPlane"),
    find: ({ controlPlanes }) =>
      each(
        controlPlanes().filter(({ replicas }) => replicas === 1),
        "with one machine, the API server is unavailable while it is replaced, and etcd is lost if its disk is lost; use 3 in production",
        "replicas",
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
    find: ({ controlPlanes }) =>
      controlPlanes()
        .filter(({ isKnown }) => isKnown)
        .flatMap((one) => {
          if (one.encryption === undefined) {
            return at(
              one,
              "not set, so Secrets are in clear text in etcd, on its disks and in its backups",
              "encryption",
            );
          }
          const { resources } = one.encryption;
          if (resources.includes("secrets")) {
            return of(one, encryptionWarnings({ controlPlane: one }));
          }
          return at(
            one,
            `resources: [${resources.join(", ")}] leaves Secrets in clear text in etcd, on its disks and in its backups; add secrets`,
            "encryption.resources",
          );
        }),
  },
  "no-audit-log": {
    level: "warning",
    title: "The audit log is missing, or leaves out people or acts",
    why: "Afterwards there is no record of who changed an object or read a Secret.",
    source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/",
    write: writeLine("audit", {}, "in controlPlane, for the built-in policy"),
    find: ({ controlPlanes }) =>
      controlPlanes().flatMap((one) => {
        const { isKnown, audit } = one;
        if (isKnown && audit === undefined) {
          return at(
            one,
            "not set, so the API server has no audit log: there is no record of who changes an object or reads a Secret",
            "audit",
          );
        }
        return of(one, unloggedWarnings({ controlPlane: one }));
      }),
  },
  "secrets-in-audit-log": {
    level: "error",
    title: "The audit log has contents of Secrets, or tokens",
    why: "Whoever reads the log, or what collects it, has them.",
    source: "https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/",
    write: writeLine("audit", {}, "in controlPlane, for the built-in policy"),
    find: ({ controlPlanes }) =>
      controlPlanes().flatMap((one) => of(one, auditWarnings({ controlPlane: one }))),
  },
  "unverified-kubelets": {
    level: "warning",
    title: "Certificates of kubelets are not verified",
    why: "The API server sends commands of `kubectl exec` and reads logs at the address of a node without knowing who answers there.",
    source: "https://kubernetes.io/docs/concepts/security/api-server-bypass-risks/",
    write: writeLine("kubeletCertificates", "verified", "a cluster that exists: docs/operations.md"),
    find: ({ controlPlanes }) =>
      controlPlanes().flatMap((one) =>
        !one.isKnown || one.kubeletCertificates === undefined || one.kubeletCertificates === "verified"
          ? []
          : at(
              { ...one, path: "kubeletCertificates" },
              one.kubeletCertificates === "issued"
                ? "issued, so the API server and metrics-server do not look at the certificates of kubelets yet"
                : "selfSigned, so the API server and metrics-server cannot know whether a kubelet answers them",
            ),
      ),
  },
  "kubelets-for-everyone": {
    level: "error",
    title: "Everyone may ask kubelets",
    why: "Who may get nodes/proxy runs commands in every container of a node; nodes/log reads the logs of its services.",
    source: "https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/",
    write: "a group of your own as the subject of the binding",
    find: ({ ownObjects }) => kubeletBindings(ownObjects()),
  },
  "rights-for-everyone": {
    level: "error",
    title: "Rights go to everyone, or to people who should have less",
    why: "Whoever reaches the API server, or runs anything in the cluster, may read Secrets, change objects or become administrator.",
    source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/",
    write:
      "a group of your own as the subject of the binding, and a role of your own with the rights that it needs",
    find: ({ ownObjects }) => openRights(ownObjects()),
  },
  "open-arguments": {
    level: "error",
    title: "An argument opens the cluster",
    why: "Whoever reaches the API server, etcd or a kubelet may then do what the roles of the cluster do not give.",
    source: "https://kubernetes.io/docs/concepts/security/api-server-bypass-risks/",
    write: "the list without the argument",
    find: ({ programArguments }) =>
      programArguments().flatMap(({ program, argument, ...place }) => {
        const what = openedBy(program, argument);
        return what === undefined ? [] : at(place, `${program} --${argument.name}: ${what}`);
      }),
  },
  "node-control": {
    level: "warning",
    title: "A file changes what the node itself runs by",
    why: "kubelet, containerd, cloud-init or the login reads it, so whoever writes it may administer the node, as with commands of a pool, which no policy reads.",
    source: "https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/kubelet-integration/",
    write:
      "a key of the stack file in its place, such as kubelet or registryMirror, or an exception that says why it has to be there",
    find: ({ nodeFiles }) =>
      nodeFiles().flatMap(({ file, ...place }) => {
        const what = changedBy(file);
        return what === undefined ? [] : at(place, `${file}: ${what}`);
      }),
  },
  "other-registry": {
    level: "warning",
    title: "Kubernetes itself comes from another registry",
    why: "Whoever owns it supplies the API server, etcd, DNS or kube-proxy, and so administers the cluster.",
    source: "https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-init/#custom-images",
    write: "registryMirror for a copy of your own, in place of imageRepository",
    find: ({ registries }) =>
      registries().map(({ registry, ...place }) =>
        at(place, `the control plane runs images that the owner of ${registry} supplies`),
      ),
  },
  "outside-control": {
    level: "error",
    title: "A server outside the cluster decides about its objects",
    why: "The API server sends it objects, Secrets too, and believes its answers.",
    source: "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/",
    write: "a service with a selector, instead of a url",
    find: ({ ownObjects }) => outsideServers(ownObjects()),
  },
  "taken-traffic": {
    level: "error",
    title: "A manifest takes traffic of others",
    why: "Pods and the API server send it their tokens (CVE-2020-8554).",
    source: "https://github.com/kubernetes/kubernetes/issues/97076",
    write: "a service of its own",
    find: ({ ownObjects }) => takenTraffic(ownObjects()),
  },
  "cluster-control": {
    level: "error",
    title: "A manifest changes what the cluster itself runs by",
    why: "kubeadm, kubelets, CoreDNS, Calico and the API server take it for their own, or no longer reach each other.",
    source: "https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-reconfigure/",
    write:
      "objects with names, labels and namespaces of your own, or an exception that says why they have to be so",
    find: ({ ownObjects, installsCalico }) => clusterControl(ownObjects(), installsCalico()),
  },
  "admission-control": {
    level: "warning",
    title: "A manifest decides about objects of the cluster itself",
    why: "What refuses or changes them, or does not answer, stops nodes, DNS or the network.",
    source: "https://kubernetes.io/docs/concepts/cluster-administration/admission-webhooks-good-practices/",
    write: "a namespaceSelector that leaves out kube-system, calico-system and tigera-operator",
    find: ({ ownObjects, installsCalico }) => admissionControl(ownObjects(), installsCalico()),
  },
  "open-metadata-service": {
    level: "warning",
    title: "A network policy opens Azure's metadata service",
    why: "It gives each pod tokens of its node's identities.",
    source: "https://docs.tigera.io/calico/latest/reference/resources/tier",
    write: "rules that leave out 169.254.169.254/32 and 168.63.129.16/32",
    find: ({ ownObjects, metadataNamespaces }) => {
      const namespaces = metadataNamespaces();
      return namespaces === undefined ? [] : openedMetadata(ownObjects(), namespaces);
    },
  },
  "privileged-pods": {
    level: "warning",
    title: "A pod of your manifests is more than a container",
    why: "Whoever is in it may do more to its node, up to becoming its administrator, who reads the Secrets of the other pods there.",
    source: "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    write: "the pod without these fields, or an exception that says why it needs them",
    find: ({ ownObjects, staticPods }) => privilegedPods([...ownObjects(), ...staticPods()]),
  },
  "weaker-pod-security": {
    level: "warning",
    title: "A namespace lets in pods that the stack refuses elsewhere",
    why: "Whoever may make pods there may become administrator of a node.",
    source: "https://kubernetes.io/docs/concepts/security/pod-security-admission/",
    write: "the namespace without the label, or with a stricter level",
    find: ({ ownObjects, podSecurity }) => {
      const enforced = podSecurity();
      return enforced === undefined ? [] : weakerNamespaces(ownObjects(), enforced);
    },
  },
  "unread-manifest": {
    level: "note",
    title: "No policy reads a manifest from a URL",
    why: "It may give rights to anyone: its digest says only that it stays the same.",
    source: "https://kubernetes.io/docs/concepts/security/rbac-good-practices/",
    write: "file: instead of url: and sha256:, with a copy that you have read",
    find: ({ unreadManifests }) => each(unreadManifests(), "no policy reads what this URL serves"),
  },
  "plain-credential": {
    level: "error",
    title: "A text looks like a password or a token",
    why: "The stack file, plans, the nodes or Azure show it to people who should not have it.",
    source: "https://kubernetes.io/docs/concepts/security/secrets-good-practices/",
    write: writeLine("contentFrom", { secretFile: placeholder("name of a content in secretFiles") }),
    find: ({ credentials }) => credentials(),
  },
  unprotected: {
    level: "warning",
    title: "The stack may be deleted by mistake",
    why: "One `pulumi destroy`, or a renamed key, deletes the cluster with its disks.",
    source: "https://www.pulumi.com/docs/iac/concepts/resources/options/protect/",
    write: writeLine("protect", true),
    find: ({ unprotected }) =>
      each(unprotected(), "false, so one command can delete the cluster and its network"),
  },
  ...endsOfLife,
  "moving-image": {
    level: "warning",
    title: "An image has no fixed version",
    why: "Nodes run different contents under one name, and a plan cannot show a change.",
    source: "https://kubernetes.io/docs/concepts/containers/images/",
    write: "the image with a tag other than latest, or with its digest (@sha256:...)",
    find: ({ images }) =>
      images()
        .filter(({ image }) => isMoving(image))
        .map((one) => at(one, `${one.image} has no fixed version: name a tag or a digest`)),
  },
  "image-without-digest": {
    level: "warning",
    title: "A stack with imageDigests has images without one",
    why: "Whoever controls the repository of such an image can give other contents for its tag, and nodes run them.",
    source: "https://kubernetes.io/docs/concepts/containers/images/",
    write: "the lines that `npm run images -- NAME --digests` prints",
    find: ({ withoutDigest }) => {
      const images = [...new Set(withoutDigest())].sort();
      return images.length === 0
        ? []
        : [{ path: "imageDigests", message: `no digest of ${images.join(", ")}` }];
    },
  },
  "artifact-without-digest": {
    level: "warning",
    title: "A stack with clusterApi.digests has a chart or a provider without one",
    why: "Whoever controls its repository can give another file for its version, which may then do everything in the management cluster.",
    source: "https://helm.sh/docs/topics/provenance/",
    write: "the lines that `npm run images -- NAME --digests` prints",
    find: ({ artifactsWithoutDigest }) => {
      const parts = artifactsWithoutDigest();
      return parts.length === 0
        ? []
        : [{ path: "clusterApi.digests", message: `no digest of ${parts.join(", ")}` }];
    },
  },
  "public-sample": {
    level: "warning",
    title: "The sample workload is open to the Internet",
    why: "It has no TLS and no login.",
    source: "https://learn.microsoft.com/azure/aks/internal-lb",
    write: writeLine("internal", true, "in sampleWorkload"),
    find: ({ openSamples }) =>
      each(openSamples(), "the load balancer of the sample has a public address that everybody can open"),
  },
};

/**
 * The findings of a rule as warnings of the program and the plan, which name no day: only rules that are about the stack
 * file alone are asked.
 */
export const policyWarnings = (id: PolicyId, settings: Settings): Warning[] => [
  ...policies[id].find(factsOf(settings), ""),
];
