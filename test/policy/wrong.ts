import type { PolicyId } from "../../config/policy/policyIds";
import { access, aks, encryption, locked, type Raw } from "./right";

const open = { ...access, allowedCidrs: ["0.0.0.0/0"] };
const bodies = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "RequestResponse" }] };

const ownGallery = {
  ...{ gallery: "windows", resourceGroup: "images" },
  subscriptionId: "11111111-2222-4333-8444-555555555555",
};
const ownImage = { computeGallery: { ...ownGallery, name: "capi-ubuntu-2404", version: "1.35.6" } };

const group = "rbac.authorization.k8s.io";

export const role = (name: string, rules: readonly unknown[]): Raw => ({
  apiVersion: `${group}/v1`,
  kind: "ClusterRole",
  metadata: { name },
  rules,
});

export const binding = (name: string, roleName: string, subject: string): Raw => ({
  apiVersion: `${group}/v1`,
  kind: "ClusterRoleBinding",
  metadata: { name },
  roleRef: { apiGroup: group, kind: "ClusterRole", name: roleName },
  subjects: [{ kind: "Group", apiGroup: group, name: subject }],
});

/** A role that reads the logs of nodes, and who has it. */
export const nodeLogs = (subject: string, resource = "nodes/log"): Raw[] => [
  role("node-logs", [{ apiGroups: [""], resources: ["pods", resource], verbs: ["get"] }]),
  binding("readers", "node-logs", subject),
];

/** A change that makes it wrong, the day, and the whole finding. */
export const wrong: Readonly<Record<PolicyId, readonly [change: Raw, finding: string, day?: string]>> = {
  "public-cluster": [
    { access: open },
    "access.allowedCidrs: 0.0.0.0/0 exposes the API server and SSH on the control plane to the Internet",
  ],
  "public-management-cluster": [
    { management: { ...aks, authorizedCidrs: [] } },
    "management.authorizedCidrs: the API server of the management cluster is reachable from any address (credentials are still required)",
  ],
  "no-entra-login": [
    { management: { kind: "aks", authorizedCidrs: aks.authorizedCidrs } },
    "management.entra: not set, so an administrator of the management cluster logs in with a certificate that names no person",
  ],
  "one-control-plane-machine": [
    { controlPlane: { replicas: 1, ...locked } },
    "controlPlane.replicas: with one machine, the API server is unavailable while it is replaced, and etcd is lost if its disk is lost; use 3 in production",
  ],
  "no-encryption": [
    { controlPlane: { replicas: 3, audit: {} } },
    "controlPlane.encryption: not set, so Secrets are in clear text in etcd, on its disks and in its backups",
  ],
  "no-audit-log": [
    { controlPlane: { replicas: 3, encryption } },
    "controlPlane.audit: not set, so the API server has no audit log: there is no record of who changes an object or reads a Secret",
  ],
  "secrets-in-audit-log": [
    { controlPlane: { replicas: 3, encryption, audit: { policy: bodies } } },
    'controlPlane.audit.policy.rules[0]: by this rule the log has contents of Secrets, tokens of people and pods, new tokens of service accounts, and whoever reads the log reads them; write before it: {level: Metadata, resources: [{group: "", resources: [secrets]}, {group: authentication.k8s.io, resources: [tokenreviews]}, {group: "", resources: [serviceaccounts/token]}]}',
  ],
  "unverified-kubelets": [
    { kubeletCertificates: "selfSigned" },
    "kubeletCertificates: selfSigned, so the API server and metrics-server cannot know whether a kubelet answers them",
  ],
  "kubelets-for-everyone": [
    { extraManifests: { logs: { objects: nodeLogs("system:authenticated") } } },
    "extraManifests.logs.objects[1]: ClusterRoleBinding readers gives system:authenticated the role node-logs, by which kubelets answer them",
  ],
  "rights-for-everyone": [
    {
      extraManifests: {
        info: {
          objects: [
            role("system:public-info-viewer", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }]),
          ],
        },
      },
    },
    "extraManifests.info.objects[0]: ClusterRole system:public-info-viewer, which Kubernetes binds to system:authenticated, system:unauthenticated, gives them every right",
  ],
  "open-arguments": [
    { linuxPools: { linux1: { replicas: 3, kubelet: { configuration: { readOnlyPort: 10255 } } } } },
    "linuxPools.linux1.kubelet.configuration.readOnlyPort: kubelet --read-only-port: whoever reaches the node reads what its pods are",
  ],
  "node-control": [
    {
      linuxPools: {
        linux1: { replicas: 3, files: [{ path: "/etc/containerd/config.toml", content: "version = 2" }] },
      },
    },
    "linuxPools.linux1.files[0]: /etc/containerd/config.toml: it is configuration of containerd, or its program: from where images come, and what runs them",
  ],
  "other-registry": [
    {
      controlPlane: {
        ...{ replicas: 3, ...locked },
        overrides: {
          KubeadmControlPlane: {
            spec: { kubeadmConfigSpec: { clusterConfiguration: { imageRepository: "evil.example/k8s" } } },
          },
        },
      },
    },
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.imageRepository: the control plane runs images that the owner of evil.example/k8s supplies",
  ],
  "outside-control": [
    {
      extraManifests: {
        hook: {
          objects: [
            {
              apiVersion: "admissionregistration.k8s.io/v1",
              kind: "MutatingWebhookConfiguration",
              metadata: { name: "hook" },
              webhooks: [{ name: "a.b.c", clientConfig: { url: "https://hook.example/m" } }],
            },
          ],
        },
      },
    },
    "extraManifests.hook.objects[0]: MutatingWebhookConfiguration hook lets hook.example see and change the objects of its rules",
  ],
  "taken-traffic": [
    {
      extraManifests: {
        dns: {
          objects: [
            {
              apiVersion: "v1",
              kind: "Service",
              metadata: { name: "dns", namespace: "tools" },
              spec: { externalIPs: ["8.8.8.8"] },
            },
          ],
        },
      },
    },
    "extraManifests.dns.objects[0]: Service tools/dns gets what pods and nodes send to 8.8.8.8 (externalIPs)",
  ],
  "admission-control": [
    {
      extraManifests: {
        hook: {
          objects: [
            {
              apiVersion: "admissionregistration.k8s.io/v1",
              kind: "ValidatingWebhookConfiguration",
              metadata: { name: "pods" },
              webhooks: [
                {
                  name: "pods.example.org",
                  rules: [
                    { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
                  ],
                  clientConfig: { service: { name: "hook", namespace: "tools" } },
                  admissionReviewVersions: ["v1"],
                  sideEffects: "None",
                },
              ],
            },
          ],
        },
      },
    },
    "extraManifests.hook.objects[0]: ValidatingWebhookConfiguration pods: decides about kube-system, calico-system, tigera-operator",
  ],
  "cluster-control": [
    {
      extraManifests: {
        kubelets: {
          objects: [
            {
              apiVersion: "v1",
              kind: "ConfigMap",
              metadata: { name: "kubelet-config", namespace: "kube-system" },
              data: { kubelet: "readOnlyPort: 10255" },
            },
          ],
        },
      },
    },
    "extraManifests.kubelets.objects[0]: ConfigMap kube-system/kubelet-config: replaces what kubeadm or Kubernetes makes, and the cluster runs by",
  ],
  "open-metadata-service": [
    {
      extraManifests: {
        out: {
          objects: [
            {
              apiVersion: "projectcalico.org/v3",
              kind: "GlobalNetworkPolicy",
              metadata: { name: "default.out" },
              spec: { types: ["Egress"], egress: [{ action: "Allow" }] },
            },
          ],
        },
      },
    },
    "extraManifests.out.objects[0]: GlobalNetworkPolicy default.out lets pods reach 168.63.129.16 and 169.254.169.254: Calico asks it before the policy of the program that denies it",
  ],
  "privileged-pods": [
    {
      extraManifests: {
        shell: {
          objects: [
            {
              apiVersion: "batch/v1",
              kind: "CronJob",
              metadata: { name: "shell", namespace: "tools" },
              spec: {
                jobTemplate: {
                  spec: {
                    template: {
                      spec: {
                        hostPID: true,
                        hostIPC: true,
                        containers: [
                          { name: "a", image: "example.com/a:1", securityContext: { privileged: true } },
                        ],
                      },
                    },
                  },
                },
              },
            },
          ],
        },
      },
    },
    "extraManifests.shell.objects[0]: CronJob tools/shell has privileged: everything on the node; processes of the node; memory that processes of the node share",
  ],
  "weaker-pod-security": [
    {
      controlPlane: { replicas: 3, ...locked, podSecurity: {} },
      extraManifests: {
        tools: {
          objects: [
            {
              apiVersion: "v1",
              kind: "Namespace",
              metadata: {
                name: "tools",
                labels: { "pod-security.kubernetes.io/enforce": "privileged" },
              },
            },
          ],
        },
      },
    },
    "extraManifests.tools.objects[0]: Namespace tools lets in pods of the level privileged; controlPlane.podSecurity says baseline",
  ],
  "unread-manifest": [
    { extraManifests: { far: { url: "https://example.com/v1.2.3/a.yaml", sha256: "a".repeat(64) } } },
    "extraManifests.far.url: no policy reads what this URL serves",
  ],
  "plain-credential": [
    { tags: { password: "Pl4ntedPassw0rdXyzzy" } },
    "tags.password: this looks like a password, which anyone who can read the stack file or a plan can read; use a managed identity, or what needs no password",
  ],
  unprotected: [{ protect: false }, "protect: false, so one command can delete the cluster and its network"],
  "kubernetes-end-of-life": [
    { kubernetesVersion: "v1.33.1" },
    "kubernetesVersion: Kubernetes 1.33 had its last patch release in June 2026",
  ],
  "windows-end-of-life": [
    { windowsPools: { win1: { windowsServer: "2022" } } },
    "windowsPools.win1.windowsServer: Windows Server 2022 had its last security updates on 2031-10-14",
    "2031-10-15",
  ],
  "windows-mainstream-end": [
    { windowsPools: { win1: { windowsServer: "2022" } } },
    "windowsPools.win1.windowsServer: Windows Server 2022 has had only security updates since 2026-10-13, and has them until 2031-10-14",
  ],
  "ends-soon": [
    {},
    "kubernetesVersion: Kubernetes 1.35 ends in 150 days, on 2027-02-28: after that it gets no more security fixes; write kubernetesVersion: a release of 1.36 (https://kubernetes.io/releases/1.35/)",
    "2026-10-01",
  ],
  "image-end-of-life": [
    {
      controlPlane: { replicas: 3, ...locked, image: ownImage },
      linuxPools: { linux1: { replicas: 3, image: ownImage } },
    },
    "windowsPools.win1.image: ClusterAPI-f72ceb4f-5159-4c26-a0fe-2ea738f0d019/capi-win-2025-containerd/1.35.6 had its end of life about 2026-12-12, 6 months after it was published: once the community gallery removes it, no machine can be added or replaced",
    "2026-12-12",
  ],
  "old-windows-image": [
    {
      windowsPools: {
        win1: {
          windowsServer: "2025",
          image: {
            computeGallery: { ...ownGallery, name: "capi-windows-2025-containerd", version: "26100.32860.1" },
          },
        },
      },
    },
    "windowsPools.win1.image: windows/capi-windows-2025-containerd/26100.32860.1 has Windows patches of May 2026 (26100.32860), 6 months behind November 2026",
  ],
  "moving-image": [
    { sampleWorkload: { image: "registry.example:5000/iis", internal: true } },
    "sampleWorkload.image: registry.example:5000/iis has no fixed version: name a tag or a digest",
  ],
  // The image is that of the tests.
  "image-without-digest": [{ imageDigests: {} }, "imageDigests: no digest of example.com/a:1"],
  "artifact-without-digest": [
    { clusterApi: { digests: { operator: `sha256:${"a".repeat(64)}` } } },
    "clusterApi.digests: no digest of certManager, core, bootstrap, controlPlane, azure",
  ],
  "public-sample": [
    { sampleWorkload: {}, access: open },
    "sampleWorkload.internal: the load balancer of the sample has a public address that everybody can open",
  ],
};
