import type { KubeadmConfigSpec } from "capz-types";
import { kubeadmConfigs, paths, render } from "./support";

/**
 * Fields that an override may give. The expected texts are those of CAPI v1.14.2 (bootstrap/kubeadm/pkg/types,
 * Marshal…ForVersion) for the same spec.
 */
const spec: KubeadmConfigSpec = {
  clusterConfiguration: {
    certificatesDir: "/x/pki",
    controlPlaneEndpoint: "api.example:6443",
    featureGates: { RootlessControlPlane: true },
    apiServer: { extraArgs: [{ name: "a", value: "b" }], extraEnvs: [{ name: "A", value: "1" }] },
    etcd: { local: { dataDir: "/e", extraEnvs: [{ name: "A", value: "1" }] } },
  },
  initConfiguration: {
    localAPIEndpoint: { bindPort: 6443 },
    nodeRegistration: { name: "n", imagePullSerial: false, imagePullPolicy: "Always" },
  },
  joinConfiguration: {
    caCertPath: "/x/ca.crt",
    controlPlane: { localAPIEndpoint: { bindPort: 6443 } },
    nodeRegistration: { name: "n", imagePullSerial: false },
  },
};

const textWith = (role: "init" | "join-control-plane", kubernetesVersion: string) =>
  render(spec, { role, kubernetesVersion, dnsDomain: "x.local" });

it.each([
  ["v1.35.6", { extraEnvs: [{ name: "A", value: "1" }] }, { imagePullSerial: false }],
  ["v1.30.14", {}, {}],
])("user data of %s has what the spec gives, and what its kubeadm knows of it", (version, env, serial) => {
  const init = textWith("init", version);
  const { ClusterConfiguration: cluster, InitConfiguration: first } = kubeadmConfigs(init);
  const isNew = version === "v1.35.6";
  expect(cluster).toMatchObject({
    certificatesDir: "/x/pki",
    controlPlaneEndpoint: "api.example:6443",
    networking: { dnsDomain: "x.local", podSubnet: "192.168.0.0/16", serviceSubnet: "10.96.0.0/12" },
  });
  expect(cluster?.apiServer).toEqual({ extraArgs: isNew ? [{ name: "a", value: "b" }] : { a: "b" }, ...env });
  expect(cluster?.etcd).toEqual({ local: { dataDir: "/e", ...env } });
  expect(cluster?.featureGates).toEqual({
    ...(isNew ? { ControlPlaneKubeletLocalMode: true } : {}),
    RootlessControlPlane: true,
  });
  expect(first?.localAPIEndpoint).toEqual({ bindPort: 6443 });
  expect(first?.nodeRegistration).toEqual({ name: "n", imagePullPolicy: "Always", taints: null, ...serial });
  expect(paths(init).slice(0, 3)).toEqual(["/x/pki/ca.crt", "/x/pki/ca.key", "/x/pki/etcd/ca.crt"]);

  const join = textWith("join-control-plane", version);
  expect(kubeadmConfigs(join).JoinConfiguration).toMatchObject({
    caCertPath: "/x/ca.crt",
    controlPlane: { localAPIEndpoint: { bindPort: 6443 } },
  });
  expect(paths(join)[0]).toBe("/x/pki/ca.crt");
});
