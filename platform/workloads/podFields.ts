import { isRecord, list, ownValue, textAt } from "../../tools/untyped";

/** The fields of objects that make pods (kubernetes v1.36.3 api/openapi-spec), and a walk over those that an object has. */

/**
 * A type at each margin, then its fields: of text, or # a whole number, ! true or false, % a number or text, _ anything; with * a
 * mapping of those, with [] a list of those, with : a type of this table. Then + is a field that must be there, ~ one that only Linux
 * has, which the API server refuses with os.name: windows (pkg/apis/core/validation, validateWindows), and ? one that nothing here
 * looks at.
 */
const table = `
Object apiVersion kind metadata:Meta spec_ status_
Meta annotations* creationTimestamp_ deletionGracePeriodSeconds_ deletionTimestamp_ finalizers[] generateName generation_
  labels* managedFields_ name namespace ownerReferences_ resourceVersion_ selfLink_ uid_
Selector matchExpressions[]:Expression matchLabels*
Expression key+ operator+ values[]
Template metadata:Meta spec_
Deployment minReadySeconds# paused! progressDeadlineSeconds# replicas# revisionHistoryLimit# selector:Selector strategy:Strategy
  template:Template+
ReplicaSet minReadySeconds# replicas# selector:Selector template:Template
ReplicationController minReadySeconds# replicas# selector* template:Template
DaemonSet minReadySeconds# revisionHistoryLimit# selector:Selector template:Template+ updateStrategy:Strategy
StatefulSet minReadySeconds# ordinals:Ordinals persistentVolumeClaimRetentionPolicy:Retention podManagementPolicy replicas#
  revisionHistoryLimit# selector:Selector serviceName template:Template+ updateStrategy:SetStrategy
  volumeClaimTemplates[]:ClaimTemplate
Strategy rollingUpdate:Rolling type
Rolling maxSurge% maxUnavailable%
SetStrategy rollingUpdate:SetRolling type
SetRolling maxUnavailable% partition#
Ordinals start#
Retention whenDeleted whenScaled
Job activeDeadlineSeconds# backoffLimit# backoffLimitPerIndex# completionMode completions# managedBy manualSelector!
  maxFailedIndexes# parallelism# podFailurePolicy_ podReplacementPolicy selector:Selector successPolicy_ suspend!
  template:Template+ ttlSecondsAfterFinished#
CronJob concurrencyPolicy failedJobsHistoryLimit# jobTemplate:JobTemplate+ schedule+ startingDeadlineSeconds#
  successfulJobsHistoryLimit# suspend! timeZone
JobTemplate metadata:Meta spec:Job
Pod activeDeadlineSeconds# affinity:Affinity automountServiceAccountToken! containers[]:Container+ dnsConfig:Dns dnsPolicy
  enableServiceLinks! ephemeralContainers? hostAliases[]:HostAlias hostIPC!~ hostNetwork! hostPID!~ hostUsers!~ hostname
  hostnameOverride? imagePullSecrets[]:Named initContainers[]:Container nodeName nodeSelector* os:Named overhead?
  preemptionPolicy priority# priorityClassName readinessGates[]:Gate resourceClaims? resources? restartPolicy runtimeClassName
  schedulerName schedulingGates[]:Named schedulingGroup? securityContext:PodSecurity serviceAccount serviceAccountName
  setHostnameAsFQDN! shareProcessNamespace!~ subdomain terminationGracePeriodSeconds# tolerations[]:Toleration
  topologySpreadConstraints[]:Spread volumes[]:Volume
Affinity nodeAffinity:NodeAffinity podAffinity:PodAffinity podAntiAffinity:PodAffinity
NodeAffinity preferredDuringSchedulingIgnoredDuringExecution[]_ requiredDuringSchedulingIgnoredDuringExecution:NodeTerms
NodeTerms nodeSelectorTerms[]:NodeTerm+
NodeTerm matchExpressions[]:Expression matchFields[]:Expression
PodAffinity preferredDuringSchedulingIgnoredDuringExecution[]_ requiredDuringSchedulingIgnoredDuringExecution[]_
Dns nameservers[] options[]:Variable searches[]
HostAlias hostnames[] ip+
Named name
Gate conditionType+
Toleration effect key operator tolerationSeconds# value
Spread labelSelector:Selector matchLabelKeys[] maxSkew#+ minDomains# nodeAffinityPolicy nodeTaintsPolicy topologyKey+
  whenUnsatisfiable+
PodSecurity appArmorProfile_~ fsGroup#~ fsGroupChangePolicy~ runAsGroup#~ runAsNonRoot! runAsUser#~ seLinuxChangePolicy~
  seLinuxOptions_~ seccompProfile_~ supplementalGroups[]#~ supplementalGroupsPolicy~ sysctls[]_~ windowsOptions:WindowsOptions
Security allowPrivilegeEscalation!~ appArmorProfile_~ capabilities_~ privileged!~ procMount~ readOnlyRootFilesystem!~
  runAsGroup#~ runAsNonRoot! runAsUser#~ seLinuxOptions_~ seccompProfile_~ windowsOptions:WindowsOptions
WindowsOptions gmsaCredentialSpec gmsaCredentialSpecName hostProcess! runAsUserName
Container args[] command[] env[]:Env envFrom[]:EnvFrom image+ imagePullPolicy lifecycle:Lifecycle livenessProbe:Probe name+
  ports[]:Port readinessProbe:Probe resizePolicy[]:Resize resources:Resources restartPolicy restartPolicyRules?
  securityContext:Security startupProbe:Probe stdin! stdinOnce! terminationMessagePath terminationMessagePolicy tty!
  volumeDevices[]:Device volumeMounts[]:Mount workingDir
Variable name value
Env name+ value valueFrom:EnvSource
EnvSource configMapKeyRef:KeyRef fieldRef:FieldRef fileKeyRef? resourceFieldRef:ResourceRef secretKeyRef:KeyRef
KeyRef key+ name optional!
FieldRef apiVersion fieldPath+
ResourceRef containerName divisor% resource+
EnvFrom configMapRef:ObjectRef prefix secretRef:ObjectRef
ObjectRef name optional!
Lifecycle postStart:Action preStop:Action stopSignal?
Action exec:Exec httpGet:Http sleep:Sleep tcpSocket:Socket
Exec command[]
Http host httpHeaders[]:Variable path port%+ scheme
Sleep seconds#+
Socket host port%+
Grpc port#+ service
Probe exec:Exec failureThreshold# grpc:Grpc httpGet:Http initialDelaySeconds# periodSeconds# successThreshold# tcpSocket:Socket
  terminationGracePeriodSeconds# timeoutSeconds#
Port containerPort#+ hostIP hostPort# name protocol
Resize resourceName+ restartPolicy+
Resources claims? limits%* requests%*
Device devicePath+ name+
Mount mountPath+ mountPropagation name+ readOnly! recursiveReadOnly subPath subPathExpr
Volume awsElasticBlockStore? azureDisk:Disk azureFile:Share cephfs_ cinder? configMap:ConfigFiles csi:Csi downwardAPI:Downward
  emptyDir:EmptyDir ephemeral:Ephemeral fc_ flexVolume_ flocker? gcePersistentDisk? gitRepo_ glusterfs_ hostPath:HostPath image?
  iscsi_ local_ name+ nfs_ persistentVolumeClaim:Claim photonPersistentDisk? portworxVolume? projected:Projected quobyte? rbd_
  scaleIO? secret:SecretFiles storageos? vsphereVolume?
Disk cachingMode diskName+ diskURI+ fsType kind readOnly!
Share readOnly! secretName+ shareName+
File key+ mode# path+
ConfigFiles defaultMode# items[]:File name optional!
SecretFiles defaultMode# items[]:File optional! secretName
Csi driver+ fsType nodePublishSecretRef:Named readOnly! volumeAttributes*
Downward defaultMode# items[]:DownwardFile
DownwardFile fieldRef:FieldRef mode# path+ resourceFieldRef:ResourceRef
EmptyDir medium sizeLimit%
Ephemeral volumeClaimTemplate:EphemeralClaim
ClaimTemplate apiVersion kind metadata:Meta spec:ClaimSpec status_
EphemeralClaim metadata:Meta spec:ClaimSpec+
ClaimSpec accessModes[] dataSource? dataSourceRef? resources:Amounts selector:Selector storageClassName
  volumeAttributesClassName? volumeMode volumeName
Amounts limits%* requests%*
HostPath path+ type
Claim claimName+ readOnly!
Projected defaultMode# sources[]:Source
Source clusterTrustBundle? configMap:ProjectedFiles downwardAPI:ProjectedDownward podCertificate? secret:ProjectedFiles
  serviceAccountToken:Token
ProjectedDownward items[]:DownwardFile
ProjectedFiles items[]:File name optional!
Token audience expirationSeconds# path+
`;

interface Field {
  readonly key: string;
  readonly isList: boolean;
  readonly shape: string;
  readonly isMapping: boolean;
  readonly type: string | undefined;
  readonly isRequired: boolean;
  readonly mark: string;
}

function fieldOf(word: string): readonly [string, Field] {
  const [, key = "", list, shape = "", mapping, type, required, mark = ""] =
    /^(\w+?)(\[\])?([#!%_])?(\*)?(?::(\w+))?(\+)?([~?])?$/.exec(word) ?? [];
  const isList = list !== undefined;
  const isMapping = mapping !== undefined;
  return [key, { key, isList, shape, isMapping, type, isRequired: required !== undefined, mark }];
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

const scalars: Readonly<Record<string, readonly [name: string, test: (value: unknown) => boolean]>> = {
  "": ["a text, so write it in quotes", (value) => typeof value === "string"],
  "#": ["a whole number", Number.isInteger],
  "!": ["true or false", (value) => typeof value === "boolean"],
  "%": ["a number or a text", (value) => typeof value === "string" || typeof value === "number"],
  _: ["", () => true],
};

/** What a value must be and is not. */
function fault(value: unknown, { shape, isMapping, type }: Field): string | undefined {
  const [name = "", test = isRecord] = type === undefined ? (scalars[shape] ?? []) : ["a mapping"];
  if (!isMapping) {
    return test(value) ? undefined : name;
  }
  const isRight = isRecord(value) && Object.values(value).every((each) => each === null || test(each));
  return isRight ? undefined : `a mapping, each value ${name}`;
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

/** What is wrong with a value, or the fields below it. */
function valueIn({ path, name, value }: Omit<PodField, "is">, field: Field): PodField[] {
  const wrong = fault(value, field);
  if (wrong !== undefined) {
    return [{ is: "wrong", path, name, value: wrong }];
  }
  return field.type === undefined ? [] : fieldsIn(value, field.type, path, name);
}
