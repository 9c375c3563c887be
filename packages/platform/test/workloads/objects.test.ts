import type { WindowsObjectArgs } from "capz-windows-platform/workloads/windowsObjects";
import {
  headlessService,
  windowsDaemonSet,
  windowsDeployment,
  windowsService,
  windowsStatefulSet,
} from "capz-windows-platform/workloads/windowsObjects";
import { windowsPathProblem } from "capz-windows-platform/workloads/windowsPaths";

const args: WindowsObjectArgs = { name: "shop", image: "r.example/shop:1-ltsc2022", ports: [8080] };
const podOf = (change: Partial<WindowsObjectArgs>) =>
  windowsDeployment({ ...args, ...change }).spec.template.spec;
const containerOf = (change: Partial<WindowsObjectArgs>) => podOf(change).containers[0]!;

describe("the pods of a Windows workload", () => {
  it("select nodes of their release, tolerate their taint and name their operating system", () => {
    for (const object of [windowsDeployment(args), windowsDaemonSet(args), windowsStatefulSet(args)]) {
      expect(object.spec.template.spec).toMatchObject({
        os: { name: "windows" },
        nodeSelector: { "kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348" },
        tolerations: [{ key: "os", operator: "Equal", value: "windows", effect: "NoSchedule" }],
        automountServiceAccountToken: false,
      });
      expect(object.spec.selector.matchLabels).toEqual(object.spec.template.metadata.labels);
    }
  });

  it("get no more requests before their process ends, and have time for both steps", () => {
    expect(containerOf({})).toMatchObject({ lifecycle: { preStop: { sleep: { seconds: 5 } } } });
    expect(containerOf({ drainSeconds: 0 })).not.toHaveProperty("lifecycle");
    expect(podOf({ drainSeconds: 50, terminationGracePeriodSeconds: 60 })).toMatchObject({
      terminationGracePeriodSeconds: 60,
    });
    expect(() => podOf({ drainSeconds: 30 })).toThrow(
      "terminationGracePeriodSeconds 30 leaves nothing after drainSeconds 30",
    );
  });

  it("accept only an image that starts on their release", () => {
    const image = "r.example/shop:1-ltsc2025";
    expect(() => podOf({ image })).toThrow(
      "r.example/shop:1-ltsc2025: the image is for Windows Server 2025 (build 26100), and Windows Server 2022 starts build 20348 only; write an image for Windows Server 2022",
    );
    expect(() => podOf({ image: "r.example/windows/shop:20h2" })).toThrow(
      "the image is for Windows build 19042, and Windows Server 2022 starts build 20348 only; write an image for Windows Server 2022",
    );
    expect(() => podOf({ windowsServer: "2025" })).not.toThrow();
    expect(() => podOf({ image: "r.example/shop:ltsc2019", isolation: "hyperv" })).not.toThrow();
    expect(() => podOf({ image, isolation: "hyperv" })).toThrow(
      "starts builds up to 20348 only, also with Hyper-V",
    );
  });

  it("are probed by HTTP, by a connection, or by a command with enough time for PowerShell", () => {
    expect(
      containerOf({
        readiness: { path: "/ready" },
        liveness: { port: 9000, periodSeconds: 20 },
        startup: { command: ["powershell.exe", "-Command", "exit 0"], failureThreshold: 30 },
      }),
    ).toMatchObject({
      readinessProbe: { httpGet: { path: "/ready", port: 8080 } },
      livenessProbe: { tcpSocket: { port: 9000 }, periodSeconds: 20 },
      startupProbe: {
        exec: { command: ["powershell.exe", "-Command", "exit 0"] },
        ...{ timeoutSeconds: 10, failureThreshold: 30 },
      },
    });
    expect(() => containerOf({ ports: [], liveness: { path: "/" } })).toThrow(
      "livenessProbe: give a port, or ports of the container",
    );
    expect(() => containerOf({ liveness: { path: "/", command: ["x"] } })).toThrow(
      "livenessProbe: give a command, or a path and port",
    );
  });

  it("get all further settings", () => {
    expect(
      podOf({
        ...{ runtimeClass: "windows-2022", serviceAccount: "shop", imagePullSecrets: ["registry"] },
        ...{ runAsUserName: "ContainerUser", gmsaCredentialSpec: "shop-gmsa" },
        ...{ command: ["shop.exe"], args: ["--port", "8080"], env: { MODE: "a" }, envFromSecrets: ["shop"] },
      }),
    ).toMatchObject({
      ...{ runtimeClassName: "windows-2022", serviceAccountName: "shop", automountServiceAccountToken: true },
      imagePullSecrets: [{ name: "registry" }],
      securityContext: {
        windowsOptions: { runAsUserName: "ContainerUser", gmsaCredentialSpecName: "shop-gmsa" },
      },
      containers: [
        {
          ...{ command: ["shop.exe"], args: ["--port", "8080"], env: [{ name: "MODE", value: "a" }] },
          envFrom: [{ secretRef: { name: "shop" } }],
        },
      ],
    });
  });
});

describe("volumes", () => {
  it("of every kind appear in the container", () => {
    const pod = podOf({
      volumes: [
        { name: "work", mountPath: "C:\\work" },
        { name: "settings", mountPath: "C:/shop/settings", configMap: "shop", readOnly: true },
        { name: "keys", mountPath: "C:\\keys", secret: "shop" },
        { name: "agent", mountPath: "C:\\agent", hostPath: "C:\\ProgramData\\agent" },
        { name: "shared", mountPath: "D:\\shared", claim: "shared" },
      ],
    });
    expect(pod.volumes).toEqual([
      { name: "work", emptyDir: {} },
      { name: "settings", configMap: { name: "shop" } },
      { name: "keys", secret: { secretName: "shop" } },
      { name: "agent", hostPath: { path: "C:\\ProgramData\\agent", type: "Directory" } },
      { name: "shared", persistentVolumeClaim: { claimName: "shared" } },
    ]);
    expect(pod.containers[0]!.volumeMounts).toContainEqual({
      ...{ name: "settings", mountPath: "C:/shop/settings", readOnly: true },
    });
  });

  const disk = { name: "data", mountPath: "C:\\data", storageClass: "managed-csi", sizeGiB: 8 };

  it("that are disks belong to the pods of a StatefulSet", () => {
    const { spec } = windowsStatefulSet({ ...args, volumes: [disk], replicas: 3 });
    expect(spec).toMatchObject({ replicas: 3, serviceName: "shop-pods" });
    expect(spec.volumeClaimTemplates).toMatchObject([{ metadata: { name: "data" } }]);
    expect(spec.template.spec).not.toHaveProperty("volumes");
    expect(headlessService(args).metadata.name).toBe(spec.serviceName);
    expect(() => windowsDeployment({ ...args, volumes: [disk] })).toThrow(
      "volume data: a disk belongs to one pod, so storageClass needs a StatefulSet; else name a claim",
    );
  });

  it.each([
    [{ ...disk, claim: "x" }, "volume data: give one of claim and storageClass"],
    [{ ...disk, sizeGiB: undefined }, "volume data: storageClass and sizeGiB belong together"],
    [{ ...disk, sizeGiB: 0.5 }, "volume data: sizeGiB is a whole number from 1 on"],
    [
      { ...disk, mountPath: "/data" },
      "volume data: mountPath /data names no drive; write it as C:\\data or C:/data",
    ],
    [
      { name: "logs", mountPath: "C:\\logs", hostPath: "/var/log" },
      "volume logs: hostPath /var/log names no drive; write it as C:\\data or C:/data",
    ],
  ])("%j: %s", (volume, message) => {
    expect(() => windowsStatefulSet({ ...args, volumes: [volume] })).toThrow(message);
  });

  it.each([
    ["C:\\data", undefined],
    ["c:/data/sub folder", undefined],
    ["C:data", "is relative to a folder of C:; write C:\\ before the rest"],
    ["C:", "is a whole drive; name a folder of it"],
    ["C:\\", "is a whole drive; name a folder of it"],
    ["C:\\a?b", 'has "?", which no name on Windows may have there'],
    ["C:\\a \\b", 'has " ", which no name on Windows may have there'],
    ["data", "names no drive; write it as C:\\data or C:/data"],
  ])("the path %s: %s", (path, problem) => {
    expect(windowsPathProblem(path)).toBe(problem);
  });
});

describe("a Service of a Windows workload", () => {
  it("selects the pods, and is reachable only in the cluster by default", () => {
    const { spec } = windowsService(args);
    expect(spec).toEqual({
      ...{ type: "ClusterIP", selector: { app: "shop" } },
      ports: [{ port: 8080, targetPort: 8080, protocol: "TCP" }],
    });
    expect(windowsService(args, { port: 80 }).spec.ports).toMatchObject([{ port: 80, targetPort: 8080 }]);
  });

  it.each([
    [
      { type: "ExternalName" },
      "shop: ExternalName is not a type of Service; write one of ClusterIP, NodePort, LoadBalancer",
    ],
    [
      { internal: true },
      "shop: internal is for a LoadBalancer, which then serves the VNET and has no allowedCidrs",
    ],
    [
      { type: "LoadBalancer", internal: true, allowedCidrs: ["10.0.0.0/8"] },
      "shop: internal is for a LoadBalancer, which then serves the VNET and has no allowedCidrs",
    ],
  ])("%j: %s", (service, message) => {
    expect(() => windowsService(args, service)).toThrow(message);
  });

  it("needs a port to send requests to", () => {
    expect(() => windowsService({ name: "shop" })).toThrow("shop: a Service needs a port of the container");
  });
});
