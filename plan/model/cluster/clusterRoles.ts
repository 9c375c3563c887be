import type { KubernetesObject } from "capz-types";
import { powerOf } from "capz-windows-platform/cluster/rights";
import { at, list, text, textAt } from "capz-windows-kit/untyped";
import { dataStreams } from "../workloadStreams";
import { ofType, type PlanResources } from "./resources";

/** Roles that a stack gives to people in the whole workload cluster, in login rights and in manifests of others alike. */
export const clusterRoles = { administrators: "cluster-admin", readers: "view" } as const;

const people = (objects: readonly KubernetesObject[], role: string): string[] =>
  objects
    .filter((object) => object.kind === "ClusterRoleBinding" && textAt(object, "roleRef", "name") === role)
    .flatMap((object) => list(at(object, "subjects")))
    .filter(({ kind }) => kind === "Group" || kind === "User")
    .map(({ kind, name }) => `${text(kind).toLowerCase()} ${text(name)}`);

/**
 * People with a ClusterRole: "group entra:…", "user entra:…". Service accounts are pods. Whoever can get every right is an
 * administrator, whatever the role is called.
 */
export function peopleWith(role: string, objects: readonly KubernetesObject[]): string[] {
  const named = people(objects, role);
  if (role !== clusterRoles.administrators) {
    return [...new Set(named)];
  }
  const powerful = objects
    .filter(({ kind, metadata }) => kind === "ClusterRole" && metadata.name !== role)
    .flatMap((object) => {
      const power = powerOf(object);
      const { name } = object.metadata;
      return power === undefined
        ? []
        : people(objects, name).map((one) => `${one} (ClusterRole ${name}: ${power})`);
    });
  return [...new Set([...named, ...powerful])];
}

/** For the control plane: who is administrator, who reads; nothing where the stack binds no one. */
export function clusterRoleDetails(resources: PlanResources): string[] {
  const objects = ofType(resources, "ConfigMap")
    .flatMap(dataStreams)
    .flatMap((stream) => stream.objects);
  const found = Object.entries(clusterRoles).map(([who, role]) => [who, peopleWith(role, objects)] as const);
  return found.every(([, people]) => people.length === 0)
    ? []
    : [found.map(([who, people]) => `${who}: ${people.join(", ") || "none"}`).join("; ")];
}
