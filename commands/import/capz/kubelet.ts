import { defaultReserved } from "capz-windows-platform/machines/defaults";
import type { KubeletCertificates } from "capz-windows-platform/cluster/kubeletCertificates";
import { at, isRecord, list, numberAt, textAt } from "capz-windows-kit/untyped";
import { omitted, unlessEmpty } from "../findings";
import { minutesOf } from "../values";

/** Kubelet's configuration as keys of a stack file; a source has it as arguments and as a patch for kubeadm. */

type Arguments = Readonly<Record<string, string>>;

/** MiB; a size in another unit than Mi or Gi stays in the configuration. */
function logSizeOf(size: string): number | undefined {
  const [, value, unit] = /^(\d+)(Mi|Gi)$/.exec(size) ?? [];
  return value === undefined ? undefined : Number(value) * (unit === "Gi" ? 1024 : 1);
}

/** Resources that are reserved for the system; `{}` for the program's own values, and nothing where they are the default. */
function reservedOf(
  configuration: unknown,
  { "system-reserved": argument = "" }: Arguments,
  os: "linux" | "windows",
) {
  const given = new Map(argument.split(",").map((one) => one.split("=") as [string, string]));
  const reserved = unlessEmpty({
    cpu: at(configuration, "systemReserved", "cpu") ?? given.get("cpu"),
    memory: at(configuration, "systemReserved", "memory") ?? given.get("memory"),
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

export function kubeletOf(configuration: unknown, args: Arguments, os: "linux" | "windows") {
  const number = (field: string, flag: string): number | undefined =>
    numberAt(configuration, field) ?? (args[flag] === undefined ? undefined : Number(args[flag]));
  const minAgeMinutes = minutesOf(at(configuration, "imageMinimumGCAge"));
  const maxSizeMi = logSizeOf(textAt(configuration, "containerLogMaxSize"));
  const isSerial = at(configuration, "serializeImagePulls") === true;
  const pulls = numberAt(configuration, "maxParallelImagePulls") ?? (isSerial ? 1 : undefined);
  // Fields without a key, or with a value that their key cannot express; rules remove the latter and give the reason.
  const { imageMinimumGCAge, containerLogMaxSize, serializeImagePulls, systemReserved, ...others } = omitted(
    isRecord(configuration) ? configuration : {},
    ...withKeys,
  );
  return unlessEmpty({
    maxPods: number("maxPods", "max-pods"),
    reserved: reservedOf(configuration, args, os),
    imageGC: unlessEmpty({
      highPercent: number("imageGCHighThresholdPercent", "image-gc-high-threshold"),
      lowPercent: number("imageGCLowThresholdPercent", "image-gc-low-threshold"),
      minAgeMinutes,
    }),
    maxParallelImagePulls: pulls,
    containerLogs: unlessEmpty({ maxSizeMi, maxFiles: numberAt(configuration, "containerLogMaxFiles") }),
    configuration: unlessEmpty({
      ...others,
      imageMinimumGCAge: minAgeMinutes === undefined ? imageMinimumGCAge : undefined,
      containerLogMaxSize: maxSizeMi === undefined ? containerLogMaxSize : undefined,
      serializeImagePulls: pulls === undefined ? serializeImagePulls : undefined,
      systemReserved: unlessEmpty(omitted(systemReserved, "cpu", "memory")) && systemReserved,
    }),
  });
}

/**
 * How kubelets get their serving certificates; nothing where they sign their own.
 * @param spec - bootstrap data of the control plane, in the form of v1beta2
 */
export function kubeletCertificatesOf(spec: unknown): KubeletCertificates | undefined {
  if (!list(at(spec, "files")).some((file) => at(file, "content", "serverTLSBootstrap") === true)) {
    return undefined;
  }
  const args = list(at(spec, "clusterConfiguration", "apiServer", "extraArgs"));
  return args.some(({ name }) => name === "kubelet-certificate-authority") ? "verified" : "issued";
}
