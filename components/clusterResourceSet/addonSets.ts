import type { Addon, AddonCluster } from "../../addons/addon";
import { addonsOf, type AddonOptions } from "../../addons/catalogue";
import { addonLabels } from "capz-windows-platform/cluster/addonLabels";
import { pinnedStream } from "capz-windows-platform/workloads/imageDigests";
import { toYamlStream } from "capz-windows-platform/manifests/yamlStream";
import { extraSets, type ExtraManifest, type ExtraSet } from "./extraSets";
import type { ClusterResourceSetArgs } from "./manifests";
import { present } from "capz-windows-kit/present";

export interface AddonSetsArgs extends AddonCluster, AddonOptions {
  /**
   * Whether the program waits for the API server, so that add-ons that need it can be created afterwards. Default:
   * true.
   */
  readonly wait?: boolean | undefined;
  /** Manifests of the user's own, by name. Default: none. */
  readonly extraManifests?: Readonly<Record<string, ExtraManifest>> | undefined;
  /** Folder to which the paths of their files are relative. Default: the current one. */
  readonly rootDir?: string | undefined;
}

/** One add-on. The role is its logical name: the same in every stack, whatever the cluster is called. */
export interface AddonSet extends ClusterResourceSetArgs {
  readonly role: string;
}

export interface AddonSets {
  readonly beforeCluster: AddonSet[];
  /**
   * Created when the API server answers. Cluster API waits longer after each failed attempt, even while there is no API
   * server, finally up to 10 minutes: too long for custom resources whose CRDs come with the set itself.
   */
  readonly afterApiServer: (AddonSet | ExtraSet)[];
  /** The user's own, to be made after all others; where one of them brings the CNI, they are among those above. */
  readonly afterNetwork: ExtraSet[];
}

const pinned = <T extends ClusterResourceSetArgs>(set: T, { imageDigests = {} }: AddonSetsArgs): T => ({
  ...set,
  entries: set.entries.map(({ key, yaml }) => ({ key, yaml: pinnedStream(yaml, imageDigests) })),
});

/** The ClusterResourceSet of an add-on; none for one that has nothing to deliver. */
async function setOf(addon: Addon, args: AddonSetsArgs): Promise<AddonSet[]> {
  const { clusterName, namespace, platform } = args;
  const { role, label, version, objects } = addon;
  const content = await objects(args);
  const yaml = typeof content === "string" ? content : toYamlStream(content);
  return present(
    yaml !== "" && {
      role,
      name: `${clusterName}-${role}`,
      namespace,
      clusterSelector: addonLabels(clusterName, platform)[label],
      entries: [{ key: `${role}.yaml`, yaml }],
      ...(version === undefined ? {} : { version: version(args) }),
    },
  );
}

/**
 * The add-ons of a cluster, one ClusterResourceSet each. Published manifests are taken from the cache folder, or downloaded
 * and verified; an offline plan does without them.
 * @throws ManifestMismatchError when what came is not what was pinned
 */
export async function addonSets(args: AddonSetsArgs): Promise<AddonSets> {
  const addons = addonsOf(args).filter((addon) => addon.in(args));
  const sets = (await Promise.all(addons.map((addon) => setOf(addon, args))))
    .flat()
    .map((set) => pinned(set, args));
  const late = new Set(addons.filter((addon) => addon.late === true).map(({ role }) => role));
  const hasLateObjects = ({ role }: AddonSet): boolean => late.has(role) && (args.wait ?? true);
  const own = (await extraSets(args, sets)).map((set) => pinned(set, args));
  const bringNetwork = args.platform.cni === "none";
  return {
    beforeCluster: sets.filter((each) => !hasLateObjects(each)),
    // What waits for nodes comes after these, also when Pulumi makes one resource at a time.
    afterApiServer: [...sets.filter(hasLateObjects), ...(bringNetwork ? own : [])],
    afterNetwork: bringNetwork ? [] : own,
  };
}
