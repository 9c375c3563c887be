import { at, list, textAt } from "capz-windows-kit/untyped";
import { pullIdentityName } from "capz-windows-platform/cluster/naming";
import type { KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { once, pull } from "./pullFinders";
import { scopeOf, poolIn } from "../cluster/scope";
import type { Detectors, Match } from "./rule";

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
  const pool = poolIn(scope);
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
  /(?<![\w-])(?<registry>[\w-]+)\.azurecr\.(?:io|cn|us)[^]*(?:401|unauthorized|authentication required|insufficient_scope)/i;

const azureRegistry =
  (login: Login) =>
  (world: World): Match[] =>
    once(pull(unauthorized)(world).filter(({ object }) => loginOf(object, world) === login));

export const registries: Detectors = {
  "acr-no-login": azureRegistry("none"),
  "acr-control-plane": azureRegistry("control-plane"),
  "acr-no-role": azureRegistry("machine"),
  "acr-firewall": (world) =>
    once(
      pull(/(?:client with IP '?(?<address>[\d.]+)'? is not allowed access|aka\.ms\/acr\/firewall)/)(world),
    ),
};
