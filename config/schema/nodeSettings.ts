import { z } from "zod";
import { defaultReserved } from "capz-windows-platform/machines/defaults";
import { TaintEffect } from "capz-windows-platform/machines/pools";
import { keyWithDefault, mapping, optionalFlag, optionalKey, optionalMapping, text } from "./scalars";

/** Labels, taints and kubelet of a pool's nodes. */

const between = (description: string, minimum: number, maximum: number, example: number) =>
  optionalKey(z.int().min(minimum).max(maximum), { description, examples: [example] });

const reservedText = (what: "cpu" | "memory"): string =>
  `Default: ${defaultReserved.windows[what]} on Windows, ${defaultReserved.linux[what]} on Linux`;

const kubelet = optionalMapping(
  "Configuration of kubelet, which kubeadm merges into that of the cluster on each new node; it reaches kubelets of every image",
  {
    maxPods: between(
      "Largest number of pods on a node. On Windows, addons.calicoBlockSize limits those with an address. Default: 110",
      10,
      250,
      60,
    ),
    reserved: optionalMapping(
      "What kubelet keeps from pods, for the operating system, containerd and add-ons (systemReserved); `{}` takes the defaults. Default: `{}` on Windows, unless configuration has kubeReserved, and nothing on Linux",
      {
        enabled: optionalFlag(
          "Keep anything from pods. Default: true on Windows, and on Linux where reserved is given",
          false,
        ),
        cpu: optionalKey(z.string().regex(/^[1-9]\d*m?$/), {
          description: `CPU. ${reservedText("cpu")}`,
          allowed: "CPUs such as 1, or thousandths of a CPU such as 500m",
          examples: ["500m"],
        }),
        memory: optionalKey(z.string().regex(/^[1-9]\d*(Mi|Gi)$/), {
          description: `Memory. ${reservedText("memory")}`,
          allowed: "a whole number of Mi or Gi",
          examples: ["2Gi"],
        }),
      },
      { memory: "3Gi" },
    ),
    imageGC: optionalMapping(
      "When unused images are removed. Windows images are large",
      {
        highPercent: between(
          "Disk usage in percent above which unused images are removed. Default: 85",
          1,
          100,
          80,
        ),
        lowPercent: between("Disk usage in percent at which the removal ends. Default: 80", 0, 99, 70),
        minAgeMinutes: between("Minutes for which an unused image is kept. Default: 2", 0, 10_080, 30),
      },
      { highPercent: 80, lowPercent: 70 },
    ),
    maxParallelImagePulls: between(
      "Images that are pulled at the same time. 1, one after another, is Kubernetes' default",
      1,
      20,
      3,
    ),
    containerLogs: optionalMapping(
      "Rotation of container logs",
      {
        maxSizeMi: between("MiB of a container's log before the next file begins. Default: 10", 1, 1024, 50),
        maxFiles: between("Files of a container's log. Default: 5", 2, 100, 3),
      },
      { maxSizeMi: 50 },
    ),
    logQuery: optionalFlag(
      "Let kubelet answer for the logs of services (enableSystemLogQuery), which `npm run access` prints: from Kubernetes 1.27 on. Who may `get` nodes/proxy reads them. Default: false",
    ),
    configuration: optionalKey(z.record(z.string().min(1), z.unknown()), {
      description:
        "Further fields of KubeletConfiguration (kubelet.config.k8s.io/v1beta1), checked as kubelet of the pool's version would in strict decoding",
      allowed: "a mapping of fields for which there is no key",
      examples: [{ podsPerCore: 20 }],
    }),
  },
  { maxPods: 60 },
);

export const nodeSettings = {
  labels: keyWithDefault(
    z.record(z.string().min(1), z.string()),
    {},
    {
      description:
        "Labels of the nodes. Those of node-role.kubernetes.io, node-restriction.kubernetes.io and node.cluster.x-k8s.io come from Cluster API and reach nodes that run; others are set by each new node itself",
      allowed: "a mapping of label keys to values; not those that Kubernetes sets itself",
      examples: [{ "example.org/team": "web" }],
    },
  ),
  taints: keyWithDefault(
    z.array(
      mapping("A taint", {
        key: text("Key of the taint", "example.org/dedicated"),
        value: keyWithDefault(z.string(), "", { description: "Value of the taint", examples: ["iis"] }),
        effect: keyWithDefault(z.enum(TaintEffect), "NoSchedule", {
          description: "What happens to pods that do not tolerate it",
          examples: ["NoSchedule"],
        }),
      }),
    ),
    [],
    {
      description: "Taints with which new nodes register",
      allowed: "a list of {key, value, effect}, each key with each effect once",
      examples: [[{ key: "example.org/dedicated", value: "iis", effect: "NoSchedule" }]],
    },
  ),
  kubelet,
};
