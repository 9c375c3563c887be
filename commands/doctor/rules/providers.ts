import { conditionNamed, conditionsOf } from "../../cluster/objects";
import { conditionProof, hasCondition, olderThan } from "./finders";
import { withAnswer } from "./answers";
import { crashLoops, noImage, outOfMemory, waitsFor } from "./podFinders";
import { capiSource, capzSource } from "./kinds";
import { inProviders, missingController, unavailable, untouched, withoutBundle } from "./providerFinders";
import { providerDownloadRules, providerKinds } from "./providerDownloads";
import { providerRefusalIds, providerRefusals } from "./providerRefusals";
import { webhookRules } from "./providerWebhooks";
import { providersAtZero } from "./scaledToZero";
import type { World } from "../../cluster/snapshot";
import type { Family, Match } from "./rule";

/** Adds {deployment}, by the name that a Deployment gives its Pods: its own, and two hashes. */
const withDeployment =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    find(world).map((match) => {
      const deployment = /^(.+)-[a-z0-9]+-[a-z0-9]{5}$/.exec(match.object?.metadata.name ?? "")?.[1];
      return deployment === undefined ? match : { ...match, vars: { ...match.vars, deployment } };
    });

/** Cluster API, CAPZ, its Azure Service Operator and cert-manager, in the management cluster. */

export const providers: Family = {
  name: "providers",
  title: "Cluster API and CAPZ in the management cluster",
  intro:
    "Controllers that do not run reconcile nothing, and webhooks that do not answer let nothing be written.",
  rules: [
    {
      id: "provider-image-pull",
      stage: "providers",
      symptom: "a provider's Pod is in ImagePullBackOff",
      cause: "The management cluster cannot pull the image {image}.",
      remedy: [
        "kubectl describe pod {name} -n {podNamespace}",
        "az aks check-acr --resource-group GROUP --name NAME --acr REGISTRY   # with images of your own registry",
      ],
      source: "https://kubernetes.io/docs/concepts/containers/images/",
      find: waitsFor(noImage, {
        side: "management",
        where: inProviders,
      }),
    },
    {
      id: "provider-out-of-memory",
      stage: "providers",
      symptom: "a provider's Pod starts again and again",
      cause: "The container {container} of {name} was ended because it needs more memory than its limit.",
      remedy: [
        "kubectl set resources deployment {deployment} -n {podNamespace} --containers={container} --limits=memory=1Gi",
        "capz-windows:management: {nodeSize: Standard_D4s_v5}   # when the node itself has no memory left",
      ],
      source: "https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/",
      find: withDeployment(outOfMemory({ side: "management", where: inProviders })),
    },
    {
      id: "provider-crashes",
      stage: "providers",
      symptom: "a provider's Pod is in CrashLoopBackOff",
      cause: "The container {container} of {name} ends with an error each time it starts.",
      remedy: ["kubectl logs {name} -n {podNamespace} -c {container} --previous --tail=30"],
      source: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/",
      follows: ["provider-out-of-memory"],
      find: crashLoops({
        side: "management",
        where: inProviders,
      }),
    },
    {
      id: "provider-unscheduled",
      stage: "providers",
      symptom: "a provider's Pod stays Pending",
      cause: "No node of the management cluster has room for {name}.",
      remedy: ["capz-windows:management: {maxNodeCount: 3}", "kubectl describe pod {name} -n {podNamespace}"],
      source: "https://kubernetes.io/docs/concepts/scheduling-eviction/kube-scheduler/",
      find: hasCondition({
        kinds: ["Pod"],
        side: "management",
        type: "PodScheduled",
        minutes: 5,
        where: inProviders,
      }),
    },
    ...providerDownloadRules,
    {
      id: "certificate-not-ready",
      stage: "providers",
      symptom: "a provider's Pod waits in ContainerCreating, its webhook has no certificate",
      cause: "cert-manager has not issued the certificate {name}: {why}.",
      remedy: [
        "kubectl describe certificate {name} -n {podNamespace}",
        "kubectl logs deploy/cert-manager -n cert-manager --tail=30",
      ],
      source: "https://cert-manager.io/docs/troubleshooting/",
      follows: ["pods in cert-manager"],
      find: withAnswer(
        hasCondition({ kinds: ["Certificate"], type: "Ready", minutes: 3, where: inProviders }),
      ),
    },
    {
      id: "webhook-without-ca",
      stage: "providers",
      symptom: "x509: certificate signed by unknown authority when objects are written",
      cause: "cert-manager's injector has not written its authority into {name}.",
      remedy: [
        "kubectl rollout restart deployment/cert-manager-cainjector -n cert-manager",
        "kubectl get {kind} {name} -o jsonpath='{.metadata.annotations}'",
      ],
      source: "https://cert-manager.io/docs/concepts/ca-injector/",
      follows: ["certificate-not-ready", "pods in cert-manager"],
      find: withoutBundle,
    },
    ...providersAtZero,
    ...providerRefusals,
    {
      id: "provider-unavailable",
      stage: "providers",
      symptom: "a controller of Cluster API or CAPZ does not run",
      cause: "No Pod of the Deployment {name} is available, so nothing that it reconciles goes on.",
      remedy: [
        "kubectl get pods -n {podNamespace} -o wide",
        "kubectl rollout status deployment/{name} -n {podNamespace}",
      ],
      source: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/",
      follows: [
        ...["provider-image-pull", "provider-out-of-memory", "provider-crashes", "provider-unscheduled"],
        ...["certificate-not-ready", ...providerRefusalIds],
      ],
      find: unavailable,
    },
    {
      id: "provider-missing",
      stage: "providers",
      symptom: "objects exist, but no controller touches them",
      cause: "There is no Deployment {name}: the provider was removed, or its installation stopped.",
      remedy: [
        "npx pulumi up --stack {stack} --refresh",
        "kubectl get coreprovider,bootstrapprovider,controlplaneprovider,infrastructureprovider -A",
      ],
      source: `${capiSource} and ${capzSource}, components`,
      follows: ["provider-not-installed"],
      find: missingController,
    },
    {
      id: "not-reconciled",
      stage: "providers",
      symptom: "an object exists for minutes, and nothing has touched it",
      cause:
        "No controller reconciles {kind} {name}: it does not run, it does not reach the API server, or it has lost its leadership.",
      remedy: [
        "kubectl get pods -A -l cluster.x-k8s.io/provider -o wide",
        "kubectl logs deploy/capz-controller-manager -n capz-system -c manager --tail=30",
      ],
      source: `${capzSource}, ${capiSource}: the first thing that a controller does is to add its finalizer`,
      follows: [
        ...["provider-image-pull", "provider-out-of-memory", "provider-crashes", "provider-unscheduled"],
        ...[
          "certificate-not-ready",
          "provider-unavailable",
          "provider-scaled-to-zero",
          "provider-missing",
          "paused",
          "object-paused",
          "webhook-down",
        ],
      ],
      find: untouched,
    },
    ...webhookRules,
    {
      id: "provider-not-installed",
      stage: "providers",
      symptom: "a provider stays not Ready",
      cause: "The Cluster API operator could not install {name}: {why}.",
      remedy: ["kubectl get {kind} -A", "kubectl get events -A --field-selector type=Warning"],
      source: "Cluster API operator v0.29.0",
      generic: true,
      follows: ["providers"],
      find: (world) =>
        providerKinds
          .flatMap((kind) => world.all(kind))
          .flatMap((object) => {
            const bad =
              conditionsOf(object).find(({ type, status }) => type !== "Ready" && status === "False") ??
              conditionNamed(object, "Ready");
            return bad?.status === "False" && olderThan(object, 10, world)
              ? [{ object, proof: conditionProof(object, bad), vars: { why: bad.message || bad.reason } }]
              : [];
          }),
    },
  ],
};
