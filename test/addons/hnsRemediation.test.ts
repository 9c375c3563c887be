import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hnsRemediationObjects } from "../../addons/hnsRemediation";
import { at, list } from "../../tools/untyped";
import { projectDir } from "../support/projectDir";

const objects = hnsRemediationObjects({
  intervalSeconds: 45,
  apiServerHost: "prod.westeurope.cloudapp.azure.com",
  apiServerPort: 6443,
});
const of = (kind: string) => objects.filter((object) => object.kind === kind);
const [daemonSet] = of("DaemonSet");
const pod = at(daemonSet, "spec", "template", "spec");
const script = readFileSync(join(projectDir, "addons/hns-remediation.ps1"), "utf8");

it("is not evicted from a node, in an image that fits each release of Windows", () => {
  expect(pod).toMatchObject({ priorityClassName: "system-node-critical" });
  expect(list(at(pod, "containers")).map(({ image }) => image)).toEqual([
    "mcr.microsoft.com/oss/kubernetes/windows-host-process-containers-base-image:v1.0.0",
  ]);
});

it("may read nodes and write events about them, and nothing else", () => {
  expect(
    [...of("ClusterRole"), ...of("Role")].map(({ rules, metadata }) => [metadata.namespace, rules]),
  ).toEqual([
    [undefined, [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }]],
    ["default", [{ apiGroups: [""], resources: ["events"], verbs: ["create"] }]],
  ]);
  expect([...of("ClusterRoleBinding"), ...of("RoleBinding")].map(({ subjects }) => subjects)).toEqual(
    [1, 2].map(() => [{ kind: "ServiceAccount", name: "hns-remediation", namespace: "kube-system" }]),
  );
});

it("connects to the API server by its public name, because Services may not work", () => {
  expect(at(list(at(pod, "containers"))[0], "env")).toEqual(
    expect.arrayContaining([
      { name: "API_SERVER", value: "https://prod.westeurope.cloudapp.azure.com:6443" },
      { name: "INTERVAL_SECONDS", value: "45" },
    ]),
  );
});

it("starts again when its script changes", () => {
  expect(at(daemonSet, "spec", "template", "metadata", "annotations")).toEqual({
    "capz-windows/script": expect.stringMatching(/^[0-9a-z]{8,}$/) as string,
  });
  expect(at(of("ConfigMap")[0], "data", "hns-remediation.ps1")).toBe(script);
});

describe("the script", () => {
  it("starts Calico before kube-proxy, which waits for Calico's network", () => {
    const order = [
      "Stop-Workers (Get-Workers $calico)",
      "Test-Network",
      "Stop-Workers (Get-Workers $kubeProxy)",
      "Send-Event",
    ];
    const repair = script.slice(script.indexOf("function Repair-Node"), script.indexOf("function Watch-Hns"));
    const places = order.map((text) => repair.indexOf(text));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
});
