import { gatesIn, isFalse, type Argument } from "capz-windows-platform/cluster/argumentValues";
import { pairsIn, sliceOf } from "capz-windows-platform/cluster/goValues";
import { kubeletFields } from "capz-windows-platform/cluster/programSettings";
import { mergePatch } from "capz-windows-kit/mergePatch";
import { ownValue, type Plain } from "capz-windows-kit/untyped";

/** Flags of kubelet as fields of its configuration, which they replace. Source: Kubernetes v1.36.3 cmd/kubelet/app/options/options.go. */

/** Fields whose name is not that of the flag; `logging.format` for a part of a structure. */
const otherNames: Readonly<Record<string, string>> = {
  "cgroups-per-qos": "cgroupsPerQOS",
  "cluster-dns": "clusterDNS",
  "contention-profiling": "enableContentionProfiling",
  "cpu-cfs-quota": "cpuCFSQuota",
  "cpu-cfs-quota-period": "cpuCFSQuotaPeriod",
  "event-qps": "eventRecordQPS",
  "fail-cgroupv1": "failCgroupV1",
  "image-gc-high-threshold": "imageGCHighThresholdPercent",
  "image-gc-low-threshold": "imageGCLowThresholdPercent",
  "kube-api-burst": "kubeAPIBurst",
  "kube-api-content-type": "contentType",
  "kube-api-qps": "kubeAPIQPS",
  "logging-format": "logging.format",
  "make-iptables-util-chains": "makeIPTablesUtilChains",
  "minimum-image-ttl-duration": "imageMinimumGCAge",
  "pod-max-pids": "podPidsLimit",
  "registry-qps": "registryPullQPS",
  "reserved-cpus": "reservedSystemCPUs",
  runonce: "runOnce",
};

/** Lists of structures, and a flag that is no field: platform/cluster/kubeletArguments.ts looks at their form. */
const ofOtherForm = ["register-with-taints", "seccomp-default"];

/** The field that a flag sets; `undefined` for one that sets none. */
function fieldOf(flag: string): string | undefined {
  const name =
    ownValue(otherNames, flag) ?? flag.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const isField = name === "logging.format" || kubeletFields.has(name);
  return isField && !ofOtherForm.includes(flag) ? name : undefined;
}

/** `0:memory=1Gi;1:memory=2Gi` */
const reservedMemoryIn = (text: string): unknown[] =>
  text
    .split(";")
    .filter(Boolean)
    .map((one) => {
      const [node, limits = ""] = one.split(":");
      return { numaNode: Number(node), limits: pairsIn(limits) };
    });

/** The value of a field, from the text of its flag. */
function valueOf(field: string, flag: string, text: string): unknown {
  switch (kubeletFields.get(field)?.type) {
    case "bool":
      return !isFalse(text);
    case "int32":
    case "int64":
      return Number(text);
    case "[]string":
      return sliceOf(text);
    case "map[string]bool":
      return gatesIn(text);
    case "map[string]string":
      return pairsIn(text, /^eviction-(?:hard|soft)$/.test(flag) ? "<" : "=");
    case "[]v1beta1.MemoryReservation":
      return reservedMemoryIn(text);
    default:
      return text;
  }
}

/** The field that an argument sets, as a configuration; `{}` for one that sets none. */
export function flagFields({ name, value }: Argument): Plain {
  const flag = name.replaceAll("_", "-");
  const [field, part] = fieldOf(flag)?.split(".") ?? [];
  if (field === undefined) {
    return {};
  }
  const set = valueOf(part === undefined ? field : "", flag, value);
  return { [field]: part === undefined ? set : { [part]: set } };
}

/** Configurations as one; what is null takes a field away, as in kubeadm's patches. */
export const merged = (all: readonly Plain[]): Plain =>
  all.reduce((one, more) => mergePatch(one, more) as Plain, {});

/** A configuration with the fields of flags, which replace mappings; two are added to what is there. */
export function withFlags(configuration: Plain, flags: Plain): Plain {
  const { featureGates, logging } = merged([configuration, flags]);
  const added = Object.entries({ featureGates, logging }).filter(([, value]) => value !== undefined);
  return { ...configuration, ...flags, ...Object.fromEntries(added) };
}
