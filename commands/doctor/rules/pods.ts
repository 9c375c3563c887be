import { textAt } from "../../../tools/untyped";
import { conditionNamed } from "../../cluster/objects";
import { isNotReady, olderThan } from "./finders";
import { isRefusedByAutoscaler } from "./schedulerAnswers";
import { placement } from "./placement";
import { platforms } from "./platforms";
import { unscheduled } from "./unscheduled";
import { crashLoops, imageMissing, podWith } from "./podFinders";
import { servicesAtZero } from "./scaledToZero";
import type { Detectors } from "./rule";

/** Pods of users and add-ons. */

export const pods: Detectors = {
  ...platforms,
  "image-pull": imageMissing({
    side: "workload",
  }),
  ...servicesAtZero,
  "dns-loop": podWith({
    side: "workload",
    where: ({ metadata }) => metadata.name.startsWith("coredns-"),
    container: ({ ready, ended, endMessage }) => (ready || ended === "" ? undefined : endMessage),
    text: /plugin\/loop: Loop/,
  }),
  dns: (world) => {
    const dns = world.all("Pod", "workload").filter(({ metadata }) => metadata.name.startsWith("coredns-"));
    const down = dns.filter(isNotReady);
    const [object] = down;
    return object === undefined || down.length < dns.length || !olderThan(object, 20, world)
      ? []
      : [
          {
            object,
            side: "workload",
            proof: {
              where: `Pods coredns of kube-system, condition Ready`,
              text: conditionNamed(object, "Ready")?.message ?? textAt(object.status, "phase"),
            },
          },
        ];
  },
  "pod-resources": (world) =>
    unscheduled(/Insufficient (?:cpu|memory|pods|ephemeral-storage)|Too many pods/)(world).filter(
      ({ object }) => !isRefusedByAutoscaler(object, world),
    ),
  ...placement,
  "pod-crashes": crashLoops({
    side: "workload",
    minutes: 10,
    restarts: 5,
  }),
};
