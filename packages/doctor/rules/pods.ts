import { isForWindows, taggedVersion } from "capz-windows-platform/workloads/imageReferences";
import { textAt } from "capz-windows-kit/untyped";
import { conditionNamed, minutesBetween, title } from "../cluster/objects";
import { isNotReady, olderThan } from "./finders";
import { isRefusedByAutoscaler } from "./scheduling";
import { unscheduled } from "./unscheduled";
import { crashLoops, tells } from "./podFinders";
import type { Detectors, Match } from "./rule";
import type { World } from "../cluster/snapshot";
import { systemOf } from "../cluster/scope";

/** Pods of users and add-ons. */

/** Minutes after a Pod's grace, which its deletionTimestamp includes, when it is reported: kubelet may still unmount volumes. */
const terminatingMinutes = 15;

/** Pods that stay in Terminating on a node that answers, also when no event is left. */
const terminating = (world: World): Match[] =>
  world.all("Pod", "workload").flatMap((object) => {
    const { metadata, spec } = object;
    const since = metadata.deletionTimestamp ?? "";
    const node = textAt(spec, "nodeName");
    const found = world.find("Node", node);
    const isLost = found === undefined || conditionNamed(found, "Ready")?.status !== "True";
    const minutes = since === "" ? 0 : minutesBetween(since, world.now);
    return minutes < terminatingMinutes || isLost
      ? []
      : [
          {
            object,
            proof: { where: `${title(object)}, metadata.deletionTimestamp`, text: since, since },
            vars: { node, minutes: String(Math.floor(minutes)) },
          },
        ];
  });

/** Images that do not fit the node on which the Pod is: another operating system, or another release of Windows. */
const noVariant =
  /no match(?:ing manifest)? for (?:platform in manifest|windows|linux)|operating system is not supported|image operating system "\w+" cannot be used/i;

const otherHost = /does not match the host operating system|0xc0370101/i;

interface Place {
  /** Operating system of the node; "" if the Pod's node is not known. */
  readonly node: string;
  /** Operating system that the Pod selects; "" if it says nothing. */
  readonly selected: string;
  readonly image: string;
}

/** Pods whose image has no variant for their node, if `is` accepts the operating systems of node and Pod. */
const unfit =
  (text: RegExp, is: (place: Place) => boolean) =>
  (world: World): Match[] =>
    tells(text)(world).flatMap((match) => {
      const { spec } = match.object ?? {};
      const node = world.find("Node", textAt(spec, "nodeName"));
      const image = match.vars?.image ?? /image "([^"]+)"/.exec(match.proof.text)?.[1] ?? "of the Pod";
      const place = {
        image,
        node: systemOf(node),
        selected: textAt(spec, "nodeSelector", "kubernetes.io/os") || textAt(spec, "os", "name"),
      };
      const build = taggedVersion(image)?.build;
      const imageBuild = build === undefined ? "" : `10.0.${build}`;
      return is(place) ? [{ ...match, vars: { ...match.vars, image, imageBuild } }] : [];
    });

/** Pods for which no node has room, unless the autoscaler says why it adds none. */
const withoutRoom =
  (text: RegExp) =>
  (world: World): Match[] =>
    unscheduled(text)(world).filter(({ object }) => !isRefusedByAutoscaler(object, world));

export const pods: Detectors = {
  "pod-terminating": terminating,
  "linux-image": unfit(
    noVariant,
    ({ node, selected, image }) => node === "windows" && selected !== "windows" && !isForWindows(image),
  ),
  "windows-image": unfit(noVariant, ({ node }) => node === "linux"),
  "os-mismatch": unfit(new RegExp(`${noVariant.source}|${otherHost.source}`, "i"), () => true),
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
  "pod-resources": withoutRoom(/Insufficient (?:cpu|memory|pods|ephemeral-storage)|Too many pods/),
  "pod-crashes": crashLoops({
    side: "workload",
    minutes: 10,
    restarts: 5,
    // Some programs end by themselves after each piece of work.
    evenReady: /^(?!Completed$)/,
  }),
};
