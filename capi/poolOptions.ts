/**
 * What a change of an option does to the machines that a pool has, as `npm run explain` says it. Each but `inPlace` and
 * `recreates` is about a scale set: a MachineDeployment then replaces its machines. Sources: plan/impact/rules/pools.ts.
 */
export const poolChanges = {
  inPlace: "replaces no machine",
  newMachines:
    "is for machines that are created later: with new bootstrap data at once, otherwise with the next image, VM size, zones or identities",
  renews: "is for the surge of machines (`rollout.maxSurge`); the others stay until the image changes",
  rolls: "replaces all machines of the pool",
  newPools: "is for new pools: the scale set keeps what it has",
  refused: "is refused: Azure takes it when it creates the scale set",
  recreates: "deletes the pool and creates it again",
  byFields: "does what its fields do",
} as const;

export type PoolChange = keyof typeof poolChanges;

/**
 * The options of a pool, and what each one is in Cluster API's objects. From these rows follow the fields that an override may
 * not set, what an import reads, the foreign keys, the details in a plan and what a change does. The schema refuses to compile
 * without a row for each of its keys. The order is that of the details in a plan.
 */
export type PoolOption = OptionFields &
  (
    | { readonly change: Exclude<PoolChange, "refused">; readonly fixed?: never }
    // What Azure takes only when it creates a scale set, for a sentence that begins with `cannot change`.
    | { readonly change: "refused"; readonly fixed: string }
  );

interface OptionFields {
  /** Rules of plan/impact/rules, by their ids, which explain a change beside or instead of those of `change`. */
  readonly rules?: readonly string[];
  /** Fields of a machine, below spec.template of an AzureMachinePool and spec.template.spec of an AzureMachineTemplate. */
  readonly machine?: readonly string[];
  /** Fields of other objects, from their root, by the kind of the object. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** The same, where an override may set what the program leaves out. */
  readonly fieldsIfSet?: Readonly<Record<string, readonly string[]>>;
  /** What to write instead of an override. Default: the name of the option. */
  readonly instead?: string;
  /** Fields of a machine that hold it beside other things, so that an override may set the rest (keptLists). */
  readonly parts?: readonly string[];
}

/** An option whose value goes into one field of a machine as it is. */
export interface PassedOption extends OptionFields {
  readonly change: "newMachines" | "rolls" | "renews";
  readonly machine: readonly [field: string];
  /** Value that adds no field. Default: the field is left out only without a value. */
  readonly unless?: boolean | number | string;
  /** Not for the machines of a MachineDeployment. */
  readonly isScaleSetOnly?: true;
  /** What it is, as in `the minutes of notice`. */
  readonly what: string;
}

const bothKinds = (...paths: readonly string[]) => ({ MachinePool: paths, MachineDeployment: paths });

const passed = {
  encryptionAtHost: {
    change: "newMachines",
    machine: ["securityProfile.encryptionAtHost"],
    unless: false,
    what: "encryption at host",
  },
  terminationNoticeMinutes: {
    change: "newMachines",
    machine: ["terminateNotificationTimeout"],
    isScaleSetOnly: true,
    what: "the minutes of notice",
  },
} as const satisfies Readonly<Record<string, PassedOption>>;

const interfaces = {
  change: "newPools",
  rules: ["pool-same-subnet", "pool-network-conflict"],
  parts: ["networkInterfaces", "subnetName", "acceleratedNetworking"],
} as const;

export const poolOptions = {
  kind: { change: "recreates", rules: ["pool-changes-kind"] },
  replicas: {
    change: "inPlace",
    rules: ["pool-emptied", "pool-scales-down", "pool-scales-up"],
    fields: bothKinds("spec.replicas"),
    instead: "replicas or autoscale",
  },
  // In annotations, which isReservedMetadata keeps.
  autoscale: {
    change: "inPlace",
    rules: ["pool-autoscaler", "pool-autoscaler-begins", "pool-autoscaler-ends"],
  },
  zones: {
    change: "renews",
    rules: ["pool-zones-removed", "pool-zones"],
    fields: {
      ...bothKinds("spec.failureDomains", "spec.template.spec.failureDomain"),
      AzureMachineTemplate: ["spec.template.spec.failureDomain"],
    },
  },
  kubernetesVersion: {
    change: "rolls",
    rules: ["pool-version-without-image"],
    fields: bothKinds("spec.template.spec.version"),
  },
  // In annotations, which isReservedMetadata keeps.
  windowsServer: { change: "rolls", rules: ["windows-release"] },
  image: { change: "rolls", rules: ["pool-same-image"], machine: ["image"] },
  vmSize: { change: "renews", machine: ["vmSize"] },
  rollout: {
    change: "inPlace",
    rules: ["pool-rollout"],
    fields: {
      ...bothKinds("spec.rollout.strategy", "spec.deletion.order"),
      AzureMachinePool: ["spec.strategy"],
    },
  },
  overrides: { change: "byFields" },
  spot: {
    change: "refused",
    rules: ["pool-spot-open"],
    machine: ["spotVMOptions"],
    fixed: "whether its machines are spot machines, or on what terms",
  },
  subnet: interfaces,
  acceleratedNetworking: interfaces,
  additionalNetworkInterfaces: interfaces,
  dataDisks: { change: "newMachines", parts: ["dataDisks"] },
  vmExtensions: { change: "newMachines", parts: ["vmExtensions"] },
  trustedLaunch: {
    change: "rolls",
    fieldsIfSet: {
      AzureMachineTemplate: ["securityType", "uefiSettings"].map(
        (field) => `spec.template.spec.securityProfile.${field}`,
      ),
    },
  },
  osDiskGB: { change: "newMachines", machine: ["osDisk.diskSizeGB"] },
  osDiskType: { change: "newMachines", machine: ["osDisk.managedDisk.storageAccountType"] },
  ephemeralOsDisk: {
    change: "refused",
    machine: ["osDisk.diffDiskSettings"],
    fixed: "whether its OS disk is ephemeral",
  },
  encryptionAtHost: passed.encryptionAtHost,
  diskEncryptionSetId: { change: "newMachines", machine: ["osDisk.managedDisk.diskEncryptionSet"] },
  identityIds: {
    change: "renews",
    fields: { AzureMachinePool: ["spec.identity", "spec.userAssignedIdentities"] },
    fieldsIfSet: { AzureMachineTemplate: ["spec.template.spec.identity"] },
  },
  hybridBenefit: {
    change: "inPlace",
    rules: ["pool-licence"],
    fields: bothKinds("metadata.annotations.capz-windows/hybrid-benefit"),
  },
  terminationNoticeMinutes: passed.terminationNoticeMinutes,
  labels: {
    change: "newMachines",
    rules: ["pool-machine-metadata"],
    fieldsIfSet: bothKinds("spec.template.metadata.labels"),
  },
  taints: {
    change: "newMachines",
    fields: {
      KubeadmConfig: ["spec.joinConfiguration.nodeRegistration.taints"],
      KubeadmConfigTemplate: ["spec.template.spec.joinConfiguration.nodeRegistration.taints"],
    },
  },
  healthCheck: {
    change: "inPlace",
    rules: ["health-check"],
    fields: {
      MachineHealthCheck: [
        "spec.checks.nodeStartupTimeoutSeconds",
        "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo",
      ],
    },
  },
  deletion: {
    change: "inPlace",
    rules: ["pool-deletion"],
    fields: bothKinds("spec.template.spec.deletion"),
    fieldsIfSet: bothKinds("spec.template.metadata.annotations"),
  },
  // In bootstrap data, whose lists guards.ts keeps as a whole.
  kubelet: { change: "newMachines" },
  files: { change: "newMachines" },
  preKubeadmCommands: { change: "newMachines" },
  postKubeadmCommands: { change: "newMachines" },
} satisfies Readonly<Record<string, PoolOption>>;

export type PoolOptionName = keyof typeof poolOptions;

export type PassedName = keyof typeof passed;

/** The options whose values go into a field of a machine as they are. */
export const passedOptions = Object.entries(passed) as readonly (readonly [PassedName, PassedOption])[];

/** Every option with its row. */
export const optionRows = Object.entries(poolOptions) as readonly (readonly [PoolOptionName, PoolOption])[];

/** Where the spec of a machine is in the objects that have one. */
export const machineSpecs = {
  AzureMachinePool: "spec.template",
  AzureMachineTemplate: "spec.template.spec",
} as const;

/** The fields of a pool with a scale set that an option has: kind of the object and path. */
const scaleSetFields = ({
  machine = [],
  parts = [],
  fields = {},
}: PoolOption): (readonly [string, string])[] => [
  ...[...machine, ...parts].map(
    (field) => ["AzureMachinePool", `${machineSpecs.AzureMachinePool}.${field}`] as const,
  ),
  ...Object.entries(fields).flatMap(([kind, paths]) => paths.map((path) => [kind, path] as const)),
];

/** Whether a path is a field or in it. */
const isWithin = (path: string, field: string): boolean =>
  path.startsWith(field) && /^(\W|$)/.test(path.slice(field.length));

/** The options of a pool with a scale set whose change has an effect, and that have a field of an object. */
export const changedOptions = (change: PoolChange, kind: string, path: string): readonly PoolOption[] =>
  optionRows
    .map(([, row]) => row)
    .filter(
      (row) =>
        row.change === change &&
        scaleSetFields(row).some(([of, field]) => of === kind && isWithin(path, field)),
    );

/** The options that are passed as they are, out of all those of a pool. */
export const passedValues = <P extends Readonly<Partial<Record<PassedName, unknown>>>>(
  pool: P,
): Pick<P, PassedName> => Object.fromEntries(passedOptions.map(([name]) => [name, pool[name]]));

/** A value at a path with dots, in a mapping that is otherwise empty. */
export const nested = (path: string, value: unknown): unknown =>
  path.split(".").reduceRight<unknown>((inner, step) => ({ [step]: inner }), value);

/** The fields of the options that are passed as they are, as a mapping. */
export const passedFields = (
  values: Readonly<Partial<Record<PassedName, unknown>>>,
  kind: keyof typeof machineSpecs,
): readonly unknown[] =>
  passedOptions
    .filter(([name, { unless, isScaleSetOnly }]) => {
      const value = values[name];
      return (
        value !== undefined && value !== unless && (kind === "AzureMachinePool" || isScaleSetOnly !== true)
      );
    })
    .map(
      ([
        name,
        {
          machine: [field],
        },
      ]) => nested(field, values[name]),
    );
