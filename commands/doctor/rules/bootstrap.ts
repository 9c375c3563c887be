import { at, textAt } from "../../../tools/untyped";
import { conditionsOf, formerConditionsOf, type KubeObject, ownerOf } from "../../cluster/objects";
import { withAnswer } from "./answers";
import { hasCondition, olderThan } from "./finders";
import { capiSource, capzSource } from "./kinds";
import { instancesOf, poolsOf, scopeOf } from "../../cluster/scope";
import type { Family, Match } from "./rule";
import type { World } from "../../cluster/snapshot";

/** Bootstrap data: its creation, and its execution on the machine. */

/**
 * Pools whose bootstrap token no longer exists. The token cleaner removes tokens 15 minutes after they were created,
 * unless they are renewed.
 */
const expiredTokens = (world: World): Match[] => {
  const secrets = world.all("Secret", "workload").map(({ metadata }) => metadata.name);
  // If no Secret was read at all, Secrets are probably not part of the snapshot.
  if (world.cluster === undefined || !world.snapshot.workload.objects.some(({ kind }) => kind === "Secret")) {
    return [];
  }
  return poolsOf(world).flatMap((pool) => {
    const config = world.find(
      "KubeadmConfig",
      textAt(at(pool.spec, "template", "spec", "bootstrap", "configRef"), "name"),
    );
    const [, id] =
      /^(\w{6})\./.exec(textAt(config?.spec, "joinConfiguration", "discovery", "bootstrapToken", "token")) ??
      [];
    const waiting = instancesOf(world, pool.metadata.name).filter(
      (instance) =>
        textAt(instance.status, "nodeRef", "name") === "" && olderThan(instance, waitForNode, world),
    );
    return config === undefined ||
      id === undefined ||
      waiting.length === 0 ||
      secrets.includes(`bootstrap-token-${id}`)
      ? []
      : [
          {
            object: config,
            proof: {
              where: `KubeadmConfig ${config.metadata.name}, joinConfiguration.discovery.bootstrapToken`,
              text: `the token ${id} of ${waiting.length} waiting instance(s) is not in kube-system any more`,
            },
            vars: {
              pool: pool.metadata.name,
              machines: waiting
                .slice(0, 10)
                .map((instance) => ownerOf(instance, "Machine") ?? instance.metadata.name)
                .join(" "),
            },
          },
        ];
  });
};

/** Windows nodes need up to 15 minutes from the start of the instance. */
const waitForNode = 20;

/** Adds the name of the Secret, which often only the condition of v1beta1 has. */
const withSecret =
  (find: (world: World) => readonly Match[]) =>
  (world: World): Match[] =>
    find(world).map((match) => {
      const { object } = match;
      const conditions = object === undefined ? [] : [...formerConditionsOf(object), ...conditionsOf(object)];
      const [secret] = conditions.flatMap(
        ({ message }) =>
          /secret not found: (?:[^\s/]+\/)?(?<name>[\w.-]*\w)/.exec(message)?.groups?.name ?? [],
      );
      const named = secret === undefined ? { which: "A Secret" } : { which: `The Secret ${secret}`, secret };
      return { ...match, vars: { ...match.vars, ...named } };
    });

/** Not "would be blocked", which an old MachineSet without machines says of itself. */
const templateGone =
  /^(?![^]*would be blocked)[^]*(?:[Tt]emplate.*(?:not found|do(?:es)? not exist)|CloningFailed)/;

const revisionOf = ({ metadata }: KubeObject): number =>
  Number(metadata.annotations?.["machinedeployment.clusters.x-k8s.io/revision"] ?? "");

/** Whether a MachineSet is not the newest one of its MachineDeployment, which is to make no machines any more. */
const isFormer = (object: KubeObject, world: World): boolean => {
  const owner = ownerOf(object, "MachineDeployment");
  return (
    object.kind === "MachineSet" &&
    world
      .all("MachineSet")
      .some(
        (other) => ownerOf(other, "MachineDeployment") === owner && revisionOf(other) > revisionOf(object),
      )
  );
};

export const bootstrap: Family = {
  name: "bootstrap",
  title: "Bootstrap data",
  intro: "The data with which a machine starts. CAPZ waits for it before it creates the machine.",
  rules: [
    {
      id: "azure-json-missing",
      stage: "bootstrap",
      symptom: "KubeadmConfig: secret not found: ...-azure-json",
      cause:
        "CAPZ has not written the cloud provider's configuration {secret} that the bootstrap data contains, because it cannot read the identity of the machines, or the secret belongs to another template.",
      remedy: [
        "kubectl get secrets -n {namespace} | grep azure-json",
        "kubectl get events -n {namespace} --field-selector type=Warning | grep 'cloud provider secret'",
      ],
      source: `${capzSource} controllers/azurejson_machinetemplate_controller.go`,
      follows: ["identity", "webhook-down", "provider-unavailable", "provider-scaled-to-zero"],
      find: hasCondition({
        kinds: ["KubeadmConfig"],
        type: "DataSecretAvailable",
        message: /secret not found: \S*?(?<secret>[\w.-]+-azure-json)/,
        minutes: 3,
      }),
    },
    {
      id: "bootstrap-secret-missing",
      stage: "bootstrap",
      symptom: "KubeadmConfig: Failed to prepare spec.files, or Failed to read password from secrets",
      cause: "{which}, from which the bootstrap data of {name} is made, does not exist or lacks the key.",
      remedy: [
        "kubectl get secrets -n {namespace}",
        "kubectl create secret generic {secret} -n {namespace} --from-file=KEY=FILE   # of contentFrom of a file, or passwdFrom of a user",
        "npx pulumi up --stack {stack} --refresh   # when the program makes it",
      ],
      source: `${capiSource} bootstrap/kubeadm/reconcilers/kubeadmconfig/kubeadmconfig_controller.go`,
      find: withSecret(
        hasCondition({
          kinds: ["KubeadmConfig"],
          type: "DataSecretAvailable",
          message:
            /Failed to prepare spec\.files|Failed to read (?:content|password)|secret not found|non-existent secret key/,
          minutes: 2,
        }),
      ),
    },
    {
      id: "bootstrap-data-failed",
      stage: "bootstrap",
      symptom: "KubeadmConfig: DataSecretGenerationFailed",
      cause: "The bootstrap provider cannot generate the user data of {name}: {why}.",
      remedy: [
        "kubectl describe kubeadmconfig {name} -n {namespace}",
        "kubectl logs deploy/capi-kubeadm-bootstrap-controller-manager -n capi-kubeadm-bootstrap-system --tail=30",
      ],
      source: `${capiSource} bootstrap/kubeadm`,
      generic: true,
      find: withAnswer(
        hasCondition({
          kinds: ["KubeadmConfig"],
          type: "DataSecretAvailable",
          reason: /Failed$|InternalError|NotAvailable/,
          message: /^(?!Waiting for)./,
          minutes: 3,
        }),
      ),
    },
    {
      id: "token-expired",
      stage: "bootstrap",
      symptom: "instances run, but new nodes of a pool never join",
      cause:
        "The bootstrap token of pool {pool} has expired before its machines used it: they started more than 15 minutes after their data was generated, or the workload API server was unreachable when the token had to be renewed.",
      remedy: [
        "kubectl delete machine {machines} -n {namespace}   # the instances without a node: new ones get a new token",
        'kubectl annotate kubeadmconfig {name} -n {namespace} capz-windows/renewed="$(date)" --overwrite   # makes the provider look at it again',
      ],
      source: `CAPZ #1000, #2683; ${capiSource} bootstrap/kubeadm, --bootstrap-token-ttl`,
      follows: ["workload-unreachable-from-management", "providers"],
      find: expiredTokens,
    },
    {
      id: "bootstrap-failed",
      stage: "bootstrap",
      symptom: "BootstrapFailed: VM bootstrapping failed",
      cause: "The machine {name} started, but its bootstrap commands failed.",
      remedy: [
        "npm run access -- --stack {stack}   # the command that collects the node's logs: cloud-init, cloudbase-init, kubelet",
      ],
      source: `${capzSource} azure/scope/machinepoolmachine.go, UpdateNodeStatus`,
      follows: ["extension-bootstrap", "extension-failed", "guest-agent", "os-provisioning"],
      find: hasCondition({
        kinds: ["AzureMachinePoolMachine", "AzureMachine"],
        type: "BootstrapSucceeded",
        reason: /^BootstrapFailed$/,
        // Of an instance in the state Failed, CAPZ's extension has failed in any case: the rule instance-failed.
        where: ({ status }) => textAt(status, "provisioningState") !== "Failed",
      }),
    },
    {
      id: "template-missing",
      stage: "bootstrap",
      symptom: "InfrastructureTemplateCloningFailed or BootstrapTemplateCloningFailed",
      cause: "The template from which machines are created does not exist.",
      remedy: [
        "npx pulumi up --stack {stack} --refresh",
        "kubectl get azuremachinetemplates,kubeadmconfigtemplates -n {namespace}",
      ],
      source: `${capiSource} conditions`,
      find: hasCondition({
        kinds: ["KubeadmControlPlane", "MachineSet", "MachineDeployment"],
        type: /^(MachinesCreated|ScalingUp|RollingOut)$/,
        status: ["False", "True"],
        message: templateGone,
        where: (object, world) => !isFormer(object, world),
      }),
    },
    {
      id: "former-template-missing",
      stage: "bootstrap",
      symptom: "MachineSet: Scaling up from 1 to 2 replicas is blocked, KubeadmConfigTemplate does not exist",
      cause:
        "A machine of the pool {pool} that is not up to date was lost while the pool rolls, and Cluster API does not replace it, because the templates of the former settings are deleted. The pool is complete again when the roll is through; if the new machines do not become Ready, it stays like this.",
      remedy: [
        "kubectl get machines -n {namespace} -o wide   # does the newest machine of the pool become Ready? Then there is nothing to do",
        "npx pulumi up --stack {stack}   # otherwise, with the change taken back in the stack file: it makes the former templates again, under the same names",
      ],
      source: `${capiSource} core/reconcilers/machineset/machineset_controller_status.go, setScalingUpCondition`,
      find: hasCondition({
        kinds: ["MachineSet"],
        type: "ScalingUp",
        status: ["True"],
        message: templateGone,
        where: isFormer,
      }),
    },
    {
      id: "bootstrap-data-late",
      stage: "bootstrap",
      symptom: "WaitingForBootstrapData for a long time",
      cause: "The infrastructure exists, but the bootstrap data of {name} does not.",
      remedy: [
        "kubectl get kubeadmconfigs -n {namespace} -o wide",
        "kubectl logs deploy/capi-kubeadm-bootstrap-controller-manager -n capi-kubeadm-bootstrap-system --tail=30",
      ],
      source: `${capzSource} controllers/azuremachine_controller.go`,
      generic: true,
      find: (world) =>
        hasCondition({
          kinds: ["AzureMachine"],
          type: "VMRunning",
          reason: /^WaitingForBootstrapData$/,
          minutes: 15,
        })(
          world,
          // All other machines wait for the control plane, so its delay is the cause.
        ).filter(({ object }) => scopeOf(object, world) === "control-plane"),
    },
  ],
};
