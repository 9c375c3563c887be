import { controlPlane, kubeadmConfigs, render, windows } from "./support";
import { renderUserData } from "../../../bootstrap/userData/renderUserData";

describe("user data of a Windows node", () => {
  it("joins with v1beta3 below Kubernetes 1.31, where arguments are a mapping", () => {
    const { JoinConfiguration: join } = kubeadmConfigs(render(windows, { kubernetesVersion: "v1.30.14" }));
    expect(join).toMatchObject({
      apiVersion: "kubeadm.k8s.io/v1beta3",
      nodeRegistration: { kubeletExtraArgs: { "cloud-provider": "external", v: "2" } },
      patches: { directory: "C:/k/patches" },
    });
  });

  it("does not exist for a control plane role", () => {
    expect(() => render(windows, { os: "windows", role: "init" })).toThrow("does not run on Windows");
  });
});

describe("user data of the control plane", () => {
  it.each([
    ["v1.30.14", undefined, "20m0s"],
    ["v1.31.0", { ControlPlaneKubeletLocalMode: true }, undefined],
    ["v1.36.0", undefined, undefined],
  ])(
    "has in %s the feature gate that the control plane provider sets, and the old timeout",
    (version, gates, timeout) => {
      const cluster = kubeadmConfigs(
        render(controlPlane, { role: "init", kubernetesVersion: version }),
      ).ClusterConfiguration;
      expect(cluster?.featureGates).toEqual(gates);
      expect((cluster?.apiServer as { timeoutForControlPlane?: string }).timeoutForControlPlane).toBe(
        timeout,
      );
    },
  );

  it("uses kubeadm's default service range if the cluster sets none", () => {
    const text = renderUserData({
      spec: controlPlane,
      os: "linux",
      role: "init",
      kubernetesVersion: "v1.35.6",
      clusterName: "demo",
      controlPlaneEndpoint: "h:6443",
      podCidr: "192.168.0.0/16",
    });
    expect(kubeadmConfigs(text).ClusterConfiguration?.networking).toEqual({ podSubnet: "192.168.0.0/16" });
  });
});
