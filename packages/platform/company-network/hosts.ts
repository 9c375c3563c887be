import { registryOf } from "../workloads/imageReferences";
/** Hosts on the Internet that machines reach, as a firewall names them. */

/** Hosts that a stack reaches, by who does; without what your workloads call. */
export interface HostsModel {
  readonly who: string;
  readonly why: string;
  /** TCP. */
  readonly port: number;
  readonly hosts: readonly string[];
}

/**
 * Of Azure's public cloud: ARM, and the logins of managed identities and of people. Machines have their tokens, the time and
 * their images from the host, which no firewall sees.
 */
export const azureHosts: readonly string[] = ["login.microsoftonline.com", "management.azure.com"];

/**
 * Registries, and the hosts to which they redirect. They change: registry.k8s.io asks not to depend on its (kubernetes/registry.k8s.io
 * README and cmd/archeio/internal/app/handlers.go), Microsoft names its own
 * (learn.microsoft.com/azure/container-registry/container-registry-firewall-access-rules, mcr.microsoft.com), Red Hat those of quay.io
 * (access.redhat.com/articles/7084334), Docker its own (docs.docker.com/desktop/setup/allow-list).
 */
const registries: Readonly<Record<string, readonly string[]>> = {
  "docker.io": [
    ...["auth.docker.io", "registry-1.docker.io"],
    ...["production.cloudflare.docker.com", "production.cloudfront.docker.com"],
    // Of pulls without a login, which kube-proxy for Windows is.
    "docker-images-prod.6aa30f8b08e16409b46e0173d6de2f56.r2.cloudflarestorage.com",
  ],
  "ghcr.io": ["ghcr.io", "pkg-containers.githubusercontent.com"],
  "mcr.microsoft.com": ["mcr.microsoft.com", "*.data.mcr.microsoft.com"],
  "quay.io": ["quay.io", "*.quay.io"],
  "registry.k8s.io": ["registry.k8s.io", "cdn.registry.k8s.io", "*.pkg.dev"],
};

export const isRegistry = (host: string): boolean => Object.values(registries).flat().includes(host);

const withRedirects = (host: string): readonly string[] => registries[host] ?? [host];

export const hostsOfImages = (images: readonly string[]): string[] =>
  images.flatMap((image) => withRedirects(registryOf(image).host ?? "docker.io"));

/** Where GitHub keeps the files of releases. */
const downloadHosts = (host: string): string[] =>
  host === "github.com" ? [host, "release-assets.githubusercontent.com"] : [host];

/**
 * What charts and the Cluster API operator bring, by the name of the release or the kind of the provider. Their manifests name
 * the images (CAPZ v1.27.0 infrastructure-components.yaml: Azure Service Operator is in mcr.microsoft.com).
 */
const ofProviders: Readonly<Record<string, readonly string[]>> = {
  "cert-manager": withRedirects("quay.io"),
  "cluster-api-operator": withRedirects("registry.k8s.io"),
  CoreProvider: [...downloadHosts("github.com"), ...withRedirects("registry.k8s.io")],
  InfrastructureProvider: withRedirects("mcr.microsoft.com"),
};

export const hostsOfProviders = (names: readonly string[]): string[] =>
  names.flatMap((name) => ofProviders[name] ?? []);
