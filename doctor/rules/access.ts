import type { World } from "../model/snapshot";
import { hasCondition, isInitialized, unread } from "./finders";
import { capiSource } from "./kinds";
import type { Family, Match } from "./rule";

/** Access to both clusters: without it, nothing else can be diagnosed. */

const whenInitialized =
  (find: (world: World) => readonly Match[]) =>
  (world: World): readonly Match[] =>
    isInitialized(world) ? find(world) : [];

/** Cluster API is installed, but the named Cluster does not exist. */
const missingCluster = (world: World): Match[] => {
  const { cluster, management } = world.snapshot;
  const cannotSay = management.problems.some(({ asked }) => asked === "Cluster" || asked === "cluster");
  if (world.cluster !== undefined || cannotSay) {
    return [];
  }
  const others = management.objects
    .filter(({ kind }) => kind === "Cluster")
    .map(({ metadata }) => `${metadata.namespace ?? ""}/${metadata.name}`);
  return [
    {
      proof: {
        where: `management cluster, Cluster ${cluster.namespace}/${cluster.name}`,
        text: others.length === 0 ? "no Cluster there" : `not there; there are ${others.join(", ")}`,
      },
    },
  ];
};

export const access: Family = {
  name: "access",
  title: "Reaching the clusters",
  intro: "Nothing, or only a part, can be read.",
  rules: [
    {
      id: "no-kubeconfig",
      stage: "access",
      symptom: "there is no kubeconfig of the management cluster",
      cause: "`pulumi up` has not created the management cluster yet, or has not saved its outputs.",
      proof: "what `pulumi stack output managementKubeconfig` or `az aks get-credentials` answers",
      remedy: [
        "npx pulumi up --stack {stack}",
        "npm run doctor -- --stack {stack} --kubeconfig FILE   # with a kubeconfig of your own",
      ],
      source: "https://www.pulumi.com/docs/iac/cli/commands/pulumi_stack_output/",
      find: unread("management", ["noKubeconfig"]),
    },
    {
      id: "login-failed",
      stage: "access",
      symptom: "the kubeconfig's login command fails",
      cause:
        "The command that the kubeconfig names for the login is not on the PATH, or nobody is logged in.",
      proof: "the output of the command under `users[].user.exec` of the kubeconfig",
      remedy: ["az login --tenant TENANT", "az aks install-cli   # installs kubelogin"],
      source: "https://azure.github.io/kubelogin/",
      find: unread("management", ["login"]),
    },
    {
      id: "management-unreachable",
      stage: "access",
      symptom: "the management cluster does not answer",
      cause:
        "The API server of the management cluster cannot be reached from here: it is stopped, its name does not resolve, or it does not accept connections from this address.",
      proof: "the error of the connection",
      remedy: [
        'az aks list --query "[].{name:name, state:powerState.code, ranges:apiServerAccessProfile.authorizedIpRanges}" -o table',
        "capz-windows:management: {authorizedCidrs: [YOUR-ADDRESS/32]}   # your address: curl -4 https://ifconfig.me",
        "az aks start --resource-group GROUP --name NAME   # when it is stopped",
      ],
      source: "https://learn.microsoft.com/azure/aks/api-server-authorized-ip-ranges",
      find: unread("management", ["unreachable", "timeout"]),
    },
    {
      id: "management-certificate",
      stage: "access",
      symptom: "TLS with the management cluster fails",
      cause:
        "The kubeconfig is of another cluster that had the same address, its certificate has expired, or a proxy on the way terminates TLS.",
      proof: "the error of the connection",
      remedy: [
        "npx pulumi refresh --stack {stack}   # reads the credentials again",
        "az aks get-credentials --overwrite-existing --resource-group GROUP --name NAME",
      ],
      source: "https://learn.microsoft.com/azure/aks/certificate-rotation",
      find: unread("management", ["certificate"]),
    },
    {
      id: "management-unauthorized",
      stage: "access",
      symptom: "401 Unauthorized from the management cluster",
      cause: "The credentials of the kubeconfig have expired or were rotated.",
      proof: "answer 401",
      remedy: [
        "npx pulumi refresh --stack {stack}   # reads the credentials again",
        "az login && kubelogin convert-kubeconfig -l azurecli   # with management.entra",
      ],
      source: "https://kubernetes.io/docs/reference/access-authn-authz/authentication/",
      find: unread("management", ["unauthorized"]),
    },
    {
      id: "management-forbidden",
      stage: "access",
      severity: "warning",
      symptom: "403 Forbidden: a part of the management cluster cannot be read",
      cause: "These credentials may not list {asked}. What follows may be incomplete.",
      proof: "answer 403",
      remedy: [
        "kubectl auth can-i list machines.cluster.x-k8s.io -n {namespace}",
        'az role assignment create --role "Azure Kubernetes Service RBAC Reader" --assignee YOU --scope CLUSTER-ID',
      ],
      source: "https://kubernetes.io/docs/reference/access-authn-authz/rbac/",
      find: unread("management", ["forbidden"]),
    },
    {
      id: "no-crds",
      stage: "access",
      symptom: "the management cluster does not have Cluster API",
      cause:
        "The CRDs of Cluster API are not installed: this `pulumi up` has not installed the providers yet, clusterApi.install is false, or this is the wrong cluster.",
      proof: "the API group cluster.x-k8s.io is not served",
      remedy: [
        "capz-windows:clusterApi: {install: true}",
        "kubectl config current-context   # is it the management cluster?",
      ],
      source: `${capiSource}, core components`,
      find: (world) =>
        unread("management", ["absent"])(world).filter(({ vars }) => vars?.asked === "Cluster"),
    },
    {
      id: "no-cluster",
      stage: "access",
      symptom: "no Cluster of this name",
      cause:
        "The management cluster has no Cluster {namespace}/{cluster}: `pulumi up` stopped before it created the Cluster, or the Cluster has another name or namespace.",
      proof: "the list of Clusters",
      remedy: [
        "npx pulumi up --stack {stack}",
        "npm run doctor -- --kubeconfig FILE --cluster NAME --namespace NAMESPACE",
      ],
      source: "domain: the Cluster is the last object of a deployment's management part",
      follows: [
        "no-kubeconfig",
        "login-failed",
        "management-unreachable",
        "management-certificate",
        "management-unauthorized",
        "no-crds",
        "providers",
      ],
      find: missingCluster,
    },
    {
      id: "paused",
      stage: "access",
      symptom: "nothing happens anymore",
      cause:
        "The Cluster is paused, so no controller works on it. An interrupted `clusterctl move` leaves it in this state.",
      proof: "Cluster, condition Paused=True",
      remedy: [
        'kubectl patch cluster {cluster} -n {namespace} --type merge -p \'{"spec":{"paused":false}}\'',
        "kubectl annotate cluster {cluster} -n {namespace} cluster.x-k8s.io/paused-",
      ],
      source: `${capiSource} util/paused`,
      find: hasCondition({ kinds: ["Cluster"], type: "Paused", status: ["True"] }),
    },
    {
      id: "workload-unreachable-from-management",
      stage: "control-plane",
      symptom: "Cluster: RemoteConnectionProbe is False",
      cause:
        "Cluster API can no longer reach the workload API server: the egress addresses of the management cluster are not allowed there, the load balancer has no healthy machine, or the API servers are down.",
      proof: "Cluster, condition RemoteConnectionProbe",
      remedy: [
        "capz-windows:management: {egressCidrs: [ADDRESS/32]}   # for an existing management cluster: its egress addresses",
        "az network lb show --resource-group {group} --name {cluster}-public-lb --query probes",
        "npm run access -- --stack {stack}   # log in to a control plane machine; then: sudo crictl ps -a",
      ],
      source: `${capiSource} core/reconcilers/cluster/cluster_controller_status.go, setRemoteConnectionProbeCondition`,
      follows: ["identity", "azure-limits", "azure-resources", "images", "control-plane"],
      find: whenInitialized(
        hasCondition({
          kinds: ["Cluster"],
          type: "RemoteConnectionProbe",
          message: /probe failed/,
          minutes: 1,
        }),
      ),
    },
    {
      id: "workload-unreachable-from-here",
      stage: "control-plane",
      severity: "warning",
      symptom: "the workload API server does not answer here, although the management cluster reaches it",
      cause:
        "This address is not allowed to reach the workload API server: it is not in access.allowedCidrs, or the server has a private address only.",
      proof: "the error of the connection",
      remedy: [
        "capz-windows:access: {allowedCidrs: [YOUR-ADDRESS/32]}   # your address: curl -4 https://ifconfig.me",
        "npm run doctor -- --stack {stack} --workload-kubeconfig FILE   # with a kubeconfig that works from here",
      ],
      source: "components/virtualNetwork/securityRules.ts: only these addresses reach port 6443",
      follows: ["workload-unreachable-from-management"],
      find: whenInitialized(unread("workload", ["unreachable", "timeout"])),
    },
    {
      id: "workload-certificate",
      stage: "control-plane",
      symptom: "TLS with the workload API server fails",
      cause:
        "The certificate of the workload API server or of its kubeconfig has expired (kubeadm issues them for a year), the kubeconfig is of an older cluster of this name, or a proxy on the way terminates TLS.",
      proof: "the error of the connection",
      remedy: [
        "openssl s_client -connect API-SERVER:6443 </dev/null | openssl x509 -noout -issuer -enddate",
        "kubectl get secret {cluster}-kubeconfig -n {namespace} -o jsonpath='{.data.value}' | base64 -d > workload.kubeconfig   # the newest",
        'kubectl patch kubeadmcontrolplane {cluster}-control-plane -n {namespace} --type merge -p "{\"spec\":{\"rollout\":{\"after\":\"$(date -u +%FT%TZ)\"}}}"   # new control plane machines, one after the other, with new certificates',
      ],
      source: "https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/",
      find: whenInitialized(unread("workload", ["certificate"])),
    },
    {
      id: "workload-unauthorized",
      stage: "control-plane",
      severity: "warning",
      symptom: "401 or 403 from the workload cluster",
      cause:
        "The kubeconfig of the workload cluster is no longer valid; Cluster API renews its certificate every six months.",
      proof: "answer 401 or 403",
      remedy: [
        "kubectl get secret {cluster}-kubeconfig -n {namespace} -o jsonpath='{.data.value}' | base64 -d > workload.kubeconfig",
        "npx pulumi refresh --stack {stack}",
      ],
      source: `${capiSource} controlplane/kubeadm: rotation of the kubeconfig`,
      find: whenInitialized(unread("workload", ["unauthorized", "forbidden"])),
    },
  ],
};
