import { secondsOf } from "../values";
import { defaultReserved } from "../../../platform/machines/defaults";
import { at, isRecord, numberAt, textAt } from "../../../tools/untyped";
import { unlessEmpty, omitted } from "../findings";

/** Kubelet's configuration as keys of a stack file; a source has it as arguments and as a patch for kubeadm. */

type Arguments = Readonly<Record<string, string>>;

/** Whole minutes; a duration with seconds stays in the configuration. */
function minutesOf(configuration: unknown): number | undefined {
  const seconds = secondsOf(textAt(configuration, "imageMinimumGCAge"));
  return seconds === undefined || seconds % 60 !== 0 ? undefined : seconds / 60;
}

/** MiB; a size in another unit than Mi or Gi stays in the configuration. */
function logSizeOf(configuration: unknown): number | undefined {
  const [, value, unit] = /^(\d+)(Mi|Gi)$/.exec(textAt(configuration, "containerLogMaxSize")) ?? [];
  return value === undefined ? undefined : Number(value) * (unit === "Gi" ? 1024 : 1);
}

const pullsOf = (configuration: unknown): number | undefined =>
  numberAt(configuration, "maxParallelImagePulls") ??
  (at(configuration, "serializeImagePulls") === true ? 1 : undefined);

/** Resources that are reserved for the system; `{}` for the program's own values, and nothing where they are the default. */
function reservedOf(configuration: unknown, args: Arguments, os: "linux" | "windows") {
  const argument = Object.fromEntries(
    (args["system-reserved"] ?? "").split(",").map((one) => one.split("=") as [string, string]),
  );
  const reserved = unlessEmpty({
    cpu: at(configuration, "systemReserved", "cpu") ?? argument.cpu,
    memory: at(configuration, "systemReserved", "memory") ?? argument.memory,
  });
  const byDefault = defaultReserved[os];
  if (reserved?.cpu !== byDefault.cpu || reserved.memory !== byDefault.memory) {
    return reserved;
  }
  return os === "windows" ? undefined : {};
}

const withKeys = [
  // The cluster has a key for the last one.
  ...["apiVersion", "kind", "registerWithTaints", "serverTLSBootstrap", "maxPods", "maxParallelImagePulls"],
  ...["imageGCHighThresholdPercent", "imageGCLowThresholdPercent", "containerLogMaxFiles"],
];

/** Fields that have no key, or a value that their key cannot express; rules remove the latter and give the reason. */
function furtherOf(configuration: unknown): Record<string, unknown> | undefined {
  const said = [
    ...withKeys,
    ...(minutesOf(configuration) === undefined ? [] : ["imageMinimumGCAge"]),
    ...(logSizeOf(configuration) === undefined ? [] : ["containerLogMaxSize"]),
    ...(pullsOf(configuration) === undefined ? [] : ["serializeImagePulls"]),
  ];
  const { systemReserved, ...rest } = omitted(isRecord(configuration) ? configuration : {}, ...said);
  const others = omitted(systemReserved, "cpu", "memory");
  return unlessEmpty({
    ...rest,
    systemReserved: Object.keys(others).length === 0 ? undefined : systemReserved,
  });
}

export function kubeletOf(configuration: unknown, args: Arguments, os: "linux" | "windows") {
  const number = (field: string, flag: string): number | undefined =>
    numberAt(configuration, field) ?? (args[flag] === undefined ? undefined : Number(args[flag]));
  return unlessEmpty({
    maxPods: number("maxPods", "max-pods"),
    reserved: reservedOf(configuration, args, os),
    imageGC: unlessEmpty({
      highPercent: number("imageGCHighThresholdPercent", "image-gc-high-threshold"),
      lowPercent: number("imageGCLowThresholdPercent", "image-gc-low-threshold"),
      minAgeMinutes: minutesOf(configuration),
    }),
    maxParallelImagePulls: pullsOf(configuration),
    containerLogs: unlessEmpty({
      maxSizeMi: logSizeOf(configuration),
      maxFiles: numberAt(configuration, "containerLogMaxFiles"),
    }),
    configuration: furtherOf(configuration),
  });
}
