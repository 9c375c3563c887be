import fc from "fast-check";
import {
  flagNames,
  flagType,
  kubeletFields,
  type Program,
} from "capz-windows-platform/cluster/programSettings";
import { at, ownValue } from "capz-windows-kit/untyped";
import { judgedMinor } from "./judge";

/** Settings as users write them: right ones, and those with each kind of mistake. */

export interface KubeletSetting {
  readonly os: "linux" | "windows";
  readonly configuration: Readonly<Record<string, unknown>>;
}

/** What kubeadm, the image or a key of the pool sets, and what only the machine can judge. */
const notDrawn =
  /^(apiVersion|kind|authentication|authorization|cgroupDriver|clusterDNS|clusterDomain|containerRuntimeEndpoint|imageServiceEndpoint|podCIDR|port|providerID|registerNode|rotateCertificates|runOnce|serverTLSBootstrap|staticPod.*|tlsCertFile|tlsPrivateKeyFile|containerLogMaxFiles|containerLogMaxSize|imageGC.*|imageMinimumGCAge|maxParallelImagePulls|maxPods|registerWithTaints|serializeImagePulls|systemReserved|failCgroupV1|configMapAndSecretChangeDetectionStrategy)(\.|$)/;

const texts = [
  ...[
    "",
    "none",
    "None",
    "static",
    "Static",
    "best-effort",
    "best",
    "restricted",
    "container",
    "pod",
    "Cache",
  ],
  ...[
    "NoSwap",
    "LimitedSwap",
    "UnlimitedSwap",
    "0-1",
    "0,2-3",
    "3-1",
    "VersionTLS12",
    "VersionTLS1.2",
    "/var/log",
  ],
  ...[
    "/var/log/",
    "var/log",
    "hairpin-veth",
    "promiscuous-bridge",
    "AlwaysVerify",
    "NeverVerify",
    "TieredReservation",
  ],
  ...["/kubelet.slice", "1.34", "1.0", "localhost:4317", "http://x", "x"],
];
const durations = [
  "0s",
  "1s",
  "2s",
  "3s",
  "50ms",
  "100ms",
  "2m",
  "10m",
  "-1s",
  "1h30m",
  "30",
  "2 hours",
  "fast",
];
const numbers = [
  -1001, -1000, -1, 0, 1, 2, 5, 31, 32, 1000, 1001, 65_535, 65_536, 131_072, 2_000_000, 0.5, 1.5,
];
const amounts = [
  "500Mi",
  "1Gi",
  "10%",
  "0%",
  "100%",
  "101%",
  "-5%",
  "0",
  "0Mi",
  "-1",
  "1GB!",
  "5 %",
  "%",
  "100m",
  "1m30s",
  "90",
  "",
];
const signals = [
  "memory.available",
  "nodefs.available",
  "imagefs.inodesFree",
  "pid.available",
  "disk.available",
];
const resources = ["cpu", "memory", "ephemeral-storage", "pid", "gpu", "hugepages-2Mi"];
const names = [
  ...[
    "pods",
    "none",
    "system-reserved",
    "kube-reserved",
    "system",
    "net.*",
    "net.core.somaxconn",
    "kernel.msg*",
  ],
  ...[
    "kernel.pid_max",
    "vm.swappiness",
    "TLS_AES_128_GCM_SHA256",
    "TLS_RSA_WITH_AES_128_GCM_SHA256",
    "TLS_NONE",
  ],
  ...["registry.example.org/*", "kernel.shm_rmid_forced", "fs.mqueue.queues_max", "net/ipv4/tcp_syncookies"],
];
const gateNames = [
  "NodeSwap",
  "QOSReserved",
  "MemoryQoS",
  "CustomCPUCFSQuotaPeriod",
  "NoSuchGate",
  "KubeletCrashLoopBackOffMax",
  "ImageVolume",
  "GracefulNodeShutdown",
  "AllAlpha",

  "DynamicKubeletConfig",
];

const mappingOf = (keys: readonly string[], values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...keys), values), {
      minLength: 1,
      maxLength: 2,
      selector: ([key]) => key,
    })
    .map((pairs) => Object.fromEntries(pairs));

/** A value for a field, mostly of its type. */
function valueFor(name: string, type: string): fc.Arbitrary<unknown> {
  switch (type) {
    case "bool":
      // Whether false is right depends on the cgroups of the machine.
      return name === "singleProcessOOMKill" ? fc.constant(true) : fc.boolean();
    case "duration":
      return fc.constantFrom(...durations);
    case "int32":
    case "int64":
    case "float64":
      return fc.constantFrom(...numbers.filter((number) => type === "float64" || Number.isInteger(number)));
    case "[]string":
      return fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 });
    case "map[string]bool":
      return mappingOf(gateNames, fc.boolean());
    case "map[string]string":
      return name.endsWith("eserved")
        ? mappingOf(resources, fc.constantFrom(...amounts))
        : mappingOf(signals, fc.constantFrom(...amounts));
    case "v1.LoggingConfiguration":
      return fc.constantFrom(
        { format: "json" },
        { format: "xml" },
        { verbosity: 4 },
        { flushFrequency: "5s" },
      );
    case "v1.TracingConfiguration":
      return fc.constantFrom(
        { endpoint: "localhost:4317" },
        { samplingRatePerMillion: 2_000_000 },
        { endpoint: "http://a" },
      );
    default:
      return fc.constantFrom(...(ownValue(managers, name) ?? texts));
  }
}

/** Of another policy kubelet knows only when it starts. */
const managers: Readonly<Record<string, readonly string[]>> = {
  cpuManagerPolicy: ["none", "static", ""],
  memoryManagerPolicy: ["None", "Static", ""],
};

const field: fc.Arbitrary<readonly [string, unknown]> = fc
  .constantFrom(
    ...[...kubeletFields].filter(
      ([name, { type, since }]) =>
        !notDrawn.test(name) &&
        since <= judgedMinor &&
        !/^(\[\](v1|int)|map\[string\]\[\])/.test(type) &&
        !name.endsWith("PolicyOptions") &&
        name !== "defaultPodSysctls",
    ),
  )
  .chain(([name, { type }]) => {
    const [top = "", part] = name.split(".");
    return valueFor(name, type).map(
      (value) => [top, part === undefined ? value : { [part]: value }] as const,
    );
  });

/** Windows has no manager of CPUs and memory. */
export const arbitrarySetting: fc.Arbitrary<KubeletSetting> = fc
  .record({
    os: fc.constantFrom("linux" as const, "windows" as const),
    configuration: fc
      .uniqueArray(field, { minLength: 1, maxLength: 2, selector: ([name]) => name })
      .map(Object.fromEntries),
  })
  .filter(
    ({ os, configuration }) =>
      os === "linux" || Object.keys(managers).every((name) => !(name in configuration)),
  );

/** With which kubelet ends only after what the judge runs. Not a filter of the drawn ones: they would be others then. */
export const endsLater = ({ os, configuration }: KubeletSetting): boolean =>
  "qosReserved" in configuration ||
  (os === "windows" &&
    ("reservedSystemCPUs" in configuration ||
      at(configuration, "memorySwap", "swapBehavior") === "LimitedSwap"));

export interface DrawnArgument {
  readonly program: Program;
  readonly name: string;
  readonly value: string;
}

/** Of the control plane: kubelet's flags are few, and its settings are fields. */
const controlPlane = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd"] as const;

/** What kubeadm sets or a key of the stack file has, and what only a running program judges. */
const notDrawnFlags =
  /^(advertise-address|anonymous-auth|audit-.*|authentication-config|authorization-config|encryption-.*|leader-elect.*|service-cluster-ip-range|.*-file|config|kubeconfig|help|version|log-.*|vmodule|runtime-config.*|emulat.*|quota-backend-bytes|experimental-(initial-corrupt-check|watch-progress-.*)|.*-metrics.*|allow-metric-labels|.*urls?|election-timeout|heartbeat-interval|max-snapshots|max-wals)$/;

const flagTexts: Readonly<Record<string, readonly string[]>> = {
  "authorization-mode": ["Node,RBAC", "RBAC", "Node,RBAC,ABAC", "RBAC,Rbac", "Webhook", "RBAC,RBAC"],
  "cidr-allocator-type": ["RangeAllocator", "CloudAllocator"],
  controllers: ["*,-ttl", "*,-ttl-controller,bootstrap-signer-controller", "*,-nosuch", "-cronjob,*"],
  "cors-allowed-origins": ["^https://example.org$", "example.org", "//a.example.org(:|$)"],
  "disable-admission-plugins": ["DefaultStorageClass", "PodSecurityPolicy", "NodeRestrictions"],
  "enable-admission-plugins": ["NodeRestriction,AlwaysPullImages", "PodSecurityPolicy", "podsecurity", ""],
  "feature-gates": [
    ...[
      "NodeSwap=false",
      "NoSuchGate=true",
      "AllBeta=false",
      "ImageVolume=true",
      "ImageVolume",
      "NodeSwap=maybe",
    ],
    ...[
      "GracefulNodeShutdown=false",
      "KubeletPSI=true,DynamicResourceAllocation=true",
      "DRAAdminAccess=true",
    ],
  ],
  "logging-format": ["json", "text", "xml"],
  "service-account-jwks-uri": ["https://a.example.org/jwks", "http://a.example.org/jwks"],
  "storage-media-type": ["application/json", "application/xml"],
  "strict-transport-security-directives": [
    "max-age=31536000",
    "max-age",
    "includeSubDomains,preload",
    "never",
  ],
  "tls-cipher-suites": ["TLS_AES_128_GCM_SHA256", "TLS_NONE", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"],
  "tls-min-version": ["VersionTLS12", "VersionTLS1.2", "1.2"],
};

const flagValues: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false", "yes", "1", "True", "on", ""],
  duration: ["0s", "1s", "90s", "2h", "-5s", "30", "2 hours", "fast", "1h30m"],
  float32: ["0", "0.5", "20", "half"],
  float64: ["0", "0.01", "0.5", "-1", "x"],
  int: ["0", "1", "5", "400", "-1", "70000", "1.5", "many", "1e3", "0x10"],
  ip: ["0.0.0.0", "10.0.0.300", "::", "localhost"],
  portRange: ["30000-32767", "30000", "32767-30000x"],
  quantity: ["1Gi", "500MB", "1 Gi"],
};

const ofType: Readonly<Record<string, string>> = {
  int32: "int",
  int64: "int",
  uint: "int",
  uint64: "int",
};

/** The programs read them only after what the judge runs, and etcd's gates are its own. */
const later = /^(feature-gates|tls-.*|logging-format)$/;
const notJudged: Readonly<Partial<Record<Program, RegExp>>> = {
  "kube-apiserver": /^(tls-.*|logging-format)$/,
  "kube-controller-manager": later,
  "kube-scheduler": later,
  etcd: /^feature-gates$/,
};

/** Flags of other releases and programs, and names that are not spelled rightly. */
const otherFlags = [
  ...["event-ttls", "insecure-port", "pod-eviction-timeout", "compaction", "max-request-inflight", "profile"],
  ...[
    "enable-swagger-ui",
    "kubelet-https",
    "port",
    "horizontal-pod-autoscaler-use-rest-clients",
    "enable-v2",
  ],
];

const argumentOf = (program: Program): fc.Arbitrary<DrawnArgument> => {
  const names = [...flagNames(program, judgedMinor)].filter((name) => {
    const type = flagType(program, name, judgedMinor) ?? "";
    return (
      !notDrawnFlags.test(name) &&
      notJudged[program]?.test(name) !== true &&
      (name in flagTexts || type in flagValues || type in ofType)
    );
  });
  return fc.constantFrom(...names, ...names, ...names, ...otherFlags).chain((name) => {
    const type = flagType(program, name, judgedMinor) ?? "int";
    const values = flagTexts[name] ?? flagValues[ofType[type] ?? type] ?? ["x"];
    return fc.record({
      program: fc.constant(program),
      name: fc.constant(name),
      value: fc.constantFrom(...values),
    });
  });
};

export const arbitraryArgument: fc.Arbitrary<DrawnArgument> = fc.oneof(...controlPlane.map(argumentOf));

/** Flags with a form of their own, or beside what kubeadm sets: PROGRAM FLAG and its values, right ones and wrong ones. */
const written = [
  "kube-apiserver vmodule a a=1 a=1,b=x a=1, a=2147483648 a=-1 =1 a=b=1",
  "kube-apiserver service-node-port-range 30000-70000 30000-32767 30000 30000+5 30000+40000 32767-30000 -5 0-65535",
  "kube-apiserver kubernetes-service-node-port 0 1 30000 32768",
  "kube-apiserver tls-sni-cert-key a a,b: a,b,c",
  "kube-apiserver tls-curve-preferences 23,29 x",
  "kube-apiserver etcd-servers-overrides events#https://127.0.0.1:4002 apps/deployments#https://127.0.0.1:4002 apps/deployments# apps/a#b;",
  "kube-apiserver requestheader-uid-headers X-Foo X-Foo,x-remote-uid x-remote-uid,",
  "kube-apiserver requestheader-username-headers x-remote-user, x-remote-user",
  "kube-apiserver runtime-config api/ga=false api/all=false api/ga=true,api/all=false api/beta=false",
  "kube-apiserver disable-admission-plugins NodeRestriction NodeRestriction,PodSecurity PodSecurity",
  "kube-apiserver emulated-version 1.30 1.9 kube=1.OLD v1.OLD 1.OLD.0 1.OLD.1 1.NEW etcd=1.OLD 1.OLD,1.OLD 1",
  "kube-apiserver min-compatibility-version 1.OLD 1.NEW 1.30",
  "kube-apiserver emulation-forward-compatible true false",
  "kube-controller-manager cluster-signing-kube-apiserver-client-cert-file /etc/kubernetes/pki/ca.crt",
  "kube-controller-manager requestheader-uid-headers X-Foo X-Remote-Uid",
  "kube-scheduler vmodule a a=1",
  "kube-scheduler requestheader-uid-headers X-Foo X-Remote-Uid",
  "kubelet node-labels a=b,node.kubernetes.io/x=y a=, a= kubernetes.io/role=x node-role.kubernetes.io/x= a=-b x",
  "kubelet register-with-taints a=b:NoSchedule a:NoExecute a=b:Never a=b a:NoSchedule,a=b:NoSchedule a- a=b:NoSchedule-",
  "kubelet kube-reserved cpu=100m,memory=1Gi cpu=1x gpu=1 cpu=-1 cpu",
  "kubelet system-reserved memory=1Gi disk=1Gi",
  "kubelet eviction-hard memory.available<10% memory.available=10% mem.available<10% memory.available<500Mi,nodefs.available<x",
  "kubelet eviction-soft memory.available<10%",
  "kubelet eviction-minimum-reclaim memory.available=1Gi memory.available<1Gi",
  "kubelet image-gc-high-threshold 90 101 80 -1",
  "kubelet image-gc-low-threshold 50 85 101",
  "kubelet hairpin-mode none bridge",
  "kubelet topology-manager-policy restricted best",
  "kubelet topology-manager-scope pod node",
  "kubelet tls-min-version VersionTLS12 1.2",
  "kubelet container-log-max-files 1 2",
  "kubelet max-pods -1 0 110 many",
  "kubelet minimum-image-ttl-duration -1m 5m",
  "kubelet reserved-cpus 0-1 0-",
  "kubelet reserved-memory 0:memory=1Gi 0:mem=1Gi memory=1Gi",
  "kubelet enforce-node-allocatable pods system none,pods",
  "kubelet allowed-unsafe-sysctls net.* vm.swappiness",
  "kubelet oom-score-adj -1000 -1001",
  "kubelet feature-gates NodeSwap=false NoSuchGate=true",
  "kubelet manifest-url-header a:b a",
  "kubelet cpu-manager-policy static none",
  "kubelet v 4 -1 0x4",
  "etcd listen-metrics-urls 0.0.0.0:2381 http://0.0.0.0 ftp://0.0.0.0:1 http://127.0.0.1:2381/x http://[::1]:2381",
];

export const writtenArguments: readonly DrawnArgument[] = written
  .map((line) =>
    line
      .replaceAll("OLD", String(judgedMinor - 2))
      .replaceAll("NEW", String(judgedMinor + 1))
      .split(" "),
  )
  .flatMap(([program = "etcd", name = "", ...values]) =>
    values.map((value) => ({ program: program as Program, name, value })),
  )
  .filter(({ program, name }) => flagType(program, name, judgedMinor) !== undefined);
