import { isRecord, list, ownValue, textAt } from "capz-windows-kit/untyped";
import { placeholderIn } from "./imageReferences";
import type { PodMaker } from "./objectFaults";
import { isSchedule } from "./schedules";

/** The fields of objects that make pods (kubernetes v1.36.3 api/openapi-spec, k8s.io/api v0.37.0), and a walk over those that an object has. */

/**
 * A type at each margin, then its fields: of text, or # a whole number, ! true or false, % a number or text, _ anything; with * a
 * mapping of those, with [] a list of those, with : a type of this table. With = a text is one of those, # is between the numbers,
 * and @ is a form of `forms` (pkg/apis/core/validation). Then + is a field that must be there, ~ one that only Linux has, which the
 * API server refuses with os.name: windows (validateWindows), and ? one that nothing here looks at.
 */
const table = `
Object apiVersion kind metadata:Meta spec_ status_
Meta annotations* creationTimestamp_ deletionGracePeriodSeconds_ deletionTimestamp_ finalizers[] generateName generation_
  labels*=@value managedFields_ name namespace ownerReferences_ resourceVersion_ selfLink_ uid_
Selector matchExpressions[]:Expression matchLabels*
Expression key+ operator=In|NotIn|Exists|DoesNotExist|Gt|Lt+ values[]
Template metadata:Meta spec_
Deployment minReadySeconds#=0.. paused! progressDeadlineSeconds#=0.. replicas#=0.. revisionHistoryLimit#=0.. selector:Selector strategy:Strategy
  template:Template+
ReplicaSet minReadySeconds#=0.. replicas#=0.. selector:Selector template:Template
ReplicationController minReadySeconds#=0.. replicas#=0.. selector* template:Template
DaemonSet minReadySeconds# revisionHistoryLimit# selector:Selector template:Template+ updateStrategy:DaemonStrategy
StatefulSet minReadySeconds# ordinals:Ordinals persistentVolumeClaimRetentionPolicy:Retention podManagementPolicy=OrderedReady|Parallel
  replicas#=0..
  revisionHistoryLimit# selector:Selector serviceName template:Template+ updateStrategy:SetStrategy
  volumeClaimTemplates[]:ClaimTemplate
Strategy rollingUpdate:Rolling type=Recreate|RollingUpdate
DaemonStrategy rollingUpdate:Rolling type=OnDelete|RollingUpdate
Rolling maxSurge% maxUnavailable%
SetStrategy rollingUpdate:SetRolling type=OnDelete|RollingUpdate
SetRolling maxUnavailable% partition#
Ordinals start#
Retention whenDeleted=Delete|Retain whenScaled=Delete|Retain
Job activeDeadlineSeconds#=0.. backoffLimit#=0.. backoffLimitPerIndex#=0.. completionMode=Indexed|NonIndexed completions#=0..
  managedBy manualSelector! maxFailedIndexes#=0.. parallelism#=0.. podFailurePolicy_ scheduling?
  podReplacementPolicy=Failed|TerminatingOrFailed selector:Selector successPolicy_ suspend!
  template:Template+ ttlSecondsAfterFinished#
CronJob concurrencyPolicy=Allow|Forbid|Replace failedJobsHistoryLimit#=0.. jobTemplate:JobTemplate+ schedule=@cron+ startingDeadlineSeconds#
  successfulJobsHistoryLimit# suspend! timeZone
JobTemplate metadata:Meta spec:Job
Pod activeDeadlineSeconds#=1.. affinity:Affinity automountServiceAccountToken! containers[]:Container+ dnsConfig:Dns
  dnsPolicy=ClusterFirst|ClusterFirstWithHostNet|Default|None
  enableServiceLinks! ephemeralContainers? evictionResponders? hostAliases[]:HostAlias hostIPC!~ hostNetwork! hostPID!~ hostUsers!~ hostname=@label
  hostnameOverride? imagePullSecrets[]:Named initContainers[]:Container nodeName nodeSelector*=@value os:Os overhead?
  preemptionPolicy=Never|PreemptLowerPriority priority# priorityClassName readinessGates[]:Gate resourceClaims? resources? restartPolicy=Always|Never|OnFailure runtimeClassName
  schedulerName schedulingGates[]:Named schedulingGroup? securityContext:PodSecurity serviceAccount serviceAccountName
  setHostnameAsFQDN! shareProcessNamespace!~ subdomain=@label terminationGracePeriodSeconds# tolerations[]:Toleration
  topologySpreadConstraints[]:Spread volumes[]:Volume
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAffinity
NodeAffinity preferredDuringSchedulingIgnoredDuringExecution[]_ requiredDuringSchedulingIgnoredDuringExecution:NodeTerms
NodeTerms nodeSelectorTerms[]:NodeTerm+
NodeTerm matchExpressions[]:Expression matchFields[]:Expression
PodAffinity preferredDuringSchedulingIgnoredDuringExecution[]_ requiredDuringSchedulingIgnoredDuringExecution[]_
Dns nameservers[] options[]:Variable searches[]
HostAlias hostnames[] ip+
Named name
Os name=linux|windows+
Gate conditionType+
Toleration effect=NoExecute|NoSchedule|PreferNoSchedule key operator=Equal|Exists|Gt|Lt tolerationSeconds# value
Spread labelSelector:Selector matchLabelKeys[] maxSkew#=1..+ minDomains#=1.. nodeAffinityPolicy=Honor|Ignore
  nodeTaintsPolicy=Honor|Ignore topologyKey+ whenUnsatisfiable=DoNotSchedule|ScheduleAnyway+
PodSecurity appArmorProfile_~ fsGroup#~ fsGroupChangePolicy~ runAsGroup#~ runAsNonRoot! runAsUser#~ seLinuxChangePolicy~
  seLinuxOptions_~ seccompProfile_~ supplementalGroups[]#~ supplementalGroupsPolicy~ sysctls[]_~ windowsOptions:WindowsOptions
Security allowPrivilegeEscalation!~ appArmorProfile_~ capabilities_~ privileged!~ procMount~ readOnlyRootFilesystem!~
  runAsGroup#~ runAsNonRoot! runAsUser#~ seLinuxOptions_~ seccompProfile_~ windowsOptions:WindowsOptions
WindowsOptions gmsaCredentialSpec gmsaCredentialSpecName hostProcess! runAsUserName
Container args[] command[] env[]:Env envFrom[]:EnvFrom image+ imagePullPolicy=Always|IfNotPresent|Never
  lifecycle:Lifecycle livenessProbe:Probe name=@label+
  ports[]:Port readinessProbe:Probe resizePolicy[]:Resize resources:Resources restartPolicy=Always|Never|OnFailure restartPolicyRules?
  securityContext:Security startupProbe:Probe stdin! stdinOnce! terminationMessagePath terminationMessagePolicy=FallbackToLogsOnError|File tty!
  volumeDevices[]:Device volumeMounts[]:Mount workingDir
Variable name value
Env name=@variable+ value valueFrom:EnvSource
EnvSource configMapKeyRef:KeyRef fieldRef:FieldRef fileKeyRef? resourceFieldRef:ResourceRef secretKeyRef:KeyRef
KeyRef key+ name optional!
FieldRef apiVersion fieldPath=@field+
ResourceRef containerName divisor% resource+
EnvFrom configMapRef:ObjectRef prefix secretRef:ObjectRef
ObjectRef name optional!
Lifecycle postStart:Action preStop:Action stopSignal?
Action exec:Exec httpGet:Http sleep:Sleep tcpSocket:Socket
Exec command[]
Http host httpHeaders[]:Variable path port%=@port+ protocol? scheme=HTTP|HTTPS
Sleep seconds#=0..+
Socket host port%=@port+
Grpc mode? port#=1..65535+ service
Probe exec:Exec failureThreshold#=0.. grpc:Grpc httpGet:Http initialDelaySeconds#=0.. periodSeconds#=0.. successThreshold#=0..
  tcpSocket:Socket terminationGracePeriodSeconds#=1.. timeoutSeconds#=0..
Port containerPort#=1..65535+ hostIP hostPort#=0..65535 name=@portName protocol=SCTP|TCP|UDP
Resize resourceName+ restartPolicy+
Resources claims? limits%* requests%*
Device devicePath+ name+
Mount mountPath+ mountPropagation=Bidirectional|HostToContainer|None name+ readOnly! recursiveReadOnly subPath subPathExpr
Volume awsElasticBlockStore? azureDisk:Disk azureFile:Share cephfs_ cinder? configMap:ConfigFiles csi:Csi downwardAPI:Downward
  emptyDir:EmptyDir ephemeral:Ephemeral fc_ flexVolume_ flocker? gcePersistentDisk? gitRepo_ glusterfs_ hostPath:HostPath image?
  iscsi_ local_ name=@label+ nfs_ persistentVolumeClaim:Claim photonPersistentDisk? portworxVolume? projected:Projected quobyte? rbd_
  scaleIO? secret:SecretFiles storageos? vsphereVolume?
Disk cachingMode=None|ReadOnly|ReadWrite diskName+ diskURI+ fsType kind=Dedicated|Managed|Shared readOnly!
Share readOnly! secretName+ shareName+
File key+ mode# path+ user?
ConfigFiles defaultMode# defaultUser? items[]:File name optional!
SecretFiles defaultMode# defaultUser? items[]:File optional! secretName
Csi driver+ fsType nodePublishSecretRef:Named readOnly! volumeAttributes*
Downward defaultMode# defaultUser? items[]:DownwardFile
DownwardFile user? fieldRef:FieldRef mode# path+ resourceFieldRef:ResourceRef
EmptyDir medium mode? sizeLimit%
Ephemeral volumeClaimTemplate:EphemeralClaim
ClaimTemplate apiVersion kind metadata:Meta spec:ClaimSpec status_
EphemeralClaim metadata:Meta spec:ClaimSpec+
ClaimSpec accessModes[]=ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod dataSource? dataSourceRef? resources:Amounts selector:Selector storageClassName
  volumeAttributesClassName? volumeMode=Block|Filesystem volumeName
Amounts limits%* requests%*
HostPath path+ type=BlockDevice|CharDevice|Directory|DirectoryOrCreate|File|FileOrCreate|Socket
Claim claimName+ readOnly!
Projected defaultMode# defaultUser? sources[]:Source
Source clusterTrustBundle? configMap:ProjectedFiles downwardAPI:ProjectedDownward podCertificate? secret:ProjectedFiles
  serviceAccountToken:Token
ProjectedDownward items[]:DownwardFile
ProjectedFiles items[]:File name optional!
Token audience expirationSeconds#=600..4294967296 path+ user?
`;

interface Field {
  readonly key: string;
  readonly isList: boolean;
  readonly shape: string;
  readonly isMapping: boolean;
  readonly type: string | undefined;
  /** What its values are, besides their type: words, a range, or a form. */
  readonly values: string;
  readonly isRequired: boolean;
  readonly mark: string;
}

function fieldOf(word: string): readonly [string, Field] {
  const [, key = "", list, shape = "", mapping, type, values = "", required, mark = ""] =
    /^(\w+?)(\[\])?([#!%_])?(\*)?(?::(\w+))?(?:=([\w|.@]+))?(\+)?([~?])?$/.exec(word) ?? [];
  const isList = list !== undefined;
  const isMapping = mapping !== undefined;
  return [key, { key, isList, shape, isMapping, type, values, isRequired: required !== undefined, mark }];
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
  /** `unknown`: of no object that this knows; `unjudged`: nothing here looks at it; `wrong`: its value is not what `value` says. */
  readonly is: "known" | "linux" | "unknown" | "unjudged" | "wrong" | "missing";
  /** Its path without places in lists: containers.env.value, also of init containers; containers[] is one of a list. */
  readonly path: string;
  /** Its path for a reader, with the names in lists: containers.web.env.PORT.value. */
  readonly name: string;
  readonly value: unknown;
}

/** "container web: ", "volume data: ", or nothing for the pod: what a field with this name for a reader belongs to. */
export function holderOf(name: string): string {
  const [, kind = "", own = ""] = /^(?:init)?(containers|volumes)\.([^.]*)/i.exec(name) ?? [];
  return kind === "" ? "" : `${kind.toLowerCase().slice(0, -1)} ${own}: `;
}

const scalars: Readonly<Record<string, readonly [name: string, test: (value: unknown) => boolean]>> = {
  "": ["a text, so write it in quotes", (value) => typeof value === "string"],
  "#": ["a whole number", Number.isInteger],
  "!": ["true or false", (value) => typeof value === "boolean"],
  "%": ["a number or a text", (value) => typeof value === "string" || typeof value === "number"],
  _: ["", () => true],
};

const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const portName = /^(?=.{1,15}$)(?=.*[a-z])(?!.*--)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;

/** Forms of texts (apimachinery v0.36.3 pkg/util/validation; pkg/apis/core/validation; github.com/robfig/cron v3). */
const forms: Readonly<Record<string, readonly [name: string, test: (value: string) => boolean]>> = {
  "@label": ["lowercase letters, digits and -, at most 63", (value) => label.test(value)],
  "@value": [
    "the value of a label: letters, digits, -, _ and ., at most 63",
    (value) => /^([A-Za-z0-9]([-\w.]{0,61}[A-Za-z0-9])?)?$/.test(value),
  ],
  "@variable": ["the name of a variable, without =", (value) => /^[ -<>-~]+$/.test(value)],
  "@portName": ["lowercase letters, digits and -, at most 15", (value) => portName.test(value)],
  "@port": [
    "a port from 1 to 65535, or its name",
    (value) => portName.test(value) || (Number(value) >= 1 && Number(value) <= 65535),
  ],
  "@field": [
    "a field that pods offer, such as metadata.name or status.podIP",
    (value) =>
      /^(?:metadata\.(?:name|namespace|uid|(?:labels|annotations)(?:\['.+'\])?)|spec\.(?:nodeName|serviceAccountName)|status\.(?:hostIP|podIP)s?)$/.test(
        value,
      ),
  ],
  "@cron": [
    "a schedule of five parts: minute, hour, day, month, day of the week",
    (value) => isSchedule(value.trim()),
  ],
};

/** What a value of the right type must be and is not; an empty text is the default. */
function valueFault(value: unknown, values: string): string | undefined {
  const [form, test] = ownValue(forms, values) ?? [];
  if (test !== undefined) {
    return test(String(value)) ? undefined : form;
  }
  const [, least, most = ""] = /^(\d+)\.\.(\d*)$/.exec(values) ?? [];
  if (least !== undefined) {
    const isInside = Number(value) >= Number(least) && (most === "" || Number(value) <= Number(most));
    return isInside ? undefined : `${least} or more${most === "" ? "" : `, and at most ${most}`}`;
  }
  const words = values.split("|");
  return words.includes(String(value)) ? undefined : words.join(", ").replace(/, (\w+)$/, " or $1");
}

/** What a value must be and is not. */
function fault(value: unknown, { shape, isMapping, type, values }: Field): string | undefined {
  const [name = "", test = isRecord] = type === undefined ? (scalars[shape] ?? []) : ["a mapping"];
  const say = (one: unknown): string | undefined => {
    if (!test(one)) {
      return name;
    }
    return values === "" || one === "" ? undefined : valueFault(one, values);
  };
  if (!isMapping) {
    return say(value);
  }
  if (!isRecord(value)) {
    return `a mapping, each value ${name}`;
  }
  const [key, wrong] =
    Object.entries(value)
      .map(([each, one]) => [each, one === null ? undefined : say(one)] as const)
      .find(([, why]) => why !== undefined) ?? [];
  return wrong && `a mapping whose ${key ?? ""} is ${wrong}`;
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const marks: Readonly<Record<string, PodField["is"]>> = { "~": "linux", "?": "unjudged" };

/** Whether objects can have a field of this path. */
export function hasField(path: string, type = "Pod"): boolean {
  const [key = "", ...rest] = path.replace(/\[\]$/, "").split(".");
  const field = ownValue(types.get(type), key);
  return field !== undefined && (rest.length === 0 || hasField(rest.join("."), field.type));
}

/** The fields of a value of a type of the table, from the outside to the inside; those without a value are left out. */
export function fieldsIn(value: unknown, type: string, path = "", name = ""): PodField[] {
  const fields = types.get(type);
  const step = (start: string, key: string): string => (start === "" ? key : `${start}.${key}`);
  const place = (key: string) => ({
    path: step(path, key === "initContainers" ? "containers" : key),
    name: step(name, key),
  });
  const given = isRecord(value) ? value : {};
  const missing = Object.values(fields ?? {})
    .filter(({ key, isRequired }) => isRequired && (isEmpty(given[key]) || given[key] === ""))
    .map(({ key }): PodField => ({ is: "missing", ...place(key), value: undefined }));
  const found = Object.entries(given).flatMap(([key, inner]): PodField[] => {
    const field = ownValue(fields, key);
    const here = { ...place(key), value: inner };
    if (field === undefined) {
      return [{ is: "unknown", ...here }];
    }
    return isEmpty(inner) ? [] : fieldIn(here, field);
  });
  return [...missing, ...found];
}

function fieldIn(here: Omit<PodField, "is">, field: Field): PodField[] {
  const { path, name, value } = here;
  const own: PodField = { is: marks[field.mark] ?? "known", ...here };
  if (field.mark === "?") {
    return [own];
  }
  if (!field.isList) {
    return [own, ...valueIn(here, field)];
  }
  return Array.isArray(value)
    ? [
        own,
        ...list(value).flatMap((element, index) => {
          const one = { path, name: `${name}.${textAt(element, "name") || String(index)}`, value: element };
          return [{ is: "known" as const, ...one, path: `${path}[]` }, ...valueIn(one, field)];
        }),
      ]
    : [{ is: "wrong", path, name, value: "a list" }];
}

/** Something that a pipeline replaces first, besides `placeholderIn`: $NAME. */
const isOpen = (value: unknown): boolean =>
  [value, ...(isRecord(value) ? Object.values(value) : [])].some(
    (one) => typeof one === "string" && (placeholderIn(one) !== undefined || /^\$\w+$/.test(one)),
  );

/** What is wrong with a value, or the fields below it. */
function valueIn({ path, name, value }: Omit<PodField, "is">, field: Field): PodField[] {
  if (field.values !== "" && isOpen(value)) {
    return [{ is: "unjudged", path, name, value }];
  }
  const wrong = fault(value, field);
  if (wrong !== undefined) {
    return [{ is: "wrong", path, name, value: wrong }];
  }
  return field.type === undefined ? [] : fieldsIn(value, field.type, path, name);
}

/**
 * `refused`: by the API server, `podRefused` when a controller makes the pods; `error`: other faults, whatever the node; `unplaced`,
 * `fails`: on such a node; `unknown`: not looked at; `note`: not as it is written.
 */
export type Conclusion = "refused" | "podRefused" | "error" | "unplaced" | "fails" | "unknown" | "note";

export interface PodFinding {
  readonly so: Conclusion;
  readonly onWindows: boolean;
  readonly text: string;
}

export type Says = string | false | undefined;

/** What is said of a value, by conclusion and paths of fields (see `PodField`; none: the object). */
export type FieldFacts = Readonly<
  Record<string, string | ((value: unknown, maker: PodMaker, found: PodField) => Says | readonly Says[])>
>;

/** Fields that only Linux has; that two of them are false is nothing to the API server. */
const isLinuxOnly = ({ is, path, value }: PodField): boolean =>
  is === "linux" && !(value === false && ["hostPID", "hostIPC"].includes(path));

function linuxFinding(found: readonly PodField[], { podSpec }: PodMaker): PodFinding[] {
  const names = found
    .filter(isLinuxOnly)
    .map(({ name }) => name)
    .join(", ");
  if (names === "") {
    return [];
  }
  return textAt(podSpec, "os", "name") === "windows"
    ? [{ so: "refused", onWindows: false, text: `a pod with os.name: windows may not have ${names}` }]
    : [{ so: "note", onWindows: true, text: `Windows ignores ${names}` }];
}

function fieldFinding({ is, name, value }: PodField, { isAccepted, isKnown }: PodMaker): PodFinding[] {
  const finding = (so: Conclusion, words: string): PodFinding[] => [{ so, onWindows: false, text: words }];
  switch (is) {
    case "wrong":
      return finding("refused", `${name} is not ${String(value)}`);
    case "missing":
      return finding("refused", `${name} is missing`);
    case "unknown":
      // As "kubectl apply", helm and server-side apply take it. An API server drops it, or has a later version.
      return finding(
        isAccepted || !isKnown ? "unknown" : "error",
        `Kubernetes 1.37 has no field ${name}: it is refused by kubectl and Helm`,
      );
    case "unjudged":
      return finding("unknown", `the field ${name}`);
    default:
      return [];
  }
}

/** What the fields of an object that makes pods say by themselves. */
export const fieldFindings = (found: readonly PodField[], maker: PodMaker): PodFinding[] => [
  ...found.flatMap((field) => fieldFinding(field, maker)),
  ...linuxFinding(found, maker),
];
