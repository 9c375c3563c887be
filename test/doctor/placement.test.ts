import { diagnose } from "../../commands/doctor/diagnose";
import { type Loose, type Patient, patient } from "./patient";

/** Pods that are on no node, or on one that does not fit: which of their own words is the reason. */

const windowsNode = "win1000000";

function told(make: (p: Patient) => unknown): string[] {
  const p = patient();
  make(p);
  return diagnose(p.snapshot()).findings.flatMap(({ id, cause, remedy }) => [
    `${id}: ${cause}`,
    remedy[0] ?? "",
  ]);
}

const waiting = (
  p: Patient,
  nodeSelector: Readonly<Record<string, string>>,
  message: string,
  spec: object = {},
): void => {
  const pod = p.pod("workload", "shop", "web-0");
  Object.assign(pod.spec, { nodeSelector, ...spec });
  pod.status = { phase: "Pending" };
  p.condition(pod, "PodScheduled", { reason: "Unschedulable", message, ago: 12 });
};

const tainted = (p: Patient, name: string, taint: object): Loose => {
  const node = p.node(name);
  node.spec.taints = [taint];
  return node;
};

const onlyControlPlane = (p: Patient): void => {
  tainted(p, "sick-control-plane", { key: "node-role.kubernetes.io/control-plane", effect: "NoSchedule" });
  for (const node of p.all("Node", "workload")) {
    if (node.metadata.name.startsWith("linux1")) {
      Object.assign(node.metadata.labels ?? {}, { "kubernetes.io/os": "none" });
    }
  }
};

describe("the scheduler finds no node", () => {
  const selector = "1 node(s) didn't match Pod's node affinity/selector";

  it("a label of the required affinity that no node has with so large a number", () => {
    const terms = [{ matchExpressions: [{ key: "example.org/gpus", operator: "Gt", values: ["2"] }] }];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    expect(
      told((p) => {
        Object.assign(p.node(windowsNode).metadata.labels ?? {}, { "example.org/gpus": "2" });
        waiting(p, { "kubernetes.io/os": "windows" }, `0/3 nodes are available: 3 ${selector.slice(2)}.`, {
          affinity: { nodeAffinity },
        });
      })[0],
    ).toBe(
      "pod-label: No node has the labels that web-0 selects: kubernetes.io/os: windows, example.org/gpus Gt 2.",
    );
  });

  it("a taint with another effect than the usual one", () => {
    expect(
      told((p) => {
        tainted(p, windowsNode, { key: "example.org/dedicated", value: "iis", effect: "NoExecute" });
        waiting(
          p,
          { "kubernetes.io/os": "windows" },
          `0/3 nodes are available: 1 node(s) had untolerated taint {example.org/dedicated: iis}, ${selector}.`,
        );
      }),
    ).toEqual([
      "pod-taint: The nodes that web-0 could use have the taint example.org/dedicated=iis, which it does not tolerate.",
      "tolerations: [{key: example.org/dedicated, operator: Equal, value: iis, effect: NoExecute}]   # in the Pod's template",
    ]);
  });

  it("a label that no node has, while other nodes have a taint", () => {
    expect(
      told((p) => {
        tainted(p, windowsNode, { key: "os", value: "windows", effect: "NoSchedule" });
        waiting(
          p,
          { "example.org/tier": "front" },
          `0/3 nodes are available: 1 node(s) had untolerated taint {os: windows}, 2 node(s) didn't match Pod's node affinity/selector.`,
        );
      }),
    ).toEqual([
      "pod-label: No node has the labels that web-0 selects: example.org/tier: front.",
      "capz-windows:windowsPools: {POOL: {labels: {KEY: VALUE}}}   # gives the label to the nodes of a pool; or correct the Pod's nodeSelector:",
    ]);
  });

  it("the taint of a pool that the Pod does not select is not the reason, even with the key of its own pool", () => {
    const [first] = told((p) => {
      tainted(p, "linux1", { key: "dedicated", value: "sql", effect: "NoSchedule" });
      tainted(p, windowsNode, { key: "dedicated", value: "iis", effect: "NoSchedule" });
      waiting(
        p,
        { "kubernetes.io/os": "windows" },
        `0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: sql}, ${selector}.`,
      );
    });
    expect(first).toBe(
      "pod-selector: No node fits web-0: its nodeSelector names none that there is, or a taint keeps it away.",
    );
  });

  it("required affinity for Windows counts like a nodeSelector", () => {
    const requiredDuringSchedulingIgnoredDuringExecution = {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: "kubernetes.io/os", operator: "In", values: ["windows"] }] },
      ],
    };
    const words = (key: string): string[] =>
      told((p) => {
        tainted(p, "linux1", { key: "linux-only", effect: "NoSchedule" });
        tainted(p, windowsNode, { key: "os", value: "windows", effect: "NoSchedule" });
        waiting(
          p,
          {},
          `0/3 nodes are available: 1 node(s) had untolerated taint {${key}}, 2 node(s) didn't match Pod's node affinity/selector.`,
          { affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution } } },
        );
      });
    expect(words("os: windows")[0]).toBe(
      "pod-taint: The nodes that web-0 could use have the taint os=windows, which it does not tolerate.",
    );
    expect(words("linux-only: ")[0]).toBe(
      "pod-selector: No node fits web-0: its nodeSelector names none that there is, or a taint keeps it away.",
    );
  });

  it("a taint that the autoscaler sets by itself", () => {
    expect(
      told((p) => {
        tainted(p, windowsNode, { key: "ToBeDeletedByClusterAutoscaler", effect: "NoSchedule" });
        waiting(
          p,
          { "kubernetes.io/os": "windows" },
          `0/3 nodes are available: 1 node(s) had untolerated taint {ToBeDeletedByClusterAutoscaler: 1}, ${selector}.`,
        );
      }),
    ).toEqual([
      "pod-node-away: The nodes that web-0 could use take no Pods at present: win1000000 (ToBeDeletedByClusterAutoscaler). Such taints are set and taken away by the cluster itself.",
      "kubectl --kubeconfig workload.kubeconfig get nodes",
    ]);
  });

  it("only the control plane runs Linux", () => {
    expect(
      told((p) => {
        onlyControlPlane(p);
        Object.assign(p.node("sick-control-plane").metadata.labels ?? {}, { "kubernetes.io/os": "linux" });
        waiting(
          p,
          { "kubernetes.io/os": "linux" },
          `0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 node(s) didn't match Pod's node affinity/selector.`,
        );
      }),
    ).toEqual([
      "pod-control-plane: Only machines of the control plane have what web-0 selects, kubernetes.io/os: linux, and they take no applications.",
      "capz-windows:linuxPools: {linux1: {replicas: 2}}   # for what runs on Linux only",
    ]);
  });
});

describe("an image has no variant for the node of its Pod", () => {
  const pulls = (image: string, nodeName: string, spec: object = {}): string[] =>
    told((p) => {
      const text = `failed to pull and unpack image "${image}": no match for platform in manifest: not found`;
      const pod = p.pod("workload", "shop", "web-0", { waiting: ["ErrImagePull", text], image });
      Object.assign(pod.spec, { nodeName: p.node(nodeName).metadata.name, ...spec });
      p.event(pod, "Failed", `Failed to pull image "${image}": rpc error: code = NotFound desc = ${text}`, {
        side: "workload",
      });
    }).filter((_, index) => index % 2 === 0);

  it("Linux on Windows, once for the state and the event", () => {
    expect(pulls("docker.io/library/redis:7", windowsNode)).toEqual([
      "linux-image: The image docker.io/library/redis:7 has no variant for the Windows node win1000000. It is most likely an image for Linux: web-0 does not say which operating system it needs, so the scheduler may put it on either.",
    ]);
  });

  it("Windows on Linux", () => {
    expect(pulls("registry.example/shop/web:v1", "linux1")).toEqual([
      "windows-image: The image registry.example/shop/web:v1 has no variant for the Linux node linux1000000: it is an image for Windows, whose Pod must select Windows nodes, or for another processor.",
    ]);
  });

  it.each([
    ["registry.example/shop/web:v1", { nodeSelector: { "kubernetes.io/os": "windows" } }],
    ["registry.example/shop/web:v1", { os: { name: "windows" } }],
    ["mcr.microsoft.com/windows/servercore:ltsc2019", {}],
  ])("another release of Windows: %s %j", (image, spec) => {
    expect(pulls(image, windowsNode, spec)).toEqual([
      `os-mismatch: The image ${image} is built for another release of Windows Server than the node has, or for Linux. With process isolation both must be of the same build.`,
    ]);
  });
});

it("an image of an event, when the state of the container has no message yet", () => {
  const [first] = told((p) => {
    const pod = p.pod("workload", "shop", "web-0", { waiting: ["ContainerCreating", ""] });
    Object.assign(pod.spec, { nodeName: windowsNode });
    p.event(
      pod,
      "Failed",
      'Failed to pull image "docker.io/library/redis:7": no match for platform in manifest: not found',
      { side: "workload" },
    );
  });
  expect(first).toContain("linux-image: The image docker.io/library/redis:7 has no variant");
});

it("kube-proxy and Calico end on Windows because HNS does not run: one cause", () => {
  const ids = told((p) => {
    const pods = p.all("Pod", "workload").filter(({ spec }) => spec.nodeName === windowsNode);
    for (const { metadata } of pods.filter(({ metadata: { name } }) => /kube-proxy|calico/.test(name))) {
      p.pod("workload", metadata.namespace ?? "", metadata.name, {
        waiting: ["CrashLoopBackOff", "back-off 5m0s restarting failed container"],
        ended: ["Error", ""],
        restarts: 9,
      });
    }
    const pod = p.pod("workload", "shop", "web-0", { waiting: ["ContainerCreating", ""] });
    Object.assign(pod.spec, { nodeName: windowsNode });
    p.event(
      pod,
      "FailedCreatePodSandBox",
      'plugin type="calico" failed (add): hnsCall failed in Win32: The RPC server is unavailable. (0x6ba)',
      { side: "workload" },
    );
  }).filter((_, index) => index % 2 === 0);
  expect(ids).toEqual([
    "hns-stopped: The host network service (HNS) of win1000000 does not run or does not answer.",
  ]);
});
