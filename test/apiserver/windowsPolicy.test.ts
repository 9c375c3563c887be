import type { KubernetesObject } from "capz-types";
import { policyObjects, type PolicyArgs } from "capz-windows-platform/workloads/admissionPolicy";
import { imageMismatch } from "capz-windows-platform/workloads/imageFit";
import { runtimeClassObject, windowsClasses } from "capz-windows-platform/workloads/runtimeClasses";
import {
  headlessService,
  windowsDaemonSet,
  windowsDeployment,
  windowsService,
  windowsStatefulSet,
} from "capz-windows-platform/workloads/windowsObjects";
import { Rigs } from "../life/support/rig";
import { namespace } from "./applier";
import { ApiServer, noControllers } from "./client";

/** How an API server evaluates the policies and RuntimeClasses, also for objects that the builders make. */
const rig = process.env.CAPZ_WINDOWS_RIG;

const releases = ["2019", "2022"];
const classes = windowsClasses(releases, true);
const policies = (mode: PolicyArgs["mode"]) =>
  policyObjects({ mode, windowsServers: releases, classes, hostProcessNamespaces: ["agents"] });

type Spec = Readonly<Record<string, unknown>>;

const windows = { "kubernetes.io/os": "windows" };
const on2022 = { ...windows, "node.kubernetes.io/windows-build": "10.0.20348" };

const spec = (own: Spec): Spec => ({ containers: [{ name: "c", image: "r.example/app:1" }], ...own });
const pod = (own: Spec): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace: "apps" },
  spec: spec(own),
});
const deployment = (own: Spec, more: Spec = {}): KubernetesObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "d", namespace: "apps", ...more },
  spec: {
    selector: { matchLabels: { app: "d" } },
    template: { metadata: { labels: { app: "d" } }, spec: spec(own) },
  },
});
const cronJob = (own: Spec): KubernetesObject => ({
  apiVersion: "batch/v1",
  kind: "CronJob",
  metadata: { name: "j", namespace: "apps" },
  spec: {
    schedule: "@daily",
    jobTemplate: { spec: { template: { spec: { restartPolicy: "Never", ...spec(own) } } } },
  },
});
const within = (object: KubernetesObject, name: string): KubernetesObject => ({
  ...object,
  metadata: { ...object.metadata, namespace: name },
});
const image = (reference: string) => ({ containers: [{ name: "c", image: reference }] });
const hostProcess = {
  ...{ nodeSelector: on2022, hostNetwork: true },
  securityContext: { windowsOptions: { hostProcess: true, runAsUserName: "NT AUTHORITY\\SYSTEM" } },
};
const affinity = (key: string) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator: "In", values: ["linux"] }] }],
      },
    },
  },
});

const system = "the pod may land on a node of another operating system, where its image does not start";
const other = (reference: string, builds: string) =>
  `the image ${reference} is for another release of Windows than build ${builds}`;
const administrators =
  "HostProcess containers are administrators of the node; here they are for the add-ons and the namespace agents only";

const judged: readonly (readonly [what: string, object: KubernetesObject, refused: string | undefined])[] = [
  ["a pod for any node", pod({}), system],
  ["a pod for Linux", pod({ nodeSelector: { "kubernetes.io/os": "linux" } }), undefined],
  ["a pod for Linux by affinity", pod(affinity("kubernetes.io/os")), undefined],
  ["a pod with an affinity for something else", pod(affinity("zone")), system],
  ["a pod on a node", pod({ nodeName: "n" }), undefined],
  ["a pod that names its system and selects no node", pod({ os: { name: "windows" } }), system],
  ["a pod with a class", pod({ runtimeClassName: "windows-2022" }), undefined],
  ["a workload with a class", deployment({ runtimeClassName: "windows-2022" }), undefined],
  ["a workload for any node", deployment({}), system],
  ["a scheduled job for any node", cronJob({}), system],
  ["a pod for any node in a namespace of the add-ons", within(pod({}), "kube-system"), undefined],
  [
    "an image of the release that is selected",
    deployment({ nodeSelector: on2022, ...image("r.example/app:ltsc2022") }),
    undefined,
  ],
  [
    "an image of another release than that which is selected",
    deployment({ nodeSelector: on2022, ...image("r.example/app:1-ltsc2019") }),
    other("r.example/app:1-ltsc2019", "10.0.20348"),
  ],
  [
    "an image that starts on one of the releases only",
    cronJob({ nodeSelector: windows, ...image("r.example/app:ltsc2022") }),
    other("r.example/app:ltsc2022", "10.0.17763 and 10.0.20348"),
  ],
  [
    "an image of another release than that of the class",
    deployment({ runtimeClassName: "windows-2019", ...image("r.example/app:ltsc2022") }),
    other("r.example/app:ltsc2022", "10.0.17763"),
  ],
  [
    "an older image with Hyper-V isolation",
    deployment({ runtimeClassName: "windows-2022-hyperv", ...image("r.example/app:ltsc2019") }),
    undefined,
  ],
  [
    "an image of another release in an init container",
    deployment({
      nodeSelector: on2022,
      initContainers: [{ name: "i", image: "r.example/init:ltsc2019" }],
    }),
    other("r.example/init:ltsc2019", "10.0.20348"),
  ],
  [
    "an image on Linux whose tag looks like one of Windows",
    deployment({ nodeSelector: { "kubernetes.io/os": "linux" }, ...image("r.example/x:ltsc2019") }),
    undefined,
  ],
  ["a HostProcess pod", pod(hostProcess), administrators],
  ["a HostProcess workload", deployment(hostProcess), administrators],
  ["a HostProcess pod where it may be", within(pod(hostProcess), "agents"), undefined],
  ["a HostProcess pod of an add-on", within(pod(hostProcess), "kube-system"), undefined],
  [
    "a HostProcess container",
    pod({
      ...{ nodeSelector: on2022, hostNetwork: true },
      containers: [{ name: "c", image: "r.example/app:1", securityContext: hostProcess.securityContext }],
    }),
    administrators,
  ],
];

if (rig === undefined || rig === "") {
  it.skip("skipped: CAPZ_WINDOWS_RIG names no rig (a program that is an API server for tests)", () =>
    undefined);
} else {
  const rigs = new Rigs({ rig, controllers: "" });
  let server: ApiServer;

  const answer = async (object: KubernetesObject) => {
    const { status, body } = await server.apply(object, { dryRun: true });
    return status >= 300 ? (body.message ?? String(status)) : undefined;
  };
  const applied = async (objects: readonly KubernetesObject[]) => {
    for (const object of objects) {
      const { status, body } = await server.apply(object, { dryRun: false });
      expect({
        object: `${object.kind} ${object.metadata.name}`,
        status,
        message: body.message,
      }).toMatchObject({
        message: undefined,
      });
    }
  };
  /** Waits until the policies are in effect, which is a moment after they are written. */
  const until = async (isSo: () => Promise<boolean>) => {
    const end = Date.now() + 30_000;
    while (!(await isSo())) {
      expect(Date.now()).toBeLessThan(end);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };

  beforeAll(async () => {
    server = new ApiServer(await rigs.start("policy", noControllers));
    const account = (name: string): KubernetesObject => ({
      ...{ apiVersion: "v1", kind: "ServiceAccount" },
      metadata: { name: "default", namespace: name },
    });
    const names = ["apps", "agents"];
    await applied([...names.map(namespace), ...[...names, "kube-system"].map(account)]);
    await applied(classes.map(runtimeClassObject));
    await applied(policies("deny"));
    for (const probe of [pod({}), deployment({}), cronJob({})]) {
      await until(async () => (await answer(probe)) !== undefined);
    }
  });

  afterAll(async () => {
    server.close();
    await rigs.stopAll();
  });

  it.each(judged)("%s", async (_what, object, refused) => {
    const message = await answer(object);
    expect(refused === undefined ? message : (message ?? "accepted")).toEqual(
      refused === undefined ? undefined : expect.stringContaining(refused),
    );
  });

  it("agrees with this program's own check of image tags", async () => {
    const tags = [
      ...["ltsc2019", "ltsc2022", "ltsc2025", "1-ltsc2019", "1-LTSC2019-amd64", "win2019", "1.0-windows2022"],
      ...[
        "10.0.17763.5",
        "10.0.20348",
        "10.0.26100.1",
        "x-10.0.20348.2-y",
        "2019",
        "2022.10.1",
        "1.0",
        "latest",
      ],
      ...["xltsc2019", "ltsc20191", "ltsc2022@sha256:" + "0".repeat(64), "windowsservercore-ltsc2019"],
    ];
    for (const tag of tags) {
      const reference = `r.example/ltsc2019/app:${tag}`;
      const message = await answer(deployment({ nodeSelector: on2022, ...image(reference) }));
      expect({ tag, refused: message !== undefined }).toEqual({
        tag,
        refused: imageMismatch(reference, "2022") !== undefined,
      });
    }
  });

  it("adds to pods the selector, the toleration and the overhead of their RuntimeClass", async () => {
    const { body } = await server.apply(pod({ runtimeClassName: "windows-2022-hyperv" }), { dryRun: true });
    expect(body.spec).toMatchObject({
      nodeSelector: on2022,
      overhead: { cpu: "100m", memory: "512Mi" },
      tolerations: expect.arrayContaining([
        { key: "os", operator: "Equal", value: "windows", effect: "NoSchedule" },
      ]) as unknown,
    });
    expect(await answer(pod({ runtimeClassName: "windows-2019", nodeSelector: on2022 }))).toContain(
      "conflict",
    );
  });

  it("accepts objects of the builders and does not change them", async () => {
    const args = {
      ...{ name: "shop", namespace: "apps", image: "r.example/shop:1-ltsc2022", ports: [8080, 9090] },
      ...{ readiness: { path: "/" }, liveness: {}, startup: { command: ["cmd.exe", "/c", "exit 0"] } },
      ...{ runtimeClass: "windows-2022", runAsUserName: "ContainerUser", terminationGracePeriodSeconds: 60 },
      volumes: [
        { name: "work", mountPath: "C:\\work" },
        { name: "agent", mountPath: "C:/agent", hostPath: "C:\\ProgramData\\agent", readOnly: true },
      ],
    };
    const disk = { name: "data", mountPath: "D:\\data", storageClass: "managed-csi", sizeGiB: 8 };
    await applied([
      windowsDeployment(args),
      windowsDaemonSet(args),
      windowsStatefulSet({ ...args, volumes: [...args.volumes, disk] }),
      headlessService(args),
      windowsService(args, { type: "LoadBalancer", internal: true }),
      { ...windowsService({ ...args, name: "shop-port" }, { type: "NodePort", port: 80 }) },
    ]);
    const account = { ...args, name: "member", gmsaCredentialSpec: "shop" };
    await applied([windowsDeployment(account)]);
  });

  it("admits everything if the policies only warn", async () => {
    await applied(policies("warn"));
    // The policies of different kinds take effect at different times.
    for (const [, object] of judged) {
      await until(async () => (await answer(object)) === undefined);
    }
  });

  it("never refuses a change outside of the pod template: an existing workload can be scaled and deleted", async () => {
    await applied([deployment({}, { finalizers: ["example.org/keep"] })]);
    await applied(policies("deny"));
    const changed = deployment({ restartPolicy: "Always", terminationGracePeriodSeconds: 5 });
    await until(async () => (await answer(changed)) !== undefined);
    const scaled = deployment({});
    expect(
      await answer({
        ...scaled,
        spec: { ...(scaled.spec as object), replicas: 3 },
        metadata: { ...scaled.metadata },
      }),
    ).toBeUndefined();
    expect(await answer(changed)).toContain(system);
  });
}
