import { kubeletCsrApproverObjects } from "../../addons/kubeletCsrApprover";
import { metricsServerObjects } from "../../addons/metricsServer";
import { nodeNamePattern } from "capz-windows-platform/cluster/kubeletCertificates";
import { computerName } from "capz-windows-platform/machines/naming";
import { find, titles, workload } from "./fixtures";

/** The approver of kubelets' serving certificates, and who verifies them. */

const pattern = nodeNamePattern("prod", [
  { name: "linux1", os: "linux", kind: "MachinePool" },
  { name: "win1", os: "windows", kind: "MachinePool" },
  { name: "windows-with-a-long-name", os: "windows", kind: "MachinePool" },
  { name: "machines-of-windows", os: "windows", kind: "MachineDeployment" },
]);
const objects = kubeletCsrApproverObjects({
  replicas: 2,
  nodeNames: pattern,
  nodeRanges: ["10.10.0.0/24", "10.10.128.0/17"],
});

it("gives the approver what it needs, and its pods a place on the control plane without a network of pods", () => {
  expect(titles(objects)).toEqual([
    "ServiceAccount kubelet-csr-approver",
    "ClusterRole kubelet-csr-approver",
    "ClusterRoleBinding kubelet-csr-approver",
    "Role kubelet-csr-approver",
    "RoleBinding kubelet-csr-approver",
    "Deployment kubelet-csr-approver",
    "PodDisruptionBudget kubelet-csr-approver",
  ]);
  const { spec } = workload(objects, "Deployment", "kubelet-csr-approver");
  expect(spec.template.spec).toMatchObject({
    hostNetwork: true,
    nodeSelector: { "node-role.kubernetes.io/control-plane": "" },
    tolerations: [
      { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
      { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoSchedule" },
    ],
  });
  expect(spec.template.spec.containers[0]?.args).toEqual([
    `--provider-regex=${pattern}`,
    "--provider-ip-prefixes=10.10.0.0/24,10.10.128.0/17",
    "--max-expiration-sec=31536000",
    "--bypass-dns-resolution=true",
    "--leader-election=true",
    "--metrics-bind-address=0",
    "--health-probe-bind-address=127.0.0.1:10270",
  ]);
  expect(find(objects, "Deployment", "kubelet-csr-approver").spec).toMatchObject({
    replicas: 2,
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
  });
});

describe("the pattern of names", () => {
  it.each([
    "prod-control-plane-x7k2p",
    computerName("linux1", "linux", 0),
    computerName("win1", "windows", 46_655),
    computerName("windows-with-a-long-name", "windows", 3),
    // The first nine characters without a hyphen at the end, and the last five (CAPZ azure/scope/machine.go).
    "machines-f9k2x",
  ])("has %s", (name) => {
    expect(name).toMatch(new RegExp(pattern));
  });

  it.each([
    "prod-control-plane-x7k2p.example.com",
    "other-control-plane-x7k2p",
    "win1",
    "win10000000",
    "win2000000",
    "xwin1000000",
    "WIN1000000",
    "kubernetes.default.svc",
    "",
  ])("does not have %j", (name) => {
    expect(name).not.toMatch(new RegExp(pattern));
  });

  it("has the machines of the control plane of a cluster with the longest name, from which a character is cut", () => {
    const name = "c".repeat(44);
    expect(`${name}-control-planex7k2p`).toMatch(new RegExp(nodeNamePattern(name, [])));
    expect(`${name.slice(1)}-control-plane-x7k2p`).toMatch(new RegExp(nodeNamePattern(name.slice(1), [])));
  });
});

it("metrics-server verifies kubelets by the CA beside its token, or not at all", () => {
  const args = (verifiesKubelets?: boolean) =>
    workload(
      metricsServerObjects({ version: "v0.9.0", replicas: 1, workers: 1, verifiesKubelets }),
      "Deployment",
      "metrics-server",
    ).spec.template.spec.containers[0]?.args?.filter((one) => /insecure|authority/.test(one));
  expect(args(true)).toEqual([
    "--kubelet-certificate-authority=/var/run/secrets/kubernetes.io/serviceaccount/ca.crt",
  ]);
  expect(args()).toEqual(["--kubelet-insecure-tls"]);
  expect(args(false)).toEqual(["--kubelet-insecure-tls"]);
});
