import { crashLoops, imageMissing } from "./podFinders";
import type { Detectors } from "./rule";

/** kube-proxy on Windows and Linux nodes. */

export const kubeProxyRules: Detectors = {
  "kube-proxy-image": imageMissing({
    side: "workload",
    where: ({ metadata }) => metadata.name.startsWith("kube-proxy-windows"),
  }),
  "kube-proxy-crashes": crashLoops({
    side: "workload",
    where: ({ metadata }) => metadata.name.startsWith("kube-proxy-windows"),
  }),
  "kube-proxy-linux": crashLoops({
    side: "workload",
    where: ({ metadata: { name, namespace } }) =>
      namespace === "kube-system" && /^kube-proxy-(?!windows)/.test(name),
  }),
};
