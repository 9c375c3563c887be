import { addonsOf } from "../../../addons/catalogue";
import { privilegedPods } from "../../../plan/render/pods";
import { planFiles } from "../../../plan/render/render";
import { nodesOf, podOf, privilegesOf } from "capz-windows-platform/cluster/podPrivileges";
import { privilegedNamespaces } from "capz-windows-platform/cluster/podSecurity";
import { updateInline } from "../../support/inlinePlans";
import { exampleStacks, planOf } from "../../support/plans";
import { minimal } from "../../support/stacks";

/** rights/pods.md: what on the nodes is more than a container. */

const ofAddons = new Set(addonsOf({}).flatMap(({ privileged }) => Object.keys(privileged ?? {})));

it.each([
  ["nothing", { containers: [{ name: "a" }] }, []],
  [
    "an init container",
    { initContainers: [{ securityContext: { privileged: true } }] },
    ["privileged: everything on the node"],
  ],
  [
    "Windows, by the pod",
    { hostNetwork: true, securityContext: { windowsOptions: { hostProcess: true } } },
    ["HostProcess: a process of Windows itself"],
  ],
  [
    "Windows, by a container",
    { containers: [{ securityContext: { windowsOptions: { hostProcess: true } } }] },
    ["HostProcess: a process of Windows itself"],
  ],
  [
    "all others",
    {
      ...{ hostNetwork: true, hostPID: true },
      volumes: [{ hostPath: { path: "/a" } }, { emptyDir: {} }, { hostPath: { path: "/b" } }],
      containers: [{ securityContext: { capabilities: { add: ["NET_ADMIN"] } } }],
    },
    [
      "network of the node",
      "processes of the node",
      "folders of the node: /a, /b",
      "capabilities: NET_ADMIN",
    ],
  ],
])("reads what a pod has: %s", (_, pod, expected) => {
  expect(privilegesOf(pod)).toEqual(expected);
});

it("finds the pod of every kind that makes one, and where it runs", () => {
  const pod = { nodeSelector: { "node-role.kubernetes.io/control-plane": "" } };
  expect(podOf({ kind: "Pod", spec: pod })).toBe(pod);
  expect(podOf({ kind: "DaemonSet", spec: { template: { spec: pod } } })).toBe(pod);
  expect(podOf({ kind: "CronJob", spec: { jobTemplate: { spec: { template: { spec: pod } } } } })).toBe(pod);
  expect(podOf({ kind: "Service", spec: { selector: {} } })).toBeUndefined();
  expect([nodesOf(pod), nodesOf({ os: { name: "windows" } }), nodesOf({})]).toEqual([
    "control plane",
    "Windows",
    "Linux",
  ]);
});

it.each(exampleStacks)(
  "%s: every privileged pod has a reason, in a namespace that Pod Security exempts",
  async (stack) => {
    const pods = privilegedPods((await planOf(stack)).objects);
    expect(pods.map(({ name }) => name)).toEqual(expect.arrayContaining(["kube-apiserver", "kube-proxy"]));
    expect(pods.filter(({ why }) => why.includes("of the stack file"))).toEqual([]);
    expect(pods.filter(({ namespace }) => !privilegedNamespaces.includes(namespace))).toEqual([]);
  },
);

it("no reason is about a pod that no stack has", async () => {
  const image = { computeGallery: { gallery: "mine", name: "capi", version: "1.24.17" } };
  const older = await updateInline({
    ...minimal(),
    ...{ kubernetesVersion: "v1.24.17", controlPlane: { replicas: 1, image } },
    linuxPools: { linux1: { image } },
    windowsPools: { win1: { image } },
  });
  const plans = [...(await Promise.all(exampleStacks.map(planOf))), older];
  const names = new Set(plans.flatMap(({ objects }) => privilegedPods(objects).map(({ name }) => name)));
  expect([...ofAddons].filter((name) => !names.has(name))).toEqual([]);
});

it("names a pod of the user's own manifests, for which the program has no reason", async () => {
  const spec = { hostNetwork: true, containers: [{ name: "a", image: "a" }] };
  const agent = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "agent", namespace: "kube-system" },
    spec,
  };
  const plan = await updateInline({
    ...minimal(),
    extraManifests: { agent: { objects: [agent] } },
  });
  expect(planFiles(plan).get("rights/pods.md")).toContain(
    "\n| kube-system | agent | Linux | network of the node | of the stack file: ask whoever wrote it |\n",
  );
});
