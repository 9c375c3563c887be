import { quantity } from "capz-windows-kit/quantity";
import { at, list, strings, text, textAt, texts } from "capz-windows-kit/untyped";
import { hostname } from "./nodeAffinity";
import type { PodMaker } from "./objectFaults";
import { containersOf, hasHostProcess, securityOf } from "./podSpec";
import { amounts, below, eachAmount, nodeTerms, probes, refusals } from "./refusals";
import { placeholderIn, referenceProblem } from "./imageReferences";
import { fieldFindings, fieldsIn, hasField, holderOf } from "./podFields";
import type { Conclusion, FieldFacts, PodField, PodFinding, Says } from "./podFields";
import { isThere, isTaken, mountPathProblem, windowsPathProblem } from "./windowsPaths";

/**
 * What is known of the fields of pods before they run: of the API server, the scheduler, kubelet and Windows. Sources: Kubernetes
 * v1.36.3 pkg/apis/core/validation; Kubernetes documentation, "Windows containers in Kubernetes"; others at their rows.
 */

/** The user of a container that may not be the administrator, "" if it names none; `undefined` if it may. */
function userOf(container: unknown, { podSpec }: PodMaker): string | undefined {
  return securityOf(podSpec, container, "runAsNonRoot") !== true || hasHostProcess(podSpec)
    ? undefined
    : text(securityOf(podSpec, container, "windowsOptions", "runAsUserName")).toLowerCase();
}

/** Whether a container has only the command of a base image, without anybody at its console (Microsoft, Windows base images). */
const endsAtOnce = (container: unknown, { kind, podSpec }: PodMaker): boolean =>
  /^mcr\.microsoft\.com\/windows(?:\/(?:nanoserver|servercore|server))?(?:[:@]|$)/.test(
    textAt(container, "image"),
  ) &&
  !["command", "args", "stdin", "tty"].some((key) => at(container, key)) &&
  kind !== "Job" &&
  kind !== "CronJob" &&
  ["", "Always"].includes(textAt(podSpec, "restartPolicy"));

/** Nano Server has no PowerShell, unless an image adds one (Microsoft, Windows base images). */
function missingShells(container: unknown, { podSpec }: PodMaker): Says[] {
  const isNano = /^mcr\.microsoft\.com\/windows\/nanoserver[:@]/.test(textAt(container, "image"));
  if (!isNano || hasHostProcess(podSpec)) {
    return [];
  }
  return ["command", "livenessProbe", "readinessProbe", "startupProbe"].map((key) => {
    const [program = ""] = strings(at(container, ...(key === "command" ? [key] : [key, "exec", "command"])));
    return (
      /^(?:powershell|pwsh)(?:\.exe)?$/i.test(program) &&
      `${key} starts ${program}, which Nano Server does not have`
    );
  });
}

/** Accounts that each Windows image has, and those for HostProcess (Kubernetes, "Configure RunAsUserName", "Create a Windows HostProcess Pod"). */
const accounts = {
  image:
    /^(?:(?:user manager\\)?container(?:administrator|user)|nt authority\\(?:system|local ?service|network ?service))?$/i,
  node: /^(?:nt authority\\(?:system|local ?service|network ?service))?$/i,
} as const;

function accountUnknown(container: unknown, { podSpec }: PodMaker): Says {
  const name = text(securityOf(podSpec, container, "windowsOptions", "runAsUserName"));
  if (hasHostProcess(podSpec)) {
    return !accounts.node.test(name) && `whether nodes have the local group ${name}`;
  }
  return !accounts.image.test(name) && `whether its image has the user ${name}`;
}

/** Volumes that no Windows node mounts, and what to write instead. */
export const missingVolumes: Readonly<Record<string, string>> = {
  // Their drivers exist only in the Linux kernel (Kubernetes documentation, Windows storage).
  ...Object.fromEntries(
    ["nfs", "cephfs", "fc", "glusterfs", "iscsi", "rbd"].map((kind) => [
      kind,
      `Windows nodes have no ${kind}; use disk.csi.azure.com or file.csi.azure.com (SMB)`,
    ]),
  ),
  // kubelet looks for a program of each driver on the node, and image-builder v0.1.55 installs none.
  flexVolume:
    "the images of Windows nodes have no drivers for flexVolume; use disk.csi.azure.com or file.csi.azure.com (SMB)",
  // pkg/features/kube_features.go, GitRepoVolumeDriver; before that the node needs git.
  gitRepo:
    "Windows nodes have no git, and Kubernetes no gitRepo since 1.33; clone in an init container to an emptyDir",
};

/** Azure writes the user data of a Windows machine there (Azure documentation, "Custom data and cloud-init"). */
const userData = /^(?:c:)?[\\/]+azuredata(?:[\\/]|$)/i;

/** Programs that Windows images do not have; one of another name may be in such a folder. */
const unixPrograms =
  /^(?:\/(?:usr\/)?s?bin\/)?(?:sh|bash|ash|cat|test|ls|true|stat|pgrep|wget|nc)$|^\/(?:usr\/)?s?bin\/(?:sleep|env|echo|tail|touch)$/;

/** Kubernetes' own test images have BusyBox in C:\\bin, on Windows, too (test/images/busybox/Dockerfile_windows). */
const withBusybox = "/e2e-test-images/";

/** The program that a container starts somewhere, and what is said of it, if it is in a folder of Unix; hardly any image has those. */
const unixStart =
  (isKnown: boolean, say: (program: string, where: string) => string) =>
  (value: unknown, { podSpec }: PodMaker, { path, name }: PodField): Says => {
    const [program = ""] = strings(value);
    const where = path.replace("containers.", "").replace(".exec.command", "");
    const own = containersOf(podSpec).find((each) => each.name === name.split(".")[1]);
    return (
      !textAt(own, "image").includes(withBusybox) &&
      (isKnown ? unixPrograms : /^\/(?:usr\/)?s?bin\//).test(program) &&
      (isKnown || !unixPrograms.test(program)) &&
      say(program, where)
    );
  };

const starts = `containers.command ${below(probes, "exec.command")} containers.lifecycle.postStart.exec.command`;

const affinity = (kind: string): string => `affinity.${kind}.requiredDuringSchedulingIgnoredDuringExecution`;

/** What each cluster has (cmd/kube-controller-manager serviceaccount, rootcacertpublisher; priority classes). */
const builtIn: readonly string[] = [
  ...["ServiceAccount default", "ConfigMap kube-root-ca.crt"],
  ...["PriorityClass system-cluster-critical", "PriorityClass system-node-critical"],
];

/** An object that must be there. */
const needs =
  (kind: string, key?: string) =>
  (value: unknown, { has }: PodMaker): Says => {
    const name = key === undefined ? text(value) : textAt(value, key);
    const isKnown = at(value, "optional") === true || builtIn.includes(`${kind} ${name}`) || has(kind, name);
    return name !== "" && !isKnown && `${kind} ${name}, which is not among the manifests`;
  };

/** Labels and annotations by which webhooks add containers, volumes or variables, such as of Istio and of workload identity. */
const forWebhooks = /inject$|^azure\.workload\.identity\/use$/;

/** Names of nodes, which only a cluster tells. */
const nodeNamed = (name: string, { knowsNodes }: PodMaker): Says =>
  name !== "" && !knowsNodes && `whether a node is named ${name}`;

const oldLabel = (label: string): Says =>
  /^beta\.kubernetes\.io\/(?:os|arch)$/.test(label) &&
  `${label} is deprecated since Kubernetes 1.14: write ${label.replace("beta.", "")}`;

/** Why kubelet takes a text for no image. */
function imageFault(image: string): Says {
  const problem = referenceProblem(image);
  return problem && image !== "" && `the image ${image} ${problem}`;
}

const isolationType = "experimental.windows.kubernetes.io/isolation-type";

/** Wherever the pods run. */
const everywhere: FieldFacts = {
  // Thousandths of a byte, which a widely copied example has. Kubernetes takes them, and no container starts with so little.
  [`error ${amounts}`]: eachAmount(
    (resource, amount, name) =>
      resource === "memory" &&
      text(amount).endsWith("m") &&
      (quantity(amount) ?? Infinity) < 1024 ** 2 &&
      `${name} ${text(amount)} is ${String(quantity(amount))} bytes, because m means thousandths: write ${text(amount).replace(/m$/, "Mi")}`,
  ),
  "unknown nodeName": (value, maker) => nodeNamed(text(value), maker),
  "unknown nodeSelector": (value, maker) => nodeNamed(textAt(value, hostname), maker),
  [`unknown ${nodeTerms}.matchExpressions[]`]: (value, maker) =>
    textAt(value, "key") === hostname && nodeNamed(strings(at(value, "values")).join(" or "), maker),
  // pkg/kubelet/prober, probe: such a probe fails, and kubelet then restarts the container or sends it no requests.
  "error containers[]": (value) => {
    const names = list(at(value, "ports")).map(({ name }) => name);
    return ["livenessProbe", "readinessProbe", "startupProbe"].flatMap((probe) =>
      ["httpGet", "tcpSocket"].map((handler) => {
        const port = at(value, probe, handler, "port");
        const isName = typeof port === "string" && /[a-z]/.test(port);
        return (
          isName && !names.includes(port) && `${probe} asks the port ${port}, which its ports do not name`
        );
      }),
    );
  },
  [`unknown ${nodeTerms}.matchFields`]: "matchFields: which node they name",
  [`unknown ${affinity("podAffinity")}`]: "podAffinity: where other pods are",
  [`unknown ${affinity("podAntiAffinity")}`]: "podAntiAffinity: where other pods are",
  unknown: (_, { kind, object, isKnown, template }) => [
    placeholderIn(textAt(object, "metadata", "name")) !== undefined &&
      `its name ${textAt(object, "metadata", "name")}: something must replace a part of it first`,
    kind === "CronJob" &&
      !["", "UTC", "Etc/UTC"].includes(textAt(object, "spec", "timeZone")) &&
      `whether there is the time zone ${textAt(object, "spec", "timeZone")}`,
    !isKnown && `what ${kind} makes of its pods`,
    ...["labels", "annotations"].flatMap((place) =>
      Object.entries(texts(at(template, "metadata", place))).map(
        ([key, value]) =>
          forWebhooks.test(key) &&
          !/^(?:false|disabled)$/.test(value) &&
          `whether there is a webhook for ${key}, and what it puts into its pods`,
      ),
    ),
  ],
  "unknown topologySpreadConstraints": (value) =>
    list(value).some((each) => each.whenUnsatisfiable !== "ScheduleAnyway") &&
    "topologySpreadConstraints: where other pods are",
  "unknown schedulingGates": "schedulingGates: who removes them",
  "unknown schedulerName": (value) =>
    !["", "default-scheduler"].includes(text(value)) && `the scheduler ${text(value)}`,
  "unknown readinessGates.conditionType": (value) => `who sets the condition ${text(value)}`,
  // plugin/pkg/admission/priority.
  "unknown priority": (value, { podSpec }) =>
    value !== 0 &&
    textAt(podSpec, "priorityClassName") === "" &&
    `priority ${String(value)}, which the API server takes from a priorityClassName only`,
  "unknown containers.ports.hostPort": (value) => value !== 0 && `whether hostPort ${String(value)} is free`,
  note: (_, { template }) =>
    at(template, "metadata", "annotations", isolationType) !== undefined &&
    `the annotation ${isolationType} does nothing since Kubernetes 1.21: its containers run in process isolation; for Hyper-V isolation write runtimeClassName (workloads.hyperV)`,
  "note nodeSelector": (value) => Object.keys(Object(value) as object).map(oldLabel),
  [`note ${nodeTerms}.matchExpressions.key`]: (value) => oldLabel(text(value)),
};

/** Of images, objects and resources, whichever container names them. */
const ofAll: FieldFacts = {
  "fails containers.image": (value) => imageFault(text(value)),
  "unknown containers.image": (value) => {
    const placeholder = placeholderIn(text(value));
    return placeholder && `the image ${text(value)}: something must replace ${placeholder} in it first`;
  },
  [`unknown ${amounts}`]: eachAmount(
    (resource) => resource.includes("/") && `whether nodes have the resource ${resource}`,
  ),
  "unknown containers.env.valueFrom.configMapKeyRef containers.envFrom.configMapRef volumes.configMap volumes.projected.sources.configMap":
    needs("ConfigMap", "name"),
  "unknown containers.env.valueFrom.secretKeyRef containers.envFrom.secretRef volumes.projected.sources.secret volumes.csi.nodePublishSecretRef":
    needs("Secret", "name"),
  "unknown volumes.secret volumes.azureFile": needs("Secret", "secretName"),
  "unknown imagePullSecrets.name": needs("Secret"),
  "unknown containers.imagePullPolicy": (value) =>
    value === "Never" && "whether nodes have the image already (imagePullPolicy: Never)",
  "unknown serviceAccountName serviceAccount": needs("ServiceAccount"),
  "unknown priorityClassName": needs("PriorityClass"),
};

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
    const has = `whether nodes have ${path}${type === "" ? "" : ` (${type})`}`;
    const isOfProxy = path.startsWith("\\\\.\\pipe\\csi-proxy-");
    const known = isOfProxy ? ": current images do not (npm run doctor -- --explain csi-proxy)" : "";
    const isOfDocker = /^\\\\\.\\pipe\\docker_engine/i.test(path);
    return !isThere(path, type) && has + (isOfDocker ? ": nodes with containerd do not" : known);
  },
  "fails volumes.emptyDir.medium": (value) =>
    text(value).startsWith("HugePages") && "Windows has no huge pages",
  "fails containers.volumeDevices": "Windows has no raw block devices (volumeDevices)",
  "fails containers.volumeMounts.mountPath": (value) => {
    const problem = isTaken(text(value)) ? undefined : mountPathProblem(text(value));
    return problem && `mountPath ${text(value)} ${problem}`;
  },
  [`fails ${starts}`]: unixStart(
    true,
    (program, where) => `${where} starts ${program}, which Windows images do not have`,
  ),
  [`unknown ${starts}`]: unixStart(false, (program, where) => `whether its image has ${program} (${where})`),
  // A hook before the end that fails is an Event, and its container ends all the same (pkg/kubelet/lifecycle).
  "note containers.lifecycle.preStop.exec.command": unixStart(
    true,
    (program, where) =>
      `${where} starts ${program}, which Windows images do not have: nothing runs before its end`,
  ),
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
    ...missingShells(value, maker),
  ],
  "unknown containers[]": (value, maker) => [
    userOf(value, maker) === "" &&
      "whether its image has a user other than ContainerAdministrator, as runAsNonRoot asks",
    accountUnknown(value, maker),
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
  "error securityContext.windowsOptions containers.securityContext.windowsOptions": (value, { hasGmsa }) => {
    const name = at(value, "gmsaCredentialSpec") === undefined && textAt(value, "gmsaCredentialSpecName");
    return (
      name &&
      !hasGmsa &&
      `runs without its account, because no gMSA webhook puts the credential spec ${name} into pods (addons.gmsa.enabled: true)`
    );
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
  "note volumes.hostPath.path": (value) => [
    userData.test(text(value)) &&
      `hostPath ${text(value)} has the user data of the node, with its bootstrap token and all its files: mount another folder`,
    // k8s.io/mount-utils v0.36.3 mount_windows.go.
    /^(?:c:)?[\\/]+(?:programdata|var[\\/]+lib)[\\/]+docker\b/i.test(text(value)) &&
      `hostPath ${text(value)} has nothing on nodes with containerd: the logs of their containers are in C:\\var\\log\\pods and C:\\var\\log\\containers`,
  ],
  "note volumes.emptyDir.medium": (value) =>
    value === "Memory" && "emptyDir.medium: Memory is a folder on the disk of a Windows node",
  [`note ${probes}`]: (value, _, { path }) => {
    const [program = ""] = strings(at(value, "exec", "command"));
    const seconds = Number(at(value, "timeoutSeconds") ?? 1);
    return (
      /^(powershell|pwsh)(\.exe)?$/i.test(program) &&
      seconds < 5 &&
      `${path.replace("containers.", "")} starts ${program} with a timeout of ${seconds} s; starting PowerShell alone takes that long, so write timeoutSeconds: 10`
    );
  },
  // kubernetes #112630, AKS #4309. Single files can be mounted (pkg/kubelet/kuberuntime, SupportsSingleFileMapping).
  "note containers.volumeMounts": (value) => {
    const parts = list(value).filter(
      (mount) => textAt(mount, "subPath") + textAt(mount, "subPathExpr") !== "",
    );
    return (
      parts.length > 1 &&
      `${parts.length} mounts have a subPath; on Windows a pod with several of them may stay in Terminating: mount the folder instead`
    );
  },
  // pkg/kubelet/kuberuntime, translateMountPropagation; Kubernetes documentation, "Windows Storage".
  "note containers.volumeMounts.mountPropagation": (value) =>
    value !== "None" && `Windows does not support mountPropagation: ${text(value)}`,
  // Kubernetes documentation, "DNS for Services and Pods".
  "note dnsPolicy": (value) =>
    value === "ClusterFirstWithHostNet" && "Windows does not support dnsPolicy: ClusterFirstWithHostNet",
};

const rows = [ofAll, everywhere, refusals, onWindows].flatMap((facts) =>
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
      onWindows: facts === onWindows,
      isNamed: facts !== ofAll,
    };
  }),
);

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
            onWindows: row.onWindows,
            text: `${isNamed ? holderOf(each.name) : ""}${String(words)}`,
          }));
      }),
  );
  const all = [...fieldFindings(found, maker), ...ofRows];
  const known = new Map(all.map((finding) => [JSON.stringify(finding), finding]));
  return [...known.values()].filter(({ so }) => !(maker.isAccepted && /refused/i.test(so)));
}
