import { describeOnWindows, runOnWindows, type Scene } from "../powershell";

/** Scripts of the flavor dockershim. They run in PowerShell of a container, with the host at /host and wins. */

const account = "/var/run/secrets/kubernetes.io/serviceaccount";
const folder = (path: string) => `New-Item -ItemType Directory -Force -Path ${path}`;
const adapterFile = "/host/k/network-adapter.txt";

describeOnWindows("flannel-windows.ps1", () => {
  const told = (answers: Scene["answers"] = {}) =>
    runOnWindows("flannel-windows.ps1", {
      env: { POD_NAME: "flannel-1", POD_NAMESPACE: "kube-system" },
      answers: {
        ...{ "New-Item": { out: ["a folder"] }, "Copy-Item": {}, wins: {} },
        "Test-Path": { out: [true] },
        "Get-Content": { out: ["Ethernet 3\r\n"] },
        ...answers,
      },
    });
  const copied = [
    ...["/etc/cni/net.d", "/etc/kube-flannel", "/opt/cni/bin", "/k/flannel", `/k/flannel${account}`].map(
      (path) => folder(`/host${path}`),
    ),
    "Copy-Item -Force /etc/kube-flannel/net-conf.json /host/etc/kube-flannel/",
    "Copy-Item -Force -Recurse /cni/* /host/opt/cni/bin/",
    "Copy-Item -Force /k/flannel/* /host/k/flannel/",
    "Copy-Item -Force /kube-proxy/kubeconfig.conf /host/k/flannel/kubeconfig.yml",
    `Copy-Item -Force ${account}/* /host/k/flannel${account}/`,
    "Copy-Item -Force /etc/capz-windows/cni-conf.json /host/etc/cni/net.d/10-flannel.conf",
  ];
  const started = (adapter: string) => [
    `wins cli process run --path /k/flannel/setup.exe --args '--mode=overlay --interface=${adapter}'`,
    "wins cli route add --addresses 169.254.169.254",
    "wins cli process run --path /k/flannel/flanneld.exe --args '--kube-subnet-mgr --kubeconfig-file /k/flannel/kubeconfig.yml' --envs 'POD_NAME=flannel-1 POD_NAMESPACE=kube-system'",
  ];

  it("copies what Flannel needs to the host, makes the network on the adapter that the node has written, and starts it", async () => {
    const { calls, output, code } = await told();
    expect(calls).toEqual([
      ...copied,
      `Test-Path ${adapterFile}`,
      `Get-Content -Raw ${adapterFile}`,
      ...started("Ethernet 3"),
    ]);
    expect([output, code]).toEqual([[], 0]);
  });

  it("takes the adapter of the images where no name is written", async () => {
    const { calls } = await told({ "Test-Path": { out: [false] } });
    expect(calls).toEqual([...copied, `Test-Path ${adapterFile}`, ...started("Ethernet 2")]);
  });

  it.each([
    ["has nothing", {}],
    ["is an empty line", { out: ["\r\n"] }],
  ])("takes it, too, where the file %s: no empty name is handed on", async (_what, content) => {
    expect((await told({ "Get-Content": content })).calls.slice(-3)).toEqual(started("Ethernet 2"));
  });

  it("starts nothing where a file is missing", async () => {
    const { calls, code, output } = await told({ "Copy-Item": { error: "Cannot find path '/cni'" } });
    expect([code, output]).toEqual([1, ["ERROR: Cannot find path '/cni'"]]);
    expect(calls.filter((call) => call.startsWith("wins"))).toEqual([]);
  });
});

describeOnWindows("kube-proxy-windows.ps1", () => {
  const config = "/host/var/lib/kube-proxy/config.conf";
  const told = (change: Partial<Scene> = {}, conf = '{"name": "vxlan0", "type": "flannel"}') =>
    runOnWindows("kube-proxy-windows.ps1", {
      env: { POD_IP: "192.168.4.17", NODE_NAME: "win1000000" },
      ...change,
      answers: {
        "New-Item": {},
        "Copy-Item": {},
        wins: {},
        yq: {},
        "Get-Content": { out: [conf] },
        ...change.answers,
      },
    });
  const copied = [
    folder("/host/k/kube-proxy"),
    folder(`/host/var/lib/kube-proxy${account}`),
    "Copy-Item -Force /k/kube-proxy/* /host/k/kube-proxy/",
    "Copy-Item -Force /var/lib/kube-proxy/* /host/var/lib/kube-proxy/",
    `Copy-Item -Force ${account}/* /host/var/lib/kube-proxy${account}/`,
    "Get-Content -Raw /host/etc/cni/net.d/10-flannel.conf",
  ];

  it("copies kube-proxy to the host, configures it for the overlay network, and starts it", async () => {
    const { calls, code } = await told();
    expect(calls).toEqual(
      [
        ...copied,
        `yq w -i ${config} mode kernelspace`,
        `yq w -i ${config} featureGates.WinOverlay $true`,
        `yq w -i ${config} winkernel.networkName vxlan0`,
        `yq w -i ${config} winkernel.sourceVip 192.168.4.0`,
        "wins cli process run --path /k/kube-proxy/kube-proxy.exe --args '--v=4 --config=/var/lib/kube-proxy/config.conf --hostname-override=win1000000'",
      ].map((call) => call.replace("$true", "true")),
    );
    expect(code).toBe(0);
  });

  it.each<[string, () => ReturnType<typeof told>, string]>([
    ["a name of the network", () => told({}, "{}"), "10-flannel.conf names no network."],
    ["an address of the pod", () => told({ env: { POD_IP: "", NODE_NAME: "n" } }), "POD_IP is not set."],
  ])(
    "writes and starts nothing without %s, which Flannel may still have to make",
    async (_what, run, why) => {
      expect(await run()).toMatchObject({ code: 1, calls: copied, output: [`ERROR: ${why}`] });
    },
  );

  it("starts nothing before Flannel has written its configuration", async () => {
    const { code, calls } = await told({ answers: { "Get-Content": { error: "Cannot find path" } } });
    expect([code, calls]).toEqual([1, copied]);
  });
});
