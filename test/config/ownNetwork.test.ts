import { loadSettings } from "../../config/load";
import { dockershim } from "../support/networks";
import { minimal } from "../support/stacks";

/** Warnings about a stack without Calico or without kube-proxy for Windows. */

const loaded = (change: object) => loadSettings({ ...minimal(), ...change }, "test");
const warnings = (change: object): string[] =>
  loaded(change)
    .warnings.filter(({ path }) =>
      /^(addons|network\.podCidr|linuxPools$|workloads)|healthCheck|^wait$/.test(path),
    )
    .map(({ path, message }) => `${path}: ${message}`);

const none = { addons: { cni: "none" } };
const windows = { windowsPools: { win1: {} } };
const brought = { extraManifests: { cni: { file: "docs/workloads/network-policy.yaml" } } };
const three = (seconds: number) => ({
  controlPlane: { replicas: 3, healthCheck: { nodeNotReadyTimeoutSeconds: seconds } },
});

const byHand =
  "addons.cni: the stack installs no CNI: nodes of a new cluster are NotReady, and pods wait, until you install yours with the output workloadKubeconfig, or deliver it by extraManifests (docs/own-cni.md)";
const delivered =
  "addons.cni: the stack installs no CNI: nodes of a new cluster are NotReady until one among extraManifests runs (docs/own-cni.md)";
const replaced = (seconds: number): string =>
  `controlPlane.healthCheck.nodeNotReadyTimeoutSeconds: with addons.cni: none each node is NotReady until your CNI runs: a machine that waits longer than ${seconds} seconds for it is replaced`;

it("says that nodes wait for the CNI, and how it can be installed", () => {
  expect(warnings({ ...windows })).toEqual([]);
  expect(warnings({ ...windows, addons: { cni: "calico", kubeProxyWindows: true } })).toEqual([]);
  expect(warnings({ ...windows, ...none })).toEqual([byHand]);
  expect(warnings({ ...windows, ...none, ...brought, wait: "nodes" })).toEqual([delivered]);
});

it("does not mention Calico's Typha, nor when Calico is applied", () => {
  const few = { controlPlane: { replicas: 1 }, windowsPools: { win1: { replicas: 2 } } };
  expect(() => loaded(few)).toThrow("Typha");
  expect(warnings({ ...few, ...none, wait: "none" })).toEqual([byHand]);
});

it("turns kube-proxy for Windows off by default only with a CNI of one's own", () => {
  const kubeProxy = (change: object): boolean => loaded(change).settings.addons.kubeProxyWindows;
  expect(kubeProxy({})).toBe(true);
  expect(kubeProxy(none)).toBe(false);
  expect(kubeProxy({ addons: { cni: "none", kubeProxyWindows: true } })).toBe(true);
  expect(kubeProxy(dockershim)).toBe(true);
});

it("warns of Windows nodes without Services, and of a kube-proxy that waits for Calico", () => {
  const without = { addons: { kubeProxyWindows: false } };
  expect(warnings(without)).toEqual([]);
  expect(warnings({ ...windows, ...without })).toEqual([
    "addons.kubeProxyWindows: Calico replaces kube-proxy on Linux only, because its eBPF data plane has no Windows part: until a kube-proxy of your own runs there, pods on Windows nodes reach no Service, cluster DNS included",
  ]);
  const docker = { win1: { windowsServer: "2019", image: { marketplace: {} } } };
  expect(warnings({ ...dockershim, windowsPools: docker, ...without })).toContain(
    "addons.kubeProxyWindows: Flannel does not replace kube-proxy: until a kube-proxy of your own runs there, pods on Windows nodes reach no Service, cluster DNS included",
  );
  const waits =
    "addons.kubeProxyWindows: the image of kube-proxy waits for an HNS network with the name Calico, and does nothing until there is one: right for a Calico of your own; with any other CNI leave this key out, or set addons.kubeProxyWindowsImage";
  const both = { cni: "none", kubeProxyWindows: true };
  expect(warnings({ ...windows, addons: both })).toEqual([byHand, waits]);
  expect(
    warnings({ ...windows, addons: { ...both, kubeProxyWindowsImage: "registry.example/proxy:1" } }),
  ).toEqual([byHand]);
});

it("warns of health checks that would replace machines that only wait", () => {
  expect(warnings({ ...none, ...three(86_399) })).toEqual([byHand, replaced(86_399)]);
  expect(warnings({ ...none, ...three(86_400) })).toEqual([byHand]);
  expect(warnings({ ...none, ...brought, ...three(1199) })).toEqual([delivered, replaced(1199)]);
  expect(warnings({ ...none, ...brought, ...three(1200) })).toEqual([delivered]);
  expect(warnings(three(60))).toEqual([]);
  const one = { controlPlane: { replicas: 1, healthCheck: { nodeNotReadyTimeoutSeconds: 60 } } };
  expect(warnings({ ...none, ...one })).toEqual([byHand]);
  const single = (more: object) => ({
    ...none,
    windowsPools: { win1: { kind: "MachineDeployment", healthCheck: more } },
  });
  expect(warnings(single({ nodeNotReadyTimeoutSeconds: 600 }))).toEqual([
    byHand,
    replaced(600).replace("controlPlane", "windowsPools.win1"),
  ]);
  expect(warnings(single({ enabled: false, nodeNotReadyTimeoutSeconds: 600 }))).toEqual([byHand]);
});

it("warns of policies that would refuse the pods of a CNI", () => {
  const deny = (more: object) => ({ ...none, ...windows, workloads: { policy: "deny", ...more } });
  expect(warnings(deny({}))).toEqual([
    byHand,
    "workloads.policy: deny refuses HostProcess pods, as a CNI on Windows nodes has them, outside kube-system and the namespaces of Calico: if yours is elsewhere, name its namespace in workloads.hostProcessNamespaces",
  ]);
  expect(warnings(deny({ hostProcessNamespaces: ["own-cni"] }))).toEqual([byHand]);
  expect(warnings({ ...deny({}), addons: {} })).toEqual([]);
});

it("warns of a pod network with too few address ranges for the nodes", () => {
  const of = (replicas: number) => ({
    ...none,
    network: { podCidr: "172.20.0.0/22" },
    controlPlane: { replicas: 1 },
    linuxPools: { linux1: { replicas } },
  });
  const few = "network.podCidr: the range has a /24 for each of 4 nodes, but there can be 5 nodes";
  expect(warnings(of(1))).toEqual([byHand]);
  expect(warnings(of(2))).toEqual([
    byHand,
    `${few} (including surge): a CNI that waits for the range of its node, as Flannel and Antrea do, never runs on the others; a prefix length of at most 21 has one for each`,
  ]);
  expect(warnings({ ...of(2), addons: {} })).toEqual([]);
});
