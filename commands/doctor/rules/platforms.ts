import { textAt } from "../../../tools/untyped";
import type { World } from "../../cluster/snapshot";
import { tells } from "./podAnswers";
import { systemOf } from "../../cluster/scope";
import type { Match, Rule } from "./rule";

/** Images that do not fit the node on which the Pod is: another operating system, or another release of Windows. */

const noVariant =
  /no match(?:ing manifest)? for (?:platform in manifest|windows|linux)|operating system is not supported|image operating system "\w+" cannot be used/i;

const otherHost = /does not match the host operating system|0xc0370101/i;

/** Names of images that are for Windows, so that only their release can be wrong. */
const windowsName = /windows|nanoserver|servercore|ltsc20|dotnet\/framework|\biis\b|[-_]win\b/i;

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
      return is(place) ? [{ ...match, vars: { ...match.vars, image } }] : [];
    });

const source =
  "https://kubernetes.io/docs/concepts/windows/user-guide/#ensuring-os-specific-workloads-land-on-the-appropriate-container-host";

export const platforms: readonly Rule[] = [
  {
    id: "linux-image",
    stage: "pods",
    symptom: "no match for platform in manifest, on a Windows node",
    cause:
      "The image {image} has no variant for the Windows node {node}. It is most likely an image for Linux: {name} does not say which operating system it needs, so the scheduler may put it on either.",
    remedy: [
      "nodeSelector: {kubernetes.io/os: linux}   # in the Pod's template, or in the values of its chart",
      "capz-windows:windowsPools: {POOL: {taints: [{key: os, value: windows, effect: NoSchedule}]}}   # keeps other charts without a nodeSelector off new Windows machines",
      "nodeSelector: {kubernetes.io/os: windows}   # when it is an image for Windows: then with a tag for the release of the nodes, such as ltsc2022",
    ],
    source,
    find: unfit(
      noVariant,
      ({ node, selected, image }) => node === "windows" && selected !== "windows" && !windowsName.test(image),
    ),
  },
  {
    id: "windows-image",
    stage: "pods",
    symptom: "no match for platform in manifest, on a Linux node",
    cause:
      "The image {image} has no variant for the Linux node {node}: it is an image for Windows, whose Pod must select Windows nodes, or for another processor.",
    remedy: [
      "nodeSelector: {kubernetes.io/os: windows}   # in the Pod's template",
      "kubectl --kubeconfig workload.kubeconfig get nodes -L kubernetes.io/os,kubernetes.io/arch   # an image for Linux has no variant for this architecture",
    ],
    source,
    find: unfit(noVariant, ({ node }) => node === "linux"),
  },
  {
    id: "os-mismatch",
    stage: "pods",
    symptom: "the container operating system does not match the host operating system",
    cause:
      "The image {image} is built for another release of Windows Server than the node has, or for Linux. With process isolation both must be of the same build.",
    remedy: [
      "Use a tag for the node's release: ...:ltsc2022 on Windows Server 2022, ltsc2025 on 2025.",
      'nodeSelector: {kubernetes.io/os: windows, node.kubernetes.io/windows-build: "10.0.20348"}',
    ],
    source:
      "https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/version-compatibility; dotnet-framework-docker #1265",
    find: unfit(new RegExp(`${noVariant.source}|${otherHost.source}`, "i"), () => true),
  },
];
