import { controlPlaneKubeadmConfigSpec } from "../../bootstrap/controlPlane";
import { linuxWorkerKubeadmConfigSpec } from "../../bootstrap/linux";
import { windowsKubeadmConfigSpec } from "../../bootstrap/windows";
import type { KubeadmConfigSpec } from "capz-types";
import { platformOf } from "capz-windows-platform/cluster/platform";
import { publicKey } from "../support/stacks";

/** Serving certificates of kubelets in the bootstrap data of each kind of machine. */

const version = "v1.35.6";
const node = {
  ...{ platform: platformOf("containerd", version), kubernetesVersion: version, mtu: 1400 },
  azureJsonSecret: "x-azure-json",
};
const controlPlane = (more: object) =>
  controlPlaneKubeadmConfigSpec({ ...node, clusterName: "blue", ...more });
const linux = (more: object) => linuxWorkerKubeadmConfigSpec({ ...node, ...more });
const windows = (more: object) => windowsKubeadmConfigSpec({ ...node, sshPublicKey: publicKey, ...more });

const patchOf = (spec: KubeadmConfigSpec) =>
  spec.files?.find(({ path }) => path.includes("kubeletconfiguration"));
const patch = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
serverTLSBootstrap: true
`;
const directory = "/etc/kubernetes/patches";

it("kubeadm merges the field on the first machine of the control plane, on those that join, and on workers", () => {
  const first = controlPlane({ servingCertificate: true });
  expect(patchOf(first)).toEqual({
    path: `${directory}/kubeletconfiguration0+strategic.yaml`,
    permissions: "0644",
    content: patch,
  });
  expect(first.initConfiguration?.patches).toEqual({ directory });
  expect(first.joinConfiguration?.patches).toEqual({ directory });
  const worker = linux({ servingCertificate: true });
  expect(patchOf(worker)?.content).toBe(patch);
  expect(worker.joinConfiguration?.patches).toEqual({ directory });
});

it("is beside what a pool has already", () => {
  const more = { servingCertificate: true, kubelet: { maxPods: 60, reserved: { enabled: false } } };
  expect(patchOf(linux(more))?.content).toBe(`${patch}maxPods: 60\n`);
  expect(patchOf(windows(more))?.content).toBe(`apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
registerWithTaints:
  - key: node.cloudprovider.kubernetes.io/uninitialized
    value: "true"
    effect: NoExecute
serverTLSBootstrap: true
maxPods: 60
`);
});

it("the API server verifies by the CA of the cluster only where it is asked to", () => {
  const authority = (more: object) =>
    controlPlane(more).clusterConfiguration?.apiServer?.extraArgs?.find(
      ({ name }) => name === "kubelet-certificate-authority",
    )?.value;
  expect(authority({ servingCertificate: true, verifiesKubelets: true })).toBe("/etc/kubernetes/pki/ca.crt");
  expect(authority({ servingCertificate: true })).toBeUndefined();
});

it("adds nothing where kubelets sign their own", () => {
  expect(controlPlane({ servingCertificate: false })).toEqual(controlPlane({}));
  expect(patchOf(controlPlane({}))).toBeUndefined();
  expect(controlPlane({}).initConfiguration).not.toHaveProperty("patches");
  expect(patchOf(linux({}))).toBeUndefined();
  expect(patchOf(windows({}))?.content).not.toContain("serverTLSBootstrap");
});
