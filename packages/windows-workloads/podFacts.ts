import { placeholderIn, referenceProblem } from "capz-windows-platform/workloads/imageReferences";
import { namesAsked } from "capz-windows-platform/workloads/nodeAffinity";
import {
  containersOf,
  hasHostProcess,
  isHostProcess,
  securityOf,
} from "capz-windows-platform/workloads/podSpec";
import {
  isTaken,
  isThere,
  mountPathProblem,
  windowsPathProblem,
} from "capz-windows-platform/workloads/windowsPaths";
import { quantity } from "capz-windows-kit/quantity";
import { at, isRecord, list, text, textAt, texts } from "capz-windows-kit/untyped";
import { fieldFindings, fieldsIn, hasField } from "./podFields";
import type { Conclusion, PodField, PodFinding } from "./podFields";
import { missingVolumes } from "./storage";
import {
  accountUnknown,
  accounts,
  endsAtOnce,
  missingPrograms,
  powerShell,
  probes,
  programOf,
  starts,
  unixPrograms,
  unnamedPorts,
  userOf,
  type Says,
} from "./programs";
import type { PodMaker } from "./types";

/**
 * What is known of the fields of pods before they run: of kubelet, this cluster and Windows. Sources: Kubernetes v1.36.3;
 * Kubernetes documentation, "Windows containers in Kubernetes"; others at their rows. What the API server refuses on any node is
 * not told: `kubectl apply --dry-run=server` does.
 */

/** What is said of a value, by conclusion and paths of fields (see `PodField`; none: the object). */
type FieldFacts = Readonly<
  Record<string, string | ((value: unknown, maker: PodMaker, found: PodField) => Says | readonly Says[])>
>;

const amounts = "containers.resources.requests containers.resources.limits";

/** What is said of each entry of requests or limits. */
const eachAmount =
  (say: (resource: string, amount: unknown, name: string) => string | false) =>
  (value: unknown, _: PodMaker, { path }: PodField): Says[] =>
    Object.entries(isRecord(value) ? value : {}).map(([resource, amount]) =>
      say(resource, amount, `${path.split(".").at(-1) ?? ""}.${resource}`),
    );

/** Azure writes the user data of a Windows machine there (Azure documentation, "Custom data and cloud-init"). */
const userData = /^(?:c:)?[\\/]+azuredata(?:[\\/]|$)/i;

/** What each cluster has (cmd/kube-controller-manager serviceaccount, rootcacertpublisher; priority classes). */
const builtIn: readonly string[] = [
  ...["ServiceAccount default", "ConfigMap kube-root-ca.crt"],
  ...["PriorityClass system-cluster-critical", "PriorityClass system-node-critical"],
];

/** An object that must be there. */
const needs =
  (kind: string, key?: string) =>
  (value: unknown, { has, keysOf }: PodMaker, found: PodField): Says => {
    const name = key === undefined ? text(value) : textAt(value, key);
    if (name === "") {
      return key !== undefined && `which ${kind} ${found.name} names`;
    }
    if (at(value, "optional") === true || builtIn.includes(`${kind} ${name}`)) {
      return false;
    }
    const keys = keysOf(kind, name);
    const missing = [value, ...list(at(value, "items"))]
      .map((one) => textAt(one, "key"))
      .filter((one) => one !== "" && keys?.includes(one) === false);
    return has(kind, name)
      ? missing.length > 0 && `${kind} ${name}, which has no ${missing.join(", ")} among the manifests`
      : `${kind} ${name}, which is not among the manifests`;
  };

/**
 * Labels and annotations by which webhooks add containers, volumes or variables: of Istio, Linkerd, Kuma, Vault, OpenTelemetry,
 * Dapr, Datadog and workload identity.
 */
const forWebhooks =
  /inject|^(?:istio\.io\/rev|dapr\.io\/enabled|admission\.datadoghq\.com\/enabled|azure\.workload\.identity\/use)$/;

/** Those that an object has. */
export const webhookKeys = (object: unknown): string[] =>
  ["labels", "annotations"].flatMap((place) =>
    Object.entries(texts(at(object, "metadata", place)))
      .filter(([key, value]) => forWebhooks.test(key) && !/^(?:false|disabled)$/.test(value))
      .map(([key]) => key),
  );

/** What the API server often refuses, though each field is known; `kubectl apply --dry-run=server` tells the rest. */
function doubts({ kind, object, podSpec, podLabels, isKnown, isAccepted }: PodMaker): Says[] {
  const volumes = new Set([
    ...list(at(podSpec, "volumes")).map(({ name }) => name),
    ...list(at(object, "spec", "volumeClaimTemplates")).map(({ metadata }) => at(metadata, "name")),
  ]);
  const mounts = containersOf(podSpec).flatMap((container) => list(at(container, "volumeMounts")));
  const selector = Object.entries(texts(at(object, "spec", "selector", "matchLabels")));
  const policies = ["Job", "CronJob"].includes(kind) ? ["OnFailure", "Never"] : ["", "Always"];
  const isOther = isKnown && kind !== "Pod" && !policies.includes(textAt(podSpec, "restartPolicy"));
  return [
    mounts.some(({ name }) => !volumes.has(name)) && "a mount of a volume that its pod does not have",
    selector.some(([key, value]) => podLabels[key] !== value) && "a selector that its labels do not meet",
    isOther && `the restartPolicy ${textAt(podSpec, "restartPolicy") || "Always"} of a ${kind}`,
  ].map((doubt) => doubt !== false && !isAccepted && `whether the API server takes ${doubt}`);
}

const isolationType = "experimental.windows.kubernetes.io/isolation-type";

/** Wherever the pods run. */
const everywhere: FieldFacts = {
  // pkg/apis/core/validation: validateHostProcessPods, validateLinux.
  refused: (_, { podSpec }) => {
    const isHost = hasHostProcess(podSpec);
    return [
      isHost && at(podSpec, "hostNetwork") !== true && "a HostProcess pod needs hostNetwork: true",
      isHost &&
        !containersOf(podSpec).every(isHostProcess(podSpec)) &&
        "either all containers of a pod are HostProcess, or none is",
    ];
  },
  "refused securityContext.windowsOptions containers.securityContext.windowsOptions": (_, { podSpec }) =>
    textAt(podSpec, "os", "name") === "linux" && "a pod with os.name: linux may not have windowsOptions",
  "error containers[]": unnamedPorts,
  unknown: (_, maker) => [
    !maker.knowsNodes &&
      namesAsked(maker.podSpec).length > 0 &&
      `whether a node is named ${namesAsked(maker.podSpec).join(" or ")}`,
    !maker.isKnown && `what ${maker.kind} (${textAt(maker.object, "apiVersion")}) makes of its pods`,
    ...webhookKeys(maker.template).map(
      (key) => `whether there is a webhook for ${key}, and what it puts into its pods`,
    ),
    ...doubts(maker),
  ],
  // plugin/pkg/admission/priority refuses the pods of what the API server has taken; a pod in the cluster has what it gave.
  "unknown priority": (value, { kind, podSpec, isAccepted }) =>
    !(isAccepted && kind === "Pod") &&
    !(value === 0 && textAt(podSpec, "priorityClassName") === "") &&
    `priority ${String(value)}, which the API server takes from a priorityClassName only`,
  "unknown containers.ports.hostPort": (value) => value !== 0 && `whether hostPort ${String(value)} is free`,
};

/** Of images, objects and resources, whichever container names them. */
const ofAll: FieldFacts = {
  "fails containers.image": (value) => {
    const problem = text(value) === "" ? undefined : referenceProblem(text(value));
    return problem && `the image ${text(value)} ${problem}`;
  },
  "unknown containers.image": (value) => {
    const placeholder = placeholderIn(text(value));
    return placeholder && `the image ${text(value)}: something must replace ${placeholder} in it first`;
  },
  [`unknown ${amounts}`]: eachAmount((resource, amount, name) => {
    if (!((quantity(amount) ?? -1) >= 0)) {
      return `whether ${name} ${JSON.stringify(amount)} is a quantity`;
    }
    // A widely copied example has it. hcsshim v0.14.1 internal/oci/uvm.go makes no limit of less than a MiB, and Linux does not start.
    if (resource === "memory" && text(amount).endsWith("m") && (quantity(amount) ?? 0) < 1024 ** 2) {
      return `${name} ${text(amount)}, which is ${String(quantity(amount))} bytes, because m means thousandths: write ${text(amount).replace(/m$/, "Mi")}`;
    }
    return !/^(?:cpu|memory)$/.test(resource) && `whether nodes have so much of ${resource}`;
  }),
  "unknown containers.env.valueFrom.configMapKeyRef containers.envFrom.configMapRef volumes.configMap volumes.projected.sources.configMap":
    needs("ConfigMap", "name"),
  "unknown containers.env.valueFrom.secretKeyRef containers.envFrom.secretRef volumes.projected.sources.secret volumes.csi.nodePublishSecretRef":
    needs("Secret", "name"),
  "unknown volumes.secret volumes.azureFile": needs("Secret", "secretName"),
  "unknown imagePullSecrets.name": needs("Secret"),
  "unknown serviceAccountName serviceAccount": needs("ServiceAccount"),
  "unknown priorityClassName": needs("PriorityClass"),
  "unknown securityContext.windowsOptions containers.securityContext.windowsOptions": (value, maker, found) =>
    maker.hasGmsa &&
    at(value, "gmsaCredentialSpec") === undefined &&
    needs("GMSACredentialSpec")(at(value, "gmsaCredentialSpecName"), maker, found),
};

/** The credential spec of which only the name stands in windowsOptions; "" for none. */
const specNameOf = (options: unknown): string =>
  at(options, "gmsaCredentialSpec") === undefined ? textAt(options, "gmsaCredentialSpecName") : "";

/** On Windows nodes. */
const onWindows: FieldFacts = {
  ...Object.fromEntries(Object.entries(missingVolumes).map(([kind, why]) => [`fails volumes.${kind}`, why])),
  "fails volumes.hostPath.path": (value) => {
    const isElsewhere = isTaken(text(value)) || /^(?:\\\\|[a-z]:[\\/]*$)/i.test(text(value));
    const problem = isElsewhere ? undefined : windowsPathProblem(text(value));
    return problem && `hostPath ${text(value)} ${problem}`;
  },
  "unknown volumes.hostPath": (value) => {
    const [path, type] = [textAt(value, "path"), textAt(value, "type")];
    const isOfProxy = path.startsWith("\\\\.\\pipe\\csi-proxy-");
    const known = isOfProxy ? ": current images do not (npm run doctor -- --explain csi-proxy)" : "";
    return !isThere(path, type) && `whether nodes have ${path}${type === "" ? "" : ` (${type})`}${known}`;
  },
  "fails volumes.emptyDir.medium": (value) =>
    text(value).startsWith("HugePages") && "Windows has no huge pages",
  "fails containers.volumeDevices": "Windows has no raw block devices (volumeDevices)",
  "fails containers.volumeMounts.mountPath": (value) => {
    const problem = isTaken(text(value)) ? undefined : mountPathProblem(text(value));
    return problem && `mountPath ${text(value)} ${problem}`;
  },
  // test/e2e/windows/security_context.go: containerd starts the pause container with the user of the pod.
  "fails securityContext.windowsOptions": (value, { podSpec }) => {
    const name = textAt(value, "runAsUserName");
    return (
      !hasHostProcess(podSpec) &&
      !accounts.image.test(name) &&
      `the pause container, too, gets the user ${name} of the pod, whom its image does not have: write runAsUserName at the container`
    );
  },
  // pkg/kubelet/kuberuntime/security_context_windows.go, verifyRunAsNonRoot.
  "fails containers[]": (value, maker, { name }) => [
    userOf(value, maker) === "containeradministrator" &&
      "runAsNonRoot and the user ContainerAdministrator exclude each other: write runAsUserName: ContainerUser",
    name.startsWith("containers") &&
      endsAtOnce(value, maker) &&
      "its image starts cmd.exe, which ends at once: write command, of a program that stays",
    ...missingPrograms(value, maker),
  ],
  "unknown containers[]": (value, maker) => [
    userOf(value, maker) === "" &&
      "whether its image names the user ContainerAdministrator, which runAsNonRoot forbids",
    accountUnknown(value, maker),
    ...starts.map((where) => {
      const program = programOf(value, where);
      const isOpen = /^\/(?:usr\/)?s?bin\//.test(program) && !unixPrograms.test(program);
      return isOpen && `whether its image has ${program} (${where})`;
    }),
  ],
  // A base image alone takes 40 to 50 MiB (Microsoft, system requirements of Windows containers).
  "unknown containers.resources.limits": eachAmount(
    (resource, amount, name) =>
      resource === "memory" &&
      (quantity(amount) ?? 0) >= 1024 ** 2 &&
      (quantity(amount) ?? 0) < 100 * 1024 ** 2 &&
      `whether Windows starts a container with ${name} ${text(amount)}`,
  ),
  [`unplaced ${amounts}`]: eachAmount(
    (resource, _, name) => resource.startsWith("hugepages-") && `${name}: Windows has no huge pages`,
  ),
  "unknown securityContext.windowsOptions containers.securityContext.windowsOptions": (value, { hasGmsa }) =>
    hasGmsa === undefined &&
    specNameOf(value) &&
    `whether a gMSA webhook puts the credential spec ${specNameOf(value)} into pods`,
  "error securityContext.windowsOptions containers.securityContext.windowsOptions": (value, { hasGmsa }) => {
    const name = specNameOf(value);
    return (
      name &&
      hasGmsa === false &&
      `runs without its account, because no gMSA webhook puts the credential spec ${name} into pods (addons.gmsa.enabled: true)`
    );
  },
  note: (_, { template }) =>
    at(template, "metadata", "annotations", isolationType) !== undefined &&
    `the annotation ${isolationType} does nothing since Kubernetes 1.21: its containers run in process isolation; for Hyper-V isolation write runtimeClassName (workloads.hyperV)`,
  // A hook before the end that fails is an Event, and its container ends all the same (pkg/kubelet/lifecycle).
  "note containers[]": (value, maker) => {
    const program = programOf(value, "lifecycle.preStop");
    return [
      userOf(value, maker) === "" &&
        !hasHostProcess(maker.podSpec) &&
        "an image that names no user runs as ContainerAdministrator, in spite of runAsNonRoot: write windowsOptions.runAsUserName: ContainerUser",
      unixPrograms.test(program) &&
        `lifecycle.preStop starts ${program}, which Windows images do not have: nothing runs before its end`,
      ...probes.map((probe) => {
        const [starts, seconds] = [programOf(value, probe), Number(at(value, probe, "timeoutSeconds") ?? 1)];
        return (
          powerShell.test(starts) &&
          seconds < 5 &&
          `${probe} starts ${starts} with a timeout of ${seconds} s; starting PowerShell alone takes that long, so write timeoutSeconds: 10`
        );
      }),
    ];
  },
  // Calico v3.32 cni-plugin/pkg/install/install_windows.go: its configuration has no plug-in and no capability for ports.
  "note containers.ports.hostPort": (value, { podSpec }) =>
    value !== 0 &&
    !hasHostProcess(podSpec) &&
    `Calico opens no hostPort on Windows nodes (${String(value)}): write a Service of type NodePort`,
  // containerd v2.2 internal/cri/server/podsandbox/recover.go, hostNetwork: of HostProcess pods only; Kubernetes KEP-3503.
  "note hostNetwork": (value, { podSpec }) =>
    value === true &&
    !hasHostProcess(podSpec) &&
    "Windows ignores hostNetwork: a pod has an address of its own",
  "note volumes.hostPath.path": (value) =>
    userData.test(text(value)) &&
    `hostPath ${text(value)} has the user data of the node, with its bootstrap token and all its files: mount another folder`,
  "note volumes.emptyDir.medium": (value) =>
    value === "Memory" && "emptyDir.medium: Memory is a folder on the disk of a Windows node",
  // kubernetes #112630, AKS #4309. Single files can be mounted (pkg/kubelet/kuberuntime, SupportsSingleFileMapping).
  "note containers.volumeMounts": (value) => {
    const parts = list(value).filter(({ subPath, subPathExpr }) => subPath ?? subPathExpr);
    return (
      parts.length > 1 &&
      `${parts.length} mounts have a subPath; on Windows a pod with several of them may stay in Terminating: mount the folder instead`
    );
  },
  // pkg/kubelet/kuberuntime, translateMountPropagation; Kubernetes documentation, "DNS for Services and Pods".
  "note containers.volumeMounts.mountPropagation dnsPolicy": (value, _, { path }) =>
    /^(?:HostToContainer|Bidirectional|ClusterFirstWithHostNet)$/.test(text(value)) &&
    `Windows does not support ${path.split(".").at(-1) ?? ""}: ${text(value)}`,
};

const profiles = ["securityContext", "containers.securityContext"].flatMap((where) =>
  ["seccompProfile", "appArmorProfile"].map((key) => `${where}.${key}.localhostProfile`),
);

/** On Linux nodes, whose settings, files and programs nobody has read. */
const onLinux: FieldFacts = {
  [`unknown ${Object.keys(missingVolumes)
    .map((kind) => `volumes.${kind}`)
    .join(" ")}`]: (_, __, { path }) => `whether nodes mount ${path.replace("volumes.", "")}`,
  // pkg/kubelet/kuberuntime/security_context_others.go, verifyRunAsNonRoot.
  "unknown containers[]": (value, { podSpec }) =>
    securityOf(podSpec, value, "runAsNonRoot") === true &&
    !(Number(securityOf(podSpec, value, "runAsUser")) > 0) &&
    "whether its user is other than root, as runAsNonRoot asks",
  "unknown securityContext.sysctls.name": (value) => `whether nodes let pods set ${text(value)}`,
  [`unknown ${profiles.join(" ")}`]: (value) => `whether nodes have the profile ${text(value)}`,
  "unknown hostUsers": (value) => value === false && "whether nodes run pods with hostUsers: false",
  "unknown volumes.emptyDir.medium": (value) =>
    !["", "Memory"].includes(text(value)) && `whether nodes have ${text(value)}`,
  "unknown volumes.hostPath": (value) => {
    const [path, type] = [textAt(value, "path"), textAt(value, "type")];
    const isKnown = /^$|OrCreate$/.test(type) || /^\/(?:dev|proc|sys)\/?$/.test(path);
    return !isKnown && `whether nodes have ${path} (${type})`;
  },
};

const systemOf = new Map<FieldFacts, PodFinding["on"]>([
  [onWindows, "windows"],
  [onLinux, "linux"],
]);

const rows = [ofAll, everywhere, onWindows, onLinux].flatMap((facts) =>
  Object.entries(facts).map(([key, say]) => {
    const [so = "", ...paths] = key.split(" ");
    const wrong = paths.find((path) => !hasField(path));
    if (wrong !== undefined) {
      throw new Error(`pods have no field ${wrong}`);
    }
    return {
      so: so as Conclusion,
      paths: paths.length === 0 ? [""] : paths,
      say,
      on: systemOf.get(facts),
      isNamed: facts !== ofAll,
    };
  }),
);

/** "container web: ", "volume data: ", or nothing for the pod: what a field with this name for a reader belongs to. */
function holderOf(name: string): string {
  const [, kind = "", own = ""] = /^(?:init)?(container|volume)s\.([^.]*)/i.exec(name) ?? [];
  return kind === "" ? "" : `${kind.toLowerCase()} ${own}: `;
}

/** What is known of an object that makes pods, each fact once. */
export function findingsOf(maker: PodMaker): PodFinding[] {
  const { kind, object, podSpec, isKnown } = maker;
  const whole: PodField = { is: "known", path: "", name: "", value: object };
  const inPod = fieldsIn(podSpec, "Pod");
  const inSpec = kind === "Pod" ? [] : fieldsIn(at(object, "spec"), kind, "spec", "spec");
  const found = isKnown ? [...fieldsIn(object, "Object"), ...inSpec, ...inPod] : inPod;
  const ofRows = rows.flatMap(({ so, paths, say, isNamed, ...row }) =>
    [whole, ...inPod]
      .filter(({ is, path }) => is !== "wrong" && paths.includes(path))
      .flatMap((each) => {
        const said = typeof say === "string" ? say : say(each.value, maker, each);
        return [said]
          .flat()
          .filter((words) => words !== undefined && words !== false && words !== "")
          .map((words): PodFinding => ({
            so,
            on: row.on,
            text: `${isNamed ? holderOf(each.name) : ""}${String(words)}`,
          }));
      }),
  );
  const all = [...fieldFindings(found, maker), ...ofRows];
  const known = new Map(all.map((finding) => [JSON.stringify(finding), finding]));
  return [...known.values()].filter(({ so }) => !(maker.isAccepted && so === "refused"));
}
