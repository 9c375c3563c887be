import { at, list, textAt } from "../../../tools/untyped";
import { anyOf, isNotReady, olderThan, warned } from "./finders";
import { podWith, waitsFor } from "./podFinders";
import { exitCodes } from "./exitCodes";
import { programEndRules } from "./programEnds";
import type { Detectors, Match } from "./rule";

/** What kubelet says of a Secret or ConfigMap that a Pod names. */
const missingObject =
  /(?<why>(?:secret|configmap) "[^"]+" not found|references non-existent (?:secret|config) key: \S+|couldn't find key \S+ in (?:Secret|ConfigMap) \S+)/;

/** Adds the memory limit of the container, as text, to a match. */
const withLimit = (match: Match): Match => {
  const container = list(at(match.object?.spec, "containers")).find(
    ({ name }) => name === match.vars?.container,
  );
  const memory = textAt(container, "resources", "limits", "memory");
  return { ...match, vars: { ...match.vars, limit: memory === "" ? "has none" : `is ${memory}` } };
};

export const programs: Detectors = {
  ...programEndRules,
  "pod-object-missing": anyOf(
    warned({
      kinds: ["Pod"],
      side: "workload",
      text: new RegExp(`FailedMount: [^]*?${missingObject.source}`),
      where: (pod, world) => isNotReady(pod) && olderThan(pod, 10, world),
    }),
    waitsFor(/^CreateContainerConfigError$/, { side: "workload", minutes: 10, text: missingObject }),
  ),
  "runs-as-administrator": waitsFor(/^CreateContainerConfigError$/, {
    side: "workload",
    text: /(?:runAsUser(?:Name)? \((?<user>[^)]+)\)[^]*)?(?:break(?:s)? non-root policy|image will run as (?:root|ContainerAdministrator)|non-numeric user)/,
  }),
  "no-memory": (world) =>
    [
      ...exitCodes([0xc0000017, 0xc000012d], "no memory is left for the process")(world),
      ...podWith({
        side: "workload",
        container: ({ ready, endMessage }) => (ready ? undefined : endMessage),
        text: /OutOfMemoryException|Out of memory\.|OutOfMemoryError/,
      })(world),
    ].map(withLimit),
  "dotnet-exception": (world) =>
    exitCodes([0xe0434352], "an exception of .NET that the program does not catch")(world).map(withLimit),
  "access-violation": exitCodes(
    [0xc0000005, 0xc0000409, 0xc00000fd],
    "an access violation, a broken stack, or a stack that is full",
  ),
};
