import { podParts, privilegesOf } from "capz-windows-platform/cluster/podPrivileges";
import { privilegedNamespaces } from "capz-windows-platform/cluster/podSecurity";
import { exampleStacks, planOf } from "../support/plans";

/** What on the nodes is more than a container. */

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
  expect(privilegesOf(podParts({ kind: "Pod", spec: pod }))).toEqual(expected);
});

it("finds the pod of every kind that makes one", () => {
  const pod = { hostPID: true };
  const found = (object: object): string[] => privilegesOf(podParts(object));
  const host = ["processes of the node"];
  expect(found({ kind: "Pod", spec: pod })).toEqual(host);
  expect(found({ kind: "DaemonSet", spec: { template: { spec: pod } } })).toEqual(host);
  expect(found({ kind: "CronJob", spec: { jobTemplate: { spec: { template: { spec: pod } } } } })).toEqual(
    host,
  );
  expect(found({ kind: "Service", spec: { selector: {} } })).toEqual([]);
});

it.each(exampleStacks)(
  "%s: add-ons have such pods only in namespaces that Pod Security exempts",
  async (stack) => {
    const { workload } = (await planOf(stack)).objects;
    const privileged = workload
      .flatMap(({ objects }) => objects)
      .filter((object) => privilegesOf(podParts(object)).length > 0);
    expect(privileged).not.toEqual([]);
    const namespaces = privileged.map(({ metadata }) => metadata.namespace ?? "default");
    expect(namespaces.filter((name) => !privilegedNamespaces.includes(name))).toEqual([]);
  },
);
