import { describeOnWindows, runOnWindows, type Scene } from "../powershell";

const program = "C:/hpc/cloud-node-manager.exe";
const source = "hpc/var/lib/kube-proxy/kubeconfig.conf";
const target = "hpc/var/lib/cloud-node-manager/kubeconfig.conf";
const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const kubeconfig = [
  "clusters:",
  "- cluster:",
  `    certificate-authority: ${account}/ca.crt`,
  "    server: https://prod.westeurope.cloudapp.azure.com:6443",
  "users:",
  "- name: default",
  `  user: { tokenFile: ${account}/token }`,
  "",
].join("\n");
const told = (change: Scene = {}) =>
  runOnWindows("cloud-node-manager.ps1", {
    env: { CONTAINER_SANDBOX_MOUNT_POINT: "C:\\hpc\\", NODE_NAME: "win1000000" },
    files: { [source]: kubeconfig, [target]: "old" },
    answers: { [program]: { code: 0 } },
    ...change,
  });
const command =
  "--node-name=win1000000 --use-instance-metadata=true --kubeconfig=C:/hpc/var/lib/cloud-node-manager/kubeconfig.conf --v=2";

describeOnWindows("cloud-node-manager.ps1", () => {
  it("writes the kubeconfig anew for the container's folder, and runs the program with it", async () => {
    const { calls, output, code, files } = await told();
    expect(calls).toEqual([`${program} ${command}`]);
    expect(output).toEqual([`Starting cloud-node-manager.exe ${command}`]);
    expect(code).toBe(0);
    const written = files[target] ?? "";
    const root = /authority: (.*)\/hpc/.exec(written)?.[1] ?? "?";
    expect(written.replaceAll(root, "C:")).toBe(kubeconfig.replaceAll(" /var/run", " C:/hpc/var/run"));
    expect(Buffer.from(written).subarray(0, 1).toString()).toBe("c");
  });

  it("ends with the code of the program, which kubelet counts as a restart", async () => {
    expect(
      await told({ answers: { [program]: { out: ["cannot reach the metadata service"], code: 3 } } }),
    ).toMatchObject({
      code: 3,
      output: [`Starting cloud-node-manager.exe ${command}`, "cannot reach the metadata service"],
    });
  });

  it.each([
    [
      "CONTAINER_SANDBOX_MOUNT_POINT",
      "CONTAINER_SANDBOX_MOUNT_POINT is not set: this is no HostProcess container.",
    ],
    ["NODE_NAME", "NODE_NAME is not set."],
  ])("starts nothing without %s", async (name, why) => {
    const env = { CONTAINER_SANDBOX_MOUNT_POINT: "C:/hpc", NODE_NAME: "win1000000", [name]: "" };
    expect(await told({ env })).toMatchObject({ code: 1, calls: [], output: [`ERROR: ${why}`] });
  });

  it("starts nothing with a kubeconfig that is not kube-proxy's, or none", async () => {
    const { calls, output, code, files } = await told({
      files: { [source]: "clusters: []\n", [target]: "old" },
    });
    expect([calls, code, files[target]]).toEqual([[], 1, "old"]);
    expect(output).toEqual([
      "ERROR: C:/hpc/var/lib/kube-proxy/kubeconfig.conf names no file below /var/run/secrets/ -- is it kubeadm's kubeconfig of kube-proxy?",
    ]);
    expect(await told({ files: { [target]: "old" } })).toMatchObject({ calls: [], code: 1 });
  });
});
