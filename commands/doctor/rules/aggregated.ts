import { textAt } from "../../../tools/untyped";
import { conditionNamed, minutesBetween } from "../../cluster/objects";
import { conditionProof, hasCondition } from "./finders";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Aggregated APIs, which other servers serve through the API server, and what depends on them. */

const apiServices = (reason: RegExp, message: RegExp, minutes: number) => (world: World) =>
  hasCondition({ kinds: ["APIService"], side: "workload", type: "Available", reason, message, minutes })(
    world,
  ).map((match) => ({
    ...match,
    vars: {
      ...match.vars,
      service: textAt(match.object?.spec, "service", "name"),
      where: textAt(match.object?.spec, "service", "namespace"),
    },
  }));

/** APIs of metrics-server and of Calico's API server. */
const isOwn = /^v\w+\.metrics\.k8s\.io$|^v\w+\.projectcalico\.org$/;

/** Namespaces of the workload cluster that are being deleted, with the conditions that say why they remain. */
const terminating =
  (type: string, minutes: number, text: RegExp) =>
  (world: World): Match[] =>
    world.all("Namespace", "workload").flatMap((object) => {
      const condition = conditionNamed(object, type);
      const found = condition?.status === "True" ? text.exec(condition.message) : null;
      return condition !== undefined &&
        found !== null &&
        minutesBetween(object.metadata.deletionTimestamp ?? "", world.now) >= minutes
        ? [{ object, proof: conditionProof(object, condition), vars: { ...found.groups } }]
        : [];
    });

const follows = [
  ...["network", "nodes", "machines", "registries", "control-plane", "images", "azure-limits"],
  "pods in {where}",
];

const show = "kubectl --kubeconfig workload.kubeconfig get apiservices | grep -v True";

export const aggregated: Family = {
  name: "aggregated",
  title: "APIs of other servers, and namespaces that wait for them",
  intro:
    "`kubectl top`, autoscalers or deletions of namespaces fail, because an API is registered whose server does not answer.",
  rules: [
    {
      id: "front-proxy",
      stage: "control-plane",
      symptom: "APIService: failing or missing response ...: bad status from ...: 401",
      cause:
        "The server of {name} does not accept the certificate front-proxy-client of the API server: it has expired, or its authority is another one by now. Every aggregated API is then without an answer.",
      remedy: [
        "npm run access -- --stack {stack}   # log in to each machine of the control plane; then: sudo kubeadm certs check-expiration",
        "clusterctl alpha rollout restart kubeadmcontrolplane/{cluster}-control-plane -n {namespace}   # new machines have new certificates",
        show,
      ],
      source:
        "kube-aggregator, remote_available_controller.go; https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/",
      find: apiServices(/./, /bad status from \S+: 401/, 5),
    },
    {
      id: "aggregated-forbidden",
      stage: "add-ons",
      symptom: "APIService: failing or missing response ...: bad status from ...: 403",
      cause:
        "The server of {name} knows the API server and refuses it, or takes it for an anonymous user: it may not ask the API server for its rights (the role system:auth-delegator), or does not know the authority of the certificate front-proxy-client (the role extension-apiserver-authentication-reader).",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get clusterrolebindings -o wide | grep system:auth-delegator   # is the ServiceAccount of the server in it?",
        "kubectl --kubeconfig workload.kubeconfig get rolebindings -n kube-system -o wide | grep extension-apiserver-authentication-reader",
        "kubectl --kubeconfig workload.kubeconfig get pods -n {where}   # its log says which user it refuses",
      ],
      source: "https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/",
      find: apiServices(/./, /bad status from \S+: 403/, 5),
    },
    {
      id: "own-api-service",
      stage: "add-ons",
      symptom:
        "APIService v1beta1.metrics.k8s.io or v3.projectcalico.org: FailedDiscoveryCheck, MissingEndpoints",
      cause:
        "The APIService {name} is an add-on of the stack, and its server, the service {service} in {where}, does not answer. kubectl, Helm, autoscalers and the deletion of every namespace wait for it.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pods,endpointslices -n {where} -o wide",
        "kubectl --kubeconfig workload.kubeconfig describe apiservice {name}",
        "npx pulumi up --stack {stack} --refresh   # when its Deployment is gone",
      ],
      source: "https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/",
      follows,
      find: (world) =>
        apiServices(/./, /./, 15)(world).filter(({ object }) => isOwn.test(object?.metadata.name ?? "")),
    },
    {
      id: "api-service",
      stage: "add-ons",
      symptom: "APIService: FailedDiscoveryCheck, MissingEndpoints, ServiceNotFound",
      cause:
        "The APIService {name} is registered, and its server, the service {service} in {where}, is gone or does not answer. kubectl, Helm, autoscalers and the deletion of every namespace wait for it.",
      remedy: [
        "kubectl --kubeconfig workload.kubeconfig get pods,endpointslices -n {where}",
        "kubectl --kubeconfig workload.kubeconfig delete apiservice {name}   # when what served it was uninstalled",
        show,
      ],
      source: "https://kubernetes.io/docs/tasks/extend-kubernetes/configure-aggregation-layer/",
      follows,
      find: apiServices(/./, /./, 15),
    },
    {
      id: "namespace-api",
      stage: "pods",
      symptom: "a namespace stays Terminating: Discovery failed for some groups",
      cause:
        "The namespace {name} cannot be deleted, because the API {api} does not answer: Kubernetes does not know whether objects of it remain.",
      remedy: [
        show,
        "kubectl --kubeconfig workload.kubeconfig delete apiservice VERSION.GROUP   # of the API that is no longer served",
      ],
      source: "kubernetes, pkg/controller/namespace/deletion/status_condition_utils.go",
      follows: ["api-service", "own-api-service", "aggregated-forbidden", "front-proxy"],
      find: terminating(
        "NamespaceDeletionDiscoveryFailure",
        5,
        /^(?:[^]*?(?:APIs|list of server APIs): )?(?<api>[\w.-]+\/v\w+)?[^]*$/,
      ),
    },
  ],
};
