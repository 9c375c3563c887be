import { at, list, textAt } from "../../../tools/untyped";
import { anyOf, isNotReady, olderThan, warned } from "./finders";
import { podWith, waitsFor } from "./podFinders";
import { exitCodes } from "./exitCodes";
import { programEndRules } from "./programEnds";
import type { Family, Match } from "./rule";

/** Programs in containers that end by themselves, with an exit code or a termination message that names the cause. */

const logs =
  "kubectl --kubeconfig workload.kubeconfig logs {name} -n {podNamespace} -c {container} --previous --tail=50";

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

export const programs: Family = {
  name: "programs",
  title: "Programs that end by themselves",
  intro: "The container starts, and its program does not stay.",
  rules: [
    ...programEndRules,
    {
      id: "pod-object-missing",
      stage: "pods",
      symptom: 'FailedMount or CreateContainerConfigError: secret "..." not found, couldn\'t find key ...',
      cause: "{name} needs a Secret or ConfigMap of its namespace {podNamespace} that is not there: {why}.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get secrets,configmaps -n {podNamespace}   # create it, with the key; the Pod then starts by itself",
        "kubectl --kubeconfig workload.kubeconfig get pod {name} -n {podNamespace} -o yaml   # or correct the name in its template; optional: true, when it may be missing",
      ],
      source:
        "kubernetes v1.36.3, pkg/volume/secret, pkg/volume/configmap, pkg/kubelet/kubelet_pods.go; https://kubernetes.io/docs/concepts/configuration/secret/",
      find: anyOf(
        warned({
          kinds: ["Pod"],
          side: "workload",
          text: new RegExp(`FailedMount: [^]*?${missingObject.source}`),
          where: (pod, world) => isNotReady(pod) && olderThan(pod, 10, world),
        }),
        waitsFor(/^CreateContainerConfigError$/, { side: "workload", minutes: 10, text: missingObject }),
      ),
    },
    {
      id: "runs-as-administrator",
      stage: "pods",
      symptom:
        "CreateContainerConfigError: container's runAsUser ... will be regarded as root identity and will break non-root policy",
      cause:
        "{name} asks for runAsNonRoot, and its container would run as {user}, the administrator of a Windows container or root.",
      remedy: [
        "securityContext: {runAsNonRoot: true, windowsOptions: {runAsUserName: ContainerUser}}   # of the Pod; ContainerUser is in every Windows image",
        "USER ContainerUser   # or at the end of the image's Dockerfile",
      ],
      source:
        "kubernetes, pkg/kubelet/kuberuntime/security_context_windows.go; https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/",
      find: waitsFor(/^CreateContainerConfigError$/, {
        side: "workload",
        text: /(?:runAsUser(?:Name)? \((?<user>[^)]+)\)[^]*)?(?:break(?:s)? non-root policy|image will run as (?:root|ContainerAdministrator)|non-numeric user)/,
      }),
    },
    {
      id: "no-memory",
      stage: "pods",
      symptom: "exit code 3221225495 (0xC0000017), or OutOfMemoryException",
      cause:
        "The program of the container {container} in {name} gets no more memory: its limit {limit}. Windows refuses memory in the place of ending the container, so nothing says OOMKilled.",
      remedy: [
        "resources: {limits: {memory: 1Gi}}   # of the container; DOTNET_GCHeapHardLimitPercent makes .NET keep within it",
        "kubectl --kubeconfig workload.kubeconfig top pod {name} -n {podNamespace} --containers",
        logs,
      ],
      source:
        "NTSTATUS 0xC0000017, 0xC000012D; https://kubernetes.io/docs/concepts/configuration/windows-resource-management/",
      find: (world) =>
        [
          ...exitCodes([0xc0000017, 0xc000012d], "no memory is left for the process")(world),
          ...podWith({
            side: "workload",
            container: ({ ready, endMessage }) => (ready ? undefined : endMessage),
            text: /OutOfMemoryException|Out of memory\.|OutOfMemoryError/,
          })(world),
        ].map(withLimit),
    },
    {
      id: "dotnet-exception",
      stage: "pods",
      symptom: "exit code 3762504530 or -532462766 (0xE0434352)",
      cause:
        "The .NET program of the container {container} in {name} ends with an exception that nobody catches. Without memory it does so too, and Windows then says nothing of OOMKilled: its limit of memory {limit}.",
      remedy: [
        logs,
        "kubectl --kubeconfig workload.kubeconfig top pod {name} -n {podNamespace} --containers   # near its limit: raise resources.limits.memory",
      ],
      source: "0xE0434352, the code of every .NET exception; dotnet/runtime #83081",
      find: (world) =>
        exitCodes([0xe0434352], "an exception of .NET that the program does not catch")(world).map(withLimit),
    },
    {
      id: "access-violation",
      stage: "pods",
      symptom: "exit code 3221225477 (0xC0000005) or 3221226505 (0xC0000409)",
      cause:
        "The program of the container {container} in {name} has crashed in native code: a fault of the program or of a library that it loads.",
      remedy: [
        logs,
        "npm run access -- --stack {stack} --node {node}   # the command that collects the logs lists the crash dumps of the node",
      ],
      source: "NTSTATUS 0xC0000005, 0xC0000409, 0xC00000FD",
      find: exitCodes(
        [0xc0000005, 0xc0000409, 0xc00000fd],
        "an access violation, a broken stack, or a stack that is full",
      ),
    },
  ],
};
