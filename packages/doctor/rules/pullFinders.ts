import { registryOf } from "capz-windows-platform/workloads/imageReferences";
import type { World } from "../cluster/snapshot";
import { anyOf, isNotReady, warned } from "./finders";
import { once, podWith } from "./podFinders";
import type { Match } from "./rule";

/** Finders of images that do not come. */

/**
 * Pods with a failed pull: from the state of a container, which has the whole reason since Kubernetes 1.31, from the
 * event before it, or from an event about the image of the Pod's sandbox.
 */
export const pull = (text: RegExp): ((world: World) => Match[]) => {
  const find = anyOf(
    podWith({
      side: "workload",
      text,
      container: ({ waiting, message }) =>
        /^(?:ErrImagePull|ImagePullBackOff)$/.test(waiting) ? `${waiting}: ${message}` : undefined,
    }),
    warned({
      kinds: ["Pod"],
      side: "workload",
      where: isNotReady,
      text: new RegExp(
        `^(?:Failed: (?:Failed to pull|Error: (?:ErrImagePull|ImagePullBackOff))|FailedCreatePodSandBox: [^]*?sandbox image)[^]*?(?:${text.source})`,
        text.flags,
      ),
    }),
  );
  return (world) =>
    once(find(world)).map((match) => ({
      ...match,
      vars: { host: registryOf(imageIn(match)).host ?? "docker.io", ...match.vars },
    }));
};

/** The image in the status of the container, or between quotes in an event. */
const imageIn = ({ vars, proof }: Match): string =>
  vars?.image ?? /image "([^"]+)"/.exec(proof.text)?.[1] ?? "";
