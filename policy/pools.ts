import { minor, valid } from "semver";
import type { Facts } from "../config/policy/facts";
import type { CapzImage } from "../platform/machines/images";
import { at, isRecord, textAt } from "../tools/untyped";
import { isControlPlane } from "./controlPlane";
import { isKind, isKnown, type Resource } from "./resource";

/** Pools as a stack registers them: their machines, and the key of the stack file. */

export interface PolicyPool {
  /** Such as windowsPools.win1. */
  readonly path: string;
  readonly isWindows: boolean;
  readonly resource: Resource;
  /** AzureMachinePool or AzureMachineTemplate, where the stack has it. */
  readonly machines: Resource | undefined;
}

const sameName = (resource: Resource, pool: Resource, name: string): boolean =>
  textAt(resource.props, "metadata", "name") === name &&
  textAt(resource.props, "metadata", "namespace") === textAt(pool.props, "metadata", "namespace");

/** The machines in the spec of either kind. */
const machineSpec = ({ props }: Resource): unknown =>
  props.kind === "AzureMachineTemplate"
    ? at(props, "spec", "template", "spec")
    : at(props, "spec", "template");

/** The machines to which a resource refers. */
const referred = (resources: readonly Resource[], from: Resource, reference: unknown): Resource | undefined =>
  resources.find(
    (one) =>
      isKind(one, "infrastructure.cluster.x-k8s.io", textAt(reference, "kind")) &&
      sameName(one, from, textAt(reference, "name")),
  );

export function poolsIn(resources: readonly Resource[]): PolicyPool[] {
  return resources
    .filter((one) => isKind(one, "cluster.x-k8s.io", "MachinePool", "MachineDeployment"))
    .map((resource) => {
      const reference = at(resource.props, "spec", "template", "spec", "infrastructureRef");
      const machines = referred(resources, resource, reference);
      const isWindows =
        machines !== undefined && textAt(machineSpec(machines), "osDisk", "osType") === "Windows";
      const name = textAt(resource.props, "metadata", "name");
      return { path: `${isWindows ? "windowsPools" : "linuxPools"}.${name}`, isWindows, resource, machines };
    });
}

/** The version of Kubernetes of every control plane, and of pools that have another one. */
export function kubernetes(resources: readonly Resource[]): ReturnType<Facts["kubernetes"]> {
  const own = resources.filter(isControlPlane).map(({ urn, props }) => ({
    ...{ path: "kubernetesVersion", urn },
    version: textAt(props, "spec", "version"),
  }));
  const others = poolsIn(resources)
    .map(({ path, resource: { urn, props } }) => ({
      ...{ path: `${path}.kubernetesVersion`, urn },
      version: textAt(props, "spec", "template", "spec", "version"),
    }))
    .filter(({ version }) => own.every((one) => one.version !== version));
  return [...own, ...others].flatMap(({ path, urn, version }) =>
    valid(version) === null ? [] : [{ path, urn, minor: minor(version) }],
  );
}

/** Releases in names of images, and in the annotation by which CAPZ chooses its default image. */
const releasePatterns = [/win(?:dows)?[-_]?(?:server[-_]?)?(20\d\d)/i, /\b(20\d\d)-datacenter/i];

/** The release of the image; where its name does not say one, that of the annotation. */
function releaseOf(machines: Resource): string | undefined {
  const holder =
    machines.props.kind === "AzureMachineTemplate" ? at(machines.props, "spec", "template") : machines.props;
  const annotation = textAt(holder, "metadata", "annotations", "windowsServerVersion");
  return [JSON.stringify(at(machineSpec(machines), "image") ?? {}), annotation]
    .flatMap((text) => releasePatterns.map((pattern) => pattern.exec(text)?.[1]))
    .find((found) => found !== undefined);
}

export const windows = (resources: readonly Resource[]): ReturnType<Facts["windows"]> =>
  poolsIn(resources).flatMap(({ path, isWindows, machines }) => {
    const release = isWindows && machines !== undefined ? releaseOf(machines) : undefined;
    return release === undefined || machines === undefined
      ? []
      : [{ path: `${path}.windowsServer`, urn: machines.urn, release }];
  });

/** The images of control planes and pools. */
export const machineImages = (resources: readonly Resource[]): ReturnType<Facts["machineImages"]> =>
  [
    ...resources.filter(isControlPlane).map((one) => {
      const template = at(one.props, "spec", "machineTemplate");
      const reference = at(template, "spec", "infrastructureRef") ?? at(template, "infrastructureRef");
      return {
        path: "controlPlane",
        isWindows: false,
        machines: referred(resources, one, reference),
      };
    }),
    ...poolsIn(resources),
  ].flatMap(({ path, isWindows, machines }) => {
    const image = machines === undefined ? undefined : at(machineSpec(machines), "image");
    return machines === undefined || !isRecord(image) || !isKnown(image)
      ? []
      : [{ path: `${path}.image`, urn: machines.urn, isWindows, image: image as unknown as CapzImage }];
  });
