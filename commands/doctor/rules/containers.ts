import { at, textAt } from "../../../tools/untyped";
import { conditionNamed, isTrue, type KubeObject, minutesBetween } from "../../cluster/objects";
import { eventsOfKinds, podWith } from "./podFinders";
import { once, pull } from "./pullFinders";
import { ownerEvents, podNotices, podsRefused } from "./podRecords";
import { describePod } from "./commands";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Containers and their Pods on any node: registries, users, programs, paths, evictions. */

/** Pods with a container that is waiting, by the reason and message of its status. */
const waitsWith = (text: RegExp) =>
  podWith({
    side: "workload",
    text,
    // The last message of the program itself is not searched.
    container: ({ waiting, message }) => (waiting === "" ? undefined : `${waiting}: ${message}`),
  });

/** Evicted Pods stay until somebody deletes them. Evictions that are older than a day are not reported. */
const recordMinutes = 24 * 60;

const isRecent = (pod: KubeObject, world: World): boolean => {
  const since = conditionNamed(pod, "DisruptionTarget")?.since ?? pod.metadata.creationTimestamp ?? "";
  return minutesBetween(since, world.now) < recordMinutes;
};

/** Pods that their node has evicted. */
const evicted = (world: World): Match[] =>
  world
    .all("Pod", "workload")
    .filter((pod) => textAt(pod.status, "reason") === "Evicted" && isRecent(pod, world))
    .map((object) => ({
      object,
      proof: {
        where: `Pod ${object.metadata.namespace ?? ""}/${object.metadata.name}, status`,
        text: textAt(object.status, "message") || "Evicted",
      },
      vars: {
        resource: /low on resource: ([\w-]+)/.exec(textAt(object.status, "message"))?.[1] ?? "something",
      },
    }));

/** Before a controller says so in the condition Paused, which has a rule, or when none does. */
const paused = ({ cluster }: World): Match[] =>
  cluster !== undefined && at(cluster.spec, "paused") === true && !isTrue(cluster, "Paused")
    ? [
        {
          object: cluster,
          proof: { where: `Cluster ${cluster.metadata.name}, spec.paused`, text: "true" },
        },
      ]
    : [];

export const containers: Family = {
  name: "containers",
  title: "Containers and their Pods",
  intro: "The Pod is scheduled to a node, and its container does not start or does not keep running.",
  rules: [
    {
      id: "cluster-paused",
      stage: "providers",
      severity: "warning",
      symptom: "nothing happens anymore: Cluster spec.paused is true",
      cause:
        "The Cluster {name} is paused, so no controller works on it: clusterctl move was interrupted, or somebody paused the Cluster and forgot it.",
      remedy: [
        "kubectl get clusters -A -o custom-columns=NAME:.metadata.name,PAUSED:.spec.paused   # on every management cluster: only one may work on it",
        'kubectl patch cluster {name} -n {namespace} --type merge -p \'{"spec":{"paused":false}}\'',
      ],
      source: "Cluster API v1.14.2, contract of paused; clusterctl move",
      find: paused,
    },
    {
      id: "registry-certificate",
      stage: "pods",
      symptom: "ErrImagePull: x509: certificate signed by unknown authority",
      cause:
        "containerd on the nodes does not trust the certificate of the registry {host}: it was issued by your own authority, or by a proxy that intercepts TLS.",
      remedy: [
        "capz-windows:trustedCertificates: [CERTIFICATE-IN-PEM]   # every node trusts them; nodes are replaced",
        "openssl s_client -connect {host}:443 -showcerts </dev/null   # who signed it?",
      ],
      source: "https://github.com/containerd/containerd/blob/main/docs/hosts.md",
      find: (world) => once(pull(/x509: certificate|failed to verify certificate|unknown authority/)(world)),
    },
    {
      id: "run-as-user",
      stage: "pods",
      symptom: "hcs::System::CreateProcess: The user name or password is incorrect",
      cause:
        "The image {image} has no user with the name that runAsUserName of {name} asks for. Linux users, such as root or 1000, do not exist on Windows.",
      remedy: [
        "securityContext: {windowsOptions: {runAsUserName: ContainerUser}}   # or ContainerAdministrator; both are in every Windows image",
        describePod,
      ],
      source: "https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/",
      find: waitsWith(
        /CreateProcess[^]*user name (?:or password is incorrect|could not be found)|no (?:users found|matching entries in passwd)|unable to find user/i,
      ),
    },
    {
      id: "program-missing",
      stage: "pods",
      symptom: "hcs::System::CreateProcess: The system cannot find the file specified",
      cause:
        "The image {image} does not have the program that the command of {name} starts: it is a Linux shell, the folder is wrong, or it is a script without its interpreter.",
      remedy: [
        'command: ["cmd", "/S", "/C", "C:\\app\\run.cmd"]   # with the program first; powershell -File for scripts; Nano Server has neither powershell nor .NET Framework',
        describePod,
        "If the image is for Linux: nodeSelector: {kubernetes.io/os: linux}",
      ],
      source:
        "hcsshim; https://kubernetes.io/docs/tasks/inject-data-application/define-command-argument-container/",
      find: waitsWith(
        /(?:CreateProcess|exec)[^]*(?:cannot find the (?:file|path) specified|executable file not found|no such file or directory)/i,
      ),
    },
    {
      id: "container-reserved",
      stage: "nodes",
      symptom: "CreateContainerError: failed to reserve container name",
      cause:
        "containerd on {node} takes longer to create containers than the kubelet waits, mostly because its disk is slow or busy: the second attempt collides with the first.",
      remedy: [
        "capz-windows:windowsPools: {{pool}: {osDiskType: Premium_LRS, vmSize: A-SIZE-WITH-FASTER-DISKS}}",
        "npm run access -- --stack {stack} --node {node}   # log in; then: Restart-Service containerd, kubelet",
        "capz-windows:windowsPools: {{pool}: {kubelet: {maxPods: 30}}}   # fewer starts at a time",
      ],
      source: "containerd #4604; Azure/AKS #2491",
      find: waitsWith(/failed to reserve (?:container|sandbox) name/),
    },
    {
      id: "evicted",
      stage: "pods",
      severity: "warning",
      symptom: "Evicted: The node was low on resource",
      cause: "The node {node} evicted {name} because it ran low on {resource} for all of its Pods.",
      remedy: [
        "resources: {limits: {ephemeral-storage: 5Gi, memory: 1Gi}}   # of the Pod that uses most: the message names it",
        "capz-windows:windowsPools: {{pool}: {osDiskGB: 256}}",
        "kubectl --kubeconfig workload.kubeconfig delete pod {name} -n {podNamespace}   # it stays as a record otherwise",
      ],
      source: "https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/",
      follows: ["node-disk", "node-memory"],
      find: evicted,
    },
    {
      id: "metrics-missing",
      stage: "pods",
      severity: "warning",
      symptom: "FailedGetResourceMetric: unable to fetch metrics from resource metrics API",
      cause:
        "The autoscaler {name} gets no metrics of its Pods: metrics-server is not installed, or does not answer.",
      remedy: [
        "capz-windows:addons: {metricsServer: {enabled: true}}",
        "kubectl --kubeconfig workload.kubeconfig get apiservice v1beta1.metrics.k8s.io",
        "kubectl --kubeconfig workload.kubeconfig logs -n kube-system deploy/metrics-server --tail=20",
      ],
      source: "https://github.com/kubernetes-sigs/metrics-server/blob/master/FAQ.md",
      follows: ["front-proxy", "aggregated-forbidden", "own-api-service", "api-service"],
      // There are no metrics yet of a Pod that has just started.
      find: eventsOfKinds(
        ["HorizontalPodAutoscaler"],
        /FailedGetResourceMetric: [^]*(?:unable to fetch metrics|metrics\.k8s\.io|no metrics returned)/,
        10,
      ),
    },
    ...podNotices,
    ...podsRefused,
    ...ownerEvents,
  ],
};
