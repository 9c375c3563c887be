/**
 * The options of a pool, and what each one is in Cluster API's objects. From these rows follow the fields that an override may
 * not set, what an import reads, the foreign keys, the details in a plan and what a change to a scale set does. The schema
 * refuses to compile without a row for each of its keys. The order is that of the details in a plan.
 */
export interface PoolOption {
  /** Fields of a machine, below spec.template of an AzureMachinePool and spec.template.spec of an AzureMachineTemplate. */
  readonly machine?: readonly string[];
  /** Fields of other objects, from their root, by the kind of the object. */
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  /** The same, where an override may set what the program leaves out. */
  readonly fieldsIfSet?: Readonly<Record<string, readonly string[]>>;
  /** What to write instead of an override. Default: the name of the option. */
  readonly instead?: string;
  /** What Azure takes only when it creates a scale set, for a sentence that begins with `cannot change`. */
  readonly fixed?: string;
}

/** An option whose value goes into one field of a machine as it is. */
export interface PassedOption extends PoolOption {
  readonly machine: readonly [field: string];
  /** Value that adds no field. Default: the field is left out only without a value. */
  readonly unless?: boolean | number | string;
  /** Not for the machines of a MachineDeployment. */
  readonly isScaleSetOnly?: true;
  /** What it is, as in `the minutes of notice`. */
  readonly what: string;
  /** What a plan says of a pool that has it, with {} for the value. */
  readonly detail: string;
}

const bothKinds = (...paths: readonly string[]) => ({ MachinePool: paths, MachineDeployment: paths });

const passed = {
  encryptionAtHost: {
    machine: ["securityProfile.encryptionAtHost"],
    unless: false,
    what: "encryption at host",
    detail: "encryption at host",
  },
  terminationNoticeMinutes: {
    machine: ["terminateNotificationTimeout"],
    isScaleSetOnly: true,
    what: "the minutes of notice",
    detail: "notice of {} minutes before Azure deletes a machine",
  },
} as const satisfies Readonly<Record<string, PassedOption>>;

export const poolOptions = {
  kind: {},
  replicas: { fields: bothKinds("spec.replicas"), instead: "replicas or autoscale" },
  // In annotations, which isReservedMetadata keeps.
  autoscale: {},
  zones: {
    fields: {
      ...bothKinds("spec.failureDomains", "spec.template.spec.failureDomain"),
      AzureMachineTemplate: ["spec.template.spec.failureDomain"],
    },
  },
  kubernetesVersion: { fields: bothKinds("spec.template.spec.version") },
  // In annotations, which isReservedMetadata keeps.
  windowsServer: {},
  image: { machine: ["image"] },
  vmSize: { machine: ["vmSize"] },
  rollout: {
    fields: {
      ...bothKinds("spec.rollout.strategy", "spec.deletion.order"),
      AzureMachinePool: ["spec.strategy"],
    },
  },
  overrides: {},
  spot: { machine: ["spotVMOptions"], fixed: "whether its machines are spot machines, or on what terms" },
  // Lists, of which an override has to keep the elements: keptLists.
  subnet: {},
  acceleratedNetworking: {},
  additionalNetworkInterfaces: {},
  dataDisks: {},
  vmExtensions: {},
  trustedLaunch: {
    fieldsIfSet: {
      AzureMachineTemplate: ["securityType", "uefiSettings"].map(
        (field) => `spec.template.spec.securityProfile.${field}`,
      ),
    },
  },
  osDiskGB: { machine: ["osDisk.diskSizeGB"] },
  osDiskType: { machine: ["osDisk.managedDisk.storageAccountType"] },
  ephemeralOsDisk: { machine: ["osDisk.diffDiskSettings"], fixed: "whether its OS disk is ephemeral" },
  encryptionAtHost: passed.encryptionAtHost,
  diskEncryptionSetId: { machine: ["osDisk.managedDisk.diskEncryptionSet"] },
  identityIds: {
    fields: { AzureMachinePool: ["spec.identity", "spec.userAssignedIdentities"] },
    fieldsIfSet: { AzureMachineTemplate: ["spec.template.spec.identity"] },
  },
  hybridBenefit: { fields: bothKinds("metadata.annotations.capz-windows/hybrid-benefit") },
  terminationNoticeMinutes: passed.terminationNoticeMinutes,
  labels: { fieldsIfSet: bothKinds("spec.template.metadata.labels") },
  taints: {
    fields: {
      KubeadmConfig: ["spec.joinConfiguration.nodeRegistration.taints"],
      KubeadmConfigTemplate: ["spec.template.spec.joinConfiguration.nodeRegistration.taints"],
    },
  },
  healthCheck: {
    fields: {
      MachineHealthCheck: [
        "spec.checks.nodeStartupTimeoutSeconds",
        "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo",
      ],
    },
  },
  deletion: {
    fields: bothKinds("spec.template.spec.deletion"),
    fieldsIfSet: bothKinds("spec.template.metadata.annotations"),
  },
  // In bootstrap data, whose lists guards.ts keeps as a whole.
  kubelet: {},
  files: {},
  preKubeadmCommands: {},
  postKubeadmCommands: {},
} satisfies Readonly<Record<string, PoolOption>>;

export type PoolOptionName = keyof typeof poolOptions;

export type PassedName = keyof typeof passed;

export const isPassed = (name: string): name is PassedName => name in passed;

/** The options whose values go into a field of a machine as they are. */
export const passedOptions = Object.entries(passed) as readonly (readonly [PassedName, PassedOption])[];

/** Every option with its row. */
export const optionRows = Object.entries(poolOptions) as readonly (readonly [PoolOptionName, PoolOption])[];

/** Where the spec of a machine is in the objects that have one. */
export const machineSpecs = {
  AzureMachinePool: "spec.template",
  AzureMachineTemplate: "spec.template.spec",
} as const;

/** What Azure does not change in an existing scale set, if a field of an AzureMachinePool is or is in such a one. */
export const fixedText = (path: string): string | undefined =>
  optionRows.find(([, { machine = [], fixed }]) =>
    machine.some(
      (field) => fixed !== undefined && `${path}.`.startsWith(`${machineSpecs.AzureMachinePool}.${field}.`),
    ),
  )?.[1].fixed;

/** What a plan says of a passed option; nothing about a value that adds no field. */
export const passedDetail = (name: PassedName, value: boolean | number | string | undefined): string => {
  const { detail, unless }: PassedOption = passed[name];
  return value === undefined || value === unless ? "" : detail.replace("{}", String(value));
};

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
