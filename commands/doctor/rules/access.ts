import type { World } from "../../cluster/snapshot";
import { hasCondition, unread } from "./finders";
import { capiSource } from "./kinds";
import type { Family, Match } from "./rule";
import { pausedObjects } from "./pausedObjects";
import { workloadAccessRules } from "./workloadAccess";

/** Access to both clusters: without it, nothing else can be diagnosed. */

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
      remedy: [
        "npx pulumi up --stack {stack}",
        "npm run doctor -- --stack {stack} --kubeconfig FILE   # with a kubeconfig of your own",
      ],
      source: "https://www.pulumi.com/docs/iac/cli/commands/pulumi_stack_output/",
      find: unread("management", ["noKubeconfig"]),
    },
    {
      id: "kubeconfig-not-asked",
      stage: "access",
      symptom: "pulumi and az cannot say whether there is a kubeconfig of the management cluster",
      cause:
        "The kubeconfig of the management cluster could not be read: neither the Pulumi CLI nor the Azure CLI answered. Whether the cluster exists is not known.",
      remedy: [
        "pulumi login && pulumi stack select {stack}",
        "az login",
        "npm run doctor -- --stack {stack} --kubeconfig FILE   # with a kubeconfig of your own",
      ],
      source: "https://www.pulumi.com/docs/iac/cli/commands/pulumi_login/",
      find: unread("management", ["notAsked"]),
    },
    {
      id: "login-failed",
      stage: "access",
      symptom: "the kubeconfig's login command fails",
      cause:
        "The command that the kubeconfig names for the login is not on the PATH, or nobody is logged in.",
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
      remedy: [
        "npx pulumi up --stack {stack}",
        "npm run doctor -- --kubeconfig FILE --cluster NAME --namespace NAMESPACE",
      ],
      source: "project: the Cluster is the last object of a deployment's management part",
      follows: [
        "no-kubeconfig",
        "kubeconfig-not-asked",
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
      remedy: [
        'kubectl patch cluster {cluster} -n {namespace} --type merge -p \'{"spec":{"paused":false}}\'',
        "kubectl annotate cluster {cluster} -n {namespace} cluster.x-k8s.io/paused-",
      ],
      source: `${capiSource} util/paused`,
      find: hasCondition({ kinds: ["Cluster"], type: "Paused", status: ["True"] }),
    },
    ...pausedObjects,
    ...workloadAccessRules,
  ],
};
