import { at, list, textAt } from "../../../tools/untyped";
import { pullIdentityName } from "../../../platform/cluster/naming";
import type { KubeObject } from "../../cluster/objects";
import type { World } from "../../cluster/snapshot";
import { once, pull } from "./pullFinders";
import { registryWayRules } from "./registryWays";
import { scopeOf } from "../../cluster/scope";
import { describePod } from "./commands";
import type { Family, Match } from "./rule";

/** Image pulls that fail, by the answer of the registry. */

/** The spec of a pool's machines, from its scale set or from the template that its MachineDeployment names. */
function machinesOf(pool: string, world: World): unknown {
  const template = textAt(
    world.find("MachineDeployment", pool)?.spec,
    ...["template", "spec", "infrastructureRef", "name"],
  );
  return (
    world.find("AzureMachinePool", pool)?.spec ??
    at(world.find("AzureMachineTemplate", template)?.spec, "template", "spec")
  );
}

type Login = "machine" | "none" | "control-plane";

/** Whether the node of a Pod logs in to registries with the identity that azureContainerRegistries gives it. */
function loginOf(pod: KubeObject | undefined, world: World): Login {
  const node = world.find("Node", textAt(pod?.spec, "nodeName"));
  const scope = scopeOf(node, world);
  const pool = /^pool (.+)$/.exec(scope)?.[1];
  if (pool === undefined) {
    return scope === "control-plane" ? "control-plane" : "none";
  }
  const end = `/${pullIdentityName(world.snapshot.cluster.name)}`.toLowerCase();
  return list(at(machinesOf(pool, world), "userAssignedIdentities")).some((identity) =>
    textAt(identity, "providerID").toLowerCase().endsWith(end),
  )
    ? "machine"
    : "none";
}

const unauthorized =
  /(?<registry>[\w-]+)\.azurecr\.(?:io|cn|us)[^]*(?:401|unauthorized|authentication required|insufficient_scope)/i;

const azureRegistry =
  (login: Login) =>
  (world: World): Match[] =>
    once(pull(unauthorized)(world).filter(({ object }) => loginOf(object, world) === login));

const secret =
  "kubectl --kubeconfig workload.kubeconfig create secret docker-registry NAME -n {podNamespace} --docker-server={registryHost} --docker-username=USER --docker-password=PASSWORD   # and imagePullSecrets: [{name: NAME}] in the Pod";
const docs = "docs/private-networks.md, Azure container registries";

export const registries: Family = {
  name: "registries",
  title: "Registries",
  intro:
    "A Pod stays in ErrImagePull or ImagePullBackOff: the registry is there, or should be, and does not give the image.",
  rules: [
    {
      id: "acr-no-login",
      stage: "pods",
      symptom: "failed to fetch anonymous token: ... azurecr.io/oauth2/token ...: 401 Unauthorized",
      cause:
        "The nodes ask the Azure container registry {registry} for {image} without a login: the stack names no registry in azureContainerRegistries, and the Pod has no imagePullSecrets.",
      remedy: [
        "az acr show --name {registry} --query id -o tsv",
        "capz-windows:azureContainerRegistries: [THE-ID-OF-IT]   # an identity of the machines gets AcrPull; new machines have it",
        secret,
      ],
      source: `containerd, core/remotes/docker/authorizer.go; ${docs}`,
      find: azureRegistry("none"),
    },
    {
      id: "acr-control-plane",
      stage: "pods",
      symptom: "a DaemonSet with an image of azurecr.io fails on the control plane only: 401 Unauthorized",
      cause:
        "{name} runs on a machine of the control plane, and these log in to no registry: azureContainerRegistries is for the machines of pools.",
      remedy: [
        secret,
        "nodeSelector: {node-role.kubernetes.io/control-plane: null}   # or no toleration of the control plane's taint: the Pod then stays away from it",
      ],
      source: docs,
      find: azureRegistry("control-plane"),
    },
    {
      id: "acr-no-role",
      stage: "pods",
      symptom: "401 Unauthorized from azurecr.io although azureContainerRegistries is set",
      cause:
        "The machines of {node} have the identity for registries, and {registry} does not accept it: it is not in azureContainerRegistries, its role AcrPull is missing or some minutes old, or the node was made before the key was set.",
      remedy: [
        "az role assignment list --scope $(az acr show --name {registry} --query id -o tsv) --query \"[?roleDefinitionName=='AcrPull'].principalName\" -o tsv",
        "npx pulumi up --stack {stack} --refresh   # makes a role assignment that somebody deleted again",
        "kubectl delete machine {machine} -n {namespace}   # a new node has the flags of kubelet",
        "npm run access -- --stack {stack} --node {node}   # Windows: C:\\k\\credential-provider.yaml, Linux: /etc/kubernetes/credential-provider.yaml",
      ],
      source: `https://learn.microsoft.com/azure/container-registry/container-registry-authentication-managed-identity; ${docs}`,
      find: azureRegistry("machine"),
    },
    {
      id: "acr-firewall",
      stage: "pods",
      symptom: "403 Forbidden, DENIED: client with IP ... is not allowed access (aka.ms/acr/firewall)",
      cause:
        "The Azure container registry of {image} lets only some networks in, and the nodes come from the address {address}.",
      remedy: [
        "az acr network-rule add --name REGISTRY --ip-address {address}   # the address of the NAT gateway",
        "A private endpoint for the registry in the VNET of the nodes, with the zone privatelink.azurecr.io.",
      ],
      source: "https://aka.ms/acr/firewall",
      find: (world) =>
        once(
          pull(/(?:client with IP '?(?<address>[\d.]+)'? is not allowed access|aka\.ms\/acr\/firewall)/)(
            world,
          ),
        ),
    },
    {
      id: "registry-limit",
      stage: "pods",
      symptom: "toomanyrequests: You have reached your pull rate limit",
      cause:
        "The registry limits pulls of {image} by address, and all nodes leave by the same one: Docker Hub allows 100 in six hours without a login.",
      remedy: [
        "capz-windows:registryMirror: {url: https://MIRROR}   # a proxy cache asks once for all nodes",
        secret,
        "az acr import --name REGISTRY --source docker.io/library/NAME:TAG   # a copy of your own",
      ],
      source: "https://docs.docker.com/docker-hub/usage/pulls/",
      find: (world) => once(pull(/toomanyrequests|Too Many Requests|rate limit/i)(world)),
    },
    {
      id: "registry-login",
      stage: "pods",
      symptom: "pull access denied, 401 Unauthorized, 403 Forbidden",
      cause:
        "The registry of {image} wants a login, or the one that the Pod has may not read the repository. Some registries say the same of repositories that do not exist.",
      remedy: [
        describePod,
        secret,
        "kubectl --kubeconfig workload.kubeconfig get pod {name} -n {podNamespace} -o jsonpath='{.spec.imagePullSecrets}'",
      ],
      source: "https://kubernetes.io/docs/tasks/configure-pod-container/pull-image-private-registry/",
      find: (world) =>
        once(
          pull(
            /(?:\b401\b|\b403\b|unauthorized|pull access denied|insufficient_scope|no basic auth credentials|authentication required)/i,
          )(world),
        ),
    },
    ...registryWayRules,
  ],
};
