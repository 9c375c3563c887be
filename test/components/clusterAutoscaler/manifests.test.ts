import { autoscalerObjects } from "../../../components/clusterAutoscaler/manifests";

const args = {
  ...{ clusterName: "blue", namespace: "team", wait: true },
  ...{ image: "registry.example/ca:v1", version: "v1.35.2" },
};

const containerOf = (more: object = {}) =>
  autoscalerObjects({ ...args, ...more }).deployment.spec.template.spec.containers[0]!;

it("looks for pools of its cluster alone, in the cluster that it runs in", () => {
  const { deployment } = autoscalerObjects(args);
  expect(containerOf().args).toEqual([
    "--cloud-provider=clusterapi",
    "--node-group-auto-discovery=clusterapi:namespace=team,clusterName=blue",
    "--kubeconfig=/etc/workload-cluster/kubeconfig",
    "--clusterapi-cloud-config-authoritative",
    "--enforce-node-group-min-size=true",
    "--cordon-node-before-terminating=true",
    "--expander=least-waste",
    "--max-node-provision-time=30m",
    "--max-node-startup-time=30m",
    "--scale-down-unneeded-time=10m",
    "--scale-down-delay-after-add=10m",
    "--scale-down-utilization-threshold=0.5",
    "--skip-nodes-with-local-storage=false",
    "--skip-nodes-with-system-pods=true",
    "--v=1",
  ]);
  expect(containerOf().image).toBe("registry.example/ca:v1");
  const { containers, volumes } = deployment.spec.template.spec;
  expect(containers[0]!.volumeMounts).toEqual([
    { name: "kubeconfig", mountPath: "/etc/workload-cluster", readOnly: true },
  ]);
  // Cluster API writes the kubeconfig under the key `value`.
  expect(volumes[0]!.secret).toMatchObject({
    secretName: "blue-kubeconfig",
    items: [{ key: "value", path: "kubeconfig" }],
  });
});

it("has a flag for each setting that is defined", () => {
  const told = containerOf({
    ...{ expander: "priority", maxNodeProvisionMinutes: 45, scaleDownUnneededMinutes: 5 },
    ...{ scaleDownDelayAfterAddMinutes: 0, scaleDownUtilizationPercent: 65, balanceSimilarPools: true },
    ...{ skipNodesWithLocalStorage: true, skipNodesWithSystemPods: false },
  }).args;
  expect(told).toEqual(
    expect.arrayContaining([
      "--expander=priority",
      "--max-node-provision-time=45m",
      "--max-node-startup-time=45m",
      "--scale-down-unneeded-time=5m",
      "--scale-down-delay-after-add=0m",
      "--scale-down-utilization-threshold=0.65",
      "--skip-nodes-with-local-storage=true",
      "--skip-nodes-with-system-pods=false",
      "--balance-similar-node-groups=true",
      "--balancing-ignore-label=topology.disk.csi.azure.com/zone",
    ]),
  );
  expect(containerOf({ expander: undefined, scaleDownUtilizationPercent: undefined }).args).toEqual(
    containerOf().args,
  );
});

it.each([
  ["v1.35.2", "registry.example/ca:v1.35.2", true],
  ["v1.34.3", "registry.example/ca:v1.34.3", false],
  // A mirror of another release than that of the cluster: what starts counts.
  ["v1.35.2", "registry.example:5000/ca:v1.34.3", false],
  ["v1.35.2", "registry.example/ca:v1.34.3@sha256:0123", false],
  ["v1.36.0", "registry.example/ca@sha256:0123", true],
  ["v1.9.9", "registry.example/ca", false],
])("%s, %s: a flag that the release before ends on", (version, image, has) => {
  const flags = containerOf({ version, image }).args.filter((flag) => flag.includes("startup"));
  expect(flags).toEqual(has ? ["--max-node-startup-time=30m"] : []);
});

it("may change the size of pools and mark machines in its namespace, and reads no Secret", () => {
  const { role, roleBinding, serviceAccount, deployment } = autoscalerObjects(args);
  const rights = role.rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        verbs
          .filter((verb) => !["get", "list", "watch"].includes(verb))
          .map((verb) => `${verb} ${group} ${resource}`),
      ),
    ),
  );
  expect(rights.sort()).toEqual([
    "patch cluster.x-k8s.io machinedeployments/scale",
    "patch cluster.x-k8s.io machinepools/scale",
    "update cluster.x-k8s.io machinedeployments/scale",
    "update cluster.x-k8s.io machinepools/scale",
    "update cluster.x-k8s.io machines",
  ]);
  expect(new Set(role.rules.flatMap(({ apiGroups }) => apiGroups))).toEqual(
    new Set(["cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"]),
  );
  expect(roleBinding.roleRef).toMatchObject({ kind: "Role", name: role.metadata.name });
  expect(roleBinding.subjects).toEqual([
    { kind: "ServiceAccount", name: serviceAccount.metadata.name, namespace: "team" },
  ]);
  expect(deployment.spec.template.spec.serviceAccountName).toBe(serviceAccount.metadata.name);
});

it("is not waited for in a stack that waits for nothing, because without an API server there is no kubeconfig", () => {
  const annotationsOf = (wait: boolean) =>
    (autoscalerObjects({ ...args, wait }).deployment.metadata as { annotations?: object }).annotations;
  expect(annotationsOf(false)).toEqual({ "pulumi.com/skipAwait": "true" });
  expect(annotationsOf(true)).toBeUndefined();
});
