import { defaultPool } from "../machines/defaults";
import { windowsBuilds } from "../machines/windowsReleases";
import { cpus, memoryBytes } from "capz-windows-kit/quantity";
import { withoutUndefined } from "capz-windows-kit/without";
import { fittingImage } from "./imageFit";
import type { WindowsEnvArgs, WindowsPodArgs, WindowsProbeArgs } from "./windowsArgs";
import { defaultLimits, defaultRequests } from "./windowsArgs";
import type { VolumeObjects } from "./windowsVolumes";

/** The taint by which clusters keep Linux pods off Windows nodes (Kubernetes documentation, Windows scheduling). */
export const windowsTolerations = [
  { key: "os", operator: "Equal", value: "windows", effect: "NoSchedule" },
] as const;

/** Labels that the kubelet sets itself on nodes of a release; one with no known build is told by the system alone. */
export function windowsNodeSelector(windowsServer: string): Record<string, string> {
  const build = windowsBuilds[windowsServer];
  return {
    "kubernetes.io/os": "windows",
    ...withoutUndefined({ "node.kubernetes.io/windows-build": build }),
  };
}

/**
 * Requests and limits, known to be quantities that a node can have.
 * @throws RangeError
 */
function checkedResources({ requests = defaultRequests, limits = defaultLimits }: WindowsPodArgs) {
  if (memoryBytes(requests.memory) > memoryBytes(limits.memory) || cpus(requests.cpu) > cpus(limits.cpu)) {
    throw new RangeError("requests are larger than limits");
  }
  return { requests: { ...requests }, limits: { ...limits } };
}

/** Seconds for a command in a container: PowerShell alone takes one or two to start. */
const commandTimeout = 10;

/** @throws RangeError when there is nothing that the kubelet could ask */
function probeObject(name: string, { ports = [] }: WindowsPodArgs, probe: WindowsProbeArgs): object {
  const { path, port = ports[0], command, ...times } = probe;
  if (command !== undefined) {
    if (path !== undefined || probe.port !== undefined) {
      throw new RangeError(`${name}: give a command, or a path and port`);
    }
    return {
      exec: { command: [...command] },
      ...withoutUndefined({ timeoutSeconds: commandTimeout, ...times }),
    };
  }
  if (port === undefined) {
    throw new RangeError(`${name}: give a port, or ports of the container`);
  }
  return {
    ...(path === undefined ? { tcpSocket: { port } } : { httpGet: { path, port } }),
    ...withoutUndefined(times),
  };
}

function probes(args: WindowsPodArgs): object {
  const named = { readinessProbe: args.readiness, livenessProbe: args.liveness, startupProbe: args.startup };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, probe]) =>
      probe === undefined ? [] : [[name, probeObject(name, args, probe)] as const],
    ),
  );
}

/**
 * Requests end at other nodes a moment after the pod has been told to end. The kubelet itself waits: no program in the
 * image is needed (Kubernetes, PodLifecycleSleepAction, on from 1.30).
 * @throws RangeError when there is no time left for the process
 */
function ending({ drainSeconds = 5, terminationGracePeriodSeconds: grace = 30 }: WindowsPodArgs): object {
  if (drainSeconds >= grace) {
    throw new RangeError(
      `terminationGracePeriodSeconds ${grace} leaves nothing after drainSeconds ${drainSeconds}`,
    );
  }
  return drainSeconds === 0 ? {} : { lifecycle: { preStop: { sleep: { seconds: drainSeconds } } } };
}

function containerObject(
  name: string,
  image: string,
  args: WindowsPodArgs & WindowsEnvArgs,
  { mounts }: VolumeObjects,
) {
  const {
    windowsServer = defaultPool.windowsServer,
    isolation,
    command,
    args: own,
    env = {},
    envFromSecrets = [],
    ports = [],
  } = args;
  return {
    name,
    image: fittingImage(image, windowsServer, isolation),
    ...(command === undefined ? {} : { command: [...command] }),
    ...(own === undefined ? {} : { args: [...own] }),
    ...(Object.keys(env).length === 0
      ? {}
      : { env: Object.entries(env).map(([variable, value]) => ({ name: variable, value })) }),
    ...(envFromSecrets.length === 0
      ? {}
      : { envFrom: envFromSecrets.map((secret) => ({ secretRef: { name: secret } })) }),
    ...(ports.length === 0 ? {} : { ports: ports.map((containerPort) => ({ containerPort })) }),
    resources: checkedResources(args),
    ...probes(args),
    ...ending(args),
    ...(mounts.length === 0 ? {} : { volumeMounts: [...mounts] }),
  };
}

/** What the containers of a pod run as. */
function accountObject({ runAsUserName, gmsaCredentialSpec }: WindowsPodArgs): object {
  const windowsOptions = withoutUndefined({ runAsUserName, gmsaCredentialSpecName: gmsaCredentialSpec });
  return Object.keys(windowsOptions).length === 0 ? {} : { securityContext: { windowsOptions } };
}

export interface PodSpecArgs extends WindowsPodArgs, WindowsEnvArgs {
  /** Name of the container. */
  readonly name: string;
  readonly image: string;
  /** Whether the pod names its system, so that the API server refuses fields that Windows does not have. */
  readonly namesOs: boolean;
  readonly objects: VolumeObjects;
}

/**
 * The spec of a pod that lands on Windows nodes of one release and on no other node.
 * @throws RangeError for an image of another release, and for quantities, probes and paths that cannot be
 */
export function windowsPodSpec({ name, image, namesOs, objects, ...args }: PodSpecArgs) {
  const {
    windowsServer = defaultPool.windowsServer,
    runtimeClass,
    serviceAccount,
    imagePullSecrets = [],
  } = args;
  const { terminationGracePeriodSeconds } = args;
  return {
    automountServiceAccountToken: serviceAccount !== undefined,
    ...withoutUndefined({ serviceAccountName: serviceAccount }),
    ...(namesOs ? { os: { name: "windows" } } : {}),
    ...withoutUndefined({ runtimeClassName: runtimeClass }),
    ...(imagePullSecrets.length === 0
      ? {}
      : { imagePullSecrets: imagePullSecrets.map((secret) => ({ name: secret })) }),
    ...withoutUndefined({ terminationGracePeriodSeconds }),
    ...accountObject(args),
    nodeSelector: windowsNodeSelector(windowsServer),
    tolerations: [...windowsTolerations],
    containers: [containerObject(name, image, args, objects)],
    ...(objects.volumes.length === 0 ? {} : { volumes: [...objects.volumes] }),
  };
}
