import { flannelObjects } from "../../older/addons/flannel";
import { kubeProxyWinsObjects } from "../../older/addons/kubeProxyWins";
import { toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { packResources } from "../../components/clusterResourceSet/manifests";
import { find, objectsOf, titles, workload, workloadsOf } from "../addons/fixtures";

const args = { podCidr: "10.244.0.0/16", serviceCidr: "10.96.0.0/12", podMtu: 1350 };
const flannel = flannelObjects(args);
const kubeProxy = kubeProxyWinsObjects({ kubernetesVersion: "v1.22.9" });
const all = [...flannel, ...kubeProxy];

const configOf = (object: string, key: string) =>
  JSON.parse((find(all, "ConfigMap", object).data as Record<string, string>)[key]!) as unknown;

describe("Flannel", () => {
  it("is one VXLAN with settings that Windows supports, over the pod network", () => {
    expect(configOf("kube-flannel-cfg", "net-conf.json")).toEqual({
      Network: "10.244.0.0/16",
      Backend: { Type: "vxlan", VNI: 4096, Port: 4789 },
    });
  });

  it("lets Windows pods reach pods without translation and services through the overlay", () => {
    expect(configOf("kube-flannel-windows", "cni-conf.json")).toEqual({
      name: "flannel.4096",
      cniVersion: "0.3.0",
      type: "flannel",
      capabilities: { dns: true },
      delegate: {
        type: "win-overlay",
        policies: [
          {
            Name: "EndpointPolicy",
            Value: { Type: "OutBoundNAT", ExceptionList: ["10.96.0.0/12", "10.244.0.0/16"] },
          },
          {
            Name: "EndpointPolicy",
            Value: { Type: "ROUTE", DestinationPrefix: "10.96.0.0/12", NeedEncap: true },
          },
        ],
      },
    });
  });

  it.each([1350, 1330])("is ready on Linux only where it found an inner MTU of %d", (podMtu) => {
    const linux = workload(flannelObjects({ ...args, podMtu }), "DaemonSet", "kube-flannel-linux");
    expect(linux.spec.template.spec.containers[0]).toMatchObject({
      args: ["--ip-masq", "--kube-subnet-mgr", "--iface=eth0"],
      readinessProbe: {
        exec: { command: ["grep", "-x", `FLANNEL_MTU=${podMtu}`, "/run/flannel/subnet.env"] },
      },
    });
  });

  it("uses the user's images; by default the tested pair", () => {
    const images = (own?: { linux?: string; windows?: string }) => [
      ...new Set(
        workloadsOf(flannelObjects({ ...args, ...(own ? { images: own } : {}) })).flatMap(({ spec }) =>
          spec.template.spec.containers.map(({ image }) => image),
        ),
      ),
    ];
    expect(images()).toEqual([
      "quay.io/coreos/flannel:v0.12.0-amd64",
      "sigwindowstools/flannel:v0.13.0-nanoserver",
    ]);
    expect(images({ linux: "a", windows: "b" })).toEqual(["a", "b"]);
    expect(images({ windows: "b" })).toEqual(["quay.io/coreos/flannel:v0.12.0-amd64", "b"]);
  });
});

describe("what runs through wins", () => {
  const pods = ["kube-flannel-windows", "kube-proxy-windows"].map((name) => workload(all, "DaemonSet", name));

  it.each(pods)("has the pipe, the host and its own script: $metadata.name", ({ metadata, spec }) => {
    const pod = spec.template.spec;
    const [container] = pod.containers;
    expect(pod.nodeSelector).toEqual({ "kubernetes.io/os": "windows" });
    // No HostProcess container: Docker has none.
    expect(pod).not.toHaveProperty("securityContext");
    expect(pod.volumes).toEqual(
      expect.arrayContaining([
        { name: "wins", hostPath: { path: "\\\\.\\pipe\\rancher_wins" } },
        { name: "host", hostPath: { path: "/" } },
        { name: metadata.name, configMap: { name: metadata.name } },
      ]),
    );
    const file = container!.command!.at(-1)!.replace("/etc/capz-windows/", "");
    const script = (find(all, "ConfigMap", metadata.name).data as Record<string, string>)[file];
    expect(script).toContain("wins cli process run");
    const mounted = new Set(pod.volumes!.map(({ name }) => name));
    for (const { name } of (container as unknown as { volumeMounts: { name: string }[] }).volumeMounts) {
      expect(mounted).toContain(name);
    }
  });

  it("gets an address from the CNI only if it needs one: kube-proxy derives its node's range from it", () => {
    const [flannelPod, kubeProxyPod] = pods.map(({ spec }) => spec.template.spec);
    expect(flannelPod).toMatchObject({ hostNetwork: true });
    expect(kubeProxyPod).not.toHaveProperty("hostNetwork");
    const script = Object.values(
      find(all, "ConfigMap", "kube-proxy-windows").data as Record<string, string>,
    )[0];
    expect(script).toContain("$env:POD_IP");
  });

  it("restarts when its script or its configuration changes", () => {
    const hash = (serviceCidr: string) =>
      workload(flannelObjects({ ...args, serviceCidr }), "DaemonSet", "kube-flannel-windows").spec.template
        .metadata.annotations!["capz-windows/script"];
    expect(hash("10.96.0.0/12")).toBe(hash("10.96.0.0/12"));
    expect(hash("10.96.0.0/12")).not.toBe(hash("10.112.0.0/12"));
  });
});

it("kube-proxy's image follows the version, and a plus in it becomes an underscore", () => {
  const image = (version: string, own?: string) =>
    workload(
      kubeProxyWinsObjects({ kubernetesVersion: version, image: own }),
      "DaemonSet",
      "kube-proxy-windows",
    ).spec.template.spec.containers[0]!.image;
  expect(image("v1.22.9")).toBe("sigwindowstools/kube-proxy:v1.22.9-nanoserver");
  expect(image("v1.23.5+ci.1")).toBe("sigwindowstools/kube-proxy:v1.23.5_ci.1-nanoserver");
  expect(image("v1.22.9", "mine")).toBe("mine");
});

it("all of it is delivered unchanged: it has no text that would be substituted", () => {
  const stream = toYamlStream(all);
  expect(stream).not.toMatch(/\$\{|\$\$/);
  expect(titles(objectsOf(stream))).toEqual(titles(all));
  const { configMaps } = packResources({
    name: "demo-flannel",
    namespace: "demo",
    clusterSelector: { cni: "demo-flannel" },
    entries: [{ key: "flannel.yaml", yaml: stream }],
  });
  expect(configMaps).toHaveLength(1);
});
