import { chartRepositories } from "../versions";
import { present } from "capz-windows-kit/present";

/** What an installation of Cluster API downloads: two charts, and the manifests of the providers. */

export const artifactParts = [
  "certManager",
  "operator",
  "core",
  "bootstrap",
  "controlPlane",
  "azure",
] as const;

export type ArtifactPart = (typeof artifactParts)[number];

/** `sha256:` and 64 hexadecimal digits. */
export type ArtifactDigests = Readonly<Partial<Record<ArtifactPart, string | undefined>>>;

export interface Artifact {
  /** Its key in clusterApi.digests. */
  readonly part: ArtifactPart;
  readonly name: string;
  readonly version: string;
  /** Of a file; of a chart that of the index of its repository. */
  readonly url: string;
  readonly isChart: boolean;
}

export interface Installation {
  readonly install: boolean;
  readonly installCertManager: boolean;
  readonly certManagerVersion: string;
  readonly operatorVersion: string;
  readonly coreVersion: string;
  readonly azureVersion: string;
  readonly componentsRepository?: string | undefined;
  readonly digests?: ArtifactDigests | undefined;
}

const chart = (part: ArtifactPart, name: string, repository: string, version: string): Artifact => ({
  ...{ part, name, version, url: `${repository}/index.yaml`, isChart: true },
});

/** The file that the operator takes of a release (Cluster API v1.14 cmd/clusterctl/client/config/providers_client.go). */
const components = (part: ArtifactPart, repository: string, file: string, version: string): Artifact => ({
  ...{ part, name: `${repository}-${file}-components`, version, isChart: false },
  url: `https://github.com/kubernetes-sigs/${repository}/releases/download/${version}/${file}-components.yaml`,
});

/**
 * What can have a digest. The operator takes the manifests in a repository of OCI artifacts by their tags, and cannot take
 * them by a digest (cluster-api-operator v0.29 internal/controller/oci_source.go, parseOCISource).
 */
export const artifactsOf = (clusterApi: Installation): Artifact[] =>
  !clusterApi.install
    ? []
    : present(
        clusterApi.installCertManager &&
          chart("certManager", "cert-manager", chartRepositories.certManager, clusterApi.certManagerVersion),
        chart(
          "operator",
          "cluster-api-operator",
          chartRepositories.clusterApiOperator,
          clusterApi.operatorVersion,
        ),
        ...(clusterApi.componentsRepository === undefined
          ? [
              components("core", "cluster-api", "core", clusterApi.coreVersion),
              components("bootstrap", "cluster-api", "bootstrap", clusterApi.coreVersion),
              components("controlPlane", "cluster-api", "control-plane", clusterApi.coreVersion),
              components("azure", "cluster-api-provider-azure", "infrastructure", clusterApi.azureVersion),
            ]
          : []),
      );

/** What has a digest in the stack file, with its hexadecimal digits. */
export const withDigests = (clusterApi: Installation): (Artifact & { readonly sha256: string })[] =>
  artifactsOf(clusterApi).flatMap((artifact) => {
    const digest = clusterApi.digests?.[artifact.part];
    return digest === undefined ? [] : [{ ...artifact, sha256: digest.replace("sha256:", "") }];
  });

/** Keys of what could have a digest and has none; none where the stack asks for no digests. */
export const partsWithoutDigest = (clusterApi: Installation): ArtifactPart[] =>
  clusterApi.digests === undefined
    ? []
    : artifactsOf(clusterApi).flatMap(({ part }) => (clusterApi.digests?.[part] === undefined ? [part] : []));

/**
 * Where the program puts the verified archive of a chart, from its working directory on, which is that of Pulumi's
 * Kubernetes provider too (pulumi v3 sdk/go/common/resource/plugin, newPlugin with ctx.Pwd). The state has the path, so it is
 * the same on every machine, and another one for another content.
 */
export const archivePath = ({ name, version, sha256 }: Artifact & { readonly sha256: string }): string =>
  `.cache/charts/${name}-${version}-${sha256.slice(0, 12)}.tgz`;
