import { flagNames, settingsMinors } from "capz-windows-platform/cluster/programSettings";
import { describeOnWindows, runOnWindows, type Scene } from "../powershell";

const program = "C:/hpc/kube-proxy/kube-proxy.exe";
const source = "hpc/var/lib/kube-proxy/kubeconfig.conf";
const target = "hpc/var/lib/kube-proxy-windows/kubeconfig.conf";
const token = "tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token";
const kubeconfig = `users:\n- user:\n    ${token}\n`;

const calico = {
  out: [
    { Name: "nat", Type: "nat" },
    { Name: "Calico", Type: "Overlay" },
  ],
};
const others = { out: [{ Name: "nat", Type: "nat" }] };
const vip = { out: [{ Name: "Calico_ep", IPAddress: "192.168.56.130" }] };
const told = ({ answers, ...scene }: Scene = {}) =>
  runOnWindows("kube-proxy-hostprocess.ps1", {
    env: { CONTAINER_SANDBOX_MOUNT_POINT: "C:\\hpc\\", NODE_NAME: "win1000000" },
    files: { [source]: kubeconfig, [target]: "old" },
    ...scene,
    answers: {
      ...{ "Import-Module": {}, "Get-HnsPolicyList": {}, "Remove-HnsPolicyList": {} },
      ...{ "Get-HnsNetwork": calico, "Get-HnsEndpoint": vip, [program]: { code: 0 } },
      ...answers,
    },
  });

const began = ["Import-Module -Force C:/hpc/kube-proxy/hns.psm1", "Get-HnsNetwork"];
const pause = "Start-Sleep -Seconds 1";
const common =
  "--hostname-override=win1000000 --v=4 --proxy-mode=kernelspace --kubeconfig=C:/hpc/var/lib/kube-proxy-windows/kubeconfig.conf --network-name=Calico --enable-dsr=true";
const overlay = `${common} --source-vip=192.168.56.130`;

describeOnWindows("kube-proxy-hostprocess.ps1", () => {
  it("starts kube-proxy for Calico's overlay network, with the token of its own container", async () => {
    const { calls, output, code, files } = await told();
    expect(calls).toEqual([...began, "Get-HnsEndpoint", "Get-HnsPolicyList", `${program} ${overlay}`]);
    expect(output).toEqual([
      "Waiting for the HNS network Calico, which Calico makes.",
      "Waiting for the HNS endpoint Calico_ep.",
      `Starting kube-proxy.exe ${overlay}`,
    ]);
    expect(code).toBe(0);
    const root = /tokenFile: (.*)\/hpc/.exec(files[target] ?? "")?.[1] ?? "?";
    expect(files[target]?.replaceAll(root, "C:")).toBe(kubeconfig.replace(" /var", " C:/hpc/var"));
  });

  it("passes only flags that every known minor of kube-proxy has, and no feature gate", async () => {
    const { calls } = await told();
    const flags = (calls.at(-1)?.match(/--[a-z-]+/g) ?? []).map((flag) => flag.slice(2));
    expect(flags).toHaveLength(7);
    expect(flags).not.toContain("feature-gates");
    for (let minor = settingsMinors.oldest; minor <= settingsMinors.newest + 1; minor++) {
      const known = flagNames("kube-proxy", minor);
      expect([minor, flags.filter((flag) => !known.has(flag))]).toEqual([minor, []]);
    }
  });

  it("waits for the network and for the endpoint, and knows a network that is no overlay", async () => {
    const later = await told({
      answers: { "Get-HnsNetwork": [others, calico], "Get-HnsEndpoint": [{}, {}, vip] },
    });
    const twoPauses = ["Get-HnsEndpoint", pause, "Get-HnsEndpoint", pause, "Get-HnsEndpoint"];
    expect(later.calls.slice(1, -2)).toEqual(["Get-HnsNetwork", pause, "Get-HnsNetwork", ...twoPauses]);
    const bridge = await told({
      answers: { "Get-HnsNetwork": { out: [{ Name: "Calico", Type: "L2Bridge" }] } },
    });
    expect(bridge.calls).toEqual([...began, "Get-HnsPolicyList", `${program} ${common}`]);
  });

  it("removes the rules that the kube-proxy before has left", async () => {
    const { calls } = await told({ answers: { "Get-HnsPolicyList": { out: [{ ID: "1" }, { ID: "2" }] } } });
    expect(calls.slice(3)).toEqual(["Get-HnsPolicyList", "Remove-HnsPolicyList", `${program} ${overlay}`]);
  });

  it("ends with the code of the program, which kubelet counts as a restart", async () => {
    const answers = { [program]: { out: ["unknown flag"], code: 1 } };
    const { code, output } = await told({ answers });
    expect([code, output.at(-1)]).toEqual([1, "unknown flag"]);
  });

  it.each([
    [
      "CONTAINER_SANDBOX_MOUNT_POINT",
      "CONTAINER_SANDBOX_MOUNT_POINT is not set: this is no HostProcess container.",
    ],
    ["NODE_NAME", "NODE_NAME is not set."],
  ])("starts nothing without %s", async (variable, why) => {
    const env = { CONTAINER_SANDBOX_MOUNT_POINT: "C:/hpc", NODE_NAME: "win1000000", [variable]: "" };
    expect(await told({ env })).toMatchObject({ code: 1, calls: [], output: [`ERROR: ${why}`] });
  });

  it("starts nothing with a kubeconfig that is not kube-proxy's", async () => {
    const { calls, output, code } = await told({ files: { [source]: "users: []\n", [target]: "old" } });
    expect([calls, code]).toEqual([[], 1]);
    expect(output).toEqual([
      "ERROR: C:/hpc/var/lib/kube-proxy/kubeconfig.conf names no file below /var/run/secrets/ -- is it kubeadm's kubeconfig of kube-proxy?",
    ]);
  });
});
