import { z } from "zod";
import {
  count,
  filledMapping,
  flag,
  keyWithDefault,
  matching,
  optionalMapping,
  poolName,
  text,
} from "./scalars";

/** A number of CPUs needs no quotes: YAML reads no number of CPUs as another one. */
const cpu = (description: string, byDefault: string) =>
  (
    z.union([
      z.string().regex(/^(0\.\d*[1-9]|[1-9]\d*(\.\d+)?|[1-9]\d*m)$/),
      z.number().positive(),
    ]) as unknown as z.ZodType<string, string>
  )
    .default(byDefault)
    .meta({
      description,
      allowed: "CPUs such as 1 or 0.5, or thousandths of a CPU such as 500m",
      examples: [byDefault],
    });

const memory = (description: string, byDefault: string) =>
  keyWithDefault(z.string().regex(/^[1-9]\d*(Mi|Gi)$/), byDefault, {
    description,
    allowed: "a whole number of Mi or Gi; the suffix m means thousandths, so 800m is less than one byte",
    examples: [byDefault],
  });

const name = /[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*/.source;

/** What containerd accepts (github.com/distribution/reference): [HOST[:PORT]/]NAME[/NAME…][:TAG][@DIGEST]. */
const imageReference = matching(
  new RegExp(
    `^(?:[A-Za-z0-9][A-Za-z0-9.-]*(?::\\d+)?/)?${name}(?:/${name})*(?::\\w[\\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$`,
  ),
  { allowed: "REGISTRY/NAME:TAG, the name in lowercase" },
);

/** Options of the sample workload (IIS), which shows that a cluster works. */
export const sampleWorkload = optionalMapping(
  "IIS on the Windows nodes behind a load balancer, by default a public one that is open to access.allowedCidrs. `sampleWorkload: {}` deploys it; without this key, it is not deployed. It needs a Windows pool that starts with at least one node, a network in access.allowedCidrs, and wait: controlPlane or nodes. Its address is the output sampleWorkloadUrl",
  {
    pool: poolName.optional().meta({
      description: "Windows pool whose Windows Server release it targets. Default: the first by name",
      examples: ["win1"],
    }),
    replicas: count("Number of pods", 1, 100, 1),
    image: imageReference
      .meta({
        description:
          "Container image, for instance from a mirror. Default: mcr.microsoft.com/windows/servercore/iis for the pool's release",
        examples: ["registry.example/iis:windowsservercore-ltsc2022"],
      })
      .optional(),
    requests: filledMapping("Resource requests of a pod", {
      cpu: cpu("CPUs", "100m"),
      memory: memory("Memory", "300Mi"),
    }),
    limits: filledMapping("Resource limits of a pod", {
      cpu: cpu("CPUs", "1"),
      memory: memory("Memory", "800Mi"),
    }),
    serviceType: keyWithDefault(z.enum(["LoadBalancer", "ClusterIP", "NodePort"]), "LoadBalancer", {
      description:
        "How IIS is reached: by a load balancer of Azure, or only in the cluster, or at a port of every node",
      examples: ["LoadBalancer"],
    }),
    internal: flag(
      "Give the load balancer an address of the VNET instead of a public one; then it serves the VNET and what is peered with it, whatever access.allowedCidrs says",
    ),
    disk: optionalMapping(
      "A second sample: a StatefulSet with a disk of Azure, which outlives its pods. `kubectl logs iis-disk-0` shows all starts since the disk was made. Default: none",
      {
        storageClass: text(
          "Storage class of the workload cluster that makes Azure disks (provisioner disk.csi.azure.com)",
          "managed-csi",
        ),
        sizeGiB: count("Size in GiB. A disk that exists keeps its size", 1, 32767, 4),
      },
      { storageClass: "managed-csi" },
    ),
  },
  {},
);
