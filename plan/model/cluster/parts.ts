import { poolKinds } from "capz-windows-platform/machines/pools";
import { textAt } from "capz-windows-kit/untyped";
import { componentsOf, type ComponentKind } from "../components";
import { indexByUrn } from "../order";
import type { PlanResource } from "capz-windows-contract";
import { isPatch, stackType } from "../resourceTypes";
import { childrenOf, ofType, type PlanResources } from "./resources";

/** What of a stack a resource is a part of, in the terms of its users. */
export interface Part {
  readonly kind:
    | "management"
    | "network"
    | "clusterApi"
    | "addon"
    | "autoscaler"
    | "controlPlane"
    | "pool"
    | "cluster"
    | "sample"
    | "other";
  /** Name of the pool; otherwise that of the outermost component, or of a resource in no component. */
  readonly name: string;
}

const kinds: Readonly<Partial<Record<ComponentKind, Part["kind"]>>> = {
  ClusterApi: "clusterApi",
  ClusterAutoscaler: "autoscaler",
  ClusterResourceSet: "addon",
  LinuxControlPlane: "controlPlane",
  LinuxPool: "pool",
  ManagementCluster: "management",
  RunningPools: "cluster",
  SampleWorkload: "sample",
  ScaleSets: "cluster",
  UpgradeOrder: "cluster",
  VirtualNetwork: "network",
  WindowsPool: "pool",
  WorkloadCluster: "cluster",
};

/** The patch that waits for a pool's nodes. */
export const isPoolPatch = (resource: Pick<PlanResource, "type" | "urn">): boolean =>
  isPatch(resource) && componentsOf(resource.urn).includes("RunningPools");

function outermost(resource: PlanResource, byUrn: ReadonlyMap<string, PlanResource>): PlanResource {
  const parent = resource.parent === undefined ? undefined : byUrn.get(resource.parent);
  return parent === undefined || parent.type === stackType ? resource : outermost(parent, byUrn);
}

/** @returns a function that finds the part which a resource of the plan belongs to */
export function partsOf(resources: PlanResources): (resource: PlanResource) => Part {
  const byUrn = indexByUrn(resources);
  return (resource) => {
    if (isPoolPatch(resource)) {
      return { kind: "pool", name: textAt(resource.inputs, "metadata", "name") };
    }
    const owner = outermost(resource, byUrn);
    const kind = kinds[componentsOf(owner.urn)[0] as ComponentKind] ?? "other";
    const [machines] = kind === "pool" ? ofType(childrenOf(resources, owner), ...poolKinds) : [];
    return { kind, name: machines === undefined ? owner.name : textAt(machines.inputs, "metadata", "name") };
  };
}
