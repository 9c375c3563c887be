import { z } from "zod";
import { count, poolName, text } from "./scalars";

const cpu = (description: string, byDefault: string) =>
  z
    .string()
    .regex(/^(0\.\d*[1-9]|[1-9]\d*(\.\d+)?|[1-9]\d*m)$/)
    .default(byDefault)
    .meta({ description, allowed: 'a text: CPUs such as "1" or "0.5", or thousandths such as 500m', examples: [byDefault] });

const memory = (description: string, byDefault: string) =>
  z
    .string()
    .regex(/^[1-9]\d*(Mi|Gi)$/)
    .default(byDefault)
    .meta({
      description,
      allowed: "whole Mi or Gi; a small m would be thousandths, so that 800m is less than one byte",
      examples: [byDefault],
    });

/** IIS, to see that a cluster works. */
export const sampleWorkload = z
  .strictObject({
    pool: poolName.optional().meta({
      description: "Windows pool whose release it is for. Default: the first by name",
      examples: ["win1"],
    }),
    replicas: count("Number of pods", 1, 100, 1),
    image: text(
      "Image, for instance of a mirror. Default: mcr.microsoft.com/windows/servercore/iis of the pool's release",
      "registry.example/iis:windowsservercore-ltsc2022",
    ).optional(),
    requests: z
      .strictObject({ cpu: cpu("CPUs", "100m"), memory: memory("Memory", "300Mi") })
      .prefault({})
      .meta({ description: "What a pod is sure to get" }),
    limits: z
      .strictObject({ cpu: cpu("CPUs", "1"), memory: memory("Memory", "800Mi") })
      .prefault({})
      .meta({ description: "What a pod gets at most" }),
  })
  .optional()
  .meta({
    description:
      "IIS on the Windows nodes behind a public load balancer that access.allowedCidrs may reach; `sampleWorkload: {}` deploys it, without this key there is none. Its address is the output sampleWorkloadUrl",
    examples: [{}],
  });
