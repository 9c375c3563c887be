import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { apiGroup, apiVersions } from "../../capi/apiVersions";
import { pinnedVersions, providerPins } from "capz-windows-platform/versions";
import type { KindGroup } from "./generate";
import type { KindSchema, CrdNode } from "./schema";

type GroupName = keyof typeof apiVersions;

/** Every kind with a CRD that the program creates in the management cluster. */
export const kindsOfGroup: Readonly<Record<GroupName, readonly string[]>> = {
  bootstrap: ["KubeadmConfig", "KubeadmConfigTemplate"],
  controlPlane: ["KubeadmControlPlane"],
  cluster: ["Cluster", "MachineDeployment", "MachineHealthCheck", "MachinePool"],
  addons: ["ClusterResourceSet"],
  azure: ["AzureCluster", "AzureClusterIdentity", "AzureMachinePool", "AzureMachineTemplate"],
  operator: ["BootstrapProvider", "ControlPlaneProvider", "CoreProvider", "InfrastructureProvider"],
};

/** A release of a project and its subfolder in a folder of CRDs. */
interface Release {
  readonly name: string;
  readonly dir: string;
}

const { clusterApi, capz } = providerPins.containerd;
const operatorVersion = `v${pinnedVersions.clusterApiOperator}`;

const clusterApiRelease: Release = { name: `Cluster API ${clusterApi}`, dir: `cluster-api-${clusterApi}` };

/** The pinned release whose CRDs each group is read from. */
const releases: Readonly<Record<GroupName, Release>> = {
  bootstrap: clusterApiRelease,
  controlPlane: clusterApiRelease,
  cluster: clusterApiRelease,
  addons: clusterApiRelease,
  azure: { name: `CAPZ ${capz}`, dir: `cluster-api-provider-azure-${capz}` },
  operator: {
    name: `the Cluster API operator ${operatorVersion}`,
    dir: `cluster-api-operator-${operatorVersion}`,
  },
};

interface Crd {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly schema: { readonly openAPIV3Schema: CrdNode };
    }[];
  };
}

function readCrds(dir: string): Crd[] {
  let files: string[];
  try {
    files = readdirSync(dir).filter((file) => /\.ya?ml$/.test(file));
  } catch {
    throw new Error(
      `${dir}: there is no such folder. The folder of CRDs has one subfolder for each pinned release (packages/platform/versions.ts): ` +
        `${[...new Set(Object.values(releases).map((release) => release.dir))].join(", ")}.`,
    );
  }
  return files
    .map((file) => parse(readFileSync(join(dir, file), "utf8")) as Crd & { readonly kind?: string })
    .filter(({ kind }) => kind === "CustomResourceDefinition");
}

function kindSchema(
  crds: readonly Crd[],
  kind: string,
  apiVersion: string,
  { name, dir }: Release,
): KindSchema {
  const found = crds
    .filter(({ spec }) => spec.group === apiGroup(apiVersion) && spec.names.kind === kind)
    .flatMap(({ spec }) => spec.versions)
    .find((version) => version.served && `${apiGroup(apiVersion)}/${version.name}` === apiVersion);
  if (found === undefined) {
    throw new Error(`${kind}: no CRD in ${dir} serves it as ${apiVersion}`);
  }
  return { apiVersion, kind, release: name, schema: found.schema.openAPIV3Schema };
}

/**
 * Reads the CRDs of the pinned releases.
 * @param folder with a subfolder for each release, such as `cluster-api-v1.14.2`
 * @throws Error when a release, a kind, or the API version of one is missing
 */
export function readKindGroups(folder: string): KindGroup[] {
  const read = new Map<string, Crd[]>();
  return (Object.entries(kindsOfGroup) as [GroupName, readonly string[]][]).map(([group, kinds]) => {
    const release = releases[group];
    const crds = read.get(release.dir) ?? readCrds(join(folder, release.dir));
    read.set(release.dir, crds);
    return {
      file: group,
      kinds: kinds.map((kind) => kindSchema(crds, kind, apiVersions[group], release)),
    };
  });
}
