import type { Case } from "./ruleCases";

const argument = (name: string) => ({
  controlPlane: {
    overrides: {
      KubeadmControlPlane: {
        spec: {
          kubeadmConfigSpec: { clusterConfiguration: { apiServer: { extraArgs: [{ name, value: "5" }] } } },
        },
      },
    },
  },
});
const image = { computeGallery: { gallery: "mine", name: "capi", version: "1" } };

/** Cases of kubeletCertificates. */
export const kubeletCertificateCases: readonly Case[] = [
  [
    "certificates of kubelets without an approver",
    { kubeletCertificates: "issued", kubernetesVersion: "v1.25.16", controlPlane: { image } },
    "kubeletCertificates: the approver has not been tested with Kubernetes v1.25.16 and the flavor containerd, and without one kubelets get no certificate",
    { kubeletCertificates: "selfSigned", kubernetesVersion: "v1.25.16", controlPlane: { image } },
  ],
  [
    "the CA of kubelets in an override",
    argument("kubelet-certificate-authority"),
    "controlPlane.overrides.KubeadmControlPlane.spec.kubeadmConfigSpec.clusterConfiguration.apiServer.extraArgs: kubelet-certificate-authority: an override may not set this: the stack file has a key for it",
    argument("kubelet-timeout"),
  ],
];
