import { at, isRecord, list, strings, text, textAt } from "../../tools/untyped";
import { mountPathProblem, windowsPathProblem } from "../../platform/workloads/windowsPaths";
import { present } from "../../tools/present";

/**
 * Fields of pods that Windows does not support. Sources: Kubernetes documentation, "Windows containers in Kubernetes"
 * (compatibility and limitations) and "Create a Windows HostProcess Pod"; what the API server refuses for pods with
 * `os.name: windows`: kubernetes v1.36 pkg/apis/core/validation/validation.go, validateWindows.
 */

/** Fields of `securityContext`, of the pod and of a container, that have no effect on Windows. */
const podSecurity = [
  ...["appArmorProfile", "fsGroup", "fsGroupChangePolicy", "runAsGroup", "runAsUser", "seLinuxOptions"],
  ...["seccompProfile", "supplementalGroups", "supplementalGroupsPolicy", "sysctls"],
];
const containerSecurity = [
  ...["allowPrivilegeEscalation", "appArmorProfile", "capabilities", "privileged", "procMount"],
  ...["readOnlyRootFilesystem", "runAsGroup", "runAsUser", "seLinuxOptions", "seccompProfile"],
];
const podFields = ["hostPID", "hostIPC", "hostUsers", "shareProcessNamespace"];

export const containersOf = (podSpec: unknown): Record<string, unknown>[] => [
  ...list(at(podSpec, "initContainers")),
  ...list(at(podSpec, "containers")),
];

export const hasHostProcess = (podSpec: unknown): boolean =>
  [podSpec, ...containersOf(podSpec)].some(
    (holder) => at(holder, "securityContext", "windowsOptions", "hostProcess") === true,
  );

/** Whether every container is HostProcess; Kubernetes refuses pods in which only some are. */
const isWhollyHostProcess = (podSpec: unknown): boolean =>
  containersOf(podSpec).every((container) => {
    const own = at(container, "securityContext", "windowsOptions", "hostProcess");
    return (own ?? at(podSpec, "securityContext", "windowsOptions", "hostProcess")) === true;
  });

const given = (holder: unknown, fields: readonly string[], prefix: string): string[] =>
  fields
    .filter((field) => ![undefined, null].includes(at(holder, field) as null))
    .map((field) => `${prefix}${field}`);

/** Fields of a pod that Windows ignores, or that the API server refuses when the pod says that it is for Windows. */
function linuxFields(podSpec: unknown): string[] {
  return [
    ...given(podSpec, podFields, ""),
    ...given(at(podSpec, "securityContext"), podSecurity, "securityContext."),
    ...containersOf(podSpec).flatMap((container) =>
      given(
        at(container, "securityContext"),
        containerSecurity,
        `containers.${textAt(container, "name")}.securityContext.`,
      ),
    ),
  ];
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
  // kubernetes v1.36.3 pkg/features/kube_features.go, GitRepoVolumeDriver; before that the node needs git.
  gitRepo:
    "Windows nodes have no git, and Kubernetes no gitRepo since 1.33; clone in an init container to an emptyDir",
};

/** Azure writes the user data of a Windows machine there (Azure documentation, "Custom data and cloud-init"). */
const userData = /^(?:c:)?[\\/]+azuredata(?:[\\/]|$)/i;

function volumeErrors(podSpec: unknown): string[] {
  return list(at(podSpec, "volumes")).flatMap((volume) => {
    const name = textAt(volume, "name");
    const hostPath = at(volume, "hostPath");
    const path = textAt(hostPath, "path");
    const problem =
      isRecord(hostPath) && !path.startsWith("\\\\.\\pipe\\") ? windowsPathProblem(path) : undefined;
    return present(
      ...Object.entries(missingVolumes)
        .filter(([kind]) => isRecord(at(volume, kind)))
        .map(([, why]) => `volume ${name}: ${why}`),
      // The kubelet takes a path without a drive letter to be on C:, and some DaemonSets rely on that.
      problem !== undefined && !/^[\\/](?![\\/])/.test(path) && `volume ${name}: hostPath ${path} ${problem}`,
    );
  });
}

function mountErrors(container: unknown): string[] {
  const name = textAt(container, "name");
  return present(
    list(at(container, "volumeDevices")).length > 0 &&
      `container ${name}: Windows has no raw block devices (volumeDevices)`,
    ...list(at(container, "volumeMounts")).flatMap((mount) => {
      const path = textAt(mount, "mountPath");
      const problem = /^[\\/](?![\\/])/.test(path) ? undefined : mountPathProblem(path);
      return problem === undefined ? [] : [`container ${name}: mountPath ${path} ${problem}`];
    }),
  );
}

/** Programs that Windows images do not have. */
const unixPrograms =
  /^(\/(usr\/)?(s?bin)\/)?(sh|bash|ash|cat|test|ls|true|stat|pgrep|wget|nc)$|^\/(usr\/)?s?bin\//;

function commandErrors(container: unknown): string[] {
  const probes = ["livenessProbe", "readinessProbe", "startupProbe"].map(
    (name) => [name, strings(at(container, name, "exec", "command"))] as const,
  );
  const hooks = ["postStart", "preStop"].map(
    (name) => [`lifecycle.${name}`, strings(at(container, "lifecycle", name, "exec", "command"))] as const,
  );
  return [["command", strings(at(container, "command"))] as const, ...probes, ...hooks]
    .filter(([, [program = ""]]) => unixPrograms.test(program))
    .map(
      ([where, [program]]) =>
        `container ${textAt(container, "name")}: ${where} starts ${text(program)}, which Windows images do not have`,
    );
}

/** A field of the security context of a container, or of its Pod. */
export const securityValue = (podSpec: unknown, container: unknown, ...path: string[]): unknown =>
  at(container, "securityContext", ...path) ?? at(podSpec, "securityContext", ...path);

/** What kubelet refuses (v1.36 pkg/kubelet/kuberuntime/security_context_windows.go, verifyRunAsNonRoot). */
function userErrors(podSpec: unknown, container: unknown): string[] {
  return present(
    securityValue(podSpec, container, "runAsNonRoot") === true &&
      securityValue(podSpec, container, "windowsOptions", "runAsUserName") === "ContainerAdministrator" &&
      `container ${textAt(container, "name")}: runAsNonRoot and the user ContainerAdministrator exclude each other: write runAsUserName: ContainerUser`,
  );
}

function probeNotes(container: unknown): string[] {
  return ["livenessProbe", "readinessProbe", "startupProbe"].flatMap((name) => {
    const [program = ""] = strings(at(container, name, "exec", "command"));
    const seconds = at(container, name, "timeoutSeconds") ?? 1;
    return present(
      /^(powershell|pwsh)(\.exe)?$/i.test(program) &&
        Number(seconds) < 5 &&
        `container ${textAt(container, "name")}: ${name} starts ${program} with a timeout of ${Number(seconds)} s; starting PowerShell alone takes that long, so write timeoutSeconds: 10`,
    );
  });
}

/** Why the API server refuses a pod with fields for Windows, whatever its nodes are. */
export function refusedFields(podSpec: unknown): string[] {
  const fields = textAt(podSpec, "os", "name") === "windows" ? linuxFields(podSpec) : [];
  const isHostProcess = hasHostProcess(podSpec);
  return present(
    fields.length > 0 && `a pod with os.name: windows may not have ${fields.join(", ")}`,
    isHostProcess && at(podSpec, "hostNetwork") !== true && "a HostProcess pod needs hostNetwork: true",
    isHostProcess &&
      !isWhollyHostProcess(podSpec) &&
      "either all containers of a pod are HostProcess, or none is",
  );
}

/** Why a pod does not start on any Windows node. */
export function windowsErrors(podSpec: unknown): string[] {
  return present(
    at(podSpec, "hostNetwork") === true &&
      !hasHostProcess(podSpec) &&
      "hostNetwork: Windows supports it for HostProcess pods only",
    ...volumeErrors(podSpec),
    ...containersOf(podSpec).flatMap((container) => [
      ...mountErrors(container),
      ...commandErrors(container),
      ...userErrors(podSpec, container),
    ]),
  );
}

/**
 * Mounts after which a Pod may stay in Terminating (kubernetes #112630, AKS #4309). Single files can be mounted: kubelet
 * mounts its own file of hosts so (v1.36 pkg/kubelet/kuberuntime, SupportsSingleFileMapping).
 */
function subPathNotes(container: unknown): string[] {
  const mounts = list(at(container, "volumeMounts"));
  const paths = mounts
    .filter((mount) => textAt(mount, "subPath") !== "" || textAt(mount, "subPathExpr") !== "")
    .map((mount) => textAt(mount, "mountPath"));
  return present(
    paths.length > 1 &&
      `container ${textAt(container, "name")}: ${paths.length} mounts have a subPath; on Windows a pod with several of them may stay in Terminating: mount the folder instead`,
  );
}

/** Fields that do not work on Windows as they do on Linux. */
export function windowsNotes(podSpec: unknown): string[] {
  const fields = textAt(podSpec, "os", "name") === "windows" ? [] : linuxFields(podSpec);
  return [
    ...(fields.length === 0 ? [] : [`Windows ignores ${fields.join(", ")}`]),
    ...list(at(podSpec, "volumes"))
      .filter((volume) => userData.test(textAt(volume, "hostPath", "path")))
      .map(
        (volume) =>
          `volume ${textAt(volume, "name")}: hostPath ${textAt(volume, "hostPath", "path")} has the user data of the node, with its bootstrap token and all its files: mount another folder`,
      ),
    ...list(at(podSpec, "volumes"))
      .filter((volume) => textAt(volume, "emptyDir", "medium") === "Memory")
      .map(
        (volume) =>
          `volume ${textAt(volume, "name")}: emptyDir.medium: Memory is a folder on the disk of a Windows node`,
      ),
    ...containersOf(podSpec).flatMap((container) => [...probeNotes(container), ...subPathNotes(container)]),
  ];
}
