import { list, numberAt, textAt } from "capz-windows-kit/untyped";
import { conditionNamed, conditionsOf, title, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { conditionProof, olderThan } from "./finders";
import { providerNamespaces } from "capz-windows-platform/cluster/providerNamespaces";

import type { Match } from "./rule";
import { present } from "capz-windows-kit/present";

/** Finders of providers that do not work. */

export const inProviders = ({ metadata }: KubeObject): boolean =>
  (providerNamespaces as readonly (string | undefined)[]).includes(metadata.namespace) ||
  metadata.labels?.["cluster.x-k8s.io/provider"] !== undefined;

/** Deployments of the providers that have had no available replica for a while. */
export const unavailable = (world: World): Match[] =>
  world
    .all("Deployment")
    .filter(inProviders)
    .filter(({ status }) => (numberAt(status, "availableReplicas") ?? 0) === 0)
    .flatMap((object) => {
      const found = conditionNamed(object, "Available");
      return found?.status === "False" && olderThan(object, 5, world)
        ? [{ object, proof: conditionProof(object, found) }]
        : [];
    });

export const withoutBundle = (world: World): Match[] =>
  ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"]
    .flatMap((kind) => world.all(kind, "management"))
    .filter(({ metadata }) => /^cap[iz]-/.test(metadata.name))
    .filter((object) => olderThan(object, 3, world))
    .flatMap((object) => {
      const hooks = list((object as unknown as { webhooks?: unknown }).webhooks);
      const bare = hooks.find((hook) => textAt(hook, "clientConfig", "caBundle") === "");
      return present(
        bare !== undefined && {
          object,
          proof: {
            where: `${title(object)}, webhook ${textAt(bare, "name")}`,
            text: "clientConfig.caBundle is empty",
          },
        },
      );
    });

/** Controllers that are missing although there is a Cluster for them to reconcile. */
export const missingController = (world: World): Match[] => {
  const deployments = world.all("Deployment");
  const read = world.snapshot.management.problems.every(({ asked }) => asked !== "Deployment");
  const wanted = ["capi-controller-manager", "capi-kubeadm-bootstrap-controller-manager"];
  const absent = [
    ...wanted,
    "capi-kubeadm-control-plane-controller-manager",
    "capz-controller-manager",
  ].filter((name) => !deployments.some(({ metadata }) => metadata.name === name));
  // If all of them are missing, Cluster API may run elsewhere, or Deployments were not recorded.
  return read && absent.length > 0 && absent.length < 4 && world.cluster !== undefined
    ? absent.map((name) => ({
        proof: { where: "management cluster, Deployments", text: `there is no Deployment ${name}` },
        vars: { name },
      }))
    : [];
};

/** Objects that are some minutes old, and to which no controller has added a finalizer or a condition. */
export const untouched = (world: World): Match[] =>
  ["AzureCluster", "AzureMachine", "AzureMachinePool", "KubeadmControlPlane", "KubeadmConfig"]
    .flatMap((kind) => world.all(kind))
    .filter((object) => olderThan(object, 4, world) && conditionsOf(object).length === 0)
    .filter(({ metadata }) => (metadata.finalizers ?? []).length === 0)
    .filter(({ metadata }) => metadata.ownerReferences !== undefined)
    .map((object) => ({
      object,
      proof: {
        where: `${title(object)}, metadata.finalizers and status.conditions`,
        text: "both are empty minutes after it was made",
      },
    }));
