import { isRecord, ownValue, textAt } from "capz-windows-kit/untyped";
import type { PodMaker } from "./types";

/** The fields of objects that make pods (kubernetes v1.36.3 api/openapi-spec), and a walk over those that an object has. */

/**
 * A type at each margin, then its fields: of text, or # a whole number from 0 on, ! true or false, % a number or text, _ anything;
 * with * a mapping of those, with [] a list of those, with : a type of this table, with = one of these texts. Then + is a field that
 * must be there, and ~ one that only Linux has, which the API server refuses with os.name: windows (validateWindows). Other fields
 * and values were not looked at: an object with them is never said to run.
 */
const table = `
Object apiVersion kind metadata:Meta spec_ status_
Meta annotations* creationTimestamp_ deletionGracePeriodSeconds_ deletionTimestamp_ finalizers[] generateName generation_
  labels* managedFields_ name namespace ownerReferences_ resourceVersion_ selfLink_ uid_
Template metadata:Meta spec_
Selector matchExpressions[]:Expression matchLabels*
Deployment minReadySeconds# paused! progressDeadlineSeconds# replicas# revisionHistoryLimit# selector:Selector+
  strategy:Strategy template:Template+
ReplicaSet minReadySeconds# replicas# selector:Selector+ template:Template+
ReplicationController minReadySeconds# replicas# selector* template:Template+
DaemonSet minReadySeconds# revisionHistoryLimit# selector:Selector+ template:Template+ updateStrategy:Strategy
StatefulSet minReadySeconds# persistentVolumeClaimRetentionPolicy:Retention podManagementPolicy=OrderedReady|Parallel
  replicas# revisionHistoryLimit# selector:Selector+ serviceName template:Template+ updateStrategy:Strategy
  volumeClaimTemplates[]:ClaimTemplate
Strategy rollingUpdate:Rolling type=OnDelete|Recreate|RollingUpdate
Rolling maxSurge% maxUnavailable% partition#
Retention whenDeleted=Delete|Retain whenScaled=Delete|Retain
Job activeDeadlineSeconds# backoffLimit# backoffLimitPerIndex# completionMode=Indexed|NonIndexed completions# manualSelector!
  maxFailedIndexes# parallelism# podReplacementPolicy=Failed|TerminatingOrFailed selector:Selector suspend! template:Template+
  ttlSecondsAfterFinished#
CronJob concurrencyPolicy=Allow|Forbid|Replace failedJobsHistoryLimit# jobTemplate:JobTemplate+ schedule+
  startingDeadlineSeconds# successfulJobsHistoryLimit# suspend! timeZone=UTC|Etc/UTC
JobTemplate metadata:Meta spec:Job
Pod activeDeadlineSeconds# affinity:Affinity automountServiceAccountToken! containers[]:Container+ dnsConfig:Dns
  dnsPolicy=ClusterFirst|ClusterFirstWithHostNet|Default|None enableServiceLinks! hostAliases[]:HostAlias hostIPC!~
  hostNetwork! hostPID!~ hostUsers!~ hostname imagePullSecrets[]:Named initContainers[]:Container nodeName nodeSelector* os:Os
  preemptionPolicy=Never|PreemptLowerPriority priority% priorityClassName restartPolicy=Always|Never|OnFailure
  runtimeClassName schedulerName=default-scheduler securityContext:PodSecurity serviceAccount serviceAccountName
  setHostnameAsFQDN! shareProcessNamespace!~ subdomain terminationGracePeriodSeconds# tolerations[]:Toleration
  topologySpreadConstraints[]:Spread volumes[]:Volume
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAffinity
NodeAffinity preferredDuringSchedulingIgnoredDuringExecution[]:Preference
  requiredDuringSchedulingIgnoredDuringExecution:NodeTerms
NodeTerms nodeSelectorTerms[]:NodeTerm+
NodeTerm matchExpressions[]:Expression
Expression key+ operator=In|NotIn|Exists|DoesNotExist|Gt|Lt+ values[]
Preference preference:NodeTerm+ weight#+
PodAffinity preferredDuringSchedulingIgnoredDuringExecution[]:PodPreference
PodPreference podAffinityTerm:PodTerm+ weight#+
PodTerm labelSelector:Selector matchLabelKeys[] mismatchLabelKeys[] namespaceSelector:Selector namespaces[] topologyKey+
Dns nameservers[] options[]:Variable searches[]
Variable name value
HostAlias hostnames[] ip+
Named name+
Os name=linux|windows+
Toleration effect=NoExecute|NoSchedule|PreferNoSchedule key operator=Equal|Exists tolerationSeconds# value
Spread labelSelector:Selector matchLabelKeys[] maxSkew#+ minDomains# nodeAffinityPolicy=Honor|Ignore
  nodeTaintsPolicy=Honor|Ignore topologyKey+ whenUnsatisfiable=ScheduleAnyway+
PodSecurity appArmorProfile:Profile~ fsGroup#~ fsGroupChangePolicy=Always|OnRootMismatch~ runAsGroup#~ runAsNonRoot!
  runAsUser#~ seLinuxChangePolicy=MountOption|Recursive~ seLinuxOptions:SeLinux~ seccompProfile:Profile~
  supplementalGroups[]#~ supplementalGroupsPolicy=Merge~ sysctls[]:Sysctl~ windowsOptions:WindowsOptions
Security allowPrivilegeEscalation!~ appArmorProfile:Profile~ capabilities:Capabilities~ privileged!~ procMount=Default~
  readOnlyRootFilesystem!~ runAsGroup#~ runAsNonRoot! runAsUser#~ seLinuxOptions:SeLinux~ seccompProfile:Profile~
  windowsOptions:WindowsOptions
Profile localhostProfile type=Localhost|RuntimeDefault|Unconfined+
SeLinux level role type user
Sysctl name+ value+
Capabilities add[]=ALL|CHOWN|IPC_LOCK|NET_ADMIN|NET_BIND_SERVICE|NET_RAW|SYS_ADMIN|SYS_NICE|SYS_PTRACE|SYS_TIME drop[]
WindowsOptions gmsaCredentialSpec gmsaCredentialSpecName hostProcess! runAsUserName
Container args[] command[] env[]:Env envFrom[]:EnvFrom image+ imagePullPolicy=Always|IfNotPresent lifecycle:Lifecycle
  livenessProbe:Probe name+ ports[]:Port readinessProbe:Probe resizePolicy[]:Resize resources:Resources
  restartPolicy=Always|Never|OnFailure securityContext:Security startupProbe:Probe stdin! stdinOnce! terminationMessagePath
  terminationMessagePolicy=FallbackToLogsOnError|File tty! volumeDevices[]:Device volumeMounts[]:Mount workingDir
Env name+ value valueFrom:EnvSource
EnvSource configMapKeyRef:KeyRef fieldRef:FieldRef resourceFieldRef:ResourceRef secretKeyRef:KeyRef
KeyRef key+ name optional!
FieldRef apiVersion fieldPath+
ResourceRef containerName divisor% resource+
EnvFrom configMapRef:ObjectRef prefix secretRef:ObjectRef
ObjectRef name optional!
Lifecycle postStart:Action preStop:Action
Action exec:Exec httpGet:Http sleep:Sleep tcpSocket:Socket
Exec command[]
Http host httpHeaders[]:Variable path port%+ scheme=HTTP|HTTPS
Sleep seconds#+
Socket host port%+
Grpc port#+ service
Probe exec:Exec failureThreshold# grpc:Grpc httpGet:Http initialDelaySeconds# periodSeconds# successThreshold#
  tcpSocket:Socket terminationGracePeriodSeconds# timeoutSeconds#
Port containerPort#+ hostIP hostPort# name protocol=SCTP|TCP|UDP
Resize resourceName=cpu|memory+ restartPolicy=NotRequired|RestartContainer+
Resources limits%* requests%*
Device devicePath+ name+
Mount mountPath+ mountPropagation=Bidirectional|HostToContainer|None name+ readOnly! recursiveReadOnly subPath subPathExpr
Volume azureDisk:Disk azureFile:Share cephfs_ configMap:ConfigFiles csi:Csi downwardAPI:Downward emptyDir:EmptyDir
  ephemeral:Ephemeral fc_ flexVolume_ gitRepo_ glusterfs_ hostPath:HostPath iscsi_ name+ nfs_ persistentVolumeClaim:Claim
  projected:Projected rbd_ secret:SecretFiles
Disk cachingMode=None|ReadOnly|ReadWrite diskName+ diskURI+ fsType kind=Dedicated|Managed|Shared readOnly!
Share readOnly! secretName shareName+
ConfigFiles defaultMode# items[]:File name optional!
SecretFiles defaultMode# items[]:File optional! secretName
File key+ mode# path+
Downward defaultMode# items[]:DownwardFile
DownwardFile fieldRef:FieldRef mode# path+ resourceFieldRef:ResourceRef
Csi driver+ fsType nodePublishSecretRef:ObjectRef readOnly! volumeAttributes*
EmptyDir medium sizeLimit%
Ephemeral volumeClaimTemplate:ClaimTemplate
ClaimTemplate apiVersion kind metadata:Meta spec:ClaimSpec+ status_
ClaimSpec accessModes[]=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod resources:Resources storageClassName
  volumeMode=Block|Filesystem volumeName
HostPath path+ type=BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket
Claim claimName+ readOnly!
Projected defaultMode# sources[]:Source
Source configMap:ConfigFiles downwardAPI:Downward secret:ConfigFiles serviceAccountToken:Token
Token audience expirationSeconds# path+
`;

interface Field {
  readonly isList: boolean;
  readonly shape: string;
  readonly isMapping: boolean;
  readonly type: string | undefined;
  readonly words: readonly string[] | undefined;
  readonly isRequired: boolean;
  readonly isOfLinux: boolean;
}

function fieldOf(word: string): readonly [key: string, Field] {
  const [, key = "", isList, shape = "", isMapping, type, words, isRequired, isOfLinux] =
    /^(\w+?)(\[\])?([#!%_])?(\*)?(?::(\w+))?(?:=([\w|/-]+))?(\+)?(~)?$/.exec(word) ?? [];
  return [
    key,
    {
      isList: isList !== undefined,
      shape,
      isMapping: isMapping !== undefined,
      type,
      words: words?.split("|"),
      isRequired: isRequired !== undefined,
      isOfLinux: isOfLinux !== undefined,
    },
  ];
}

const types = new Map(
  table
    .trim()
    .split(/\n(?! )/)
    .map((line) => {
      const [name = "", ...fields] = line.split(/\s+/);
      return [name, Object.fromEntries(fields.map(fieldOf))] as const;
    }),
);

/** A field that an object has, or must have. */
export interface PodField {
  /** `unknown`: not in the table; `wrong`: its value is none of the table's. */
  readonly is: "known" | "linux" | "unknown" | "wrong" | "missing";
  /** Its path without places in lists: containers.env.value, also of init containers; containers[] is one of a list. */
  readonly path: string;
  /** Its path for a reader, with the names in lists: containers.web.env.PORT.value. */
  readonly name: string;
  readonly value: unknown;
}

type Place = Omit<PodField, "is">;

const shapes: Readonly<Record<string, (value: unknown) => boolean>> = {
  "": (value) => typeof value === "string",
  "#": (value) => Number.isInteger(value) && Number(value) >= 0,
  "!": (value) => typeof value === "boolean",
  "%": (value) => typeof value === "string" || typeof value === "number",
  _: () => true,
};

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

/** Whether objects can have a field of this path. */
export function hasField(path: string, type = "Pod"): boolean {
  const [key = "", ...rest] = path.replace(/\[\]$/, "").split(".");
  const field = ownValue(types.get(type), key);
  const isOpen = field?.shape === "_";
  return field !== undefined && (rest.length === 0 || isOpen || hasField(rest.join("."), field.type));
}

/** The fields of a value of a type of the table, from the outside to the inside; those without a value are left out. */
export function fieldsIn(value: unknown, type: string, path = "", name = ""): PodField[] {
  const fields = types.get(type) ?? {};
  const given = isRecord(value) ? value : {};
  const step = (start: string, key: string): string => (start === "" ? key : `${start}.${key}`);
  const placeOf = (key: string): Place => ({
    path: step(path, key === "initContainers" ? "containers" : key),
    name: step(name, key),
    value: given[key],
  });
  const missing = Object.entries(fields)
    .filter(([key, { isRequired }]) => isRequired && (isEmpty(given[key]) || given[key] === ""))
    .map(([key]): PodField => ({ is: "missing", ...placeOf(key) }));
  const found = Object.keys(given).flatMap((key): PodField[] => {
    const field = ownValue(fields, key);
    if (field === undefined) {
      return [{ is: "unknown", ...placeOf(key) }];
    }
    return isEmpty(given[key]) ? [] : fieldIn(placeOf(key), field);
  });
  return [...missing, ...found];
}

function fieldIn(place: Place, field: Field): PodField[] {
  const { path, name, value } = place;
  const own: PodField = { is: field.isOfLinux ? "linux" : "known", ...place };
  if (!field.isList) {
    return [own, ...valueIn(place, field)];
  }
  if (!Array.isArray(value)) {
    return [{ is: "wrong", ...place }];
  }
  const elements = (value as unknown[]).flatMap((element, index): PodField[] => {
    const one = { path, name: `${name}.${textAt(element, "name") || String(index)}`, value: element };
    return [{ is: "known", ...one, path: `${path}[]` }, ...valueIn(one, field)];
  });
  return [own, ...elements];
}

/** The fields below a value, or that it is none of the table's; an empty text is the default. */
function valueIn(place: Place, { isMapping, shape, type, words }: Field): PodField[] {
  const { path, name, value } = place;
  const test = type === undefined ? (shapes[shape] ?? isRecord) : isRecord;
  const values = isMapping ? Object.values(Object(value) as object).filter((one) => one !== null) : [value];
  const isListed = words === undefined || value === "" || words.includes(String(value));
  if ((isMapping && !isRecord(value)) || !values.every(test) || !isListed) {
    return [{ is: "wrong", ...place }];
  }
  return type === undefined ? [] : fieldsIn(value, type, path, name);
}

/**
 * `refused`: by the API server; `error`: other faults, whatever the node; `unplaced`, `fails`: on such a node; `unknown`: not
 * looked at; `note`: not as it is written.
 */
export type Conclusion = "refused" | "error" | "unplaced" | "fails" | "unknown" | "note";

export interface PodFinding {
  readonly so: Conclusion;
  /** `undefined`: on nodes of each system. */
  readonly on: "windows" | "linux" | undefined;
  readonly text: string;
}

const namesOf = (found: readonly PodField[]): string => found.map(({ name }) => name).join(", ");

/** Fields that only Linux has; that two of them are false is nothing to the API server. */
const isOfLinux = ({ is, path, value }: PodField): boolean =>
  is === "linux" && !(value === false && ["hostPID", "hostIPC"].includes(path));

/** What the fields of an object that makes pods say by themselves. */
export function fieldFindings(found: readonly PodField[], { podSpec, isAccepted }: PodMaker): PodFinding[] {
  const named = (...states: readonly PodField["is"][]): string =>
    namesOf(found.filter(({ is }) => states.includes(is)));
  const ofLinux = namesOf(found.filter(isOfLinux));
  const isRefused = textAt(podSpec, "os", "name") === "windows";
  const finding = (so: Conclusion, on: PodFinding["on"], names: string, text: string): PodFinding[] =>
    names === "" ? [] : [{ so, on, text: `${text} ${names}` }];
  return [
    ...finding("unknown", undefined, named("unknown"), "the fields"),
    ...finding("unknown", undefined, named("wrong"), "the values of"),
    ...(isAccepted ? [] : finding("unknown", undefined, named("missing"), "whether it may be without")),
    ...(isRefused
      ? finding("refused", undefined, ofLinux, "a pod with os.name: windows may not have")
      : finding("note", "windows", ofLinux, "Windows ignores")),
  ];
}
