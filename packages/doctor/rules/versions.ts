import { coerce, parse, type SemVer } from "semver";
import { at, list, textAt } from "capz-windows-kit/untyped";
import { conditionsOf, stays, type KubeObject } from "../cluster/objects";
import type { World } from "../cluster/snapshot";
import { changedLately, olderThan } from "./finders";
import type { Detectors, Match } from "./rule";
import { instancesOf, nodesOf, scopeOf } from "../cluster/scope";

/** The version without "v" and without what a distribution appends, such as v1.35.6+build. */
const plain = (version: string): SemVer | undefined => {
  const read = parse(version.replace(/^v/, ""));
  return read === null ? undefined : (coerce(read.version) ?? undefined);
};

const same = (a: string, b: string): boolean => plain(a)?.compare(plain(b) ?? "0.0.0") === 0;

const kubeletOf = ({ status }: KubeObject): string => textAt(status, "nodeInfo", "kubeletVersion");

/** A machine that takes longer than this to be replaced has other findings. */
const settledMinutes = 25;

const galleryOf = (pool: KubeObject): unknown => {
  const image = at(pool.spec, "template", "image");
  return at(image, "computeGallery") ?? at(image, "sharedGallery") ?? at(image, "marketplace");
};

const imageVersionOf = (pool: KubeObject): string => textAt(galleryOf(pool), "version");

/** The image of a scale set, as far as it is named. */
const imageOf = (pool: KubeObject): string => {
  const gallery = galleryOf(pool);
  const id = textAt(pool.spec, "template", "image", "id");
  const name = textAt(gallery, "name") || textAt(gallery, "sku");
  const version = imageVersionOf(pool);
  return id || [name, version].filter((part) => part !== "").join(" ") || "of the pool";
};

/**
 * Scale sets that stand still with their newest model, and whose instances nevertheless run another version than the
 * pool wants. During a rollout some instances are not of the newest model, or something has changed lately.
 */
const poolsOfOldImage = (world: World): Match[] =>
  world
    .all("MachinePool")
    .filter((pool) => stays(pool) && olderThan(pool, settledMinutes, world))
    .flatMap((pool) => {
      const wanted = textAt(pool.spec, "template", "spec", "version");
      const scaleSet = world.find("AzureMachinePool", pool.metadata.name);
      const instances = instancesOf(world, pool.metadata.name);
      const nodes = nodesOf(world).filter(
        (node) => stays(node) && scopeOf(node, world) === `pool ${pool.metadata.name}`,
      );
      const stands =
        scaleSet !== undefined &&
        // An image that is named after the wanted version has it; then the rollout has not begun.
        !same(imageVersionOf(scaleSet), wanted) &&
        textAt(scaleSet.status, "provisioningState") === "Succeeded" &&
        !changedLately(scaleSet, settledMinutes, world) &&
        instances.length > 0 &&
        instances.every(
          (instance) =>
            stays(instance) &&
            at(instance.status, "latestModelApplied") === true &&
            textAt(instance.status, "provisioningState") === "Succeeded" &&
            olderThan(instance, settledMinutes, world),
        );
      const node = nodes.find(
        (each) => plain(kubeletOf(each)) !== undefined && !same(kubeletOf(each), wanted),
      );
      return !stands || node === undefined || plain(wanted) === undefined
        ? []
        : [
            {
              object: pool,
              proof: {
                where: `MachinePool ${pool.metadata.name}, spec.template.spec.version; Node ${node.metadata.name}, kubeletVersion`,
                text: `wanted ${wanted}, and the node has ${kubeletOf(node)}`,
              },
              vars: {
                who: `The pool ${pool.metadata.name}`,
                wanted,
                version: kubeletOf(node),
                image: imageOf(scaleSet),
              },
            },
          ];
    });

/** Single machines that run another version than the one in their spec. Scale sets are checked by pool. */
const machinesOfOldImage = (world: World): Match[] =>
  world
    .all("Machine")
    .filter((machine) => stays(machine) && !isOfScaleSet(machine))
    .filter((machine) => olderThan(machine, settledMinutes, world) && !isUpdating(machine))
    .flatMap((object) => {
      const wanted = textAt(object.spec, "version");
      const version = kubeletOf(object);
      return plain(wanted) === undefined || plain(version) === undefined || same(wanted, version)
        ? []
        : [
            {
              object,
              proof: {
                where: `Machine ${object.metadata.name}, spec.version; status.nodeInfo.kubeletVersion`,
                text: `wanted ${wanted}, and the node has ${version}`,
              },
              vars: { who: ownerOfMachine(object, world), wanted, version, image: "of its machines" },
            },
          ];
    });

/** Several machines of a pool are one finding. */
const ownerOfMachine = (machine: KubeObject, world: World): string => {
  const scope = scopeOf(machine, world);
  return scope === "cluster" ? `The machine ${machine.metadata.name}` : `The ${scope.replace("-", " ")}`;
};

const isOfScaleSet = ({ metadata }: KubeObject): boolean =>
  list(metadata.ownerReferences).some((owner) => textAt(owner, "kind") === "MachinePool");

/** Cluster API updates a machine in its place. */
const isUpdating = (machine: KubeObject): boolean =>
  conditionsOf(machine).some(({ type, status }) => type === "Updating" && status === "True");

export const versionRules: Detectors = {
  "image-version": (world) => [...poolsOfOldImage(world), ...machinesOfOldImage(world)],
};
