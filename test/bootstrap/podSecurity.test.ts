import { parse } from "yaml";
import { podSecurityBootstrap } from "../../bootstrap/podSecurity";

/** Pod Security, as kubeadm and the API server get it. */

const levels = { enforce: "baseline", audit: "restricted", warn: "privileged" } as const;

it("is nothing where it is not asked for", () => {
  expect(podSecurityBootstrap(undefined)).toEqual({ args: [], volumes: [], files: [] });
});

it("is a file that only root reads, with the namespaces of the add-ons exempt, each once", () => {
  const exemptNamespaces = ["on", "agents", "kube-system"];
  const { args, volumes, files } = podSecurityBootstrap({ ...levels, exemptNamespaces });
  const path = "/etc/kubernetes/admission.yaml";
  expect(args).toEqual([{ name: "admission-control-config-file", value: path }]);
  expect(volumes).toEqual([
    { name: "admission", hostPath: path, mountPath: path, readOnly: true, pathType: "File" },
  ]);
  expect(files).toEqual([expect.objectContaining({ path, owner: "root:root", permissions: "0600" })]);
  expect(parse(files[0]?.content ?? "", { version: "1.1" })).toEqual({
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: [
      {
        name: "PodSecurity",
        configuration: {
          apiVersion: "pod-security.admission.config.k8s.io/v1",
          kind: "PodSecurityConfiguration",
          defaults: levels,
          exemptions: { namespaces: ["agents", "calico-system", "kube-system", "on", "tigera-operator"] },
        },
      },
    ],
  });
});
